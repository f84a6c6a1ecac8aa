"""Losses over arrays."""

from __future__ import annotations

from typing import Any

from lamella.core.kernels.sums import ones_of, well_scaled
from lamella.dispatch.errors import message

from .blockwise import BLOCK, at_most, blockwise, limit
from .types import F32, I64, floating, is_low, type_name

NONE, MEAN, SUM = 0, 1, 2


def reduced(xp: Any, losses: Any, reduction: int) -> Any:
    """The losses themselves, their mean or their sum."""
    if reduction == NONE:
        return losses
    total = xp.asarray(xp.add.reduce(losses, None))
    if reduction == MEAN:
        total /= losses.size
    return total


# ---------------------------------------------------------------- classes


def _rows(xp: Any, x: Any) -> Any:
    """Scores as a matrix: one row per target, classes last."""
    if x.ndim == 2:
        return x
    return x.reshape(1, -1) if x.ndim == 1 else xp.moveaxis(x, 1, -1).reshape(-1, x.shape[1])


def _unrows(xp: Any, a: Any, shape: Any) -> Any:
    """The inverse of `_rows`."""
    shape = tuple(shape)
    if len(shape) <= 2:
        return a.reshape(shape)
    return xp.ascontiguousarray(xp.moveaxis(a.reshape(shape[0], *shape[2:], shape[1]), -1, 1))


def _classes(xp: Any, target: Any, count: int, ignore_index: int) -> tuple[Any, Any]:
    """Targets as one row, and which of them count (None: all). Ignored ones become class 0."""
    t = target.reshape(-1)
    if t.dtype is not I64:
        t = _as_int64(xp, t)
    keep = None
    # Negative classes are huge as unsigned numbers, so one maximum checks both ends.
    bad = t.size and int(xp.maximum.reduce(t.view(xp.uint64))) >= count
    if bad or 0 <= ignore_index < count:
        keep = t != ignore_index
        if keep.all():
            keep = None
        else:
            t = xp.where(keep, t, 0)
        if t.size and int(xp.maximum.reduce(t.view(xp.uint64))) >= count:
            wrong = t[(t < 0) | (t >= count)][0]
            raise IndexError(message("nll_loss", f"Target {wrong} is out of bounds.", {"classes": count}))
    return t, keep


def _as_int64(xp: Any, t: Any) -> Any:
    if t.dtype != I64 and t.dtype != xp.uint8:
        raise RuntimeError(
            message("nll_loss", f"expected target dtype to be Long or Byte, but got {type_name(t.dtype)}")
        )
    return t.astype(I64)


def _class_weights(xp: Any, x: Any, weight: Any, t: Any, keep: Any) -> Any:
    """The weight of each row, or None where all count 1."""
    if weight is None:
        return None if keep is None else keep.astype(x.dtype)
    if weight.shape != (x.shape[-1],):
        raise RuntimeError(
            message(
                "nll_loss",
                f"weight tensor should be defined either for all {x.shape[-1]} classes or no "
                f"classes but got weight tensor of shape: {list(weight.shape)}",
            )
        )
    if weight.dtype != x.dtype:
        raise RuntimeError(
            message("nll_loss", f"expected scalar type {type_name(x.dtype)} but found {type_name(weight.dtype)}")
        )
    w = weight[t]
    return w if keep is None else w * keep


def _weighed(xp: Any, losses: Any, w: Any) -> Any:
    """Losses of rows times their weights; an ignored row counts nothing, whatever stands in it."""
    losses = losses * w
    return losses if xp.isfinite(losses).all() else xp.where(w == 0, 0, losses)


def _combine(xp: Any, losses: Any, w: Any, reduction: int, shape: Any) -> Any:
    """Reduce the losses of rows; the mean is weighted."""
    if w is not None:
        losses = _weighed(xp, losses, w)
    if reduction == NONE:
        return losses.reshape(shape)
    total = xp.asarray(xp.add.reduce(losses))
    if reduction == MEAN:
        total /= len(losses) if w is None else xp.add.reduce(w)
    return total


def _log_sums(xp: Any, x: Any) -> tuple[Any, Any]:
    """The softmax of rows and the logarithm of their sums of exponentials."""
    ones = ones_of(xp, x.shape[1], x.dtype)
    e = xp.exp(x)
    s = e.dot(ones)
    # Without the shift by the maximum, as long as the sums show that nothing over- or underflowed.
    if well_scaled(xp, s):
        xp.divide(e, s[:, None], e)
        return e, xp.log(s, s)
    top = xp.maximum.reduce(x, 1, None, None, True) if x.size else xp.zeros((x.shape[0], 1), x.dtype)
    xp.subtract(x, top, e)
    xp.exp(e, e)
    s = e.dot(ones)
    xp.divide(e, s[:, None], e)
    return e, xp.log(s, s) + top[:, 0]


def _cross_entropy(
    xp: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    d = self.dtype
    if d.kind != "f" and not is_low(d):
        raise NotImplementedError(message("cross_entropy", f"it is not implemented for '{type_name(d)}'"))
    x = _rows(xp, self)
    if is_low(d):
        x = x.astype(F32)
        weight = None if weight is None else weight.astype(F32)
    n, count = x.shape
    t, keep = _classes(xp, target, count, ignore_index)
    w = _class_weights(xp, x, weight, t, keep)
    probs, sums = _log_sums(xp, x)
    picked = x[xp.arange(n), t]
    if not label_smoothing:
        loss = _combine(xp, sums - picked, w, reduction, target.shape)
    else:
        loss = _smoothed(xp, x, sums, picked, weight, w, keep, reduction, label_smoothing, target.shape)
    return loss.astype(d, copy=False), probs.astype(d, copy=False)


def _smoothed(
    xp: Any,
    x: Any,
    sums: Any,
    picked: Any,
    weight: Any,
    w: Any,
    keep: Any,
    reduction: int,
    smoothing: float,
    shape: Any,
) -> Any:
    """(1 - s) of the loss plus s / classes of the sum of minus all logarithms."""
    count = x.shape[1]
    each = weight if weight is not None else xp.ones(count, x.dtype)
    all_classes = sums * each.sum() - x.dot(each)
    own = sums - picked
    if w is not None:
        own = own * w
    losses = own * (1 - smoothing) + all_classes * (smoothing / count)
    if keep is not None:
        losses = xp.where(keep, losses, 0)
    if reduction == NONE:
        return losses.reshape(shape).astype(x.dtype, copy=False)
    total = xp.asarray(xp.add.reduce(losses))
    if reduction == MEAN:
        total /= len(losses) if w is None else xp.add.reduce(w)
    return total.astype(x.dtype, copy=False)


def _cross_entropy_backward(
    xp: Any,
    grad_output: Any,
    probs: Any,
    target: Any,
    weight: Any,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
    shape: Any,
) -> Any:
    d = probs.dtype
    if is_low(d):
        probs, grad_output = probs.astype(F32), grad_output.astype(F32)
        weight = None if weight is None else weight.astype(F32)
    n, count = probs.shape
    t, keep = _classes(xp, target, count, ignore_index)
    w = _class_weights(xp, probs, weight, t, keep)
    scale = grad_output.reshape(-1)
    if reduction == MEAN:
        scale = scale / (n if w is None else xp.add.reduce(w))
    rows = xp.arange(n)
    if not label_smoothing:
        own = scale if w is None else scale * w
        g = probs * own[:, None]
        g[rows, t] -= own
    else:
        own = (scale * (1 - label_smoothing)) if w is None else scale * w * (1 - label_smoothing)
        every = scale * (label_smoothing / count)
        if keep is not None:
            every = every * keep
        each = weight if weight is not None else xp.ones(count, probs.dtype)
        g = probs * (own + every * each.sum())[:, None]
        g -= every[:, None] * each
        g[rows, t] -= own
    return _unrows(xp, _blank(xp, g, keep), shape).astype(d, copy=False)


def _blank(xp: Any, g: Any, keep: Any) -> Any:
    """Gradients of rows, 0 in those that do not count."""
    if keep is not None and not xp.isfinite(g).all():
        g[~keep] = 0
    return g


def nll_loss(xp: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    d = self.dtype
    if d.kind != "f" and not is_low(d):
        raise NotImplementedError(message("nll_loss", f"it is not implemented for '{type_name(d)}'"))
    x = _rows(xp, self)
    t, keep = _classes(xp, target, x.shape[1], ignore_index)
    w = _class_weights(xp, x, weight, t, keep)
    losses = -x[xp.arange(x.shape[0]), t]
    if is_low(d):
        losses, w = losses.astype(F32), None if w is None else w.astype(F32)
    return _combine(xp, losses, w, reduction, target.shape).astype(d, copy=False)


def _nll_loss_backward(
    xp: Any, grad_output: Any, target: Any, weight: Any, reduction: int, ignore_index: int, shape: Any
) -> Any:
    shape = tuple(shape)
    count = shape[1] if len(shape) > 1 else shape[0]
    n = target.size
    g = xp.zeros((n, count), grad_output.dtype)
    t, keep = _classes(xp, target, count, ignore_index)
    w = _class_weights(xp, g, weight, t, keep)
    scale = -grad_output.reshape(-1)
    if w is not None:
        scale = scale * w
    if reduction == MEAN:
        scale = scale / (n if w is None else xp.add.reduce(w))
    g[xp.arange(n), t] = scale if keep is None else xp.where(keep, scale, 0)  # also where all weights are 0
    return _unrows(xp, g, shape)


# ---------------------------------------------------------------- differences


@floating
def mse_loss(xp: Any, self: Any, target: Any, reduction: int) -> Any:
    d = self - target
    if reduction == NONE:
        return xp.multiply(d, d, d)
    flat = d.reshape(-1)
    total = xp.asarray(flat.dot(flat))
    if reduction == MEAN:
        total /= d.size
    return total


def mse_loss_backward(xp: Any, grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    d = xp.asarray(self - target)
    slope = grad_output * d.dtype.type(2 / d.size if reduction == MEAN and d.size else 2)
    if slope.shape not in ((), d.shape):
        return d * slope
    d *= slope
    return d


def _near_and_far(xp: Any, out: Any, x: Any, y: Any, limit: float, scale: float) -> Any:
    """With m the difference, at most the limit: m (difference - m / 2) times a scale."""
    size = xp.subtract(x, y)
    xp.abs(size, size)
    near = at_most(xp, size, limit, out)
    size -= near * 0.5
    near *= size
    if scale != 1:
        near *= scale
    return near


def _two_parts(xp: Any, x: Any, y: Any, limit: float, scale: float, reduction: int) -> Any:
    """Half the square up to a limit, a line beyond."""
    if reduction == NONE or x.size <= 2 * BLOCK or x.shape != y.shape or not _plain(x, y):
        if x.shape == y.shape and x.dtype == y.dtype:
            return reduced(xp, blockwise(xp, _near_and_far, (x, y), limit, scale), reduction)
        return reduced(xp, _near_and_far(xp, None, x, y, limit, scale), reduction)
    a, b, out = x.reshape(-1), y.reshape(-1), xp.empty(BLOCK, x.dtype)
    sums = []
    for i in range(0, x.size, BLOCK):
        part = a[i : i + BLOCK]
        sums.append(xp.add.reduce(_near_and_far(xp, out[: len(part)], part, b[i : i + BLOCK], limit, scale)))
    total = xp.asarray(xp.add.reduce(xp.array(sums, xp.float64))).astype(x.dtype)
    if reduction == MEAN:
        total /= x.size
    return total


def _plain(*arrays: Any) -> bool:
    return all(a.flags.c_contiguous and a.dtype is arrays[0].dtype for a in arrays)


@floating
def smooth_l1_loss(xp: Any, self: Any, target: Any, reduction: int, beta: float) -> Any:
    if not beta:
        return reduced(xp, xp.abs(self - target), reduction)
    return _two_parts(xp, self, target, beta, 1 / beta, reduction)


@floating
def huber_loss(xp: Any, self: Any, target: Any, reduction: int, delta: float) -> Any:
    return _two_parts(xp, self, target, delta, 1, reduction)


def _limited(xp: Any, out: Any, x: Any, y: Any, bound: float, factor: Any) -> Any:
    d = xp.subtract(x, y, out)
    limit(xp, d, -bound, bound, d)
    d *= factor
    return d


@floating
def _limited_difference(
    xp: Any, self: Any, target: Any, grad_output: Any, reduction: int, bound: float, scale: float
) -> Any:
    factor = grad_output * grad_output.dtype.type(scale / self.size if reduction == MEAN and self.size else scale)
    if factor.size == 1 and self.shape == target.shape and self.dtype == target.dtype:
        return blockwise(xp, _limited, (self, target), bound, factor.reshape(())[()])
    return _limited(xp, None, self, target, bound, factor)


@floating
def soft_margin_loss(xp: Any, self: Any, target: Any, reduction: int) -> Any:
    z = self * -target
    r = xp.abs(z)
    xp.negative(r, r)
    xp.exp(r, r)
    xp.log1p(r, r)
    r += xp.maximum(z, 0)
    return reduced(xp, r, reduction)


@floating
def binary_cross_entropy(xp: Any, self: Any, target: Any, weight: Any, reduction: int) -> Any:
    if self.size and not (self.min() >= 0 and self.max() <= 1):
        raise RuntimeError(
            message(
                "binary_cross_entropy",
                "all elements of input should be between 0 and 1",
                {"min": float(self.min()), "max": float(self.max())},
                hint="for scores without limits use binary_cross_entropy_with_logits",
            )
        )
    if target.size and not (target.min() >= 0 and target.max() <= 1):
        raise RuntimeError(message("binary_cross_entropy", "all elements of target should be between 0 and 1"))
    losses = (target - 1) * xp.maximum(xp.log1p(-self), -100)
    losses -= target * xp.maximum(xp.log(self), -100)
    return reduced(xp, losses if weight is None else losses * weight, reduction)


@floating
def binary_cross_entropy_with_logits(
    xp: Any, self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int
) -> Any:
    # log(1 + exp(-x)) without overflow at either end.
    soft = xp.abs(self)
    xp.negative(soft, soft)
    xp.exp(soft, soft)
    xp.log1p(soft, soft)
    soft += xp.maximum(-self, 0)
    if pos_weight is not None:
        soft = soft * (1 + (pos_weight - 1) * target)
    soft += (1 - target) * self
    return reduced(xp, soft if weight is None else soft * weight, reduction)
