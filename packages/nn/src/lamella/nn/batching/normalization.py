"""Rules of normalisation: statistics of an example stay its own."""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.rules import rule
from lamella.dispatch.errors import message

from .._gen import batchnorm as _batch, normalization as _norm
from .conv import into, out_of

# -- over features -----------------------------------------------------------------------------------------------------


def features(level: Any, t: Any, rank: int) -> Any:
    """A batched weight's value, to broadcast with a value of ``rank`` logical dimensions."""
    value = level.front(t)
    return value.reshape(level.size, *[1] * (rank - t._a.ndim), *t._a.shape) if level.has(t) else value


@rule("native_layer_norm", "_fused_rms_norm")
def layer_norm(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, shape, weight = args[:3]
    bias = args[3] if op.opname == "native_layer_norm" else None
    eps, rank = args[-1], x._a.ndim
    late = level.has(weight) or level.has(bias)
    value = level.full(x)
    if op.opname == "native_layer_norm":
        out, *stats = _norm.op_native_layer_norm(value, shape, None if late else weight, None if late else bias, eps)
    else:
        out, *stats = _norm.op__fused_rms_norm(value, shape, None if late else weight, eps)
    if late:
        if weight is not None:
            out = out * features(level, weight, rank)
        if bias is not None:
            out = out + features(level, bias, rank)
    return level.wrap(out), *[level.wrap(s) for s in stats]


def _summed(t: Any, size: int, shape: Any) -> Any:
    """A value's sum over all but the batch and the normalised dimensions."""
    return t.reshape(size, -1, *shape).sum(1) if t._a.size else t.new_zeros((size, *shape))


@rule("native_layer_norm_backward")
def layer_norm_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, shape, mean, rstd, weight, bias, needs = args
    grad, value, m, r = level.full(g), level.full(x), level.full(mean), level.full(rstd)
    by_input = by_weight = by_bias = None
    if needs[0]:
        late = level.has(weight)
        by_input = level.wrap(_norm.op_native_layer_norm_backward(
            grad * features(level, weight, x._a.ndim) if late else grad, value, shape, m, r,
            None if late else weight, None, (True, False, False))[0])
    if needs[1]:
        by_weight = level.wrap(_summed(grad * (value - m) * r, level.size, shape).to(weight.dtype))
    if needs[2]:
        by_bias = level.wrap(_summed(grad, level.size, shape).to(bias.dtype))
    return by_input, by_weight, by_bias


@rule("_fused_rms_norm_backward")
def rms_norm_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, shape, rstd, weight, needs = args
    grad, value, r = level.full(g), level.full(x), level.full(rstd)
    by_input = by_weight = None
    if needs[0]:
        late = level.has(weight)
        by_input = level.wrap(_norm.op__fused_rms_norm_backward(
            grad * features(level, weight, x._a.ndim) if late else grad, value, shape, r, None if late else weight,
            (True, False))[0])
    if needs[1]:
        by_weight = level.wrap(_summed(grad * value * r, level.size, shape).to(weight.dtype))
    return by_input, by_weight


# -- over groups of channels -------------------------------------------------------------------------------------------


def channels(level: Any, t: Any, rank: int) -> Any:
    """A weight's value, to broadcast with (batch, images, channels, positions) of ``rank`` logical dimensions."""
    value = level.full(t)
    return value.reshape(level.size, 1, t._a.shape[0], *[1] * (rank - 2))


@rule("native_group_norm")
def group_norm(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, weight, bias, n, c, positions, group, eps = args
    late = level.has(weight) or level.has(bias)
    out, *stats = _norm.op_native_group_norm(into(level.full(x), 0), None if late else weight, None if late else bias,
                                             n * level.size, c, positions, group, eps)
    out = out_of(out, 0, level.size)
    if late:
        if weight is not None:
            out = out * channels(level, weight, x._a.ndim)
        if bias is not None:
            out = out + channels(level, bias, x._a.ndim)
    return level.wrap(out), *[level.wrap(out_of(s, 0, level.size)) for s in stats]


@rule("native_group_norm_backward")
def group_norm_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, mean, rstd, weight, n, c, positions, group, needs = args
    grad, value, m, r = level.full(g), level.full(x), level.full(mean), level.full(rstd)
    by_input = by_weight = by_bias = None
    late = level.has(weight)
    if needs[0]:
        scaled = grad * channels(level, weight, x._a.ndim) if late else grad
        found = _norm.op_native_group_norm_backward(
            into(scaled, 0), into(value, 0), into(m, 0), into(r, 0), None if late else weight, n * level.size, c,
            positions, group, (True, False, False))[0]
        by_input = level.wrap(out_of(found, 0, level.size))
    like = x if weight is None else weight
    if needs[1]:
        cells = (level.size, n, group, c // group * positions)
        xhat = (value.reshape(cells) - m.unsqueeze(-1)) * r.unsqueeze(-1)
        both = (grad.reshape(cells) * xhat).reshape(level.size, n, c, positions)
        by_weight = level.wrap(both.sum((1, 3)).to(like.dtype))
    if needs[2]:
        by_bias = level.wrap(grad.reshape(level.size, n, c, positions).sum((1, 3)).to(like.dtype))
    return by_input, by_weight, by_bias


# -- over the images of a batch ----------------------------------------------------------------------------------------


def _row(level: Any, t: Any) -> Any:
    """A value per channel of every example, in one row; None stays None."""
    return None if t is None else level.full(t).reshape(level.size * t._a.shape[0])


def _unrow(level: Any, value: Any) -> Any:
    return None if value is None else level.wrap(value.reshape(level.size, -1))


@rule("_batch_norm_training")
def batch_norm_training(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, weight, bias, eps = args
    out, *stats = _batch.op__batch_norm_training(into(level.full(x), 1), _row(level, weight), _row(level, bias), eps)
    return level.wrap(out_of(out, 1, level.size)), *[_unrow(level, s) for s in stats]


@rule("_batch_norm_inference")
def batch_norm_inference(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, *statistics, eps = args
    run: Any = _batch.op__batch_norm_inference
    if not any(level.has(t) for t in statistics):
        out = run(into(level.front(x), 0), *statistics, eps)
        return level.wrap(out_of(out, 0, level.size))
    out = run(into(level.full(x), 1), *[_row(level, t) for t in statistics], eps)
    return level.wrap(out_of(out, 1, level.size))


@rule("native_batch_norm_backward")
def batch_norm_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, x, *statistics, train, eps, needs = args
    run: Any = _batch.op_native_batch_norm_backward
    by_input, by_weight, by_bias = run(
        into(level.full(g), 1), into(level.full(x), 1), *[_row(level, t) for t in statistics], train, eps, needs)
    first = None if by_input is None else level.wrap(out_of(by_input, 1, level.size))
    return first, _unrow(level, by_weight), _unrow(level, by_bias)


@rule("_update_running_stats")
def update_running_stats(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    *running, mean, var, momentum = args
    if not level.has(running[0]) or not level.has(running[1]):
        raise RuntimeError(message(
            "batch_norm", "vmap: Batch norm got a batched tensor as input while the running_mean or running_var, which "
                          "will be updated in place, were not batched",
            hint="use track_running_stats=False or eval mode, or torch.func's ways to keep state per example"))
    for kept, now in zip(running, (mean, var), strict=True):
        kept.mul_(1 - momentum).add_(now * momentum)
    return ()
