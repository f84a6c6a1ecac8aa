"""Batch normalisation.

An input is (N, C, positions). A value per channel is spread into one long row (C * positions) where that is short, so
that each pass has long inner loops; sums over the batch are vector-matrix products.
"""

from __future__ import annotations

import math
from typing import Any

from ..meta.batchnorm import check
from .normalization import _wide, by_channel, flat, inverse_root


def _cube(xp: Any, a: Any, d: Any) -> Any:
    return xp.ascontiguousarray(a, d).reshape(*a.shape[:2], math.prod(a.shape[2:]))


def _sums(xp: Any, a: Any) -> Any:
    """The sum over all but the channels of (N, C, positions)."""
    n, c, p = a.shape
    if n > 1 and p < 512:
        return xp.ones(n, a.dtype).dot(a.reshape(n, c * p)).reshape(c, p).sum(1)
    return a.dot(xp.ones(p, a.dtype)).sum(0)


def _each(xp: Any, ufunc: Any, a: Any, v: Any, out: Any) -> Any:
    """``ufunc`` of an array and a value per channel."""
    row, whole = flat(by_channel(xp, v, a.shape[2], a.shape[0]), a)
    ufunc(whole, row, out=out.reshape(whole.shape))
    return out


def _affine(xp: Any, xc: Any, scale: Any, weight: Any, bias: Any) -> Any:
    """``xc * scale * weight + bias`` in place."""
    d = xc.dtype
    _each(xp, xp.multiply, xc, scale if weight is None else scale * weight.astype(d, copy=False), xc)
    if bias is not None:
        _each(xp, xp.add, xc, bias.astype(d, copy=False), xc)
    return xc


def _batch_norm_training(xp: Any, input: Any, weight: Any, bias: Any, eps: float) -> Any:
    check(input, weight, bias, None, None)
    d = _wide(input.dtype)
    x = _cube(xp, input, d)
    m = x.shape[0] * x.shape[2] or 1
    mean = _sums(xp, x)
    mean /= m
    xc = _each(xp, xp.subtract, x, mean, xp.empty(x.shape, d))
    var = _sums(xp, xc * xc)
    invstd = inverse_root(xp, var.copy(), m, eps)
    var /= m
    out = _affine(xp, xc, invstd, weight, bias)
    return out.reshape(input.shape).astype(input.dtype, copy=False), mean, invstd, var


def _batch_norm_inference(
    xp: Any, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, eps: float
) -> Any:
    check(input, weight, bias, running_mean, running_var)
    d = _wide(input.dtype)
    x = _cube(xp, input, d)
    xc = _each(xp, xp.subtract, x, running_mean.astype(d, copy=False), xp.empty(x.shape, d))
    scale = inverse_root(xp, running_var.astype(d), 1, eps)
    return _affine(xp, xc, scale, weight, bias).reshape(input.shape).astype(input.dtype, copy=False)


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
    gx = None
    xc: Any = None
    sums: Any = None
    products: Any = None
    if train or output_mask[1]:
        xc = _each(xp, xp.subtract, x, mean, xp.empty(x.shape, d))
        products = _sums(xp, g * xc)
    if train or output_mask[2]:
        sums = _sums(xp, g)
    if output_mask[0]:
        gx = _each(xp, xp.multiply, g, scale, xp.empty(g.shape, d))
        if train:
            gx -= _each(xp, xp.multiply, xc, scale * r * r * products / m, xc)
            _each(xp, xp.subtract, gx, scale * sums / m, gx)
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
