"""View operators in two more forms: in place (``x.t_()``) and copying (``t_copy(x)``)."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import conversion as _conversion, shape as _shape, slicing as _slicing
from ..layouts import contiguous_format
from ..runtime import bump, write_out
from ..tensor import Tensor, describe
from .shape import squeeze
from .slicing import split


def become(op: str, self: Tensor, view: Tensor) -> Tensor:
    """Give ``self`` the shape, strides and history of a view of it."""
    edge = self._ag
    if edge is not None and view._ag is not None and self.is_leaf:  # type: ignore[attr-defined]
        raise RuntimeError(
            message(
                op,
                "a leaf Variable that requires grad is being used in an in-place operation",
                [describe(self)],
                hint=f"use the out-of-place {op.rstrip('_')}",
            )
        )
    if hasattr(self, "_become"):  # a wrapper: what it wraps changes shape too
        self._become(view)
    elif getattr(self, "_twin", None) is not None:
        self.data = view.detach()  # type: ignore[attr-defined]
    else:
        self._a = view._a
    if view._ag is not None:
        self._ag = view._ag
        self._ks |= view._ks
    bump(self, op)
    return self


def _inplace(op: str, call: Any) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return become(op, self, call(self, *args, **kwargs))

    method.__name__ = method.__qualname__ = op
    method.__doc__ = f"As `{op[:-1]}`, in place: changes this tensor's shape and returns it."
    return method


def _swap(self: Tensor, axis0: int, axis1: int) -> Tensor:
    return _shape.op_transpose_int(self, axis0, axis1)


def _swap_dims(self: Tensor, dim0: int, dim1: int) -> Tensor:
    return _shape.op_transpose_int(self, dim0, dim1)


METHODS = {
    op: _inplace(op, call)
    for op, call in {
        "squeeze_": squeeze,
        "unsqueeze_": _shape.op_unsqueeze,
        "t_": _shape.op_t,
        "transpose_": _shape.op_transpose_int,
        "swapaxes_": _swap,
        "swapdims_": _swap_dims,
        "as_strided_": _shape.op_as_strided,
    }.items()
}


def _copying(name: str, call: Any) -> Any:
    def function(input: Tensor, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        r = call(input, *args, **kwargs)
        if isinstance(r, (tuple, list)):
            r = tuple(_conversion.op_clone(t, memory_format=contiguous_format) for t in r)
        else:
            r = _conversion.op_clone(r, memory_format=contiguous_format)
        return r if out is None else write_out(name, out, r)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"A copy of what `{name[:-5]}` shows of a tensor.\n\n    Args:\n        input: a tensor.\n        *args, "
        f"**kwargs: as for ``{name[:-5]}``.\n        out: a tensor to write the result into.\n"
    )
    return function


def _view(input: Tensor, size: Any = None, *, dtype: Any = None) -> Tensor:
    if dtype is not None:
        return _shape.op_view_dtype(input, dtype)
    return _shape.op_view(input, size) if isinstance(size, (tuple, list)) else _shape.op_view_dtype(input, size)


def _expand(input: Tensor, size: Any, *, implicit: bool = False) -> Tensor:
    return _shape.op_expand(input, size)


_COPIES = {
    "view": _view,
    "expand": _expand,
    "squeeze": squeeze,
    "as_strided": _shape.op_as_strided,
    "permute": _shape.op_permute,
    "t": _shape.op_t,
    "transpose": _shape.op_transpose_int,
    "unsqueeze": _shape.op_unsqueeze,
    "alias": _shape.op_alias,
    "view_as_real": _shape.op_view_as_real,
    "view_as_complex": _shape.op_view_as_complex,
    "detach": _shape.op_detach,
    "select": _slicing.op_select_int,
    "slice": _slicing.op_slice_Tensor,
    "diagonal": _slicing.op_diagonal,
    "unfold": _slicing.op_unfold,
    "unbind": _slicing.op_unbind_int,
    "split": split,
    "split_with_sizes": _slicing.op_split_with_sizes,
}
FUNCTIONS: dict[str, Any] = {f"{n}_copy": _copying(f"{n}_copy", call) for n, call in _COPIES.items()}


def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split` by size; torch's in-place checks on the parts are not made.

    Example:
        >>> [len(x) for x in unsafe_split(arange(3), 2)]
        [2, 1]
    """
    return tuple(_shape.op_alias(t) for t in split(input, split_size, dim))


def unsafe_split_with_sizes(input: Tensor, split_sizes: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """As `split` by sizes; torch's in-place checks on the parts are not made.

    Example:
        >>> [len(x) for x in unsafe_split_with_sizes(arange(3), [1, 2])]
        [1, 2]
    """
    return tuple(_shape.op_alias(t) for t in split(input, list(split_sizes), dim))


def unsafe_chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """As `chunk`; torch's in-place checks on the parts are not made.

    Example:
        >>> [len(x) for x in unsafe_chunk(arange(3), 2)]
        [2, 1]
    """
    return tuple(_shape.op_alias(t) for t in _slicing.op_chunk(input, chunks, dim))


FUNCTIONS["as_strided_"] = METHODS["as_strided_"]
FUNCTIONS |= {
    "unsafe_split": unsafe_split,
    "unsafe_split_with_sizes": unsafe_split_with_sizes,
    "unsafe_chunk": unsafe_chunk,
}


def _method(fn: Any) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return fn(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = fn.__name__
    method.__doc__ = f"See `{fn.__name__}`."
    return method


METHODS |= {f.__name__: _method(f) for f in (unsafe_split, unsafe_split_with_sizes, unsafe_chunk)}
