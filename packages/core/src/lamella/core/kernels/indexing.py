"""Elements of arrays picked, written and added by index or mask. Every place is checked before anything is written."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..dtypes import from_numpy_dtype
from .accumulate import add_rows, apart, copying, extent, reduce_at
from .conversion import scalar_for
from .strides import writable

_ALL = slice(None)


# ---------------------------------------------------------------- x[index] with tensors


def index_key(op: str, a: Any, indices: Any) -> tuple[tuple[Any, ...], int]:
    """Index arrays as NumPy takes them, and how many are integer arrays; types and shapes of masks are checked."""
    key: list[Any] = []
    dim = whole = 0
    for i in indices:
        if i is None:
            key.append(_ALL)
            dim += 1
            continue
        kind = i.dtype.kind
        if kind == "b" or kind == "u" and i.dtype.itemsize == 1:
            for k in range(i.ndim):
                if dim + k >= a.ndim or i.shape[k] != a.shape[dim + k]:
                    raise IndexError(
                        message(
                            op,
                            f"The shape of the mask {list(i.shape)} at index {k} does not match the shape "
                            f"of the indexed tensor {list(a.shape)} at index {dim + k}",
                        )
                    )
            key.append(i if kind == "b" else i.astype(bool))
            dim += i.ndim
            whole += 2
        elif kind == "i" and i.dtype.itemsize >= 4:
            key.append(i)
            dim += 1
            whole += 1
        else:
            raise IndexError(
                message(op, "tensors used as indices must be long, int, byte or bool tensors", [i.dtype.name])
            )
    if dim > a.ndim:
        raise IndexError(message(op, f"too many indices for tensor of dimension {a.ndim}"))
    return tuple(key), whole


def _explain(op: str, a: Any, key: Any, error: Exception) -> Exception:
    """Torch's words for what NumPy found wrong with an index."""
    dim = 0
    shapes = []
    for i in key:
        if isinstance(i, slice):
            dim += 1
            continue
        if i.dtype.kind == "b":
            dim += i.ndim
            continue
        shapes.append(list(i.shape))
        n = a.shape[dim]
        if i.size:
            bad = i[(i < -n) | (i >= n)]
            if bad.size:
                return IndexError(
                    message(op, f"index {int(bad.flat[0])} is out of bounds for dimension {dim} with size {n}")
                )
        dim += 1
    if len(shapes) > 1 or any(not isinstance(i, slice) and i.dtype.kind == "b" for i in key):
        return IndexError(
            message(
                op,
                "shape mismatch: indexing tensors could not be broadcast together with shapes "
                f"{', '.join(map(str, shapes))}",
            )
        )
    return IndexError(message(op, str(error)))


def _of_nothing(xp: Any, a: Any, key: Any) -> Any:
    """The empty result of an index whose places are not there, if it is empty: torch does not look at them then."""
    if a.size or any(i.__class__ is not slice and i.dtype.kind == "b" for i in key):
        return None
    kept = [n for n, i in zip(a.shape, key, strict=False) if i.__class__ is slice] + list(a.shape[len(key) :])
    if 0 not in kept:
        return None
    room = [n if i.__class__ is slice else int(abs(i).max(initial=0)) + 1
            for n, i in zip(a.shape, key, strict=False)]
    try:
        return xp.empty((*room, *a.shape[len(key) :]), a.dtype)[key]
    except (IndexError, ValueError):
        return None


def index_Tensor(xp: Any, self: Any, indices: Any) -> Any:
    key, whole = index_key("index", self, indices)
    try:
        if whole == 1 and self.flags.c_contiguous:
            # One index array: take is several times faster than general indexing (but copies what is not contiguous).
            at = len(key) - 1
            if key[at].__class__ is not slice:
                return self.take(key[at], at)
        r = self[key]
    except (IndexError, ValueError) as e:
        r = _of_nothing(xp, self, key)
        if r is None:
            raise _explain("index", self, key, e) from None
    if not r.flags.c_contiguous:
        return xp.ascontiguousarray(r)
    return r.copy() if r.base is not None and xp.may_share_memory(r, self) else r


def index_put_(xp: Any, self: Any, indices: Any, values: Any, accumulate: bool) -> None:
    if values.dtype != self.dtype:
        raise RuntimeError(
            message(
                "index_put_",
                "Index put requires the source and destination dtypes match, got "
                f"{from_numpy_dtype(self.dtype).name} for the destination and "
                f"{from_numpy_dtype(values.dtype).name} for the source.",
            )
        )
    key, whole = index_key("index", self, indices)
    target = writable("index_put_", self)
    if values.ndim > 1 and values.shape[0] == 1 and values.ndim > _result_ndim(self, key):
        raise _no_broadcast(self, key, values)  # NumPy would leave out sizes of 1
    if accumulate:
        _put_adding(xp, target, key, whole, values)
        return
    values = apart(xp, values, self)
    try:
        target[key] = values
    except IndexError as e:
        if _of_nothing(xp, self, key) is not None:
            return
        raise _explain("index", self, key, e) from None
    except (ValueError, TypeError):  # TypeError: for values of two dimensions and a mask
        raise _no_broadcast(self, key, values) from None


index_put = copying(index_put_)


def _result_ndim(a: Any, key: Any) -> int:
    arrays = [i for i in key if i.__class__ is not slice]
    used = sum(i.ndim if i.dtype.kind == "b" else 1 for i in arrays)
    return a.ndim - used + max((1 if i.dtype.kind == "b" else i.ndim for i in arrays), default=0)


def _no_broadcast(a: Any, key: Any, values: Any) -> Exception:
    try:
        shape = a[key].shape
    except (IndexError, ValueError) as e:
        return _explain("index", a, key, e)
    return RuntimeError(
        message(
            "index_put_",
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast "
            f"to indexing result of shape {list(shape)}",
        )
    )


def _put_adding(xp: Any, target: Any, key: Any, whole: int, values: Any) -> None:
    try:
        if whole == 1 and len(key) == 1:
            places = _places("index", target.shape[0], key[0])
            rows = xp.broadcast_to(values, places.shape + target.shape[1:])
            add_rows(xp, target, places.reshape(-1), rows.reshape((places.size,) + target.shape[1:]))
            return
        xp.add.at(target, key, values)
    except IndexError as e:
        raise _explain("index", target, key, e) from None
    except ValueError:
        raise _no_broadcast(target, key, values) from None


def _places(op: str, n: int, index: Any, negative: bool = True) -> Any:
    """Places along a dimension of ``n`` elements, none negative; IndexError for those out of range."""
    if not index.size:
        return index
    low, high = extent(index)
    if high >= n or low < (-n if negative else 0):
        bad = int(high if high >= n else low)
        raise IndexError(message(op, f"index {bad} is out of bounds for dimension 0 with size {n}"))
    return index + n * (index < 0) if low < 0 else index


# ---------------------------------------------------------------- along one dimension


def _vector(op: str, a: Any, dim: int, index: Any) -> tuple[int, Any]:
    """The dimension and the checked places of index_select, index_add and their like."""
    dim = wrap_dim(op, dim, a.ndim)
    if index.ndim > 1:
        raise IndexError(message(op, "Index is supposed to be a vector", {"dimensions": index.ndim}))
    if index.dtype.kind != "i" or index.dtype.itemsize < 4:
        raise RuntimeError(message(op, "Expected dtype int32/int64 for index", [index.dtype.name]))
    n = a.shape[dim] if a.ndim else 1
    index = index.reshape(-1)
    low, high = extent(index) if index.size else (0, -1)
    if low < 0 or high >= n:
        bad = int(index[(index < 0) | (index >= n)][0])
        raise IndexError(message(op, f"index out of range in self: {bad} (dimension {dim} has size {n})"))
    return dim, index


def index_select(xp: Any, self: Any, dim: int, index: Any) -> Any:
    dim, index = _vector("index_select", self, dim, index)
    if not self.ndim:
        if index.size != 1:
            raise RuntimeError(
                message("index_select", f"Index to scalar can have only 1 value, got {index.size} value(s)")
            )
        return self.copy()
    if self.flags.c_contiguous:
        return self.take(index, dim)
    return xp.ascontiguousarray(self[(_ALL,) * dim + (index,)])


def _source(op: str, self: Any, dim: int, index: Any, source: Any, *, error: Any = RuntimeError) -> tuple[Any, Any]:
    """Target and source as arrays of at least one dimension whose shapes fit."""
    if source.dtype != self.dtype:
        raise RuntimeError(
            message(
                op,
                f"self and source expected to have the same dtype, but got (self) "
                f"{from_numpy_dtype(self.dtype).name} and (source) "
                f"{from_numpy_dtype(source.dtype).name}",
            )
        )
    a = self.reshape(1) if not self.ndim else self
    s = source.reshape(1) if not source.ndim else source
    if source.ndim and self.ndim and source.ndim != self.ndim:
        raise error(
            message(
                op,
                "source and destination must have the same number of dimensions",
                {"source": list(source.shape), "destination": list(self.shape)},
            )
        )
    if s.ndim == a.ndim:
        for k, (n, m) in enumerate(zip(a.shape, s.shape, strict=True)):
            if k != dim and n != m:
                raise RuntimeError(
                    message(
                        op,
                        f"Source/destination tensor must have same slice shapes. Destination slice shape: "
                        f"{list(a.shape[:dim] + a.shape[dim + 1 :])} at dimension {dim} and source slice "
                        f"shape: {list(s.shape[:dim] + s.shape[dim + 1 :])} at dimension 0.",
                    )
                )
        if s.shape[dim] != index.size:
            raise error(
                message(op, f"Number of indices ({index.size}) should be equal to source.size(dim) ({s.shape[dim]})")
            )
    elif index.size != 1 or a.ndim != 1:
        raise error(message(op, "source shape does not fit", {"source": list(source.shape), "self": list(self.shape)}))
    return a, s


def index_add_(xp: Any, self: Any, dim: int, index: Any, source: Any, alpha: Any) -> None:
    dim, index = _vector("index_add_", self, dim, index)
    a, s = _source("index_add_", self, dim, index, source)
    if alpha != 1:
        s = s * xp.asarray(scalar_for("index_add_", s.dtype, alpha), s.dtype)
    add_rows(xp, writable("index_add_", a).swapaxes(0, dim), index, apart(xp, s, a).swapaxes(0, dim))


def index_copy_(xp: Any, self: Any, dim: int, index: Any, source: Any) -> None:
    dim, index = _vector("index_copy_", self, dim, index)
    a, s = _source("index_copy_", self, dim, index, source, error=IndexError)
    writable("index_copy_", a)[(_ALL,) * dim + (index,)] = apart(xp, s, a)


def index_fill__int_Scalar(xp: Any, self: Any, dim: int, index: Any, value: Any) -> None:
    dim = wrap_dim("index_fill_", dim, self.ndim)
    if index.dtype.kind != "i" or index.dtype.itemsize != 8:
        raise IndexError(message("index_fill_", "Expected dtype int64 for index", [index.dtype.name]))
    if index.ndim > 1:
        raise IndexError(message("index_fill_", "Index has to be a vector/scalar", {"dimensions": index.ndim}))
    a = self if self.ndim else self.reshape(1)
    places = _places("index_fill_", a.shape[dim], index.reshape(-1))
    writable("index_fill_", a)[(_ALL,) * dim + (places,)] = scalar_for("index_fill_", a.dtype, value)


def index_fill__int_Tensor(xp: Any, self: Any, dim: int, index: Any, value: Any) -> None:
    if value.ndim:
        rule = f"Only supports 0-dimension value tensor, but got tensor with {value.ndim} dimension(s)."
        raise RuntimeError(message("index_fill_", rule))
    index_fill__int_Scalar(xp, self, dim, index, value.item())


def index_reduce_(xp: Any, self: Any, dim: int, index: Any, source: Any, reduce: str, include_self: bool) -> None:
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(
            message("index_reduce_", f"reduce argument must be either prod, mean, amax or amin, got {reduce}.")
        )
    if self.dtype.kind == "b":
        raise NotImplementedError(message("index_reduce_", "it is not implemented for bool tensors"))
    dim, index = _vector("index_reduce_", self, dim, index)
    a, s = _source("index_reduce_", self, dim, index, source)
    a = writable("index_reduce_", a).swapaxes(0, dim)
    reduce_at(xp, a, (index,), apart(xp, s, a).swapaxes(0, dim), reduce, include_self)


index_add, index_copy, index_reduce = copying(index_add_), copying(index_copy_), copying(index_reduce_)
index_fill_int_Scalar, index_fill_int_Tensor = copying(index_fill__int_Scalar), copying(index_fill__int_Tensor)
