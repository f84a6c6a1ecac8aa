"""Changing the resolution, one dimension after the other.

Along a dimension, every element of the result is a weighted sum of a few elements of the input: its taps. The gradient
has taps too (the transposed ones). Short dimensions are one matrix product; long ones add up one gathered copy for each
tap.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..meta.vision import check
from .types import F32, is_low

Taps = tuple[Any, Any]


def _ratio(n: int, m: int, align_corners: bool, scale: Any) -> float:
    """How far the place in the input moves for one step in the result."""
    if align_corners:
        return (n - 1) / (m - 1) if m > 1 else 0.0
    return 1.0 / scale if scale else n / m


def _nearest(n: int, m: int, exact: bool, scale: Any) -> Taps:
    # float32, as torch computes places whatever the type of the elements.
    ratio = np.float32(_ratio(n, m, False, scale))
    at = np.arange(m, dtype=np.float32) + np.float32(0.5 if exact else 0)
    return np.minimum(np.floor(at * ratio).astype(np.int64), n - 1)[None], np.ones((1, m))


def _linear(n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    ratio, i = _ratio(n, m, align_corners, scale), np.arange(m)
    at = ratio * i if align_corners else np.maximum(ratio * (i + 0.5) - 0.5, 0)
    low = np.minimum(np.floor(at).astype(np.int64), n - 1)
    t = np.clip(at - low, 0, 1)
    return np.stack([low, np.minimum(low + 1, n - 1)]), np.stack([1 - t, t])


def cubic_weights(t: Any, a: float) -> list[Any]:
    """Weights of the four elements around a place ``t`` between the inner two (Keys, 1981)."""

    def inner(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def outer(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return [outer(t + 1), inner(t), inner(1 - t), outer(2 - t)]


def _cubic(n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    ratio, i = _ratio(n, m, align_corners, scale), np.arange(m)
    at = ratio * i if align_corners else ratio * (i + 0.5) - 0.5
    low = np.floor(at).astype(np.int64)
    places = np.clip(low + np.arange(-1, 3)[:, None], 0, n - 1)
    return places, np.stack(cubic_weights(at - low, -0.75))


def _triangle(x: Any) -> Any:
    return np.maximum(1 - np.abs(x), 0)


def _keys(x: Any) -> Any:
    x = np.abs(x)
    inner, outer = (1.5 * x - 2.5) * x * x + 1, ((-0.5 * x + 2.5) * x - 4) * x + 2
    return np.where(x < 1, inner, np.where(x < 2, outer, 0))


def _lanczos(x: Any) -> Any:
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


_FILTERS = {"linear-aa": (_triangle, 1.0), "cubic-aa": (_keys, 2.0), "lanczos-aa": (_lanczos, 3.0)}


def _smoothed(n: int, m: int, mode: str, align_corners: bool, scale: Any) -> Taps:
    """Taps that cover all of the input where the result is smaller."""
    fn, radius = _FILTERS[mode]
    ratio = _ratio(n, m, align_corners, scale)
    stretch = max(ratio, 1.0)
    reach = radius * stretch
    center = ratio * (np.arange(m) + 0.5)
    first = np.maximum(np.trunc(center - reach + 0.5).astype(np.int64), 0)
    count = np.minimum(np.trunc(center + reach + 0.5).astype(np.int64), n) - first
    j = np.arange(max(int(count.max(initial=1)), 1))[:, None]
    w = np.where(j < count, fn((j + first - center + 0.5) / stretch), 0)
    total = w.sum(0)
    return np.minimum(first + j, n - 1), w / np.where(total == 0, 1, total)


@lru_cache(64)
def taps(mode: str, n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    """Places (T, m) in a dimension of ``n`` elements, and their weights."""
    if mode in ("nearest", "nearest-exact"):
        return _nearest(n, m, mode == "nearest-exact", scale)
    if mode in _FILTERS:
        return _smoothed(n, m, mode, align_corners, scale)
    return (_linear if mode == "linear" else _cubic)(n, m, align_corners, scale)


@lru_cache(64)
def transposed(mode: str, n: int, m: int, align_corners: bool, scale: Any) -> Taps:
    """For each of the ``n`` elements, the results that it goes into; rows are filled up with weights of 0."""
    places, weights = taps(mode, n, m, align_corners, scale)
    keep = weights.ravel() != 0
    source = places.ravel()[keep]
    order = np.argsort(source, kind="stable")
    source = source[order]
    target = np.broadcast_to(np.arange(m), places.shape).ravel()[keep][order]
    count = np.bincount(source, minlength=n)
    row = np.arange(source.size) - np.repeat(np.cumsum(count) - count, count)
    back, w = (
        np.zeros((max(int(count.max(initial=0)), 1), n), np.int64),
        np.zeros((max(int(count.max(initial=0)), 1), n)),
    )
    back[row, source] = target
    w[row, source] = weights.ravel()[keep][order]
    return back, w


@lru_cache(64)
def _matrix(mode: str, n: int, m: int, align_corners: bool, scale: Any, dtype: Any) -> Any:
    places, weights = taps(mode, n, m, align_corners, scale)
    r = np.zeros((m, n))
    for place, w in zip(places, weights, strict=True):
        np.add.at(r, (np.arange(m), place), w)
    return r.astype(dtype)


def _along(xp: Any, x: Any, axis: int, key: tuple[Any, ...], back: bool) -> Any:
    """The map (or its transpose) along a dimension counted from the end."""
    mode = key[0]
    places, weights = (transposed if back else taps)(*key)
    shape = x.shape
    if mode[:7] == "nearest" and not back:
        return x.take(xp.asarray(places[0]), axis=axis)
    if mode[:7] != "nearest" and shape[axis] <= 32 * len(places):
        matrix = xp.asarray(_matrix(*key, x.dtype))
        matrix = matrix.T if back else matrix
        if axis == -1:
            r = xp.matmul(x, matrix.T)
        else:
            r = xp.matmul(matrix, x.reshape(*shape[:axis], shape[axis], math.prod(shape[axis + 1 :])))
            r = r.reshape(*shape[:axis], matrix.shape[0], *shape[axis + 1 :])
        if xp.isfinite(xp.add.reduce(r, None)):
            return r
        # The matrix's 0 times infinity would spoil what does not look there.
    r = None
    column = (-1, *[1] * (-1 - axis))
    for place, w in zip(places, weights, strict=True):
        part = x.take(xp.asarray(place), axis=axis)
        part *= xp.asarray(w.astype(x.dtype)).reshape(column)
        if r is None:
            r = part
        else:
            r += part
    return r


def _each(xp: Any, x: Any, keys: list[tuple[Any, ...]], back: bool) -> Any:
    """All dimensions, those first that shrink most."""
    d = x.dtype
    r = x.astype(F32) if is_low(d) or d.kind in "iu" and keys[0][0][:7] != "nearest" else x
    axes = [(k[1] / k[2] if back else k[2] / k[1], i - len(keys), k) for i, k in enumerate(keys)]
    for _share, axis, key in sorted(axes):
        if key[1] == key[2] and (key[0] != "lanczos-aa" and not key[4] or key[4] == 1):
            continue
        r = _along(xp, r, axis, key, back)
    if d.kind in "iu" and r.dtype != d:
        info = xp.iinfo(d)
        r = xp.clip(xp.rint(r), info.min, info.max)
    return r.copy() if r is x else r.astype(d, copy=False)


def _keys_of(mode: str, whole: Any, size: Any, align_corners: bool, scales: Any) -> list[tuple[Any, ...]]:
    given = scales or [None] * len(size)
    return [(mode, n, m, bool(align_corners), s) for n, m, s in zip(whole, size, given, strict=True)]


def _upsample(xp: Any, x: Any, size: Any, mode: str, align_corners: bool, scales: Any) -> Any:
    shape = check(mode, x, tuple(size))
    if not x.size:
        return xp.empty(shape, x.dtype)
    return _each(xp, x, _keys_of(mode, x.shape[2:], size, align_corners, scales), False)


def upsample_nearest(xp: Any, self: Any, output_size: Any, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "nearest", False, scales)


def upsample_nearest_exact(xp: Any, self: Any, output_size: Any, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "nearest-exact", False, scales)


def upsample_linear(xp: Any, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "linear", align_corners, scales)


def upsample_cubic(xp: Any, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "cubic", align_corners, scales)


def upsample_linear_aa(xp: Any, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "linear-aa", align_corners, scales)


def upsample_cubic_aa(xp: Any, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "cubic-aa", align_corners, scales)


def upsample_lanczos_aa(xp: Any, self: Any, output_size: Any, align_corners: bool, scales: Any = None) -> Any:
    return _upsample(xp, self, output_size, "lanczos-aa", align_corners, scales)


def _upsample_backward(xp: Any, grad_output: Any, size: Any, mode: str, align_corners: bool, scales: Any) -> Any:
    if not grad_output.size:
        return xp.zeros(tuple(size), grad_output.dtype)
    keys = _keys_of(mode, tuple(size)[2:], grad_output.shape[2:], align_corners, scales)
    return _each(xp, grad_output, keys, True)
