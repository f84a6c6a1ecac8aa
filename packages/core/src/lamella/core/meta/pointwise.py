"""Shape rules of elementwise operators that promote by rules of their own; the others share `meta_elementwise`."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from ..kernels.pointwise import clamp_dtype, power_dtype
from ..promotion import float_dtype


def pow_Tensor_Scalar(self: Any, exponent: Any) -> Any:
    return self._a.shape, power_dtype(self._a, exponent)


def pow_Scalar(self: Any, exponent: Any) -> Any:
    return exponent._a.shape, power_dtype(exponent._a, self)


def size_of(self: Any) -> Any:
    """abs: complex numbers give real ones."""
    return self._a.shape, self.dtype.to_real()


def angle(self: Any) -> Any:
    return self._a.shape, float_dtype(self.dtype).to_real()


def square(self: Any) -> Any:
    return self._a.shape, self.dtype if self.dtype.category else dt.int64


def clamp(self: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - torch's names
    return self._a.shape, clamp_dtype(self._a, min, max)


def frexp_Tensor(self: Any) -> Any:
    return (self._a.shape, self.dtype), (self._a.shape, dt.int32)
