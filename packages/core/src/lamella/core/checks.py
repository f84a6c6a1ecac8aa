"""Argument checks that kernels and shape rules share."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .faults import as_int, as_ints
from .tensor import Tensor


def wrap_dim(op: str, dim: Any, ndim: int) -> int:
    """A dimension counted from the front; IndexError outside ``[-ndim, ndim - 1]`` (0-d counts as 1-d).

    Example:
        >>> wrap_dim("sum", -1, 3)
        2
    """
    if dim.__class__ is not int:
        dim = as_int(op, "dim", dim)
    n = ndim or 1
    if not -n <= dim < n:
        if not -(1 << 63) <= dim < 1 << 63:
            raise ValueError(message(op, "Overflow when unpacking long long", {"dim": dim}))
        raise IndexError(message(op, f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], "
                                     f"but got {dim})"))
    return dim + n if dim < 0 else dim


def wrap_dims(op: str, dims: Any, ndim: int) -> tuple[int, ...]:
    """Several dimensions counted from the front; a repeated one is a RuntimeError."""
    if isinstance(dims, int):
        return (wrap_dim(op, dims, ndim),)
    out = tuple(wrap_dim(op, d, ndim) for d in dims)
    if len(set(out)) != len(out):
        twice = next(d for d in out if out.count(d) > 1)
        raise RuntimeError(message(op, f"dim {twice} appears multiple times in the list of dims"))
    return out


def reduce_dims(op: str, dims: Any, ndim: int) -> tuple[int, ...] | None:
    """The dimensions of a reduction; None (or an empty list) means all of them."""
    if dims is None or (not isinstance(dims, int) and len(dims) == 0):
        return None
    out = wrap_dims(op, dims, ndim)
    return out if ndim else None


def ints(op: str, name: str, size: Any) -> tuple[int, ...]:
    """A size as a tuple of Python ints."""
    if not isinstance(size, (tuple, list, str, bytes, dict, set, Tensor)) and hasattr(size, "__len__"):
        size = tuple(size)
    return as_ints(op, name, size, True)


def concrete(t: Any) -> Any:
    """The tensor that holds the data behind a transform's wrappers: for checks of values."""
    while (inner := getattr(t, "_value", None)) is not None:
        t = inner
    return t


def free_of_zeros(t: Any) -> bool:
    """Whether no element is zero, as far as that can be seen: nothing is known of tensors that are being recorded."""
    t = concrete(t)
    return bool(t.is_meta or (t._readable and t.ne(0).all()))


def followed(t: Any, graph: bool = True) -> bool:
    """Whether derivatives in ``t`` are wanted: by autograd (not without ``graph``) or by a transform around it."""
    while t is not None:
        if graph and t._ag is not None or hasattr(t, "_tangent"):
            return True
        t = getattr(t, "_value", None)
    return False
