"""Helpers for the derivatives of distances. At distance zero every slope is zero, as torch has it."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as F
from lamella.core.kernels.distance import by_product


def cdist_backward(grad: Any, x1: Any, x2: Any, p: float, mode: Any, result: Any) -> tuple[Any, Any]:
    """The gradients of both sets of vectors."""
    if by_product(x1.shape[-2], x2.shape[-2], p, mode):
        w = _share(grad, result)
        a = x1 * w.sum(-1, keepdim=True) - F.matmul(w, x2)
        b = x2 * w.sum(-2).unsqueeze(-1) - F.matmul(w.mT, x1)
    else:
        w = _slopes(grad.unsqueeze(-1), x1.unsqueeze(-2) - x2.unsqueeze(-3), p, result.unsqueeze(-1))
        a, b = w.sum(-2), -w.sum(-3)
    return a.sum_to_size(x1.shape), b.sum_to_size(x2.shape)


def _share(grad: Any, distance: Any) -> Any:
    """``grad / distance``, zero where the distance is."""
    none = F.eq(distance, 0)
    return F.where(none, 0, grad) / F.where(none, 1, distance)


def _slopes(grad: Any, diff: Any, p: float, distance: Any) -> Any:
    """What each difference of coordinates gets: ``grad * sign(diff) * (|diff| / distance) ** (p - 1)``."""
    if p == 0:
        return diff * 0
    if p == 1:
        return grad * diff.sign()
    if p == 2:
        return diff * _share(grad, distance)
    if math.isinf(p):
        return grad * diff.sign() * F.eq(diff.abs(), distance)
    none = F.eq(distance, 0) | F.eq(diff, 0)
    part = F.where(none, 1, diff.abs()) / F.where(none, 1, distance)
    return F.where(none, 0, grad * diff.sign() * part ** (p - 1))
