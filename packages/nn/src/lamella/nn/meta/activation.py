"""Shape rules of activations that are no elementwise operators."""

from __future__ import annotations

from typing import Any

from lamella.core.meta import same as same
from lamella.core.tensor import Tensor


def _gelu_with_slope(self: Tensor, approximate: str) -> Any:
    one = (self._a.shape, self.dtype)
    return one, one
