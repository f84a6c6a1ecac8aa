"""Shape rules of sorting, searching and counting."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from ..checks import wrap_dim
from ..kernels.sorting import kth_checked, search_checked, topk_checked
from ..tensor import Tensor
from .indexing import unknown


def sort_stable(self: Tensor, *, stable: Any, dim: int = -1, descending: bool = False) -> Any:
    wrap_dim("sort", dim, self._a.ndim)
    return (self._a.shape, self.dtype), (self._a.shape, dt.int64)


def argsort_stable(self: Tensor, *, stable: Any, dim: int = -1, descending: bool = False) -> Any:
    wrap_dim("argsort", dim, self._a.ndim)
    return self._a.shape, dt.int64


def topk(self: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    dim, k = topk_checked(self._a, k, dim)
    shape = list(self._a.shape)
    if shape:
        shape[dim] = k
    return (shape, self.dtype), (shape, dt.int64)


def kthvalue(self: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    dim = kth_checked(self._a, k, dim)
    shape = list(self._a.shape)
    if shape:
        shape[dim : dim + 1] = [1] if keepdim else []
    return (shape, self.dtype), (shape, dt.int64)


def _unique2(self: Tensor, *_: Any, **__: Any) -> Any:
    raise unknown("unique", "how many different elements there are")


unique_dim = _unique2


def unique_consecutive(self: Tensor, *_: Any, **__: Any) -> Any:
    raise unknown("unique_consecutive", "how many different elements there are")


def searchsorted_Tensor(
    sorted_sequence: Tensor,
    self: Tensor,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: Any = None,
    sorter: Any = None,
) -> Any:
    search_checked(sorted_sequence._a, self._a, right, side, None if sorter is None else sorter._a)
    return self._a.shape, dt.int32 if out_int32 else dt.int64


def histc(self: Tensor, bins: int = 100, min: Any = 0, max: Any = 0) -> Any:
    return (bins,), self.dtype


def bincount(self: Tensor, weights: Any = None, minlength: int = 0) -> Any:
    raise unknown("bincount", "the largest element")


def isin_Tensor_Tensor(
    elements: Tensor, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False
) -> Any:
    return elements._a.shape, dt.bool_
