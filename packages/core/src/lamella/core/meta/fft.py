"""Shape rules of Fourier transforms."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor


def _fft_c2c(self: Tensor, dim: Any, normalization: int, forward: bool) -> Any:
    return self._a.shape, self.dtype


def _fft_r2c(self: Tensor, dim: Any, normalization: int, onesided: bool) -> Any:
    shape = list(self._a.shape)
    if onesided:
        shape[dim[-1]] = shape[dim[-1]] // 2 + 1
    return tuple(shape), self.dtype.to_complex()


def _fft_c2r(self: Tensor, dim: Any, normalization: int, last_dim_size: int) -> Any:
    shape = list(self._a.shape)
    shape[dim[-1]] = last_dim_size
    return tuple(shape), self.dtype.to_real()
