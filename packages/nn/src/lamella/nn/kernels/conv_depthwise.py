"""Convolutions of each channel by itself.

Nothing is shared between channels, so columns are read only once: large windows are not worth them. Instead each place
of the kernel window adds its share to the result, a few channels at a time, so that all places find them in cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .conv_blocks import Windows, windows

Ints = tuple[int, ...]

_PART = 1 << 15


def _parts(w: Windows, n: int, c: int) -> Iterator[tuple[slice, slice]]:
    """(images, channels) of parts that hold some 32 thousand elements."""
    channels = max(min(c, _PART // w.length), 1)
    images = max(min(n, _PART // (w.length * c)), 1)
    for i in range(0, n, images):
        for j in range(0, c, channels):
            yield slice(i, min(i + images, n)), slice(j, min(j + channels, c))


def _factors(weight: Any, channels: slice, ndim: int) -> list[Any]:
    """For each place its factors, to broadcast over images and positions."""
    part = weight[channels]
    flat = part.reshape(len(part), -1)
    return [flat[:, k].reshape(-1, *[1] * (ndim - 1)) for k in range(flat.shape[1])]


def _room(xp: Any, w: Windows, images: slice, channels: slice, d: Any) -> Any:
    """Memory for the positions of a part."""
    c, m = channels.stop - channels.start, images.stop - images.start
    return xp.empty((c, m, w.out[0] * w.row) if w.flat else (c, m, *w.out), d)


def forward(xp: Any, x: Any, weight: Any, out: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """The convolution of (N, C, *size) with (C, 1, *kernel)."""
    n, c = x.shape[:2]
    w = windows(x.shape[2:], weight.shape[2:], out, stride, padding, dilation)
    r = xp.empty((n, c, *out), x.dtype)
    for images, channels in _parts(w, n, c):
        lines = w.padded(xp, x[images, channels])
        total, share = (_room(xp, w, images, channels, x.dtype) for _ in range(2))
        factors = _factors(weight, channels, total.ndim)
        for k, piece in enumerate(w.pieces(lines, 0, out[0])):
            if k:
                total += xp.multiply(piece, factors[k], out=share)
            else:
                xp.multiply(piece, factors[k], out=total)
        r[images, channels] = w.kept(total).swapaxes(0, 1)
    return r


def backward_input(xp: Any, g: Any, weight: Any, size: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """The gradient of `forward` in its input."""
    n, c = g.shape[:2]
    w = windows(size, weight.shape[2:], g.shape[2:], stride, padding, dilation)
    r = xp.empty((n, c, *size), g.dtype)
    for images, channels in _parts(w, n, c):
        lines = xp.zeros((channels.stop - channels.start, images.stop - images.start, w.length), g.dtype)
        grown, share = (_room(xp, w, images, channels, g.dtype) for _ in range(2))
        w.fill(grown, g[images, channels])
        factors = _factors(weight, channels, grown.ndim)
        for k, piece in enumerate(w.pieces(lines, 0, w.out[0])):
            piece += xp.multiply(grown, factors[k], out=share)
        r[images, channels] = w.inside(lines).swapaxes(0, 1)
    return r


def backward_weight(xp: Any, g: Any, x: Any, shape: Ints, stride: Ints, padding: Ints, dilation: Ints) -> Any:
    """The gradient of `forward` in its weight."""
    n, c = g.shape[:2]
    w = windows(x.shape[2:], shape[2:], g.shape[2:], stride, padding, dilation)
    r = xp.zeros((c, w.places), x.dtype)
    for images, channels in _parts(w, n, c):
        lines = w.padded(xp, x[images, channels])
        grown, share = (_room(xp, w, images, channels, g.dtype) for _ in range(2))
        w.fill(grown, g[images, channels])
        flat = grown.reshape(*grown.shape[:2], -1)
        for k, piece in enumerate(w.pieces(lines, 0, w.out[0])):
            if not w.flat:
                share[...] = piece
                piece = share.reshape(flat.shape)
            r[channels, k] += xp.vecdot(piece, flat).sum(1)
    return r.reshape(shape)
