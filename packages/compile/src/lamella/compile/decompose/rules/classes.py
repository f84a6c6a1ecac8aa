"""Losses over classes: the logarithm of a softmax at the class that is wanted.

Scores are a matrix with a row for each target and classes last. A target that is to be ignored counts as class 0 with
weight 0. One that is no class at all, negative ones too, stops the program with an IndexError, as eager does.
"""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt

from ...loops.index import product
from ..builder import Builder
from ..specs import floating
from ..table import Eager, Keep, rule
from .loss import MEAN, NONE


class Targets:
    """Targets as a column of numbers of classes, with what each row counts.

    Attributes:
        index: int64 (rows, 1).
        keep, ignored: bool (rows, 1), whether a row counts.
        weight: (rows, 1), or None for 1 where a row counts.
    """

    def __init__(self, b: Builder, target: Any, count: Any, ignore_index: int, weight: Any) -> None:
        if target.spec.dtype not in (dt.int64, dt.uint8):
            raise Eager("an error of the operator")
        t = b.view(b.to(target, dt.int64), (-1, 1))
        self.ignored, self.keep = b.eq(t, ignore_index), b.ne(t, ignore_index)
        t = b.masked_fill(t, self.ignored, 0)
        self.index = b.masked_fill(t, b.lt(t, 0), count)
        self.weight = None
        if weight is not None:
            w = b.index_select(weight, 0, b.view(self.index, (-1,)))
            self.weight = b.masked_fill(b.view(w, (-1, 1)), self.ignored, 0.0)

    def total(self, b: Builder, dtype: Any) -> Any:
        """The sum of the weights of all rows."""
        return b.sum(b.to(self.keep, dtype) if self.weight is None else self.weight)

    def weighted(self, b: Builder, losses: Any) -> Any:
        """Losses times weights; a row without weight counts nothing, whatever stands in it."""
        if self.weight is None:
            return b.masked_fill(losses, self.ignored, 0.0)
        return b.masked_fill(b.mul(losses, self.weight), b.eq(self.weight, 0), 0.0)


def rows_of(b: Builder, x: Any) -> Any:
    """Scores as a matrix."""
    n = len(x.spec.shape)
    if n == 2:
        return x
    if n == 1:
        return b.view(x, (1, -1))
    return b.view(b.permute(x, (0, *range(2, n), 1)), (-1, x.spec.shape[1]))


def unrows(b: Builder, x: Any, shape: Any) -> Any:
    """The inverse of `rows_of`."""
    shape = tuple(shape)
    if len(shape) <= 2:
        return b.view(x, shape)
    x = b.view(x, (shape[0], *shape[2:], shape[1]))
    n = len(shape)
    return b.copy(b.permute(x, (0, n - 1, *range(1, n - 1))))


def combined(b: Builder, losses: Any, targets: Targets, reduction: int, shape: Any) -> Any:
    """Losses (rows, 1), not weighted yet, reduced; the mean is weighted."""
    return _collected(b, targets.weighted(b, losses), targets, reduction, shape)


def _collected(b: Builder, losses: Any, targets: Targets, reduction: int, shape: Any) -> Any:
    if reduction == NONE:
        return b.view(losses, shape)
    total = b.sum(losses)
    return b.div(total, targets.total(b, losses.spec.dtype)) if reduction == MEAN else total


@rule("aten::_cross_entropy")
def cross_entropy(
    b: Builder, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    d = floating(self)
    x, w = b.wide(rows_of(b, self)), b.wide(weight)
    count, shape = x.spec.shape[1], target.spec.shape
    targets = Targets(b, target, count, ignore_index, w)
    top = b.amax(x, 1, True)
    e = b.exp(b.sub(x, top))
    total = b.sum(e, 1, True)
    sums = b.add(b.log(total), top)
    own = b.sub(sums, b.gather(x, 1, targets.index))
    if not label_smoothing:
        loss = combined(b, own, targets, reduction, shape)
    else:
        if w is None:
            every = b.sub(b.mul(sums, count), b.sum(x, 1, True))
        else:
            every = b.sub(b.mul(sums, b.sum(w)), b.sum(b.mul(x, w), 1, True))
        own = own if targets.weight is None else b.mul(own, targets.weight)
        losses = b.add(b.mul(own, 1 - label_smoothing), b.mul(every, _part(label_smoothing, count)))
        loss = _collected(b, b.masked_fill(losses, targets.ignored, 0.0), targets, reduction, shape)
    return b.to(loss, d), b.to(b.div(e, total), d)


def _part(smoothing: float, count: Any) -> float:
    if not isinstance(count, int):
        raise Keep("label smoothing over a symbolic number of classes")
    return smoothing / count


def _scale(b: Builder, grad: Any, targets: Targets, reduction: int) -> Any:
    """The gradient of each row's loss: (rows, 1) or (1, 1)."""
    scale = b.view(grad, (-1, 1))
    return b.div(scale, targets.total(b, grad.spec.dtype)) if reduction == MEAN else scale


@rule("aten::_cross_entropy_backward")
def cross_entropy_backward(
    b: Builder,
    grad_output: Any,
    probs: Any,
    target: Any,
    weight: Any,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
    shape: Any,
) -> Any:
    d = probs.spec.dtype
    p, grad, w = b.wide(probs), b.wide(grad_output), b.wide(weight)
    count = p.spec.shape[1]
    targets = Targets(b, target, count, ignore_index, w)
    scale = _scale(b, grad, targets, reduction)
    own = scale if targets.weight is None else b.mul(scale, targets.weight)
    hit = b.eq(b.iota(count), targets.index)
    if not label_smoothing:
        g = b.mul(b.where(hit, b.sub(p, 1), p), own)
    else:
        own = b.mul(own, 1 - label_smoothing)
        every = b.mul(scale, _part(label_smoothing, count))
        whole = b.mul(every, count if w is None else b.sum(w))
        g = b.mul(p, b.add(own, whole))
        g = b.sub(g, every if w is None else b.mul(every, w))
        g = b.where(hit, b.sub(g, own), g)
    g = b.masked_fill(g, targets.ignored, 0.0)
    return b.to(unrows(b, g, shape), d)


@rule("aten::nll_loss")
def nll_loss(
    b: Builder, self: Any, target: Any, weight: Any = None, reduction: int = MEAN, ignore_index: int = -100
) -> Any:
    d = floating(self)
    x = rows_of(b, self)
    targets = Targets(b, target, x.spec.shape[1], ignore_index, b.wide(weight))
    losses = b.neg(b.wide(b.gather(x, 1, targets.index)))
    return b.to(combined(b, losses, targets, reduction, target.spec.shape), d)


@rule("aten::_nll_loss_backward")
def nll_loss_backward(
    b: Builder, grad_output: Any, target: Any, weight: Any, reduction: int, ignore_index: int, shape: Any
) -> Any:
    d = grad_output.spec.dtype
    grad, count = b.wide(grad_output), shape[1] if len(shape) > 1 else shape[0]
    targets = Targets(b, target, count, ignore_index, b.wide(weight))
    scale = b.neg(_scale(b, grad, targets, reduction))
    scale = scale if targets.weight is None else b.mul(scale, targets.weight)
    scale = b.masked_fill(scale, targets.ignored, 0.0)
    hit = b.eq(b.iota(count), targets.index)
    rows = product(target.spec.shape)
    g = b.where(hit, b.expand(scale, (rows, count)), 0.0)
    return b.to(unrows(b, g, shape), d)
