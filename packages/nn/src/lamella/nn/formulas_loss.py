"""Slopes of losses, made of operators."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as F

from ._gen.loss import _cross_entropy_backward, op__limited_difference as _limited_difference
from .formulas import recorded


def shared(grad: Any, shape: Any, reduction: int) -> Any:
    """A loss's gradient as the factor of each element: a mean hands out one part to each."""
    return grad / max(math.prod(shape), 1) if reduction == 1 else grad


def collected(x: Any, reduction: int) -> Any:
    """The reduction itself."""
    return x if reduction == 0 else F.mean(x) if reduction == 1 else F.sum(x)


def cross_entropy_gradient(
    grad: Any,
    self: Any,
    target: Any,
    weight: Any,
    probs: Any,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
) -> Any:
    """softmax minus target, from the saved softmax, or from the input where it is differentiated again."""
    rest = (target, weight, reduction, ignore_index, label_smoothing, self.shape)
    if not recorded(grad, self):
        return _cross_entropy_backward(grad, probs, *rest)
    # With probabilities of 0 the kernel gives minus the target's share of each class.
    wanted = -_cross_entropy_backward(F.ones_like(grad.detach()), F.zeros_like(probs), *rest)
    dim = 1 if self.ndim > 1 else 0
    if reduction == 0 and self.ndim > 1:
        grad = grad.unsqueeze(1)
    return grad * (F.softmax(self, dim) * F.sum(wanted, dim, True) - wanted)


def smooth_l1_gradient(grad: Any, self: Any, target: Any, reduction: int, beta: float) -> Any:
    """The difference by beta, at most 1."""
    if beta and not recorded(grad, self, target):
        return _limited_difference(self, target, grad, reduction, beta, 1 / beta)
    d = self - target
    return shared(grad, self.shape, reduction) * (F.clamp(d / beta, -1, 1) if beta else F.sign(d))


def huber_gradient(grad: Any, self: Any, target: Any, reduction: int, delta: float) -> Any:
    """The difference, at most delta."""
    if not recorded(grad, self, target):
        return _limited_difference(self, target, grad, reduction, delta, 1.0)
    return shared(grad, self.shape, reduction) * F.clamp(self - target, -delta, delta)


def bce_slope(self: Any, target: Any, weight: Any) -> Any:
    """(x - y) / (x (1 - x)), the divisor kept from 0."""
    r = (self - target) / F.clamp((1 - self) * self, 1e-12)
    return r if weight is None else r * weight


def bce_target_slope(self: Any, weight: Any) -> Any:
    """log(1 - x) - log(x), each at least -100."""
    r = F.clamp(F.log1p(-self), -100) - F.clamp(F.log(self), -100)
    return r if weight is None else r * weight


def logits_slope(self: Any, target: Any, weight: Any, pos_weight: Any) -> Any:
    """sigmoid(x) - y, and what pos_weight makes of it."""
    if pos_weight is None:
        r = F.sigmoid(self) - target
    else:
        r = (1 - target) - (1 + (pos_weight - 1) * target) * F.sigmoid(-self)
    return r if weight is None else r * weight


def logits_target_slope(self: Any, weight: Any, pos_weight: Any) -> Any:
    """-x, and what pos_weight adds."""
    r = -self
    if pos_weight is not None:
        r = r + (pos_weight - 1) * (F.clamp(-self, 0) + F.log1p(F.exp(-F.abs(self))))
    return r if weight is None else r * weight
