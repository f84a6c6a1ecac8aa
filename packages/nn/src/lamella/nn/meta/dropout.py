"""Shape rules of dropout."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor


def _dropout_noise(self: Tensor, size: Any, p: float, scaled: bool, *, generator: Any = None) -> Any:
    return self._a.shape if size is None else tuple(size), self.dtype
