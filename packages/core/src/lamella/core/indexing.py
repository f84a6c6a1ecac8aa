"""``x[index]`` and ``x[index] = value``.

An index is taken apart from left to right: numbers select, slices slice, None and bools add a dimension; what remains
are tensors, which index together in one call. On a plain CPU tensor the part without tensors is one NumPy indexing.
"""

from __future__ import annotations

import warnings
from operator import index as as_int
from typing import Any

import numpy as np

from lamella.dispatch.errors import message
from lamella.dispatch.keys import TRANSFORM_MASK
from lamella.dispatch.state import state as _S

from ._gen import conversion as _conversion, indexing as _indexing, shape as _shape, slicing as _slicing
from .runtime import recorder
from .tensor import CPU, META, Tensor, VersionCounter, wrap

_new = object.__new__
_UNREAD = META | TRANSFORM_MASK  # numbers of these are not there to be read
_NONE, _ELLIPSIS = type(None), type(...)
_VALID = "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got {})"


def getitem(self: Tensor, index: Any) -> Tensor:
    """Part of a tensor: numbers, slices, ``...`` and None give views; tensors, lists and masks give copies.

    Raises:
        IndexError: for a place or a mask that does not fit. ValueError: for a slice with a step below 1.

    Example:
        >>> x = arange(6).view(2, 3)
        >>> x[0, 1:].tolist(), x[:, [0, 2]].tolist(), x[x > 3].tolist()
        ([1, 2], [[0, 2], [3, 5]], [4, 5])
    """
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    if ks != CPU:
        return _general(self, index)
    # From here on a view made by hand: this is the most used operator of all.
    if index.__class__ is int:
        try:
            r = self._a[index, ...]
        except IndexError:
            raise _no_place(self._a, 0, index) from None
    else:
        key = _plain_key(index)
        if key is None:
            return _general(self, index)
        try:
            r = self._a[key]
        except (IndexError, TypeError, ValueError):
            return _general(self, index)
    vc = self._vc
    if vc is None:
        vc = self._vc = VersionCounter()
    t = _new(Tensor)
    t._a = r
    t._ks = CPU
    t._ag = None
    t._vc = vc
    root = self._base
    t._base = self if root is None else root
    return t


def _plain_key(index: Any) -> Any:
    """The index as NumPy's key when it is made of numbers, slices, ``...`` and None only; else None.

    The ``...`` at its end keeps NumPy from giving a scalar in place of an array.
    """
    cls = index.__class__
    if cls is slice:
        step = index.step
        return index if step is None or step.__class__ is int and step > 0 else None
    if cls is tuple:
        dots = False
        for i in index:
            c = i.__class__
            if c is int or c is _NONE:
                continue
            if c is slice:
                step = i.step
                if step is not None and not (step.__class__ is int and step > 0):
                    return None
            elif c is _ELLIPSIS and not dots:
                dots = True
            else:
                return None
        return index if dots else (*index, ...)
    if cls is _NONE:
        return (None, ...)
    return index if cls is _ELLIPSIS else None


def _no_place(a: Any, dim: int, i: int) -> Exception:
    if a.ndim == 0:
        return IndexError(
            message("index", "invalid index of a 0-dim tensor", hint="use tensor.item() to get its number")
        )
    return IndexError(message("index", f"index {i} is out of bounds for dimension {dim} with size {a.shape[dim]}"))


# ---------------------------------------------------------------- any index


def _items(self: Tensor, index: Any) -> list[Any]:
    """The parts of an index, with sequences and arrays as tensors."""
    if index.__class__ is tuple:
        parts = list(index)
    elif isinstance(index, (list, range)) and _is_tuple_like(index):
        warnings.warn(
            message(
                "index",
                "a list that holds sequences, tensors, slices or None is taken as a tuple of indices",
                hint="write x[tuple(index)], or x[tensor(index)] to index with the list as a whole",
            ),
            UserWarning,
            stacklevel=4,
        )
        parts = list(index)
    else:
        parts = [index]
    return [_item(i) for i in parts]


def _is_tuple_like(index: Any) -> bool:
    if len(index) >= 32:
        return False
    return any(isinstance(i, (Tensor, list, tuple, slice, np.ndarray)) or i is None or i is ... for i in index)


def _item(i: Any) -> Any:
    if i is None or i is ... or isinstance(i, (bool, int, Tensor)):
        return i
    if isinstance(i, slice):
        step = 1 if i.step is None else _bound(i.step)
        if step <= 0:
            raise ValueError(
                message(
                    "index",
                    "slice step cannot be zero" if step == 0 else "step must be greater than zero",
                    {"step": step},
                    hint="flip() gives elements in reverse order",
                )
            )
        return slice(_bound(i.start), _bound(i.stop), step)
    if isinstance(i, np.bool_):
        return bool(i)
    if isinstance(i, np.ndarray):
        return wrap(i) if i.ndim or i.dtype.kind == "b" else _item(i[()])
    if isinstance(i, (list, tuple, range)):
        return _from_list(i)
    if isinstance(i, str):
        raise TypeError(message("index", f"new(): invalid data type 'str' (index {i!r})"))
    try:
        return as_int(i)
    except TypeError:
        raise IndexError(message("index", _VALID.format(type(i).__name__))) from None


def _bound(x: Any) -> Any:
    if x is None or x.__class__ is int:
        return x
    try:
        return as_int(x)
    except TypeError:
        raise TypeError(
            message("index", "slice indices must be integers or None or have an __index__ method", [type(x).__name__])
        ) from None


def _from_list(i: Any) -> Tensor:
    from .creation import as_array

    a = as_array("index", list(i))
    if a.size == 0 or a.dtype.kind not in "bi":
        a = a.astype(np.int64)
    return wrap(a)


def _consumes(i: Any) -> int:
    """How many dimensions one part of an index uses up."""
    if i is None or i is ... or i is True or i is False:
        return 0
    if isinstance(i, Tensor):
        return i._a.ndim if _is_mask(i) else 1
    return 1


def _is_mask(t: Tensor) -> bool:
    return t._a.dtype.kind == "b" or t._a.dtype == np.uint8


def _views(self: Tensor, parts: list[Any]) -> tuple[Tensor, list[Tensor | None]]:
    """Apply all parts that give views; returns the view and what is left: a tensor or None per dimension."""
    used = sum(_consumes(i) for i in parts)
    n = self._a.ndim
    if used > n:
        if n == 0:
            raise _no_place(self._a, 0, 0)
        raise IndexError(message("index", f"too many indices for tensor of dimension {n}", {"indices": used}))
    x, dim, real = self, 0, 0
    left: list[Tensor | None] = []
    free = n - used
    for i in parts:
        if i is None:
            x = _shape.op_unsqueeze(x, dim)
            dim += 1
        elif i is ...:
            dim, real, free = dim + free, real + free, 0
        elif i is True or i is False or isinstance(i, Tensor) and i._a.ndim == 0 and _is_mask(i):
            x = _shape.op_unsqueeze(x, dim)
            left += [None] * (dim - len(left))
            left.append(wrap(np.zeros(1 if _truth(i) else 0, np.int64)))
            dim += 1
        elif isinstance(i, slice):
            size = x._a.shape[dim]
            if i.step != 1 or i.indices(size) != (0, size, 1):
                x = _slicing.op_slice_Tensor(x, dim, i.start, i.stop, i.step)
            dim, real = dim + 1, real + 1
        elif isinstance(i, Tensor) and (i._a.ndim or i._ks & _UNREAD or i._a.dtype.kind not in "iu"):
            left += [None] * (dim - len(left))
            left.append(i)
            k = _consumes(i)
            dim, real = dim + k, real + k
            left += [_COVERED] * (k - 1)  # type: ignore[list-item]
        else:
            k = int(i)
            if not -x._a.shape[dim] <= k < x._a.shape[dim]:
                raise _no_place(self._a, real, k)
            x = _slicing.op_select_int(x, dim, k)
            real += 1
    return x, [i for i in left if i is not _COVERED]


_COVERED: Any = object()


def _truth(i: Any) -> bool:
    return i if i.__class__ is bool else bool(i.item())


def _general(self: Tensor, index: Any) -> Tensor:
    if index.__class__ is Tensor and index._a.ndim:
        return _indexing.op_index_Tensor(self, [index])
    x, left = _views(self, _items(self, index))
    if left:
        return _indexing.op_index_Tensor(x, left)
    return _shape.op_alias(x) if x is self else x


# ---------------------------------------------------------------- assignment


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """Write into part of a tensor.

    Args:
        index: as for reading.
        value: a number, or a tensor whose shape fits the part (sizes of 1 in front are left out).

    Raises:
        IndexError: for a place or a mask that does not fit. RuntimeError: for a value that does not fit. TypeError: for
            a value that is neither a number nor a tensor.
    """
    ks = self._ks
    if isinstance(value, Tensor):
        ks |= value._ks
    else:
        value = _value(self, value)
    if ks & _S.affected:
        ks = _S.apply(ks)
    if ks == CPU and self.__class__ is Tensor and _set_plain(self, index, value):
        return
    left: list[Tensor | None]
    if index.__class__ is Tensor and index._a.ndim:
        x, left = self, [index]
    else:
        x, left = _views(self, _items(self, index))
    if not left:
        if value.__class__ is Tensor or isinstance(value, Tensor):
            if value._ag is not None and x._a.dtype.kind in "biu":
                value = value.detach()  # type: ignore[attr-defined]
            _conversion.op_copy_(x, _strip(value, x._a.ndim))
        else:
            _conversion.op_fill__Scalar(x, value)
        return
    if not isinstance(value, Tensor):
        value = _scalar_tensor(x, value)
    elif value._a.size == 1 and value._a.dtype is not x._a.dtype and _is_single_mask(left):
        value = value.to(x.dtype)  # type: ignore[attr-defined]
    _indexing.op_index_put_(x, left, _without_ones(x, left, value))


def _value(self: Tensor, value: Any) -> Any:
    """A value that is not a tensor, as a Python number."""
    if value.__class__ in (int, float, bool, complex):
        return value
    if isinstance(value, np.generic) and value.dtype.kind in "biufc":
        return value.item()
    if isinstance(value, (int, float, complex)):
        return value
    name = self.type() if hasattr(self, "type") else "Tensor"  # type: ignore[attr-defined]
    raise TypeError(
        message(
            "index",
            f"can't assign a {type(value).__name__} to a {name}",
            hint="make a tensor of it first: torch.tensor(value)",
        )
    )


def _set_plain(self: Tensor, index: Any, value: Any) -> bool:
    """Write directly where index and value are plain; False leaves it to the general way."""
    a = self._a
    key = (index, ...) if index.__class__ is int else _plain_key(index)
    if key is None or not a.flags.writeable or 0 in a.strides:
        return False
    try:
        if value.__class__ is Tensor:
            b = value._a
            if b.dtype is not a.dtype and b.dtype.kind == "c":
                return False
            if b.base is not None or b is a:
                return False  # may overlap
            a[key] = b
        else:
            kind = a.dtype.kind
            if kind != "f" or value.__class__ is complex:
                return False
            a[key] = value
    except (IndexError, TypeError, ValueError, OverflowError):
        return False
    vc = self._vc
    if vc is None:
        vc = self._vc = VersionCounter()
    vc.n += 1
    vc.writer = "copy_"
    if recorder.stack is not None:
        vc.stack = recorder.stack()
    return True


def _scalar_tensor(x: Tensor, value: Any) -> Tensor:
    from .kernels.conversion import scalar_for

    d = x._a.dtype
    t = wrap(np.asarray(scalar_for("index_put_", d, value), d))
    return t if x._ks & CPU else t.to(x.device)  # type: ignore[attr-defined]


def _is_single_mask(left: list[Tensor | None]) -> bool:
    return len([i for i in left if i is not None]) == 1 and left[-1]._a.dtype.kind == "b"  # type: ignore[union-attr]


def _without_ones(x: Tensor, left: list[Tensor | None], value: Tensor) -> Tensor:
    """Leave out sizes of 1 in front that the indexed part does not have."""
    shape = value._a.shape
    if len(shape) < 2 or shape[0] != 1:
        return value
    masks = sum(i._a.ndim - 1 for i in left if i is not None and _is_mask(i))
    places = [i._a.ndim for i in left if i is not None and not _is_mask(i)]
    count = sum(1 for i in left if i is not None)
    room = x._a.ndim - masks - count + max([*places, 1])
    extra = len(shape) - room
    lead = 0
    while lead < extra and shape[lead] == 1:
        lead += 1
    return value.reshape(shape[lead:]) if lead else value  # type: ignore[attr-defined]


def _strip(value: Tensor, ndim: int) -> Tensor:
    """Leave out sizes of 1 in front where there are more than ``ndim`` dimensions."""
    shape = value._a.shape
    extra = len(shape) - ndim
    if extra > 0 and all(n == 1 for n in shape[:extra]):
        return value.reshape(shape[extra:])  # type: ignore[attr-defined]
    return value


def delitem(self: Tensor, index: Any) -> None:
    """Tensors do not lose elements this way."""
    raise TypeError(message("index", "Tensor does not support deleting items"))


METHODS = {"__getitem__": getitem, "__setitem__": setitem, "__delitem__": delitem}
