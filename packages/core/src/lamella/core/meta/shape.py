"""Shape rules of views come from their kernels; this module has those of shape changes that copy."""

from __future__ import annotations

from typing import Any

from ..kernels.shape import _bad_shape
from ..tensor import Tensor


def _unsafe_view(self: Tensor, size: Any) -> Any:
    try:
        return self._a.reshape(size).shape, self.dtype
    except (ValueError, TypeError):
        raise _bad_shape("reshape", self._a, size) from None


def as_strided_scatter(self: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    return self._a.shape, self.dtype
