"""Shape rules of histograms."""

from __future__ import annotations

from typing import Any

from ..kernels.histogram import check_count, check_edges, check_points
from ..tensor import Tensor


def histogram_bins_tensor(self: Tensor, bins: Tensor, *, weight: Any = None, density: bool = False) -> Any:
    check_edges(self._a, [bins._a])
    return ((bins._a.shape[0] - 1,), self.dtype), (bins._a.shape, self.dtype)


def histogram_bin_ct(
    self: Tensor, bins: int = 100, *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    check_count(bins)
    return ((bins,), self.dtype), ((bins + 1,), self.dtype)


def _histogramdd_bin_edges(
    self: Tensor, bins: Any, *, range: Any = None, weight: Any = None, density: bool = False
) -> Any:
    check_points(self._a, len(bins))
    return [((n + 1,), self.dtype) for n in bins]


def _histogramdd_from_bin_tensors(self: Tensor, bins: Any, *, weight: Any = None, density: bool = False) -> Any:
    check_points(self._a, len(bins))
    check_edges(self._a, [b._a for b in bins])
    return tuple(b._a.shape[0] - 1 for b in bins), self.dtype
