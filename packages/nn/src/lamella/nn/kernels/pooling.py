"""Pooling over windows, one step for each place in the window.

Each step copies the elements that this place meets in all windows into one block, so that the arithmetic runs over
contiguous memory. A maximum remembers its place in the window as a small number; values travel to and from places as
their bits times 0 or 1, which keeps infinities and nans out of the others.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from lamella.core.xp import NUMPY

from ..meta.pooling import check_avg, check_max, codes
from .conv import window
from .conv_small import places_of
from .few import FEW, is_few, mapped
from .types import F32, is_low

Ints = tuple[int, ...]


@lru_cache(256)
def _reach(out: Ints, k: Ints, s: Ints, d: Ints) -> Ints:
    """How much of each padded dimension the windows cover."""
    return tuple((o - 1) * t + e * (j - 1) + 1 for o, j, t, e in zip(out, k, s, d, strict=True))


def _widened(xp: Any, x: Any, p: Ints, reach: Ints, value: Any) -> Any:
    """``x`` with padding around it, as far as the windows reach."""
    size = x.shape[-len(p) :]
    if not any(p) and all(r <= n for r, n in zip(reach, size, strict=True)):
        return x
    r = xp.full((*x.shape[: -len(p)], *(max(n + a, m) for n, a, m in zip(size, p, reach, strict=True))), value, x.dtype)
    r[(..., *(slice(a, a + n) for n, a in zip(size, p, strict=True)))] = x
    return r


def _lowest(xp: Any, d: Any) -> Any:
    if d.kind == "b":
        return False
    return np.iinfo(d).min if d.kind in "iu" else -math.inf


def _bits(d: Any) -> Any:
    """The unsigned type of the same size."""
    return np.dtype(f"u{d.itemsize}")


@lru_cache(256)
def _windows(kernel: Ints, out: Ints, stride: Ints, dilation: Ints) -> list[tuple[Any, ...]]:
    """The index of each place, row by row."""
    return [window(place, out, stride, dilation) for place in product(*map(range, kernel))]


@lru_cache(256)
def _steps(axis: int, k: int, o: int, s: int, d: int) -> list[tuple[Any, ...]]:
    """The index of each place along one dimension."""
    rest = (slice(None),) * (-1 - axis)
    return [(..., slice(j * d, j * d + s * (o - 1) + 1, s), *rest) for j in range(k)]


def _few_windows(xp: Any, x: Any, out: Ints, k: Ints, s: Ints, p: Ints, d: Ints) -> Any:
    """All windows (images, elements of a window, windows) where they are few, else None."""
    if x.dtype.kind != "f" or x.size * math.prod(k) > FEW or not x.size:
        return None
    x = _widened(xp, x, p, _reach(out, k, s, d), -math.inf)
    widths = x.shape[-len(k) :]
    return x.reshape(-1, math.prod(widths)).take(xp.asarray(places_of(widths, k, out, s, d)), 1)


def _coordinates(size: Ints, k: Ints, out: Ints, s: Ints, p: Ints, d: Ints) -> list[Any]:
    """For each element of each window, its place along every dimension of the image, also outside of it."""
    widths = tuple(max(n + 2 * a, r) for n, a, r in zip(size, p, _reach(out, k, s, d), strict=True))
    at = places_of(widths, k, out, s, d)
    return [at // math.prod(widths[i + 1 :]) % widths[i] - p[i] for i in range(len(size))]


@lru_cache(128)
def _positions(size: Ints, k: Ints, out: Ints, s: Ints, p: Ints, d: Ints) -> Any:
    """(elements of a window, windows): where each lies in the image; the nearest element for those in the padding."""
    index = 0
    for here, n in zip(_coordinates(size, k, out, s, p, d), size, strict=True):
        index = index * n + np.clip(here, 0, n - 1)
    return index


def _max_pool(xp: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool) -> Any:
    k, s, p, d = map(tuple, (kernel_size, stride, padding, dilation))
    shape = check_max(self, k, s, p, d, ceil_mode)
    out = shape[-len(k) :]
    few = _few_windows(xp, self, out, k, s, p, d)
    if few is not None:
        return xp.maximum.reduce(few, 1).reshape(shape)
    x = _widened(xp, self, p, _reach(out, k, s, d), _lowest(xp, self.dtype))
    # Rows first, then columns: the maximum of maxima.
    for axis in range(-1, -len(k) - 1, -1):
        if k[axis] == 1 and s[axis] == 1 and x.shape[axis] == out[axis]:
            continue
        steps = _steps(axis, k[axis], out[axis], s[axis], d[axis])
        r = x[steps[0]]
        for i, step in enumerate(steps[1:]):
            r = xp.maximum(r, x[step], out=r if i else None)
        x = r
    return x.copy() if xp.may_share_memory(x, self) or not x.flags.c_contiguous else x


def max_pool_with_places(
    xp: Any, self: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool
) -> Any:
    k, s, p, d = map(tuple, (kernel_size, stride, padding, dilation))
    shape = check_max(self, k, s, p, d, ceil_mode)
    out = shape[-len(k) :]
    few = _few_windows(xp, self, out, k, s, p, d)
    if few is not None:
        best = xp.maximum.reduce(few, 1)
        if not xp.isnan(best).any():
            places = few.argmax(1).astype(codes(few.shape[1])).reshape(shape)
            return _inside(xp, best.reshape(shape), places, self.shape[-len(k) :], k, s, p, d)
    x = _widened(xp, self, p, _reach(out, k, s, d), _lowest(xp, self.dtype))
    steps = _windows(k, out, s, d)
    code = codes(len(steps))
    best = x[steps[0]].copy()
    places = xp.zeros(best.shape, code)
    for i in range(1, len(steps)):
        v = x[steps[i]].copy()
        mask = v > best
        if xp is not NUMPY and v.dtype.kind not in "iub":
            mask |= xp.isnan(v)  # on a GPU it costs less to look for nan than to ask whether there is any
        xp.maximum(best, v, out=best)
        # Later places have larger numbers, so the largest number is the last improvement.
        xp.maximum(places, mask.view(np.uint8) * code.type(i), out=places)
    if best.dtype.kind not in "iub" and xp is NUMPY and xp.isnan(best).any():
        for i, step in enumerate(steps):
            places[xp.isnan(x[step])] = i
    return _inside(xp, best, places, self.shape[-len(k) :], k, s, p, d)


@lru_cache(128)
def _first(size: Ints, k: Ints, out: Ints, s: Ints, p: Ints, d: Ints) -> Any:
    """For each window, its first place that lies in the image."""
    inside: Any = True
    for here, n in zip(_coordinates(size, k, out, s, p, d), size, strict=True):
        inside = inside & (here >= 0) & (here < n)
    return inside.argmax(0)


def _inside(xp: Any, best: Any, places: Any, size: Ints, k: Ints, s: Ints, p: Ints, d: Ints) -> Any:
    """Maxima and places; a window of nothing but the lowest value names its first element, not one of the padding."""
    if any(p):
        lowest = best == _lowest(xp, best.dtype)
        if lowest.any():
            first = xp.asarray(_first(size, k, best.shape[-len(k) :], s, p, d)).astype(places.dtype)
            places = xp.where(lowest, first.reshape(best.shape[-len(k) :]), places)
    return best, places


def _max_pool_put(
    xp: Any, self: Any, places: Any, size: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> Any:
    k, s, p, d = map(tuple, (kernel_size, stride, padding, dilation))
    size, n = tuple(size), len(k)
    out, whole = self.shape[-n:], size[-n:]
    if 0 < self.size <= FEW and self.dtype.kind == "f" and math.prod(size) <= FEW:
        index = _flat_positions(xp, places, whole, k, s, p, d).reshape(-1, math.prod(out))
        index += (xp.arange(len(index)) * math.prod(whole))[:, None]
        r = xp.bincount(index.reshape(-1), self.reshape(-1), math.prod(size))
        return r.astype(self.dtype).reshape(size)
    reach = tuple(max(r, a + m) for r, a, m in zip(_reach(out, k, s, d), p, whole, strict=True))
    lone = all(t >= e * (j - 1) + 1 for j, t, e in zip(k, s, d, strict=True))
    tiled = lone and not any(p) and all(t == j and o * t == m for j, t, o, m in zip(k, s, out, reach, strict=True))
    r = (xp.empty if tiled else xp.zeros)((*size[:-n], *reach), self.dtype)
    bits = _bits(r.dtype)
    g, rb = xp.ascontiguousarray(self).view(bits), r.view(bits)
    for i, step in enumerate(_windows(k, out, s, d)):
        if lone:
            xp.multiply(g, places == i, rb[step])
        else:
            r[step] += (g * (places == i)).view(r.dtype)
    if any(p) or reach != whole:
        r = xp.ascontiguousarray(r[(..., *(slice(a, a + m) for a, m in zip(p, whole, strict=True)))])
    return r


def _max_pool_take(xp: Any, self: Any, places: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    k, s, p, d = map(tuple, (kernel_size, stride, padding, dilation))
    out = places.shape[-len(k) :]
    x = _widened(xp, self, p, _reach(out, k, s, d), 0)
    r = xp.zeros(places.shape, self.dtype)
    bits = _bits(r.dtype)
    rb, xb = r.view(bits), (x if x.flags.c_contiguous else xp.ascontiguousarray(x)).view(bits)
    for i, step in enumerate(_windows(k, out, s, d)):
        rb |= xb[step] * (places == i)
    return r


def _flat_positions(xp: Any, places: Any, size: Ints, k: Ints, s: Ints, p: Ints, d: Ints) -> Any:
    """The places in windows as places in images."""
    out = places.shape[-len(k) :]
    table = xp.asarray(_positions(size, k, out, s, p, d))
    flat = places.reshape(-1, table.shape[1])
    return table[flat, xp.arange(table.shape[1])].reshape(places.shape)


def _max_pool_index(xp: Any, places: Any, size: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    n = len(kernel_size)
    size, out = tuple(size)[-n:], places.shape[-n:]
    if math.prod(kernel_size) * math.prod(out) <= 1 << 16:
        return _flat_positions(xp, places, size, *map(tuple, (kernel_size, stride, padding, dilation)))
    rest = places.astype(np.int64)
    index, scale = xp.zeros(places.shape, np.int64), 1
    for axis in range(-1, -n - 1, -1):
        k, s, p, d, m = kernel_size[axis], stride[axis], padding[axis], dilation[axis], size[axis]
        start = (xp.arange(places.shape[axis]) * s - p).reshape(-1, *[1] * (-1 - axis))
        at = (rest % k) * d + start
        # A window of nothing but the lowest value may name a place in the padding.
        xp.clip(at, 0, m - 1, out=at)
        index += at * scale
        rest //= k
        scale *= m
    return index


@lru_cache(256)
def _divisor(
    xp: Any, size: Ints, out: Ints, k: Ints, s: Ints, p: Ints, count_include_pad: bool, override: Any, dtype: Any
) -> Any:
    """How many elements each window averages over: a number, or an array over windows."""
    if override is not None:
        return override
    whole, counts = math.prod(k), []
    for n, o, j, t, a in zip(size, out, k, s, p, strict=True):
        start = xp.arange(o) * t - a
        stop = xp.minimum(start + j, n + a)
        counts.append(stop - start if count_include_pad else xp.minimum(stop, n) - xp.maximum(start, 0))
    if all(c.min(initial=j) == j for c, j in zip(counts, k, strict=True)):
        return whole
    total = counts[0]
    for c in counts[1:]:
        total = total[..., None] * c
    return total.astype(dtype)


def avg_pool(
    xp: Any,
    self: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Any = None,
) -> Any:
    k, p = tuple(kernel_size), tuple(padding)
    s = tuple(stride) or k
    out = check_avg(self, k, s, p, ceil_mode, divisor_override)[-len(k) :]
    space = self.shape[-len(k) :]
    if is_few(self, space, out):
        how = (k, s, p, ceil_mode, count_include_pad, divisor_override)
        r = mapped(xp, self, xp.asarray(_means(space, out, self.dtype, *how)), out)
        if r is not None:
            return r
    return _averages(xp, self, out, k, s, p, count_include_pad, divisor_override)


@lru_cache(128)
def _means(space: Ints, out: Ints, d: Any, k: Ints, s: Ints, p: Ints, ceil: bool, include: bool, divisor: Any) -> Any:
    """The matrix that takes averages of few positions."""
    n = math.prod(space)
    each = _averages(np, np.eye(n, dtype=d).reshape(n, *space), out, k, s, p, include, divisor)
    return each.reshape(n, math.prod(out))


def _averages(
    xp: Any, self: Any, out: Ints, k: Ints, s: Ints, p: Ints, count_include_pad: bool, divisor_override: Any
) -> Any:
    ones = (1,) * len(k)
    x = self.astype(F32) if is_low(self.dtype) else self
    divisor = _divisor(xp, x.shape[-len(k) :], out, k, s, p, count_include_pad, divisor_override, x.dtype)
    x = _widened(xp, x, p, _reach(out, k, s, ones), 0)
    for axis in range(-1, -len(k) - 1, -1):
        steps = _steps(axis, k[axis], out[axis], s[axis], 1)
        r = x[steps[0]].copy()
        for step in steps[1:]:
            r += x[step]
        x = r
    if x.dtype.kind in "iu":
        return xp.trunc(x / divisor).astype(self.dtype)
    x /= divisor
    return x.astype(self.dtype, copy=False)


def _avg_pool_backward(
    xp: Any,
    grad_output: Any,
    size: Any,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor_override: Any,
) -> Any:
    k, p, size = tuple(kernel_size), tuple(padding), tuple(size)
    s, n = tuple(stride) or k, len(k)
    out, whole = grad_output.shape[-n:], size[-n:]
    if is_few(grad_output, whole, out):
        how = (k, s, p, ceil_mode, count_include_pad, divisor_override)
        r = mapped(xp, grad_output, xp.asarray(_means(whole, out, grad_output.dtype, *how)).T, whole)
        if r is not None:
            return r
    g = grad_output.astype(F32) if is_low(grad_output.dtype) else grad_output
    x = g / _divisor(xp, whole, out, k, s, p, count_include_pad, divisor_override, g.dtype)
    reach = _reach(out, k, s, (1,) * n)
    for axis in range(-n, 0):
        m = max(reach[axis], p[axis] + whole[axis])
        lone = s[axis] >= k[axis]
        shape = list(x.shape)
        shape[axis] = m
        r = (xp.empty if s[axis] == k[axis] and out[axis] * k[axis] == m else xp.zeros)(shape, x.dtype)
        for step in _steps(axis, k[axis], out[axis], s[axis], 1):
            if lone:
                r[step] = x
            else:
                r[step] += x
        if m != whole[axis]:
            r = r[(..., slice(p[axis], p[axis] + whole[axis]), *(slice(None),) * (-1 - axis))]
        x = r
    return xp.ascontiguousarray(x).astype(grad_output.dtype, copy=False)
