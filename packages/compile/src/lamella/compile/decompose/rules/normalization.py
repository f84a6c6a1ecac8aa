"""Normalisation over features and over groups of channels: two passes over the input, and for the gradient two sums
along rows and two over all rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..builder import Builder
from ..specs import wide
from ..table import rule


def _features(x: Any, normalized_shape: Any) -> tuple[int, ...]:
    n = len(x.spec.shape)
    return tuple(range(n - len(normalized_shape), n))


def _lead(x: Any, normalized_shape: Any) -> tuple[int, ...]:
    return tuple(range(len(x.spec.shape) - len(normalized_shape)))


def moments(b: Builder, x: Any, dims: Any, eps: float) -> tuple[Any, Any, Any, Any]:
    """The mean, what is left without it, the variance, and one by the deviation; dimensions are kept."""
    mean = b.mean(x, dims, True)
    rest = b.sub(x, mean)
    var = b.mean(b.mul(rest, rest), dims, True)
    return mean, rest, var, b.rsqrt(b.add(var, eps))


def _gradient(b: Builder, g: Any, xhat: Any, rstd: Any, dims: Any) -> Any:
    """What goes back through ``(x - mean) * rstd`` where g comes in."""
    level = b.mean(g, dims, True)
    tilt = b.mean(b.mul(g, xhat), dims, True)
    return b.mul(b.sub(b.sub(g, level), b.mul(xhat, tilt)), rstd)


@rule("aten::native_layer_norm")
def layer_norm(b: Builder, input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    x, w, c = b.wide(input), b.wide(weight), b.wide(bias)
    mean, rest, _, rstd = moments(b, x, _features(x, normalized_shape), eps)
    out = b.mul(rest, rstd)
    if w is not None:
        out = b.mul(out, b.to(w, x.spec.dtype))
    if c is not None:
        out = b.add(out, b.to(c, x.spec.dtype))
    return b.to(out, input.spec.dtype), mean, rstd


@rule("aten::native_layer_norm_backward")
def layer_norm_backward(
    b: Builder,
    grad_out: Any,
    input: Any,
    normalized_shape: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    bias: Any,
    output_mask: Any,
) -> Any:
    d = wide(input.spec.dtype)
    x, g, mean, rstd = (b.to(t, d) for t in (input, grad_out, mean, rstd))
    dims, lead = _features(x, normalized_shape), _lead(x, normalized_shape)
    xhat = b.mul(b.sub(x, mean), rstd)
    gx = gw = gb = None
    if output_mask[0]:
        gx = _gradient(b, g if weight is None else b.mul(g, b.to(weight, d)), xhat, rstd, dims)
        gx = b.to(gx, input.spec.dtype)
    if output_mask[1]:
        gw = b.to(_over(b, b.mul(g, xhat), lead), weight.spec.dtype)
    if output_mask[2]:
        gb = b.to(_over(b, g, lead), bias.spec.dtype)
    return gx, gw, gb


def _over(b: Builder, x: Any, dims: tuple[int, ...]) -> Any:
    """The sum over leading dimensions, of which there may be none."""
    return b.sum(x, dims) if dims else x


@rule("aten::_fused_rms_norm")
def rms_norm(b: Builder, input: Any, normalized_shape: Any, weight: Any, eps: Any) -> Any:
    x = b.wide(input)
    eps = float(np.finfo(x.spec.dtype.np).eps) if eps is None else eps
    rstd = b.rsqrt(b.add(b.mean(b.mul(x, x), _features(x, normalized_shape), True), eps))
    out = b.mul(x, rstd)
    if weight is not None:
        out = b.mul(out, b.to(weight, x.spec.dtype))
    return b.to(out, input.spec.dtype), rstd


@rule("aten::_fused_rms_norm_backward")
def rms_norm_backward(
    b: Builder, grad_out: Any, input: Any, normalized_shape: Any, rstd: Any, weight: Any, output_mask: Any
) -> Any:
    d = wide(input.spec.dtype)
    x, g, rstd = (b.to(t, d) for t in (input, grad_out, rstd))
    xhat = b.mul(x, rstd)
    gx = gw = None
    if output_mask[0]:
        h = g if weight is None else b.mul(g, b.to(weight, d))
        tilt = b.mean(b.mul(h, xhat), _features(x, normalized_shape), True)
        gx = b.to(b.mul(b.sub(h, b.mul(xhat, tilt)), rstd), input.spec.dtype)
    if output_mask[1]:
        gw = b.to(_over(b, b.mul(g, xhat), _lead(x, normalized_shape)), weight.spec.dtype)
    return gx, gw


@rule("aten::native_group_norm")
def group_norm(
    b: Builder, input: Any, weight: Any, bias: Any, N: Any, C: Any, HxW: Any, group: int, eps: float
) -> Any:
    d = wide(input.spec.dtype)
    x = b.view(b.to(input, d), (N, group, C // group, HxW))
    mean, rest, _, rstd = moments(b, x, (2, 3), eps)
    out = b.mul(rest, rstd)
    column = (1, group, C // group, 1)
    if weight is not None:
        out = b.mul(out, b.view(b.to(weight, d), column))
    if bias is not None:
        out = b.add(out, b.view(b.to(bias, d), column))
    out = b.to(b.view(out, input.spec.shape), input.spec.dtype)
    return out, b.view(mean, (N, group)), b.view(rstd, (N, group))


@rule("aten::native_group_norm_backward")
def group_norm_backward(
    b: Builder,
    grad_out: Any,
    input: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    N: Any,
    C: Any,
    HxW: Any,
    group: int,
    output_mask: Any,
) -> Any:
    d = wide(input.spec.dtype)
    shape = (N, group, C // group, HxW)
    x, g = (b.view(b.to(t, d), shape) for t in (input, grad_out))
    mean, rstd = (b.view(b.to(t, d), (N, group, 1, 1)) for t in (mean, rstd))
    xhat = b.mul(b.sub(x, mean), rstd)
    kind = (input if weight is None else weight).spec.dtype
    gx = gw = gb = None
    if output_mask[0]:
        h = g if weight is None else b.mul(g, b.view(b.to(weight, d), (1, group, C // group, 1)))
        gx = b.to(b.view(_gradient(b, h, xhat, rstd, (2, 3)), input.spec.shape), input.spec.dtype)
    if output_mask[1]:
        gw = b.to(b.view(b.sum(b.mul(g, xhat), (0, 3)), (C,)), kind)
    if output_mask[2]:
        gb = b.to(b.view(b.sum(g, (0, 3)), (C,)), kind)
    return gx, gw, gb
