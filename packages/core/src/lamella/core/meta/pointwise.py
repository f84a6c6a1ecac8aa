"""Shape rules of elementwise operators that promote by rules of their own; the others share `meta_elementwise`."""

from __future__ import annotations

from typing import Any

from ..kernels.pointwise import power_dtype


def pow_Tensor_Scalar(self: Any, exponent: Any) -> Any:
    return self._a.shape, power_dtype(self._a, exponent)


def pow_Scalar(self: Any, exponent: Any) -> Any:
    return exponent._a.shape, power_dtype(exponent._a, self)


def size_of(self: Any) -> Any:
    """abs and angle: complex numbers give real ones."""
    return self._a.shape, self.dtype.to_real()
