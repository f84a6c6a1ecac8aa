"""Normalisation over features (layer, rms) and over groups of channels.

An input is a matrix with one row per statistic. Rows are taken in blocks that stay in cache from the first pass to the
last. Sums along rows and columns are matrix-vector products; a scale that varies along both is a column times a row,
made by the matrix product, which is faster than broadcasting over short rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..meta.normalization import check_group, check_layer
from .types import F32, F64, is_low

_BLOCK = 1 << 16
_FEW = 1 << 10


def default_eps(d: Any) -> float:
    """The distance from 1 to the next number."""
    return float(np.finfo(d).eps)


def blocks(rows: int, width: int) -> list[slice]:
    """Slices of rows that hold some 64 thousand elements."""
    step = max(_BLOCK // max(width, 1), 1)
    if rows <= 2 * step:
        return [slice(0, rows)]
    return [slice(i, i + step) for i in range(0, rows, step)]


def row_dot(xp: Any, a: Any, b: Any) -> Any:
    """The sum of products along each row."""
    return xp.vecdot(a, b) if hasattr(xp, "vecdot") else xp.einsum("ij,ij->i", a, b)


def _vector(xp: Any, v: Any, d: Any) -> Any:
    return None if v is None else xp.ascontiguousarray(v.reshape(-1), d)


def _matrix(xp: Any, a: Any, shape: Any, d: Any) -> Any:
    """One row for each feature vector."""
    lead = a.ndim - len(shape)
    return xp.ascontiguousarray(a, d).reshape(math.prod(a.shape[:lead]), math.prod(shape))


def _wide(d: Any) -> Any:
    return F32 if is_low(d) else d


def inverse_root(xp: Any, var: Any, n: int, eps: float, out: Any = None) -> Any:
    """1 / sqrt(var / n + eps), written into ``var``."""
    var /= n
    var += var.dtype.type(eps)
    xp.sqrt(var, out=var)
    return xp.divide(1, var, out=var if out is None else out)


def outer(xp: Any, column: Any, row: Any, out: Any) -> Any:
    """A column times a row. The matrix product is the faster way to make short rows, broadcasting to make long ones."""
    if row.size < 512:
        return xp.dot(column[:, None], row[None], out=out)
    return xp.multiply(column[:, None], row, out=out)


def _few_rows(xp: Any, x: Any, weight: Any, bias: Any, eps: float) -> Any:
    """A layer norm over the last dimension, in as few calls as it takes."""
    n = x.shape[-1]
    mean = xp.add.reduce(x, -1, None, None, True)
    mean /= n
    o = x - mean
    rstd = inverse_root(xp, row_dot(xp, o, o)[..., None], n, eps)
    o *= rstd
    if weight is not None:
        o *= weight
    if bias is not None:
        o += bias
    return o, mean, rstd


def native_layer_norm(xp: Any, input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    check_layer("layer_norm", input, normalized_shape, weight, bias)
    d = input.dtype
    if 0 < input.size <= _FEW and len(normalized_shape) == 1 and (d is F32 or d is F64):
        return _few_rows(xp, input, weight, bias, eps)
    d = _wide(d)
    n = math.prod(normalized_shape)
    x, w, b = _matrix(xp, input, normalized_shape, d), _vector(xp, weight, d), _vector(xp, bias, d)
    rows = x.shape[0]
    out = xp.empty(x.shape, d)
    rstd = xp.empty(rows, d)
    mean = xp.empty(rows, d)
    average = xp.full(n, 1 / n if n else 0, d)
    parts = blocks(rows, n)
    scale = None if w is None else xp.empty(x[parts[0]].shape, d)
    for s in parts:
        m = x[s].dot(average, out=mean[s])
        o = xp.subtract(x[s], m[:, None], out=out[s])
        r = inverse_root(xp, row_dot(xp, o, o), n or 1, eps, rstd[s])
        if w is None:
            o *= r[:, None]
        else:
            o *= outer(xp, r, w, scale[: len(r)])
        if b is not None:
            o += b
    stats = (*input.shape[: input.ndim - len(normalized_shape)], *[1] * len(normalized_shape))
    return (out.reshape(input.shape).astype(input.dtype, copy=False), mean.reshape(stats), rstd.reshape(stats))


def native_layer_norm_backward(
    xp: Any,
    grad_out: Any,
    input: Any,
    normalized_shape: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    bias: Any,
    output_mask: Any,
) -> Any:
    d = _wide(input.dtype)
    n = math.prod(normalized_shape)
    x, g, w = (
        _matrix(xp, input, normalized_shape, d),
        _matrix(xp, grad_out, normalized_shape, d),
        _vector(xp, weight, d),
    )
    mean, rstd = _vector(xp, mean, d), _vector(xp, rstd, d)
    ones = xp.ones(max(x.shape), d)
    gx = xp.empty(x.shape, d)
    gw, gb = xp.zeros(n, d), xp.zeros(n, d)
    parts = blocks(x.shape[0], n)
    room = xp.empty(x[parts[0]].shape, d)
    for s in parts:
        gi, r, p = g[s], rstd[s], gx[s]
        xc = xp.subtract(x[s], mean[s, None], out=room[: len(r)])
        xp.multiply(gi, xc, out=p)
        if output_mask[1]:
            gw += r.dot(p)
        if output_mask[2]:
            gb += ones[: len(r)].dot(gi)
        if output_mask[0]:
            row = ones[:n] if w is None else w
            c1, c2 = gi.dot(row), p.dot(row)
            c1 *= r
            c1 /= -(n or 1)
            c2 *= r * r * r
            c2 /= n or 1
            if w is None:
                xp.multiply(gi, r[:, None], out=p)
            else:
                outer(xp, r, w, p)
                p *= gi
            xc *= c2[:, None]
            p -= xc
            p += c1[:, None]
    return (
        gx.reshape(input.shape).astype(input.dtype, copy=False) if output_mask[0] else None,
        gw.reshape(weight.shape).astype(weight.dtype, copy=False) if output_mask[1] else None,
        gb.reshape(bias.shape).astype(bias.dtype, copy=False) if output_mask[2] else None,
    )


def _fused_rms_norm(xp: Any, input: Any, normalized_shape: Any, weight: Any, eps: Any) -> Any:
    check_layer("rms_norm", input, normalized_shape, weight, None)
    d = _wide(input.dtype)
    eps = default_eps(d) if eps is None else eps
    n = math.prod(normalized_shape)
    x, w = _matrix(xp, input, normalized_shape, d), _vector(xp, weight, d)
    out, rstd = xp.empty(x.shape, d), xp.empty(x.shape[0], d)
    for s in blocks(x.shape[0], n):
        r = inverse_root(xp, row_dot(xp, x[s], x[s]), n or 1, eps, rstd[s])
        if w is None:
            xp.multiply(x[s], r[:, None], out=out[s])
        else:
            o = outer(xp, r, w, out[s])
            o *= x[s]
    stats = (*input.shape[: input.ndim - len(normalized_shape)], *[1] * len(normalized_shape))
    return out.reshape(input.shape).astype(input.dtype, copy=False), rstd.reshape(stats)


def _fused_rms_norm_backward(
    xp: Any, grad_out: Any, input: Any, normalized_shape: Any, rstd: Any, weight: Any, output_mask: Any
) -> Any:
    d = _wide(input.dtype)
    n = math.prod(normalized_shape)
    x, g, w = (
        _matrix(xp, input, normalized_shape, d),
        _matrix(xp, grad_out, normalized_shape, d),
        _vector(xp, weight, d),
    )
    rstd = _vector(xp, rstd, d)
    row = xp.ones(n, d) if w is None else w
    gx, gw = xp.empty(x.shape, d), xp.zeros(n, d)
    for s in blocks(x.shape[0], n):
        gi, r = g[s], rstd[s]
        p = xp.multiply(gi, x[s], out=gx[s])
        if output_mask[1]:
            gw += r.dot(p)
        if output_mask[0]:
            c = p.dot(row)
            c *= r * r * r
            c /= n or 1
            if w is None:
                xp.multiply(gi, r[:, None], out=p)
            else:
                outer(xp, r, w, p)
                p *= gi
            p -= x[s] * c[:, None]
    return (
        gx.reshape(input.shape).astype(input.dtype, copy=False) if output_mask[0] else None,
        gw.reshape(weight.shape).astype(weight.dtype, copy=False) if output_mask[1] else None,
    )


def by_channel(xp: Any, v: Any, positions: int, n: int) -> Any:
    """A value per channel (C,) to go with arrays (n, C, positions): one long row, or a column where rows are long."""
    if n > 1 and (positions < 512 or v.size * positions <= 1 << 15):
        return xp.repeat(v, positions).reshape(1, v.size, positions)
    return v.reshape(1, -1, 1)


def flat(v: Any, a: Any) -> tuple[Any, Any]:
    """Both as matrices where ``v`` is one long row: long inner loops are faster."""
    if v.shape[-1] == a.shape[-1]:
        return v.reshape(1, -1), a.reshape(a.shape[0], a.shape[1] * a.shape[2])
    return v, a


def native_group_norm(
    xp: Any, input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float
) -> Any:
    check_group(input, weight, bias, N, C, HxW, group)
    d = _wide(input.dtype)
    width = C // group * HxW
    x = xp.ascontiguousarray(input, d).reshape(N * group, width)
    out, rstd = xp.empty(x.shape, d), xp.empty(x.shape[0], d)
    mean = x.dot(xp.full(width, 1 / width if width else 0, d))
    for s in blocks(x.shape[0], width):
        o = xp.subtract(x[s], mean[s, None], out=out[s])
        o *= inverse_root(xp, row_dot(xp, o, o), width or 1, eps, rstd[s])[:, None]
    out = out.reshape(N, C, HxW)
    for v, ufunc in ((weight, xp.multiply), (bias, xp.add)):
        if v is not None:
            row, whole = flat(by_channel(xp, v.astype(d, copy=False), HxW, N), out)
            ufunc(whole, row, out=whole)
    return (out.reshape(input.shape).astype(input.dtype, copy=False), mean.reshape(N, group), rstd.reshape(N, group))


def native_group_norm_backward(
    xp: Any,
    grad_out: Any,
    input: Any,
    mean: Any,
    rstd: Any,
    weight: Any,
    N: int,
    C: int,
    HxW: int,
    group: int,
    output_mask: Any,
) -> Any:
    d = _wide(input.dtype)
    width = C // group * HxW
    g = xp.ascontiguousarray(grad_out, d).reshape(N, C, HxW)
    xhat = xp.ascontiguousarray(input, d).reshape(N * group, width) - mean.astype(d, copy=False).reshape(-1, 1)
    r = rstd.astype(d, copy=False).reshape(-1, 1)
    xhat *= r
    ones = xp.ones(HxW, d)
    sums, products = g.dot(ones), (g * xhat.reshape(N, C, HxW)).dot(ones)
    gx = None
    if output_mask[0]:
        w = None if weight is None else weight.astype(d, copy=False)
        c1, c2 = (
            (t if w is None else t * w).reshape(N * group, C // group).sum(1) / (width or 1) for t in (sums, products)
        )
        if w is None:
            gx = g.copy()
        else:
            row, whole = flat(by_channel(xp, w, HxW, N), g)
            gx = whole * row
        gx = gx.reshape(N * group, width)
        xhat *= c2[:, None]
        gx -= xhat
        gx -= c1[:, None]
        gx *= r
        gx = gx.reshape(input.shape).astype(input.dtype, copy=False)
    kind = input.dtype if weight is None else weight.dtype
    return (
        gx,
        products.sum(0).astype(kind, copy=False) if output_mask[1] else None,
        sums.sum(0).astype(kind, copy=False) if output_mask[2] else None,
    )
