"""Elementwise functions whose CPU form looks at the elements first."""

from __future__ import annotations

from typing import Any

from ... import dtypes as dt
from ..xp import CUPY, MODULES


def _zero_times(xp: Any, self: Any, other: Any, log: Any) -> Any:
    """``self * log``, which is 0 where ``self`` is, unless ``other`` is nan."""
    r = CUPY.multiply(self, log)
    return CUPY.where(CUPY.equal(self, 0) & ~CUPY.isnan(other), r.dtype.type(0), r)


def _log_gamma(xp: Any, a: Any) -> Any:
    return CUPY.where(CUPY.equal(a, -CUPY.inf), CUPY.inf, MODULES["scipy.special"].gammaln(a))


def nan_to_num(xp: Any, self: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    """Numbers in the place of nan and the infinities."""
    if self.dtype.kind in "iub":
        return self.copy()
    info = dt.finfo(dt.from_numpy_dtype(self.dtype))
    a = self.astype(CUPY.float32) if self.dtype.kind == "V" else self
    r = CUPY.nan_to_num(a, nan=0.0 if nan is None else nan, posinf=info.max if posinf is None else posinf,
                        neginf=info.min if neginf is None else neginf)  # fmt: skip
    return r.astype(self.dtype, copy=False)


def lerp_Tensor(xp: Any, self: Any, end: Any, weight: Any) -> Any:
    """Between two numbers; the nearer end is the base, so that both ends are hit exactly."""
    gap = CUPY.subtract(end, self)
    return CUPY.where(CUPY.abs(weight) < 0.5, self + weight * gap, end - gap * (1 - weight))
