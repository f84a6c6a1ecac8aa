"""Elementwise functions whose CPU form looks at the elements first."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY


def _zero_times(xp: Any, self: Any, other: Any, log: Any) -> Any:
    """``self * log``, which is 0 where ``self`` is, unless ``other`` is nan."""
    r = CUPY.multiply(self, log)
    return CUPY.where(CUPY.equal(self, 0) & ~CUPY.isnan(other), r.dtype.type(0), r)


def lerp_Tensor(xp: Any, self: Any, end: Any, weight: Any) -> Any:
    """Between two numbers; the nearer end is the base, so that both ends are hit exactly."""
    gap = CUPY.subtract(end, self)
    return CUPY.where(CUPY.abs(weight) < 0.5, self + weight * gap, end - gap * (1 - weight))
