"""Helpers for the derivatives of Fourier transforms: the adjoint of a transform is the other direction's."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F


def fft_backward(grad: Any, dim: Any, normalization: int, forward: bool) -> Any:
    """The adjoint of a complex transform."""
    return F.op__fft_c2c(grad, list(dim), normalization, forward)


def fft_real_backward(grad: Any, dim: Any, normalization: int, onesided: bool, shape: Any) -> Any:
    """The adjoint of a transform of real numbers: its missing half counts as zeros."""
    last = dim[-1]
    missing = shape[last] - grad.shape[last]
    if onesided and missing:
        size = list(grad.shape)
        size[last] = missing
        grad = F.cat([grad, grad.new_zeros(size)], last)
    return F.real(F.op__fft_c2c(grad, list(dim), normalization, False))


def fft_half_backward(grad: Any, dim: Any, normalization: int) -> Any:
    """The adjoint of a transform to real numbers: frequencies that stand for two count twice."""
    half = F.op__fft_r2c(grad, list(dim), normalization, True)
    last = dim[-1]
    twice = grad.shape[last] - half.shape[last]
    if twice <= 0:
        return half
    middle = half.narrow(last, 1, twice) * 2
    rest = half.shape[last] - 1 - twice
    parts = [half.narrow(last, 0, 1), middle]
    if rest > 0:
        parts.append(half.narrow(last, 1 + twice, rest))
    return F.cat(parts, last)
