"""Sorting, searching and counting as users call them."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import sorting as _gen
from ..overlap import refuse_overlap
from ..promotion import scalar_dtype
from ..runtime import is_number, return_type, write_out
from ..tensor import CPU, Tensor, wrap

_SORT = return_type("sort", ("values", "indices"))


def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = False, *, out: Any = None) -> Any:
    """The elements in order along a dimension, and where each of them was.

    Args:
        input: a tensor.
        dim: the dimension.
        descending: largest first.
        stable: equal elements keep their order (they always do here).
        out: a pair of tensors to write the results into.

    Returns:
        A named tuple ``(values, indices)``.

    Example:
        >>> values, indices = sort(tensor([3, 1, 2]))
        >>> values.tolist(), indices.tolist()
        ([1, 2, 3], [1, 2, 0])
    """
    if isinstance(dim, bool):
        dim, descending = -1, bool(dim)
    r = _gen.op_sort_stable(input, stable=stable, dim=dim, descending=bool(descending))
    return r if out is None else _SORT(write_out("sort", tuple(out), r, True))


def argsort(
    input: Tensor, dim: Any = -1, descending: bool = False, stable: bool = False, *, out: Any = None
) -> Tensor:
    """The places of the elements in the order of their values along a dimension.

    Args:
        input: a tensor.
        dim: the dimension.
        descending: largest first.
        stable: equal elements keep their order (they always do here).
        out: a tensor to write the result into.

    Example:
        >>> argsort(tensor([3, 1, 2])).tolist()
        [1, 2, 0]
    """
    if isinstance(dim, bool):
        dim, descending = -1, bool(dim)
    r = _gen.op_argsort_stable(input, stable=bool(stable), dim=dim, descending=bool(descending))
    return r if out is None else write_out("argsort", out, r, inputs=(input,))


def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True, *, out: Any = None) -> Any:
    """The ``k`` largest (or smallest) elements along a dimension, and where they were.

    Args:
        input: a tensor.
        k: how many.
        dim: the dimension.
        largest: False asks for the smallest.
        sorted: in order (they always are here).
        out: a pair of tensors to write the results into.

    Returns:
        A named tuple ``(values, indices)``.

    Raises:
        RuntimeError: if the dimension has fewer than ``k`` elements.

    Example:
        >>> topk(tensor([3, 1, 2]), 2).values.tolist()
        [3, 2]
    """
    r = _gen.op_topk(input, _count(k), dim, largest, sorted)
    if out is None:
        return r
    refuse_overlap("topk", out, input)
    return type(r)(*write_out("topk", tuple(out), r, True))


def _count(k: Any) -> int:
    return k.item() if isinstance(k, Tensor) else k.__index__()


def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False, *, out: Any = None) -> Any:
    """The ``k``-th smallest element along a dimension (counted from 1), and where it was.

    Args:
        input: a tensor.
        k: which one.
        dim: the dimension, which goes away.
        keepdim: keep it with size 1.
        out: a pair of tensors to write the results into.

    Returns:
        A named tuple ``(values, indices)``.

    Example:
        >>> kthvalue(tensor([3, 1, 2]), 2).values.item()
        2
    """
    r = _gen.op_kthvalue(input, _count(k), dim, keepdim)
    if out is None:
        return r
    refuse_overlap("kthvalue", out, input)
    return type(r)(*write_out("kthvalue", tuple(out), r, True))


def _chosen(r: Any, inverse: bool, counts: bool) -> Any:
    values, i, c = r
    if inverse and counts:
        return values, i, c
    if inverse:
        return values, i
    return (values, c) if counts else values


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements in ascending order, or the different slices along a dimension.

    Args:
        input: a tensor.
        sorted: in order (they always are here).
        return_inverse: also give the place of each element among the different ones.
        return_counts: also give how often each of them occurs.
        dim: the dimension; None means the flattened tensor.

    Returns:
        A tensor, or a tuple with what was asked for.

    Example:
        >>> unique(tensor([3, 1, 3])).tolist()
        [1, 3]
    """
    if dim is None:
        r = _gen.op__unique2(input, sorted, return_inverse, return_counts)
    else:
        r = _gen.op_unique_dim(input, dim, sorted, return_inverse, return_counts)
    return _chosen(r, return_inverse, return_counts)


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    """The elements (or slices along a dimension) without those that equal the one before them.

    Args:
        input: a tensor.
        return_inverse: also give the place of each element among those that stay.
        return_counts: also give the lengths of the runs.
        dim: the dimension; None means the flattened tensor.

    Example:
        >>> unique_consecutive(tensor([1, 1, 2, 1])).tolist()
        [1, 2, 1]
    """
    r = _gen.op_unique_consecutive(input, return_inverse, return_counts, dim)
    return _chosen(r, return_inverse, return_counts)


def _as_values(seq: Tensor, x: Any) -> Tensor:
    """A number as a tensor of the sequence's type, or of its own type where that would cut it off."""
    if isinstance(x, Tensor):
        return x
    if not is_number(x):
        raise TypeError(message("searchsorted", f"argument 'input' must be Tensor or a number, not {type(x).__name__}"))
    d = seq.dtype
    own = scalar_dtype(x)
    if own.category > d.category:
        d = dt.float64 if own.category == 2 else own
    t = wrap(np.asarray(x, d.np))
    return t if seq._ks & CPU else t.to(seq.device)  # type: ignore[attr-defined]


def searchsorted(
    sorted_sequence: Tensor,
    input: Any = None,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
    out: Any = None,
    self: Any = None,
) -> Tensor:
    """Where elements would go in a sorted sequence to keep it sorted.

    Args:
        sorted_sequence: sorted along its last dimension; with more than one dimension, one per row of ``input``.
        input: a tensor or a number.
        out_int32: give int32 instead of int64.
        right: after equal elements instead of before them (the same as ``side="right"``).
        side: ``"left"`` or ``"right"``.
        sorter: the order that sorts ``sorted_sequence``, if it is not sorted.
        out: a tensor to write the result into.

    Raises:
        RuntimeError: if shapes or types do not fit, or ``side`` contradicts ``right``.

    Example:
        >>> searchsorted(tensor([1, 3, 5]), tensor([3, 6])).tolist()
        [1, 3]
    """
    values = _as_values(sorted_sequence, input if self is None else self)
    r = _gen.op_searchsorted_Tensor(sorted_sequence, values, out_int32=out_int32, right=right, side=side, sorter=sorter)
    return r if out is None else write_out("searchsorted", out, r, True, inputs=(values,))


def bucketize(
    input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: Any = None
) -> Tensor:
    """Which of the intervals between sorted boundaries each element falls into.

    Args:
        input: a tensor or a number.
        boundaries: a sorted vector.
        out_int32: give int32 instead of int64.
        right: intervals are closed on the left instead of on the right.
        out: a tensor to write the result into.

    Example:
        >>> bucketize(tensor([1, 4, 9]), tensor([1, 5])).tolist()
        [0, 1, 2]
    """
    if boundaries._a.ndim != 1:
        raise RuntimeError(
            message("bucketize", f"boundaries tensor must be 1 dimension, but got dim({boundaries._a.ndim})")
        )
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


def isin(
    elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False, out: Any = None
) -> Tensor:
    """Whether each element occurs among the test elements.

    Args:
        elements, test_elements: tensors or numbers (not both numbers).
        assume_unique: accepted.
        invert: ask whether it does not occur.
        out: a tensor to write the result into.

    Example:
        >>> isin(tensor([1, 2, 3]), tensor([2])).tolist()
        [False, True, False]
    """
    if not isinstance(elements, Tensor) and not isinstance(test_elements, Tensor):
        raise TypeError(message("isin", "one of the arguments must be a Tensor"))
    a, b = (x if isinstance(x, Tensor) else _plain(x) for x in (elements, test_elements))
    r = _gen.op_isin_Tensor_Tensor(a, b, assume_unique=assume_unique, invert=invert)
    return r if out is None else write_out("isin", out, r, True, inputs=(a, b))


def _plain(x: Any) -> Tensor:
    return wrap(np.asarray(x, scalar_dtype(x).np))


def _method(fn: Any) -> Any:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return fn(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = fn.__name__
    method.__doc__ = f"See `{fn.__name__}`."
    return method


METHODS: dict[str, Any] = {
    f.__name__: _method(f) for f in (sort, argsort, topk, kthvalue, unique, unique_consecutive, isin)
}
FUNCTIONS: dict[str, Any] = {
    f.__name__: f for f in (sort, argsort, topk, kthvalue, unique, unique_consecutive, searchsorted, bucketize, isin)
}
