"""Convolutions of few elements: one gather with known places, and one product."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

Ints = tuple[int, ...]

#: Up to so many elements of columns a gather is the fastest way to make them.
FEW = 1 << 13


@lru_cache(256)
def places_of(widths: Ints, kernel: Ints, out: Ints, stride: Ints, dilation: Ints) -> Any:
    """(elements of a window, windows): where each lies in a padded image."""
    at: Any = np.zeros((1,) * (2 * len(kernel)), np.int64)
    n = len(kernel)
    for axis in range(n):
        step = math.prod(widths[axis + 1 :])
        k = np.arange(kernel[axis]) * dilation[axis] * step
        o = np.arange(out[axis]) * stride[axis] * step
        shape_k, shape_o = [1] * (2 * n), [1] * (2 * n)
        shape_k[axis], shape_o[n + axis] = -1, -1
        at = at + k.reshape(shape_k) + o.reshape(shape_o)
    return np.ascontiguousarray(at.reshape(math.prod(kernel), math.prod(out)))


def columns(xp: Any, x: Any, kernel: Ints, out: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """(N, C * elements of a window, windows) from (N, C, *size)."""
    n, c = x.shape[:2]
    size = x.shape[2:]
    if any(padding):
        widths = tuple([m + 2 * p for m, p in zip(size, padding)])
        r = xp.zeros((n, c, *widths), x.dtype)
        r[(..., *[slice(p, p + m) for m, p in zip(size, padding)])] = x
    else:
        widths, r = size, x
    at = places_of(widths, kernel, out, stride, dilation)
    return r.reshape(n, c, -1).take(xp.asarray(at), 2).reshape(n, c * at.shape[0], at.shape[1])


def stretched(xp: Any, g: Any, size: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """A gradient with zeros between its elements, so that its plain convolution with the kernel turned around has the
    given size.
    """
    before = [d * (k - 1) - p for k, p, d in zip(kernel, padding, dilation)]
    whole = [m + d * (k - 1) for m, k, d in zip(size, kernel, dilation)]
    r = xp.zeros((*g.shape[:2], *whole), g.dtype)
    here, there = [], []
    for b, m, o, s in zip(before, whole, g.shape[2:], stride):
        first = max(0, -(b // s))  # of the elements that have a place
        last = min(o, -((b - m) // s))
        here.append(slice(b + first * s, b + (last - 1) * s + 1, s) if last > first else slice(0, 0))
        there.append(slice(first, last) if last > first else slice(0, 0))
    r[(..., *here)] = g[(..., *there)]
    return r
