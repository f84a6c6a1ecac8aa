"""Where things are: indexing, searching, sorting and sets."""

from __future__ import annotations

import builtins
from typing import Any, NamedTuple

import lamella.core as _core
from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..tensor import Tensor
from .data_types import promoted


def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    """Elements, or slices across an axis, by their numbers.

    Args:
        x: an array. indices: an array of integers; negative ones count from the end.
        axis: the axis; needed unless there is only one.

    Example:
        >>> take(asarray([5, 6, 7]), asarray([2, 0])).tolist()
        [7, 5]
    """
    if axis is None:
        if x.ndim != 1:
            raise ValueError(message("take", "axis is required unless the array has one dimension", {"shape": x.shape}))
        axis = 0
    dim = _axis("take", axis, x.ndim)
    return x[(slice(None),) * dim + (indices.to(dt.int64),)]


def _axis(op: str, axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise IndexError(message(op, f"axis must be between {-ndim} and {ndim - 1}", [axis]))
    return axis % ndim


def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    """Elements by their numbers along an axis, for each place of the other axes.

    Args:
        x: an array. indices: an array of integers that broadcasts with ``x`` outside the axis.
        axis: the axis.

    Example:
        >>> take_along_axis(asarray([[3, 1], [2, 4]]), asarray([[1], [0]])).tolist()
        [[1], [2]]
    """
    dim = _axis("take_along_axis", axis, x.ndim)
    indices = indices.to(dt.int64)
    indices = _core.where(indices < 0, indices + x.shape[dim], indices)
    return _core.take_along_dim(x, indices, dim)


# ---------------------------------------------------------------- searching


def _arg(op: Any, x: Any, axis: int | None, keepdims: bool) -> Any:
    x = x.to(dt.uint8) if x.dtype is dt.bool_ else x
    if axis is not None:
        return op(x, axis, keepdims)
    made = op(_core.reshape(x, (-1,)), 0)
    return _core.reshape(made, (1,) * x.ndim) if keepdims else made


def argmax(x: Any, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Any:
    """Where the greatest element is: the first, if there are several.

    Args:
        x: an array of real numbers.
        axis: along which axis; by default the index is that into the flat array.
        keepdims: keep the axes, with size 1.

    Example:
        >>> argmax(asarray([1, 9, 9])).tolist()
        1
    """
    return _arg(_core.argmax, x, axis, keepdims)


def argmin(x: Any, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Any:
    """Where the least element is (arguments as those of ``argmax``).

    Example:
        >>> argmin(asarray([[2, 1], [0, 5]]), axis=1).tolist()
        [1, 0]
    """
    return _arg(_core.argmin, x, axis, keepdims)


def nonzero(x: Any, /) -> tuple[Any, ...]:
    """Where the elements are that are not zero: an array of indices for each axis, in row-major order.

    Args:
        x: an array with at least one axis.

    Raises:
        ValueError: for an array without axes.

    Example:
        >>> [i.tolist() for i in nonzero(asarray([[0, 1], [2, 0]]))]
        [[0, 1], [1, 0]]
    """
    if x.ndim == 0:
        raise ValueError(message("nonzero", "an array without dimensions has no indices"))
    return tuple(_core.nonzero(x, as_tuple=True))


def searchsorted(x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None) -> Any:
    """Where elements belong in a sorted array, so that it stays sorted.

    Args:
        x1: a one-dimensional array, ascending (through ``sorter``, if that is given).
        x2: the elements, an array or a number.
        side: ``"left"`` or ``"right"`` of equal elements.
        sorter: the indices that sort ``x1``.

    Example:
        >>> searchsorted(asarray([1, 3, 5]), asarray([3, 4])).tolist()
        [1, 2]
    """
    if side not in ("left", "right"):
        raise ValueError(message("searchsorted", "side must be 'left' or 'right'", [side]))
    if sorter is not None:
        x1 = x1[sorter]
    x1, x2 = promoted(x1, x2)
    return _core.searchsorted(x1.contiguous(), x2.contiguous(), right=side == "right")


def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    """Elements of one array or another.

    Args:
        condition: an array of bools. x1: where they hold. x2: where they do not; one of the two may be a number.

    Example:
        >>> where(asarray([True, False]), asarray([1, 2]), 0).tolist()
        [1, 0]
    """
    if not isinstance(x1, Tensor) and not isinstance(x2, Tensor):
        x1 = _core.full((), x1, device=condition.device)
    return _core.where(condition, *promoted(x1, x2))


def isin(x1: Any, x2: Any, /, *, invert: builtins.bool = False) -> Any:
    """Whether elements are among others (of the revision after 2024.12).

    Args:
        x1: the elements, an array or a number. x2: the others.
        invert: the other way round.

    Example:
        >>> isin(asarray([1, 2, 3]), asarray([2])).tolist()
        [False, True, False]
    """
    x1, x2 = promoted(x1, x2)
    return _core.isin(x1, x2, invert=invert)


# ---------------------------------------------------------------- sorting


def argsort(
    x: Any, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True
) -> Any:
    """The indices that sort an array along an axis.

    Args:
        x: an array of real numbers. axis: the axis.
        descending: the greatest first.
        stable: keep equal elements in their order.

    Example:
        >>> argsort(asarray([3, 1, 2])).tolist()
        [1, 2, 0]
    """
    return _core.argsort(x, stable=stable, dim=axis, descending=descending)


def sort(x: Any, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Any:
    """An array sorted along an axis (arguments as those of ``argsort``).

    Example:
        >>> sort(asarray([3, 1, 2]), descending=True).tolist()
        [3, 2, 1]
    """
    return _core.sort(x, stable=stable, dim=axis, descending=descending)[0]


# ---------------------------------------------------------------- sets


class UniqueAll(NamedTuple):
    """What ``unique_all`` returns."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCounts(NamedTuple):
    """What ``unique_counts`` returns."""

    values: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """What ``unique_inverse`` returns."""

    values: Any
    inverse_indices: Any


def unique_all(x: Any, /) -> UniqueAll:
    """The different elements of an array, ascending, and where they are; every NaN differs from all others.

    Args:
        x: an array.

    Returns:
        ``values``; ``indices`` of their first occurrences in the flat array; ``inverse_indices``, an array of ``x``'s
        shape that rebuilds it from the values; ``counts``.

    Example:
        >>> [part.tolist() for part in unique_all(asarray([3, 1, 3]))]
        [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    flat = _core.reshape(x, (-1,))
    if flat.is_complex():
        order = argsort(flat.imag)
        order = order[argsort(flat.real[order])]
    else:
        order = argsort(flat.to(dt.uint8) if flat.dtype is dt.bool_ else flat)
    ordered = flat[order]
    new = _core.ones((flat.numel(),), dtype=dt.bool_, device=x.device)
    if flat.numel():
        new[1:] = ordered[1:] != ordered[:-1]
    starts = _core.nonzero(new, as_tuple=True)[0]
    inverse = _core.empty_like(order)
    inverse[order] = _core.cumsum(new, 0) - 1
    end = _core.full((1,), flat.numel(), dtype=dt.int64, device=x.device)
    counts = _core.diff(_core.cat([starts, end]))
    return UniqueAll(ordered[starts], order[starts], _core.reshape(inverse, x.shape), counts)


def unique_counts(x: Any, /) -> UniqueCounts:
    """The different elements of an array and how often each is there.

    Example:
        >>> [part.tolist() for part in unique_counts(asarray([3, 1, 3]))]
        [[1, 3], [1, 2]]
    """
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Any, /) -> UniqueInverse:
    """The different elements of an array, and the indices that rebuild it from them.

    Example:
        >>> [part.tolist() for part in unique_inverse(asarray([3, 1, 3]))]
        [[1, 3], [1, 0, 1]]
    """
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Any, /) -> Any:
    """The different elements of an array, ascending.

    Example:
        >>> unique_values(asarray([3, 1, 3])).tolist()
        [1, 3]
    """
    return unique_all(x).values
