"""Pooling to a given size: the windows are spread evenly (adaptive) or at random (fractional)."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from lamella.core.kernels.strides import in_order

from ..meta.pooling import codes
from ..meta.pooling_adaptive import check, check_fractional
from .few import is_few, mapped
from .pooling import _max_pool_index, max_pool_with_places
from .types import F32, is_low

Ints = tuple[int, ...]


@lru_cache(64)
def _bounds(n: int, m: int) -> tuple[Any, Any]:
    """Where each of ``m`` windows over ``n`` elements starts and ends."""
    j = np.arange(m)
    return j * n // m, ((j + 1) * n + m - 1) // m


@lru_cache(64)
def _means(n: int, m: int, dtype: Any) -> Any:
    """The matrix (m, n) that averages each window."""
    start, stop = _bounds(n, m)
    at = np.arange(n)
    inside = (at >= start[:, None]) & (at < stop[:, None])
    return (inside / (stop - start)[:, None]).astype(dtype)


def _along(xp: Any, x: Any, axis: int, matrix: Any) -> Any:
    """``matrix`` (m, n) applied along a dimension counted from the end."""
    if axis == -1:
        return xp.matmul(x, matrix.T)
    shape = x.shape
    tail = math.prod(shape[axis + 1 :])
    r = xp.matmul(matrix, x.reshape(*shape[:axis], shape[axis], tail))
    return r.reshape(*shape[:axis], matrix.shape[0], *shape[axis + 1 :])


def _windows_of(xp: Any, x: Any, axis: int, m: int) -> Any:
    """The means of ``m`` windows along a dimension."""
    n = x.shape[axis]
    r = _along(xp, x, axis, xp.asarray(_means(n, m, x.dtype)))
    if xp.isfinite(xp.add.reduce(r, None)):
        return r
    # 0 times infinity would spoil the windows of others.
    start, stop = _bounds(n, m)
    rest = (slice(None),) * (-1 - axis)
    means = [x[(..., slice(a, b), *rest)].mean(axis) for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
    return xp.stack(means, x.ndim + axis)


def adaptive_avg_pool(xp: Any, self: Any, output_size: Any) -> Any:
    size = tuple(output_size)
    check("adaptive_avg_pool", self, size)
    space = self.shape[-len(size) :]
    if is_few(self, space, size) and 0 not in size:
        r = mapped(xp, self, xp.asarray(_few_means(space, size, self.dtype)), size)
        if r is not None:
            return r
    return _averages(xp, self, size)


@lru_cache(128)
def _few_means(space: Ints, size: Ints, d: Any) -> Any:
    """The matrix that takes averages of few positions."""
    n = math.prod(space)
    return _averages(np, np.eye(n, dtype=d).reshape(n, *space), size).reshape(n, math.prod(size))


def _averages(xp: Any, self: Any, size: Ints) -> Any:
    x = self.astype(F32) if is_low(self.dtype) else self
    for axis in range(-1, -len(size) - 1, -1):
        n, m = x.shape[axis], size[axis]
        if m == n:
            continue
        if n % m == 0 if m else False:
            at = x.ndim + axis
            x = x.reshape(*x.shape[:at], m, n // m, *x.shape[at + 1 :]).mean(at + 1)
        else:
            x = _windows_of(xp, x, axis, m)
    return in_order(xp, x.astype(self.dtype, copy=x is self))


def _adaptive_avg_pool_backward(xp: Any, grad_output: Any, size: Any, spatial: int) -> Any:
    g = grad_output.astype(F32) if is_low(grad_output.dtype) else grad_output
    size = tuple(size)
    space, out = size[-spatial:], g.shape[-spatial:]
    if is_few(g, space, out) and g.size:
        r = mapped(xp, g, xp.asarray(_few_means(space, out, g.dtype)).T, space)
        if r is not None:
            return r.astype(grad_output.dtype, copy=False)
    for axis in range(-spatial, 0):
        n, m = size[axis], g.shape[axis]
        if m == n:
            continue
        if n % m == 0 if m else False:
            g = xp.repeat(g / (n // m), n // m, axis=axis)
        else:
            g = _along(xp, g, axis, xp.asarray(_means(n, m, g.dtype)).T)
    return g.astype(grad_output.dtype, copy=g is grad_output)


@lru_cache(64)
def _members(n: int, m: int) -> Any:
    """(widest window, m): the elements of each window; the last one is repeated where a window is shorter."""
    start, stop = _bounds(n, m)
    widest = int((stop - start).max(initial=0))
    return np.minimum(start + np.arange(widest)[:, None], stop - 1)


def _index(at: Any, axis: int) -> tuple[Any, ...]:
    return (..., at, *(slice(None),) * (-1 - axis))


def adaptive_max_pool(xp: Any, self: Any, output_size: Any) -> Any:
    size = tuple(output_size)
    shape = check("adaptive_max_pool", self, size)
    if 0 in shape:
        return xp.empty(shape, self.dtype), xp.empty(shape, np.int64)
    whole = self.shape[-len(size) :]
    found = _by_windows(xp, self, whole, size)
    if found is not None and not xp.isnan(found[0]).any():
        return tuple([r.reshape(shape) for r in found])
    best, flat, scale = self, None, 1
    # One dimension after the other, the last first: the maximum of maxima, with its place.
    for axis in range(-1, -len(size) - 1, -1):
        x, places = best, flat
        for i, row in enumerate(xp.asarray(_members(whole[axis], size[axis]))):
            rest = (slice(None),) * (-1 - axis)
            v, at = x[(..., row, *rest)], (row * scale).reshape(-1, *[1] * (-1 - axis))
            at = at if places is None else places[(..., row, *rest)] + at
            if i == 0:
                best, flat = v, xp.broadcast_to(at, v.shape)
                continue
            mask = (v > best) | (v != v)
            best, flat = xp.where(mask, v, best), xp.where(mask, at, flat)
        scale *= whole[axis]
    return xp.ascontiguousarray(best), xp.ascontiguousarray(flat)


def _by_windows(xp: Any, x: Any, whole: Ints, size: Ints) -> Any:
    """(images, windows): each window's maximum and its place, the first one; None for many unequal windows."""
    rows = xp.ascontiguousarray(x).reshape(-1, *whole)
    if all(m == 1 for m in size):
        rows = rows.reshape(len(rows), math.prod(whole))
        at = rows.argmax(1)[:, None]
        return xp.take_along_axis(rows, at, 1), at
    kernel = tuple([n // m for n, m in zip(whole, size, strict=True)])
    if all(k * m == n for k, m, n in zip(kernel, size, whole, strict=True)):
        if math.prod(kernel) <= 16:
            ones, none = (1,) * len(size), (0,) * len(size)
            best, places = max_pool_with_places(xp, rows, kernel, kernel, none, ones, False)
            return best, _max_pool_index(xp, places, whole, kernel, kernel, none, ones)
    elif math.prod(size) > 256 or x.size < 1 << 12:
        return None
    best, index = xp.empty((len(rows), math.prod(size)), x.dtype), xp.empty((len(rows), math.prod(size)), np.int64)
    bounds = [list(zip(*(b.tolist() for b in _bounds(n, m)), strict=True)) for n, m in zip(whole, size, strict=True)]
    numbers = xp.arange(math.prod(whole)).reshape(whole)
    every = xp.arange(len(rows))
    for i, window in enumerate(product(*bounds)):
        place = tuple([slice(a, b) for a, b in window])
        part = rows[(slice(None), *place)].reshape(len(rows), -1)
        at = part.argmax(1)
        best[:, i] = part[every, at]
        index[:, i] = numbers[place].reshape(-1)[at]
    return best, index


def _starts(xp: Any, sample: Any, n: int, m: int, k: int) -> Any:
    """(N, C, m): where windows begin that are spread at random; the last ends at the end."""
    if m == 1:
        return xp.full((*sample.shape, 1), n - k, np.int64)
    alpha = sample.dtype.type(n - k) / sample.dtype.type(m - 1)
    i = xp.arange(m, dtype=sample.dtype)
    u = sample[..., None]
    start = ((i + u) * alpha).astype(np.int64) - (u * alpha).astype(np.int64)
    start[..., -1] = n - k
    return start


def fractional_max_pool(xp: Any, self: Any, kernel_size: Any, output_size: Any, random_samples: Any) -> Any:
    k, size = tuple(kernel_size), tuple(output_size)
    shape = check_fractional(self, k, size, random_samples)
    n, whole = len(k), self.shape[-len(k) :]
    x = self if self.ndim == n + 2 else self[None]
    u = random_samples[: x.shape[0]]
    order = (1, 0) if n == 2 else (0, 1, 2)
    lead = x.shape[0] * x.shape[1]
    scales = [math.prod(whole[d + 1 :]) for d in range(n)]
    images = (xp.arange(lead) * math.prod(whole)).reshape(-1, *[1] * n)
    base = images
    for d in range(n):
        spread = [1] * n
        spread[d] = size[d]
        base = base + (_starts(xp, u[..., order[d]], whole[d], size[d], k[d]) * scales[d]).reshape(lead, *spread)
    steps = [sum(i * m for i, m in zip(place, scales, strict=True)) for place in product(*map(range, k))]
    flat = xp.ascontiguousarray(x).reshape(-1)
    best = flat.take(base)
    code = codes(len(steps))
    found = xp.zeros(best.shape, code)
    for i, step in enumerate(steps[1:], 1):
        v = flat.take(base + step)
        better = v > best
        better |= v != v
        xp.maximum(best, v, out=best)
        # Later places have larger numbers, so the largest number is the last improvement.
        xp.maximum(found, better.view(np.uint8) * code.type(i), out=found)
    base -= images
    base += xp.asarray(steps)[found]
    return best.reshape(shape), base.reshape(shape)
