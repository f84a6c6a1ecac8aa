"""Helpers for the derivatives of matrix products."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F

from .fit import sum_to as _sum_to
from .formulas import conj_of


def sum_to(g: Any, shape: Any) -> Any:
    """Undo broadcasting."""
    return g if g._a.shape == shape else _sum_to(g, shape)


def scale(g: Any, by: Any) -> Any:
    """``g`` times the conjugate of a number."""
    return g if by == 1 else g * conj_of(by)


def matmul_left(grad: Any, shape: Any, other: Any) -> Any:
    """The gradient of matmul's first operand."""
    b = conj_of(other)
    if len(shape) == 1 and b.ndim == 1:
        return grad * b
    if b.ndim == 1:
        return grad.unsqueeze(-1) * b
    if len(shape) == 2 and b.ndim == 2:
        return F.mm(grad, b.t())
    if len(shape) == 1:
        return sum_to(F.matmul(b, grad.unsqueeze(-1)).squeeze(-1), shape)
    return sum_to(F.matmul(grad, b.transpose(-1, -2)), shape)


def _rows(x: Any) -> Any:
    """All rows of a batch of matrices as one matrix."""
    n = 1
    for k in x.shape[:-1]:
        n *= k
    return x.reshape(n, x.shape[-1])


def matmul_right(grad: Any, self: Any, shape: Any) -> Any:
    """The gradient of matmul's second operand."""
    a = conj_of(self)
    if len(shape) == 1 and a.ndim == 1:
        return grad * a
    if len(shape) == 1:
        return F.mv(_rows(a).t(), grad.reshape(-1))
    if a.ndim == 1:
        return sum_to(a.unsqueeze(-1) * grad.unsqueeze(-2), shape)
    if len(shape) == 2:
        # All batch entries meet the same matrix: one product sums over them.
        return F.mm(_rows(a).t(), _rows(grad))
    return sum_to(F.matmul(a.transpose(-1, -2), grad), shape)
