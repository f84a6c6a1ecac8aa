"""Rules of losses: the losses of all elements at once, then each example's own reduction."""

from __future__ import annotations

import math
from typing import Any

from lamella.autograd.transforms.batching.elementwise import elementwise
from lamella.autograd.transforms.batching.fallback import fallback
from lamella.autograd.transforms.batching.level import invoke
from lamella.autograd.transforms.batching.rules import rule

from .._gen import loss as _loss
from .conv import into

NONE, MEAN, SUM = 0, 1, 2

# -- losses of pairs of elements ---------------------------------------------------------------------------------------


@rule("mse_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss", "binary_cross_entropy",
      "binary_cross_entropy_with_logits")
def pairs(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    names = [a.name for a in op.schema.arguments]
    at = names.index("reduction")
    args = [*args, *[a.default_value for a in op.schema.arguments[len(args) : at + 1]]]
    how = args[at] if isinstance(args[at], int) else MEAN
    how = kwargs.get("reduction", how)
    args[at] = NONE
    args[:2] = [t if level.has(t) else level.wrap(level.full(t)) for t in args[:2]]
    out = elementwise(level, op, tuple(args), {k: v for k, v in kwargs.items() if k != "reduction"})
    return out if how == NONE else out.mean() if how == MEAN else out.sum()


@rule("mse_loss_backward")
def mse_loss_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, target, how = args
    out = elementwise(level, op, (g, x, target, NONE), {})
    return out / max(out._a.size, 1) if how == MEAN else out


@rule("_limited_difference")
def limited_difference(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, target, g, how, *more = args
    x, target = [t if level.has(t) else level.wrap(level.full(t)) for t in (x, target)]
    out = elementwise(level, op, (x, target, g, NONE, *more), kwargs)
    return out / max(out._a.size, 1) if how == MEAN else out


# -- losses of classes -------------------------------------------------------------------------------------------------


class Rows:
    """Scores and targets of a batch, folded into one: all examples' rows.

    Attributes:
        x, target: the folded values.
        shape: the logical shape of the targets.
    """

    def __init__(self, level: Any, x: Any, target: Any) -> None:
        self.level, self.shape = level, tuple(target._a.shape)
        self.lone = target._a.ndim == 0
        self.x, self.target = self.fold(x), self.fold(target)

    def fold(self, t: Any) -> Any:
        """A tensor with one entry per row, of all examples."""
        value = self.level.full(t)
        return value if self.lone else into(value, 0)

    def unfold(self, value: Any) -> Any:
        """Losses of the folded rows, with the batch in front."""
        return value.reshape(self.level.size, *self.shape)

    def counted(self, weight: Any, ignore_index: int, like: Any) -> Any:
        """How much each row counts, with the batch in front."""
        keep = self.target != ignore_index
        if weight is None:
            return self.unfold(keep.to(like.dtype))
        return self.unfold(weight[self.target.masked_fill(~keep, 0).long()] * keep)

    def total(self, t: Any) -> Any:
        """The sum over an example's rows."""
        return t.reshape(self.level.size, -1).sum(1)

    def reduced(self, losses: Any, weight: Any, ignore_index: int, how: int) -> Any:
        """The examples' reductions of the rows' losses."""
        losses = self.unfold(losses)
        if how == NONE:
            return losses
        total = self.total(losses)
        return total / self.total(self.counted(weight, ignore_index, losses)) if how == MEAN else total

    def shares(self, g: Any, weight: Any, ignore_index: int, how: int, like: Any) -> Any:
        """The gradient of each row's loss, folded, from that of the reduction."""
        value = self.level.full(g)
        if how != NONE:
            if how == MEAN:
                value = value / self.total(self.counted(weight, ignore_index, like))
            value = value.reshape(self.level.size, *[1] * len(self.shape)).expand(self.level.size, *self.shape)
        return value.reshape(self.target._a.shape)


def _folds(level: Any, rank: int, target: Any, weight: Any) -> bool:
    """Whether scores of a rank and targets fit, so that they can be folded."""
    return not level.has(weight) and target._a.ndim == rank - 1 and level.size > 0 and bool(target._a.size)


@rule("_cross_entropy")
def cross_entropy(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, target, weight, how, ignore_index, smoothing = args
    if not _folds(level, x._a.ndim, target, weight):
        return fallback(level, op, args, kwargs)
    rows = Rows(level, x, target)
    losses, probs = _loss.op__cross_entropy(rows.x, rows.target, weight, NONE, ignore_index, smoothing)
    probs = probs.reshape(level.size, -1, probs._a.shape[-1])
    return level.wrap(rows.reduced(losses, weight, ignore_index, how)), level.wrap(probs)


@rule("_cross_entropy_backward")
def cross_entropy_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, probs, target, weight, how, ignore_index, smoothing, shape = args
    if not _folds(level, len(shape), target, weight):
        return fallback(level, op, args, kwargs)
    rows = Rows(level, target, target)
    p = level.full(probs)
    p = p.reshape(-1, p._a.shape[-1])
    share = rows.shares(g, weight, ignore_index, how, p)
    return level.wrap(_scores(level, op, (share, p, rows.target, weight, NONE, ignore_index, smoothing), shape))


@rule("nll_loss")
def nll_loss(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, target = args[:2]
    given = dict(zip(("weight", "reduction", "ignore_index"), args[2:], strict=False), **kwargs)
    weight, how = given.get("weight"), given.get("reduction", MEAN)
    ignore_index = given.get("ignore_index", -100)
    if not _folds(level, x._a.ndim, target, weight):
        return fallback(level, op, args, kwargs)
    rows = Rows(level, x, target)
    losses = _loss.op_nll_loss(rows.x, rows.target, weight, NONE, ignore_index)
    return level.wrap(rows.reduced(losses, weight, ignore_index, how))


@rule("_nll_loss_backward")
def nll_loss_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, target, weight, how, ignore_index, shape = args
    if not _folds(level, len(shape), target, weight):
        return fallback(level, op, args, kwargs)
    rows = Rows(level, target, target)
    share = rows.shares(g, weight, ignore_index, how, level.split(g)[0])
    return level.wrap(_scores(level, op, (share, rows.target, weight, NONE, ignore_index), shape))


def _scores(level: Any, op: Any, args: Any, shape: Any) -> Any:
    """The gradient of folded scores of a logical shape, with the batch in front."""
    lead = (level.size,) if len(shape) == 1 else (level.size * shape[0],)
    whole = (*lead, *shape) if len(shape) == 1 else (*lead, *shape[1:])
    out = invoke(op, (*args, whole), {})
    return out.reshape(level.size, *shape) if math.prod(shape) else out.new_zeros((level.size, *shape))
