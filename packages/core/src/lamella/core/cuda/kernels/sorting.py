"""Sorting and searching on a GPU: CuPy's sorts are stable and quick for keys of any size."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY

__all__ = ["_halving", "_kth", "_top", "order", "pick"]
_ALL = slice(None)


def order(xp: Any, a: Any, dim: int, descending: bool) -> Any:
    """The stable order of the elements along a dimension."""
    if a.dtype.kind == "V":
        a = a.astype(CUPY.float32)
    elif a.dtype.kind == "b":
        a = a.astype(CUPY.uint8)
    if not descending:
        return a.argsort(dim)
    # Equal elements keep their order: sort the reversed array and count the places from the other end.
    back = (_ALL,) * dim + (slice(None, None, -1),)
    return a.shape[dim] - 1 - a[back].argsort(dim)[back]


def pick(xp: Any, a: Any, places: Any, dim: int) -> Any:
    """The elements at places along a dimension (places has ``a``'s number of dimensions)."""
    return CUPY.take_along_axis(a, places, dim)


def _top(xp: Any, a: Any, k: int, dim: int, largest: bool) -> Any:
    """The places of the k largest or smallest elements."""
    return CUPY.ascontiguousarray(order(xp, a, dim, largest)[(_ALL,) * dim + (slice(k),)])


def _kth(xp: Any, a: Any, k: int, dim: int) -> Any:
    """The places of the k-th smallest elements."""
    return CUPY.ascontiguousarray(order(xp, a, dim, False)[(_ALL,) * dim + (slice(k - 1, k),)])


def _halving(xp: Any, seq: Any, values: Any, right: bool, out: Any) -> Any:
    return seq.searchsorted(values, "right" if right else "left").astype(out, copy=False)
