"""Losses of differences, and their gradients."""

from __future__ import annotations

from typing import Any

from ...loops.index import product
from ..builder import Builder
from ..specs import floating, result_type
from ..table import rule

NONE, MEAN, SUM = 0, 1, 2


def reduced(b: Builder, losses: Any, reduction: int, dtype: Any) -> Any:
    """The losses, their mean or their sum, in a type."""
    if reduction == MEAN:
        losses = b.mean(losses)
    elif reduction == SUM:
        losses = b.sum(losses)
    return b.to(losses, dtype)


def _pair(b: Builder, *tensors: Any) -> tuple[Any, ...]:
    """The type that the first two promote to, and all of them in the type to compute in."""
    d = floating(tensors[0], result_type(tensors[:2]))
    return (d, *[x if x is None else b.wide(b.to(x, d)) for x in tensors])


def _share(b: Builder, grad: Any, x: Any, reduction: int, factor: float) -> Any:
    """The gradient of a loss as a factor of each element."""
    if reduction != MEAN:
        return b.mul(grad, factor)
    n = product(x.spec.shape)
    return b.mul(grad, factor / n) if isinstance(n, int) else b.div(b.mul(grad, factor), n)


@rule("aten::mse_loss")
def mse_loss(b: Builder, self: Any, target: Any, reduction: int = MEAN) -> Any:
    d, x, y = _pair(b, self, target)
    gap = b.sub(x, y)
    return reduced(b, b.mul(gap, gap), reduction, d)


@rule("aten::mse_loss_backward")
def mse_loss_backward(b: Builder, grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    d, x, y, grad = _pair(b, self, target, grad_output)
    return b.to(b.mul(b.sub(x, y), _share(b, grad, x, reduction, 2.0)), d)


def _two_parts(b: Builder, self: Any, target: Any, limit: float, scale: float, reduction: int) -> Any:
    d, x, y = _pair(b, self, target)
    size = b.abs(b.sub(x, y))
    near = b.minimum(size, limit)
    return reduced(b, b.mul(b.mul(b.sub(size, b.mul(near, 0.5)), near), scale), reduction, d)


@rule("aten::smooth_l1_loss")
def smooth_l1_loss(b: Builder, self: Any, target: Any, reduction: int = MEAN, beta: float = 1.0) -> Any:
    if beta:
        return _two_parts(b, self, target, beta, 1 / beta, reduction)
    d, x, y = _pair(b, self, target)
    return reduced(b, b.abs(b.sub(x, y)), reduction, d)


@rule("aten::huber_loss")
def huber_loss(b: Builder, self: Any, target: Any, reduction: int = MEAN, delta: float = 1.0) -> Any:
    return _two_parts(b, self, target, delta, 1.0, reduction)


@rule("aten::_limited_difference")
def limited_difference(
    b: Builder, self: Any, target: Any, grad_output: Any, reduction: int, bound: float, scale: float
) -> Any:
    d, x, y, grad = _pair(b, self, target, grad_output)
    return b.to(b.mul(b.clamp(b.sub(x, y), -bound, bound), _share(b, grad, x, reduction, scale)), d)


@rule("aten::soft_margin_loss")
def soft_margin_loss(b: Builder, self: Any, target: Any, reduction: int = MEAN) -> Any:
    d, x, y = _pair(b, self, target)
    z = b.mul(x, b.neg(y))
    return reduced(b, b.add(b.log1p(b.exp(b.neg(b.abs(z)))), b.maximum(z, 0.0)), reduction, d)


@rule("aten::binary_cross_entropy")
def binary_cross_entropy(b: Builder, self: Any, target: Any, weight: Any = None, reduction: int = MEAN) -> Any:
    d, x, y, w = _pair(b, self, target, weight)
    losses = b.mul(b.sub(y, 1), b.maximum(b.log1p(b.neg(x)), -100.0))
    losses = b.sub(losses, b.mul(y, b.maximum(b.log(x), -100.0)))
    return reduced(b, losses if w is None else b.mul(losses, w), reduction, d)


@rule("aten::binary_cross_entropy_with_logits")
def bce_with_logits(
    b: Builder, self: Any, target: Any, weight: Any = None, pos_weight: Any = None, reduction: int = MEAN
) -> Any:
    d, x, y, w, more = _pair(b, self, target, weight, pos_weight)
    # log(1 + exp(-x)) without overflow at either end.
    soft = b.add(b.log1p(b.exp(b.neg(b.abs(x)))), b.maximum(b.neg(x), 0.0))
    if more is not None:
        soft = b.mul(soft, b.add(b.mul(b.sub(more, 1), y), 1))
    losses = b.add(soft, b.mul(b.sub(1, y), x))
    return reduced(b, losses if w is None else b.mul(losses, w), reduction, d)
