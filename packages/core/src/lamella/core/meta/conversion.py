"""Shape rules of copies."""

from __future__ import annotations

from typing import Any

from ..dtypes import from_numpy_dtype
from ..kernels.conversion import _broadcast, complex_type
from ..layouts import contiguous_format, dense_order, order_of, preserve_format
from ..tensor import Tensor, contiguous_strides


def clone(self: Tensor, *, memory_format: Any = None) -> Any:
    return self._a.shape, self.dtype, strides_of("clone", self._a, memory_format)


def strides_of(op: str, a: Any, fmt: Any) -> tuple[int, ...]:
    """Strides in elements of a copy of ``a`` in a memory format."""
    if fmt is contiguous_format:
        return contiguous_strides(a.shape)
    order = dense_order(a) if fmt is None or fmt is preserve_format else order_of(op, fmt, a.ndim)
    if order is None:
        return contiguous_strides(a.shape)
    packed = contiguous_strides(tuple(a.shape[i] for i in order))
    return tuple(packed[list(order).index(i)] for i in range(a.ndim))


def complex(real: Tensor, imag: Tensor) -> Any:
    d = from_numpy_dtype(complex_type("complex", real._a, imag._a))
    return _broadcast("complex", real._a, imag._a), d
