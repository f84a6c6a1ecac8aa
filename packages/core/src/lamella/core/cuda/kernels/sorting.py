"""Sorting and searching on a GPU: CuPy's sorts are stable and quick for keys of any size."""

from __future__ import annotations

from typing import Any

from ...kernels.reducing import no_flags
from ...kernels.sorting import _refuse_complex, kth_checked, topk_checked
from ..xp import CUPY

__all__ = ["_halving", "kthvalue", "order", "pick", "topk"]
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


def topk(xp: Any, self: Any, k: int, dim: int, largest: bool, sorted: bool) -> Any:
    """The k largest or smallest elements and where they are."""
    _refuse_complex("topk", self)
    no_flags("topk", self)
    dim, k = topk_checked(self, k, dim)
    if not self.ndim:
        if k:
            return self.copy(), CUPY.zeros((), CUPY.int64)
        return CUPY.empty(0, self.dtype), CUPY.empty(0, CUPY.int64)
    places = CUPY.ascontiguousarray(order(xp, self, dim, largest)[(_ALL,) * dim + (slice(k),)])
    return pick(xp, self, places, dim), places


def kthvalue(xp: Any, self: Any, k: int, dim: int, keepdim: bool) -> Any:
    """The k-th smallest element and where it is."""
    _refuse_complex("kthvalue", self)
    no_flags("kthvalue", self)
    dim = kth_checked(self, k, dim)
    if not self.ndim:
        return self.copy(), CUPY.zeros((), CUPY.int64)
    places = CUPY.ascontiguousarray(order(xp, self, dim, False)[(_ALL,) * dim + (slice(k - 1, k),)])
    values = pick(xp, self, places, dim)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


def _halving(xp: Any, seq: Any, values: Any, right: bool, out: Any) -> Any:
    return seq.searchsorted(values, "right" if right else "left").astype(out, copy=False)
