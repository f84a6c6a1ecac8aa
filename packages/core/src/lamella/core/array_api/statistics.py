"""Sums and other figures of arrays, along axes; and what the standard calls utilities."""

from __future__ import annotations

import builtins
import math
from typing import Any

import lamella.core as _core
from lamella.dispatch.errors import message

from .. import dtypes as dt
from .data_types import accumulated, cast, promoted
from .manipulation import as_axes


def _along(x: Any, axis: Any, keepdims: bool) -> tuple[Any, tuple[int, ...], bool]:
    """An array and axes of it, at least one, whose reduction is that of ``x`` along ``axis``."""
    dims = tuple(range(x.ndim)) if axis is None else as_axes(axis)
    return (x, dims, keepdims) if dims else (_core.unsqueeze(x, 0), (0,), False)


def merged(x: Any, dims: tuple[int, ...]) -> tuple[Any, list[int]]:
    """``x`` with some axes made one, the last; and the shape of the others with 1 in place of these."""
    wrapped = {d + x.ndim if d < 0 else d for d in dims}
    kept = [d for d in range(x.ndim) if d not in wrapped]
    sizes = [1 if d in wrapped else s for d, s in enumerate(x.shape)]
    count = math.prod(x.shape[d] for d in wrapped)
    flat = _core.permute(x, (*kept, *sorted(wrapped)))
    return _core.reshape(flat, (*(x.shape[d] for d in kept), count)), sizes


def _floating(x: Any) -> Any:
    return x if x.dtype.category > 1 else x.to(dt.get_default_dtype())


def sum(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """The sum along axes.

    Args:
        x: an array. axis: an int or a tuple of ints; all axes by default.
        dtype: the type to add in; by default ``x``'s, 64 bits wide for integers.
        keepdims: keep the axes, with size 1.

    Example:
        >>> sum(asarray([[1, 2], [3, 4]]), axis=0).tolist()
        [4, 6]
    """
    x, dims, keep = _along(accumulated(x, dtype), axis, keepdims)
    return _core.sum(x, dims, keep, dtype=x.dtype)


def prod(x: Any, /, *, axis: Any = None, dtype: Any = None, keepdims: builtins.bool = False) -> Any:
    """The product along axes (arguments as those of ``sum``).

    Example:
        >>> prod(asarray([[1, 2], [3, 4]])).tolist()
        24
    """
    x, dims, keep = _along(accumulated(x, dtype), axis, keepdims)
    if len(dims) == 1:
        return _core.prod(x, dims[0], keep, dtype=x.dtype)
    flat, sizes = merged(x, dims)
    made = _core.prod(flat, -1, False, dtype=x.dtype)
    return _core.reshape(made, sizes) if keep else made


def max(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """The greatest along axes; NaN where there is one.

    Args:
        x: an array of real numbers. axis: an int or a tuple of ints; all axes by default.
        keepdims: keep the axes, with size 1.

    Example:
        >>> max(asarray([[1, 2], [3, 4]]), axis=1).tolist()
        [2, 4]
    """
    return _core.amax(*_along(x, axis, keepdims))


def min(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """The least along axes; NaN where there is one (arguments as those of ``max``).

    Example:
        >>> min(asarray([[1, 2], [3, 4]]), axis=1).tolist()
        [1, 3]
    """
    return _core.amin(*_along(x, axis, keepdims))


def mean(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:
    """The arithmetic mean along axes (arguments as those of ``max``); integers become floating numbers.

    Example:
        >>> mean(asarray([1.0, 2.0, 6.0])).tolist()
        3.0
    """
    return _core.mean(*_along(_floating(x), axis, keepdims))


def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Any:
    """The variance along axes.

    Args:
        x: an array of floating numbers. axis: an int or a tuple of ints; all axes by default.
        correction: what is taken from the count that the squares are divided by; 1 gives the sample variance.
        keepdims: keep the axes, with size 1.

    Example:
        >>> var(asarray([1.0, 3.0]), correction=1).tolist()
        2.0
    """
    x, dims, keep = _along(_floating(x), axis, keepdims)
    count = math.prod(x.size(d) for d in dims)
    if count > correction:
        return _core.var(x, dims, correction=correction, keepdim=keep)
    # Too few numbers: torch warns of this, the standard leaves it to the division by zero.
    away = _core.abs(x - _core.mean(x, dims, True))
    return _core.sum(away * away, dims, keep) / 0.0


def std(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Any:
    """The standard deviation along axes: the root of ``var``, whose arguments it has.

    Example:
        >>> std(asarray([1.0, 3.0])).tolist()
        1.0
    """
    return _core.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


def _cumulative(op: str, run: Any, first: int, x: Any, axis: Any, dtype: Any, include_initial: bool) -> Any:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(message(op, "axis is required unless the array has one dimension", {"shape": x.shape}))
        axis = 0
    x = accumulated(x, dtype)
    made = run(x, axis, dtype=x.dtype)
    if not include_initial:
        return made
    size = list(x.shape)
    size[axis] = 1
    return _core.cat([_core.full(size, first, dtype=made.dtype, device=made.device), made], axis)


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: builtins.bool = False
) -> Any:
    """Sums of what comes up to each element along an axis.

    Args:
        x: an array. axis: the axis; needed unless there is only one.
        dtype: the type to add in, as in ``sum``.
        include_initial: begin with the sum of nothing, so that the result is longer by one.

    Example:
        >>> cumulative_sum(asarray([1, 2, 3]), include_initial=True).tolist()
        [0, 1, 3, 6]
    """
    return _cumulative("cumulative_sum", _core.cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: builtins.bool = False
) -> Any:
    """Products of what comes up to each element along an axis (arguments as those of ``cumulative_sum``).

    Example:
        >>> cumulative_prod(asarray([1, 2, 3])).tolist()
        [1, 2, 6]
    """
    return _cumulative("cumulative_prod", _core.cumprod, 1, x, axis, dtype, include_initial)


def all(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """Whether all elements along axes are True, or not zero.

    Args:
        x: an array. axis: an int or a tuple of ints; all axes by default.
        keepdims: keep the axes, with size 1.

    Example:
        >>> all(asarray([[True, False], [True, True]]), axis=1).tolist()
        [False, True]
    """
    return _core.all(*_along(cast(x, None if x.dtype is dt.bool_ else dt.bool_), axis, keepdims))


def any(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:  # noqa: A001
    """Whether an element along axes is True, or not zero (arguments as those of ``all``).

    Example:
        >>> any(asarray([[False, False], [True, False]]), axis=1).tolist()
        [False, True]
    """
    return _core.any(*_along(cast(x, None if x.dtype is dt.bool_ else dt.bool_), axis, keepdims))


def count_nonzero(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False) -> Any:
    """How many elements along axes are not zero (arguments as those of ``all``).

    Example:
        >>> count_nonzero(asarray([0, 3, 0, 4])).tolist()
        2
    """
    x, dims, keep = _along(x, axis, keepdims)
    return _core.sum(x != 0, dims, keep, dtype=dt.int64)


def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    """Differences of neighbours along an axis.

    Args:
        x: an array. axis: the axis. n: how often to take differences.
        prepend, append: arrays to put before and after ``x`` along the axis first.

    Example:
        >>> diff(asarray([1, 4, 9])).tolist()
        [3, 5]
    """
    given = promoted(*(a for a in (prepend, x, append) if a is not None))
    if len(given) > 1:
        x = _core.cat(given, axis)
    for _ in range(n):
        x = _core.diff(x, 1, axis)
    return x
