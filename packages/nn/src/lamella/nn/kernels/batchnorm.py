"""Batch normalisation.

An input is (N, C, positions). A value per channel is spread into one long row (C * positions) where that is short, so
that each pass has long inner loops; sums over the batch are vector-matrix products.
"""

from __future__ import annotations

import math
from typing import Any

from lamella.core.kernels.sums import ones_of

from ..meta.batchnorm import check
from .normalization import _wide, blocks, by_channel, flat, inverse_root, row_dot

#: Up to so many elements broadcasting is quicker than what it takes to avoid it.
_FEW = 1 << 10


def _cube(xp: Any, a: Any, d: Any) -> Any:
    return xp.ascontiguousarray(a, d).reshape(*a.shape[:2], math.prod(a.shape[2:]))


def _sums(xp: Any, a: Any) -> Any:
    """The sum over all but the channels of (N, C, positions)."""
    n, c, p = a.shape
    if n > 1 and p < 512:
        return ones_of(xp, n, a.dtype).dot(a.reshape(n, c * p)).reshape(c, p).sum(1)
    return a.dot(ones_of(xp, p, a.dtype)).sum(0)


class _Spread:
    """A value per channel, ready to meet blocks of images: one long row where that is short."""

    def __init__(self, xp: Any, v: Any, positions: int, n: int) -> None:
        self.values = by_channel(xp, v, positions, n)

    def __call__(self, ufunc: Any, a: Any, out: Any) -> Any:
        row, whole = flat(self.values, a)
        ufunc(whole, row, out=out.reshape(whole.shape))
        return out


def _scaled(xp: Any, x: Any, mean: Any, scale: Any, weight: Any, bias: Any) -> Any:
    """``(x - mean) * scale * weight + bias``, a few images at a time."""
    d, (n, _, p) = x.dtype, x.shape
    away = _Spread(xp, mean, p, n)
    times = _Spread(xp, scale if weight is None else scale * weight.astype(d, copy=False), p, n)
    plus = None if bias is None else _Spread(xp, bias.astype(d, copy=False), p, n)
    r = xp.empty(x.shape, d)
    for s in blocks(n, x.size // max(n, 1)):
        out = away(xp.subtract, x[s], r[s])
        times(xp.multiply, out, out)
        if plus is not None:
            plus(xp.add, out, out)
    return r


def _squares(xp: Any, x: Any, mean: Any) -> Any:
    """The sums of squares of what is left without the mean."""
    n, c, p = x.shape
    away = _Spread(xp, mean, p, n)
    total = xp.zeros(c, x.dtype)
    parts = blocks(n, x.size // max(n, 1))
    room = xp.empty(x[parts[0]].shape, x.dtype)
    for s in parts:
        part = x[s]
        rest = away(xp.subtract, part, room[: len(part)])
        total += xp.add.reduce(row_dot(xp, rest, rest), 0)
    return total


def _few(xp: Any, x: Any, weight: Any, bias: Any, m: int, eps: float) -> Any:
    """The norm of few elements, with the statistics, in as few calls as it takes."""
    d = x.dtype
    mean = xp.add.reduce(x, (0, 2))
    mean /= m
    out = x - mean[:, None]
    var = xp.add.reduce(out * out, (0, 2))
    invstd = inverse_root(xp, var.copy(), m, eps)
    var /= m
    out *= (invstd if weight is None else invstd * weight.astype(d, copy=False))[:, None]
    if bias is not None:
        out += bias.astype(d, copy=False)[:, None]
    return out, mean, invstd, var


def _batch_norm_training(xp: Any, input: Any, weight: Any, bias: Any, eps: float) -> Any:
    check(input, weight, bias, None, None)
    d = _wide(input.dtype)
    x = _cube(xp, input, d)
    m = x.shape[0] * x.shape[2] or 1
    if 0 < x.size <= _FEW:
        out, mean, invstd, var = _few(xp, x, weight, bias, m, eps)
        return out.reshape(input.shape).astype(input.dtype, copy=False), mean, invstd, var
    mean = _sums(xp, x)
    mean /= m
    var = _squares(xp, x, mean)
    invstd = inverse_root(xp, var.copy(), m, eps)
    var /= m
    out = _scaled(xp, x, mean, invstd, weight, bias)
    return out.reshape(input.shape).astype(input.dtype, copy=False), mean, invstd, var


def _batch_norm_inference(
    xp: Any, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, eps: float
) -> Any:
    check(input, weight, bias, running_mean, running_var)
    d = _wide(input.dtype)
    x = _cube(xp, input, d)
    scale = inverse_root(xp, running_var.astype(d), 1, eps)
    out = _scaled(xp, x, running_mean.astype(d, copy=False), scale, weight, bias)
    return out.reshape(input.shape).astype(input.dtype, copy=False)


def _products(xp: Any, x: Any, g: Any, mean: Any) -> Any:
    """The sums of the gradient times what is left without the mean."""
    n, c, p = x.shape
    away = _Spread(xp, mean, p, n)
    total = xp.zeros(c, x.dtype)
    parts = blocks(n, x.size // max(n, 1))
    room = xp.empty(x[parts[0]].shape, x.dtype)
    for s in parts:
        part = x[s]
        total += xp.add.reduce(row_dot(xp, away(xp.subtract, part, room[: len(part)]), g[s]), 0)
    return total


def _input_grad(xp: Any, x: Any, g: Any, mean: Any, scale: Any, slope: Any, level: Any) -> Any:
    """``(g - level) * scale - (x - mean) * slope``, a few images at a time; ``g * scale`` for fixed statistics."""
    n, p = x.shape[0], x.shape[2]
    times = _Spread(xp, scale, p, n)
    r = xp.empty(g.shape, g.dtype)
    parts = blocks(n, x.size // max(n, 1))
    if slope is None:
        for s in parts:
            times(xp.multiply, g[s], r[s])
        return r
    # A multiple of x and one number per channel are all that is taken away.
    steep, base = _Spread(xp, slope, p, n), _Spread(xp, mean * slope - level * scale, p, n)
    room = xp.empty(x[parts[0]].shape, x.dtype)
    for s in parts:
        part = x[s]
        out = times(xp.multiply, g[s], r[s])
        out -= steep(xp.multiply, part, room[: len(part)])
        base(xp.add, out, out)
    return r


def native_batch_norm_backward(
    xp: Any,
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
    d = _wide(input.dtype)
    x, g = _cube(xp, input, d), _cube(xp, grad_out, d)
    m = x.shape[0] * x.shape[2] or 1
    if train:
        mean, r = save_mean.astype(d, copy=False), save_invstd.astype(d, copy=False)
    else:
        mean, r = running_mean.astype(d, copy=False), inverse_root(xp, running_var.astype(d), 1, eps)
    scale = r if weight is None else r * weight.astype(d, copy=False)
    few = 0 < x.size <= _FEW
    sums: Any = None
    products: Any = None
    if train or output_mask[2]:
        sums = xp.add.reduce(g, (0, 2)) if few else _sums(xp, g)
    if train or output_mask[1]:
        away = x - mean[:, None] if few else None
        products = xp.add.reduce(away * g, (0, 2)) if few else _products(xp, x, g, mean)
    gx = None
    if output_mask[0]:
        slope, level = (scale * r * r * products / m, sums / m) if train else (None, None)
        if few and train:
            gx = (g - level[:, None]) * scale[:, None]
            gx -= away * slope[:, None]
        else:
            gx = _input_grad(xp, x, g, mean, scale, slope, level)
        gx = gx.reshape(input.shape).astype(input.dtype, copy=False)
    kind = input.dtype if weight is None else weight.dtype
    return (
        gx,
        (products * r).astype(kind, copy=False) if output_mask[1] else None,
        sums.astype(kind, copy=False) if output_mask[2] else None,
    )


def _update_running_stats(xp: Any, running_mean: Any, running_var: Any, mean: Any, var: Any, momentum: float) -> None:
    for running, now in ((running_mean, mean), (running_var, var)):
        if running.dtype == now.dtype:
            running *= 1 - momentum
            running += now * momentum
        else:
            running[...] = running.astype(now.dtype) * (1 - momentum) + now * momentum
