"""Batch normalisation: statistics of each channel over the batch and all positions."""

from __future__ import annotations

from typing import Any

from ...loops.index import product
from ..builder import Builder
from ..specs import wide
from ..table import rule
from .normalization import moments


def _dims(x: Any) -> tuple[int, ...]:
    return (0, *range(2, len(x.spec.shape)))


def _column(b: Builder, v: Any, x: Any) -> Any:
    """A value per channel, to meet the input."""
    return b.view(b.to(v, x.spec.dtype), (-1, *[1] * (len(x.spec.shape) - 2)))


def _affine(b: Builder, out: Any, weight: Any, bias: Any) -> Any:
    if weight is not None:
        out = b.mul(out, _column(b, weight, out))
    return out if bias is None else b.add(out, _column(b, bias, out))


@rule("aten::_batch_norm_training")
def batch_norm_training(b: Builder, input: Any, weight: Any, bias: Any, eps: float) -> Any:
    x = b.wide(input)
    mean, rest, var, invstd = moments(b, x, _dims(x), eps)
    out = _affine(b, b.mul(rest, invstd), weight, bias)
    return (b.to(out, input.spec.dtype), *[b.view(t, (-1,)) for t in (mean, invstd, var)])


@rule("aten::_batch_norm_inference")
def batch_norm_inference(
    b: Builder, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, eps: float
) -> Any:
    x = b.wide(input)
    # One factor and one number for each channel.
    scale = b.rsqrt(b.add(b.to(running_var, x.spec.dtype), eps))
    if weight is not None:
        scale = b.mul(scale, b.to(weight, x.spec.dtype))
    out = b.mul(b.sub(x, _column(b, running_mean, x)), _column(b, scale, x))
    return b.to(_affine(b, out, None, bias), input.spec.dtype)


@rule("aten::native_batch_norm_backward")
def batch_norm_backward(
    b: Builder,
    grad_out: Any,
    input: Any,
    weight: Any,
    running_mean: Any,
    running_var: Any,
    save_mean: Any,
    save_invstd: Any,
    train: bool,
    eps: float,
    output_mask: Any,
) -> Any:
    d = wide(input.spec.dtype)
    x, g = b.to(input, d), b.to(grad_out, d)
    dims = _dims(x)
    if train:
        mean, r = b.to(save_mean, d), b.to(save_invstd, d)
    else:
        mean, r = b.to(running_mean, d), b.rsqrt(b.add(b.to(running_var, d), eps))
    scale = r if weight is None else b.mul(r, b.to(weight, d))
    rest = b.sub(x, _column(b, mean, x))
    sums = b.sum(g, dims)
    products = b.mul(b.sum(b.mul(rest, g), dims), r)
    gx = gw = gb = None
    if output_mask[0]:
        gx = g
        if train:
            m = product([x.spec.shape[i] for i in dims])
            tilt = b.div(b.mul(products, r), m)
            gx = b.sub(b.sub(g, _column(b, b.div(sums, m), x)), b.mul(rest, _column(b, tilt, x)))
        gx = b.to(b.mul(gx, _column(b, scale, x)), input.spec.dtype)
    kind = (input if weight is None else weight).spec.dtype
    if output_mask[1]:
        gw = b.to(products, kind)
    if output_mask[2]:
        gb = b.to(sums, kind)
    return gx, gw, gb


@rule("aten::_update_running_stats")
def update_running_stats(
    b: Builder, running_mean: Any, running_var: Any, mean: Any, var: Any, momentum: float
) -> Any:
    made = []
    for running, now in ((running_mean, mean), (running_var, var)):
        d = now.spec.dtype
        new = b.add(b.mul(b.to(running, d), 1 - momentum), b.mul(now, momentum))
        made.append(b.to(new, running.spec.dtype))
    return tuple(made)
