"""Convolutions in blocks that stay in cache.

The columns of a block (see conv.py) lie as (C, places, images, positions), so that a block is one matrix product
whatever the size of its images. With stride 1 a padded image is one flat line in which neighbouring rows share their
padding: what a place in the window meets is then a piece of that line, copied in one go. A result computed so has a few
positions too many at the end of each row, which are cut off (or, in a gradient, zero).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

Ints = tuple[int, ...]

_BUDGET = 1 << 18


class Windows:
    """How the windows of one convolution lie in a padded image.

    Attributes:
        places: how many elements a window has.
        out: the sizes of the result; its first dimension is counted in rows.
        grid: those sizes with the positions that are cut off.
        row: positions in one row.
        length: elements of a padded image.
    """

    def __init__(self, size: Ints, kernel: Ints, out: Ints, stride: Ints, padding: Ints, dilation: Ints) -> None:
        self.size, self.out, self.stride, self.padding, self.dilation = size, out, stride, padding, dilation
        self._places = list(product(*map(range, kernel)))
        self.places = len(self._places)
        self.flat = all(s == 1 for s in stride)
        # Rows share as much padding as no window needs twice.
        shared = [min(p, d * (k - 1)) if self.flat else 0 for p, d, k in zip(padding, dilation, kernel)]
        self.widths = tuple(n + 2 * p - (t if i else 0) for i, (n, p, t) in enumerate(zip(size, padding, shared)))
        self._filled = self.length = math.prod(self.widths)
        self.grid = (out[0], *self.widths[1:]) if self.flat else out
        self.row = math.prod(self.grid[1:])
        if self.flat:
            steps = [math.prod(self.widths[i + 1 :]) for i in range(len(size))]
            self._offsets = [sum(i * d * t for i, d, t in zip(p, dilation, steps)) for p in self._places]
            self.length = max(self.length, self._offsets[-1] + out[0] * self.row)
        self._inside = (..., *(slice(p, p + n) for p, n in zip(padding, size)))
        self._kept = (..., *(slice(o) for o in out[1:]))

    def inside(self, lines: Any) -> Any:
        """The images in padded ones (C, images, length)."""
        return lines[..., : self._filled].reshape(*lines.shape[:2], *self.widths)[self._inside]

    def padded(self, xp: Any, x: Any) -> Any:
        """(C, images, length) from (images, C, *size)."""
        lines = xp.zeros((x.shape[1], x.shape[0], self.length), x.dtype)
        self.inside(lines)[...] = x.swapaxes(0, 1)
        return lines

    def pieces(self, lines: Any, first: int, last: int) -> Iterator[Any]:
        """For each place, what it meets in all windows of these rows."""
        if self.flat:
            for offset in self._offsets:
                yield lines[:, :, offset + first * self.row : offset + last * self.row]
            return
        whole = lines.reshape(*lines.shape[:2], *self.widths)
        for place in self._places:
            starts = [i * d for i, d in zip(place, self.dilation)]
            starts[0] += first * self.stride[0]
            counts = (last - first, *self.out[1:])
            yield whole[(..., *(slice(i, i + s * (o - 1) + 1, s) for i, s, o in zip(starts, self.stride, counts)))]

    def gather(self, lines: Any, cols: Any, first: int, last: int) -> None:
        """Fill the columns (C, places, images, positions)."""
        for k, piece in enumerate(self.pieces(lines, first, last)):
            cols[:, k].reshape(piece.shape)[...] = piece

    def scatter(self, cols: Any, lines: Any, first: int, last: int) -> None:
        """Add the columns to padded images."""
        for k, piece in enumerate(self.pieces(lines, first, last)):
            piece += cols[:, k].reshape(piece.shape)

    def spread(self, xp: Any, g: Any, first: int, last: int) -> Any:
        """Rows of (images, O, *out) as (O, images * positions), with zeros where positions are cut off."""
        part = g[:, :, first:last].swapaxes(0, 1)
        if self.grid[1:] == self.out[1:]:
            return xp.ascontiguousarray(part).reshape(part.shape[0], part.shape[1] * (last - first) * self.row)
        r = xp.zeros((*part.shape[:3], *self.grid[1:]), g.dtype)
        r[self._kept] = part
        return r.reshape(part.shape[0], part.shape[1] * (last - first) * self.row)

    def kept(self, positions: Any) -> Any:
        """(C, images, *out) from all rows of (C, images, positions)."""
        if not self.flat:
            return positions
        return positions.reshape(*positions.shape[:2], *self.grid)[self._kept]

    def fill(self, positions: Any, g: Any) -> None:
        """All rows of (images, C, *out) into (C, images, positions), with zeros where positions are cut off."""
        if self.flat and self.grid != self.out:
            positions.fill(0)
        self.kept(positions)[...] = g.swapaxes(0, 1)

    def cut(self, y: Any, images: int, rows: int) -> Any:
        """Rows of (images, O, *out) from (O, images * positions)."""
        return y.reshape(y.shape[0], images, rows, *self.grid[1:])[self._kept].swapaxes(0, 1)

    def blocks(self, images: int, depth: int) -> Iterator[tuple[slice, int, int]]:
        """(images, first row, last row) of blocks that hold some 256 thousand elements."""
        rows = self.out[0]
        if depth * self.row * rows <= _BUDGET:
            most = _BUDGET // (depth * self.row * rows)
            step = -(-images // -(-images // most))
            for i in range(0, images, step):
                yield slice(i, min(i + step, images)), 0, rows
            return
        step = max(_BUDGET // (depth * self.row), 1)
        for i in range(images):
            for first in range(0, rows, step):
                yield slice(i, i + 1), first, min(first + step, rows)


windows = lru_cache(64)(Windows)


def _columns(xp: Any, like: Any, last: Any, *shape: int) -> Any:
    """Memory for a block's columns: the last block's where it has the same size."""
    return last if last is not None and last.shape == shape else xp.empty(shape, like.dtype)


def _product(xp: Any, left: Any, right: Any, groups: int, out: Any) -> Any:
    """``left @ right`` of matrices into ``out``, group by group of their rows."""
    if groups == 1:
        return xp.dot(left, right, out=out)
    left, right = left.reshape(groups, -1, left.shape[1]), right.reshape(groups, -1, right.shape[1])
    xp.matmul(left, right, out=out.reshape(groups, -1, out.shape[1]))
    return out


def forward(
    xp: Any,
    x: Any,
    weight: Any,
    out: Ints,
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    groups: int = 1,
    bias: Any = None,
) -> Any:
    """The convolution of (N, C, *size) with (O, C / groups, *kernel)."""
    (n, c), o = x.shape[:2], weight.shape[0]
    w = windows(x.shape[2:], weight.shape[2:], out, stride, padding, dilation)
    left = weight.reshape(o, c // groups * w.places)
    r = xp.empty((n, o, *out), x.dtype)
    cols = y = lines = None
    for images, first, last in w.blocks(n, c * w.places):
        m, rows = images.stop - images.start, last - first
        cols = _columns(xp, x, cols, c, w.places, m, rows * w.row)
        y = _columns(xp, x, y, o, m * rows * w.row)
        if first == 0:
            lines = w.padded(xp, x[images])
        w.gather(lines, cols, first, last)
        _product(xp, left, cols.reshape(c * w.places, m * rows * w.row), groups, y)
        if bias is not None:
            y += bias[:, None]
        r[images, :, first:last] = w.cut(y, m, rows)
    return r


def backward_input(
    xp: Any, g: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int = 1
) -> Any:
    """The gradient of `forward` in its input."""
    n, o, c = g.shape[0], weight.shape[0], weight.shape[1] * groups
    w = windows(size, weight.shape[2:], g.shape[2:], stride, padding, dilation)
    left = weight.reshape(o, c // groups * w.places)
    if groups == 1:
        left = left.T
    else:
        left = left.reshape(groups, o // groups, -1).swapaxes(1, 2).reshape(c * w.places, o // groups)
    r = xp.empty((n, c, *size), g.dtype)
    cols = lines = None
    for images, first, last in w.blocks(n, c * w.places):
        m, rows = images.stop - images.start, last - first
        cols = _columns(xp, g, cols, c * w.places, m * rows * w.row)
        if first == 0:
            lines = xp.zeros((c, m, w.length), g.dtype)
        _product(xp, left, w.spread(xp, g[images], first, last), groups, cols)
        w.scatter(cols.reshape(c, w.places, m, rows * w.row), lines, first, last)
        if last == w.out[0]:
            r[images] = w.inside(lines).swapaxes(0, 1)
    return r


def backward_weight(
    xp: Any, g: Any, x: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints, groups: int = 1
) -> Any:
    """The gradient of `forward` in its weight."""
    (n, c), o = x.shape[:2], shape[0]
    w = windows(x.shape[2:], shape[2:], g.shape[2:], stride, padding, dilation)
    r = xp.zeros((groups, o // groups, c // groups * w.places), x.dtype)
    cols = lines = None
    for images, first, last in w.blocks(n, c * w.places):
        m, rows = images.stop - images.start, last - first
        cols = _columns(xp, x, cols, c, w.places, m, rows * w.row)
        if first == 0:
            lines = w.padded(xp, x[images])
        w.gather(lines, cols, first, last)
        up = w.spread(xp, g[images], first, last)
        if groups == 1:
            # BLAS sums along rows faster where the taller matrix is on the left.
            flat = cols.reshape(c * w.places, m * rows * w.row)
            r[0] += flat.dot(up.T).T if len(flat) > len(up) else up.dot(flat.T)
        else:
            right = cols.reshape(groups, c // groups * w.places, m * rows * w.row)
            r += xp.matmul(up.reshape(groups, o // groups, -1), right.swapaxes(1, 2))
    return r.reshape(shape)
