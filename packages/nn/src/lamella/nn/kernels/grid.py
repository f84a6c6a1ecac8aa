"""Sampling at places that a grid names.

Each element of the result is a weighted sum of a few elements of the input, its taps: the rows of an image with the
channels last. The image gets a margin (zeros, or its edge repeated) so wide that taps outside are taps like others: a
place far outside is moved to where it meets nothing but margin. The places of all dimensions are computed in one array
(dimensions, places), the last dimension of the image first, as grids have them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from .products import chosen, spread
from .types import F32, is_low
from .vision import cubic_weights

LINEAR, NEAREST, CUBIC = 0, 1, 2
ZEROS, BORDER, REFLECTION = 0, 1, 2
_A = -0.75


class Places(NamedTuple):
    """The taps along each dimension: arrays (dimensions, places).

    Attributes:
        taps: for each tap, its place in the image with its margin; the first one alone where they lie in a row.
        run: how many taps lie in a row.
        weights: for each tap, its weight.
        moves: for each tap, the derivative of its weight in the place.
        slopes: how far the place moves with the grid.
        margin: how many elements lie before and behind the image.
    """

    taps: list[Any]
    run: int
    weights: list[Any]
    moves: list[Any]
    slopes: Any
    margin: tuple[int, int]


def _cubic_moves(t: Any) -> list[Any]:
    """The derivatives of `cubic_weights` in t."""

    def inner(x: Any) -> Any:
        return (3 * (_A + 2) * x - 2 * (_A + 3)) * x

    def outer(x: Any) -> Any:
        return (3 * _A * x - 10 * _A) * x + 8 * _A

    return [outer(t + 1), inner(t), -inner(1 - t), -outer(2 - t)]


def _folded(xp: Any, at: Any, sizes: Any, align: bool) -> tuple[Any, Any]:
    """Places folded back into the image, and the sign of the fold."""
    low, span = (0.0, sizes - 1) if align else (-0.5, sizes)
    safe = xp.where(span > 0, span, at.dtype.type(1))
    away = at - at.dtype.type(low)
    size = xp.abs(away)
    turns = xp.floor(size / safe)
    rest = size - turns * safe
    odd = turns % 2 == 1
    sign = xp.where((away < 0) ^ odd, -1, 1).astype(at.dtype)
    found = xp.where(odd, safe - rest, rest) + at.dtype.type(low)
    if (span > 0).all():
        return found, sign
    return xp.where(span > 0, found, 0), xp.where(span > 0, sign, 0)


def _inside(xp: Any, at: Any, last: Any) -> Any:
    """Places limited to the image, in place; whatever is no number goes to 0."""
    xp.fmax(at, 0, out=at)
    return xp.minimum(at, last, out=at)


@lru_cache(64)
def _scales(shape: tuple[int, ...], align: bool, d: Any) -> list[Any]:
    """Columns, the last dimension first: sizes, last places, one beyond the end, and what maps [-1, 1] to places."""
    sizes = np.array(shape[::-1], d).reshape(-1, 1)
    half = (sizes - 1 if align else sizes) * d.type(0.5)
    return [sizes, sizes - 1, sizes + 1, half, half if align else half - d.type(0.5)]


@lru_cache(64)
def _row_of_taps(widths: tuple[int, ...], run: int) -> Any:
    """How far all taps lie behind the first one where they lie in a row in each dimension."""
    found: Any = np.zeros(1, np.int64)
    step = 1
    for n in widths:
        found = (np.arange(run)[:, None] * step + found).reshape(-1)
        step *= n
    return found


def _places(xp: Any, grid: Any, shape: Any, mode: int, padding: int, align: bool, backward: bool) -> Places:
    n = len(shape)
    d = grid.dtype
    sizes, last, end, slopes, shift = (xp.asarray(v) for v in _scales(tuple(shape), align, d))
    at = xp.multiply(grid.reshape(-1, n).T, slopes, xp.empty((n, grid.size // n), d))
    at += shift
    if mode == CUBIC:
        return _cubic_places(xp, at, sizes, padding, align, slopes, backward)
    if padding == REFLECTION:
        at, sign = _folded(xp, at, sizes, align)
        slopes = slopes * sign
    if padding != ZEROS:
        if backward:
            slopes = slopes * ((at > 0) & (at < last))
        _inside(xp, at, last)
        margin = (0, 1)
    else:
        xp.maximum(at, -2, out=at)
        xp.minimum(at, end, out=at)
        margin = (2, 3)
    low = xp.rint(at) if mode == NEAREST else xp.floor(at)
    first = xp.fmax(low, -margin[0]).astype(xp.int64)
    if margin[0]:
        first += margin[0]
    if mode == NEAREST:
        return Places([first], 1, [xp.ones((n, 1), d)], [], slopes, margin)
    at -= low
    one = xp.ones((n, 1), d) if backward else None
    return Places([first], 2, [1 - at, at], [-one, one] if backward else [], slopes, margin)


def _cubic_places(
    xp: Any, at: Any, sizes: Any, padding: int, align: bool, slopes: Any, backward: bool
) -> Places:
    low = xp.floor(at)
    t = at - low
    weights, moves = cubic_weights(t, _A), _cubic_moves(t) if backward else []
    if padding == REFLECTION:
        last = sizes - 1
        index = [_inside(xp, _folded(xp, low + i, sizes, align)[0], last).astype(xp.int64) for i in range(-1, 3)]
        return Places(index, 1, weights, moves, slopes, (0, 0))
    xp.fmax(low, -3, out=low)
    xp.minimum(low, sizes + 1, out=low)
    first = low.astype(xp.int64) + 3
    return Places([first], 4, weights, moves, slopes, (4, 4))


def _rows(xp: Any, x: Any, margin: tuple[int, int], edge: bool) -> Any:
    """The elements of (N, C, *size) with their margin, as rows of channels."""
    before, behind = margin
    space = x.shape[2:]
    if edge:
        for axis, n in enumerate(space):
            x = x.take(xp.clip(xp.arange(-before, n + behind), 0, n - 1), 2 + axis)
        return xp.ascontiguousarray(xp.moveaxis(x, 1, -1)).reshape(-1, x.shape[1])
    if not before and not behind:
        return xp.ascontiguousarray(xp.moveaxis(x, 1, -1)).reshape(-1, x.shape[1])
    r = xp.zeros((x.shape[0], *(n + before + behind for n in space), x.shape[1]), x.dtype)
    r[(slice(None), *(slice(before, before + n) for n in space))] = xp.moveaxis(x, 1, -1)
    return r.reshape(-1, x.shape[1])


def _unrows(xp: Any, rows: Any, shape: Any, margin: tuple[int, int], edge: bool) -> Any:
    """The transpose of `_rows`: margins are cut off, or added to the edge that they repeat."""
    before, behind = margin
    space = shape[2:]
    r = rows.reshape(shape[0], *(n + before + behind for n in space), shape[1])
    for axis, n in enumerate(space):
        lead = (slice(None),) * (1 + axis)
        own = r[(*lead, slice(before, before + n))]
        if edge:
            own = own.copy()
            own[(*lead, 0)] += r[(*lead, slice(0, before))].sum(1 + axis)
            own[(*lead, n - 1)] += r[(*lead, slice(before + n, None))].sum(1 + axis)
        r = own
    return xp.ascontiguousarray(xp.moveaxis(r, -1, 1))


def _flat_index(xp: Any, places: Places, shape: Any) -> Any:
    """(places, taps): the rows of all taps."""
    extra = sum(places.margin)
    widths = [n + extra for n in shape[:1:-1]]
    steps = [math.prod(widths[:i]) for i in range(len(widths))]
    count, batch = places.taps[0].shape[1], shape[0]
    lines = [[tap[i] * s if s > 1 else tap[i] for tap in places.taps] for i, s in enumerate(steps)]
    if batch > 1:
        offset = xp.repeat(xp.arange(batch) * math.prod(widths), count // batch)
        lines[0] = [line + offset for line in lines[0]]
    combined = lines[0]
    for more in lines[1:]:
        combined = [b + a for b in more for a in combined]
    if places.run > 1:
        behind = xp.asarray(_row_of_taps(tuple(widths), places.run))
        if count <= 512:
            return combined[0][:, None] + behind
        combined = [combined[0] + step for step in behind.tolist()]
    r = xp.empty((count, len(combined)), xp.int64)
    for i, line in enumerate(combined):
        r[:, i] = line
    return r


def _flat_weights(xp: Any, places: Places, moved: int | None = None) -> Any:
    """(places, taps): the weights of all taps, or their derivative along one dimension."""
    n, count = len(places.slopes), places.taps[0].shape[1]
    lines = [places.moves if i == moved else places.weights for i in range(n)]
    combined = [a[0] for a in lines[0]]
    for i in range(1, n - 1):
        combined = [b[i] * a for b in lines[i] for a in combined]
    r = xp.empty((count, len(combined) * len(lines[-1])), places.slopes.dtype)
    for i, (b, a) in enumerate((b, a) for b in lines[-1] for a in combined):
        xp.multiply(b[n - 1], a, out=r[:, i])
    return r


def _wide(xp: Any, *arrays: Any) -> list[Any]:
    return [a.astype(F32) if is_low(a.dtype) else a for a in arrays]


def grid_sampler(
    xp: Any, input: Any, grid: Any, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Any:
    shape = (*input.shape[:2], *grid.shape[1:-1])
    if 0 in shape:
        return xp.zeros(shape, input.dtype)
    x, g = _wide(xp, input, grid)
    places = _places(xp, g, x.shape[2:], interpolation_mode, padding_mode, align_corners, False)
    rows = _rows(xp, x, places.margin, interpolation_mode == CUBIC and padding_mode == BORDER)
    index = _flat_index(xp, places, x.shape)
    if interpolation_mode == NEAREST:
        r = rows.take(index[:, 0], 0)
    else:
        r = chosen(xp, rows, index, _flat_weights(xp, places))
    r = r.reshape(shape[0], math.prod(shape[2:]), shape[1]).swapaxes(1, 2)
    return xp.ascontiguousarray(r, input.dtype).reshape(shape)


def _grid_sampler_backward(
    xp: Any,
    grad_output: Any,
    input: Any,
    grid: Any,
    interpolation_mode: int,
    padding_mode: int,
    align_corners: bool,
    output_mask: Any,
) -> Any:
    x, g, up = _wide(xp, input, grid, grad_output)
    by_input = by_grid = None
    if not up.size:
        return (
            xp.zeros(x.shape, input.dtype) if output_mask[0] else None,
            xp.zeros(g.shape, grid.dtype) if output_mask[1] else None,
        )
    edge = interpolation_mode == CUBIC and padding_mode == BORDER
    places = _places(xp, g, x.shape[2:], interpolation_mode, padding_mode, align_corners, True)
    index = _flat_index(xp, places, x.shape)
    n, c = up.shape[:2]
    ups = xp.ascontiguousarray(up.reshape(n, c, -1).swapaxes(1, 2)).reshape(-1, c)
    if output_mask[0]:
        count = n * math.prod(m + sum(places.margin) for m in x.shape[2:])
        rows = spread(xp, ups, index, _flat_weights(xp, places), count)
        by_input = _unrows(xp, rows, x.shape, places.margin, edge).astype(input.dtype, copy=False)
    if output_mask[1]:
        found = xp.zeros((len(places.slopes), len(ups)), x.dtype)
        if interpolation_mode != NEAREST:
            rows = _rows(xp, x, places.margin, edge)
            for i in range(len(found)):
                found[i] = xp.einsum("ij,ij->i", chosen(xp, rows, index, _flat_weights(xp, places, i)), ups)
            found *= places.slopes
        by_grid = xp.ascontiguousarray(found.T).reshape(grid.shape).astype(grid.dtype, copy=False)
    return by_input, by_grid
