"""Running sums and products.

NumPy's `accumulate` waits for every addition. Across rows of some length the rows themselves can be added; along a row
there are products with triangles of ones for sums, steps of doubling width for maxima, and threads for products, whose
order shows where they over- or underflow.
"""

from __future__ import annotations

import math
from typing import Any

from ..parallel import MANY, spread
from ..xp import NUMPY

_ROW = 128
#: Elements of a block of running sums, the side of a triangle of ones.
_SIDE = 32
#: Elements of a row in which the rows of a long vector come together.
_WIDE = 1024
#: Rows of a product that BLAS computes on one thread: waking another for so little costs more on a busy machine.
_ALONE = 256
_triangles: dict[Any, Any] = {}


def scan(xp: Any, ufunc: Any, a: Any, axis: int, d: Any) -> Any:
    """``ufunc.accumulate(a, axis, d)``."""
    shape = a.shape
    n, inner = shape[axis], math.prod(a.shape[axis + 1 :])
    if n > 1 and inner >= _ROW:
        return _rows(xp, ufunc, a, axis, d)
    if inner == 1 and a.size >= _SIDE * _SIDE and n >= _SIDE:
        a = a.reshape(-1, n)
        if ufunc is xp.add and d.kind == "f" and d.itemsize > 2:
            return _products(xp, a, d).reshape(shape)
        if ufunc is xp.maximum or ufunc is xp.minimum:
            return _doubling(xp, ufunc, a, d).reshape(shape)
        return _on_threads(xp, ufunc, a, d).reshape(shape)
    return ufunc.accumulate(a, axis, d)


def _rows(xp: Any, ufunc: Any, a: Any, axis: int, d: Any) -> Any:
    out = xp.empty(a.shape, d)
    source, target = xp.moveaxis(a, axis, 0), xp.moveaxis(out, axis, 0)
    target[0] = source[0]
    for i in range(1, a.shape[axis]):
        ufunc(target[i - 1], source[i], out=target[i])
    return out


def _chunks(a: Any) -> Any:
    """Slices of some rows of a matrix, of a size that the cache holds."""
    rows = max(1, (1 << 15) // a.shape[1])
    for start in range(0, a.shape[0], rows):
        yield slice(start, start + rows)


def _products(xp: Any, a: Any, d: Any) -> Any:
    """Running sums along the rows of a matrix: a product with a triangle of ones for every block of elements.

    The sums of the blocks before are then added to each. Where one is not finite, a product would carry it backwards.
    """
    out = xp.empty(a.shape, d)
    n = a.shape[1]
    whole = n // _SIDE * _SIDE
    triangle = _triangle(xp, d)
    for rows in _chunks(a):
        source, target = a[rows], out[rows]
        x = source[:, :whole].astype(d, copy=False).reshape(-1, _SIDE)
        y = xp.empty(x.shape, d)
        for i in range(0, len(x), _ALONE):
            xp.matmul(x[i : i + _ALONE], triangle, y[i : i + _ALONE])
        y = y.reshape(-1, n // _SIDE, _SIDE)
        before = xp.add.accumulate(y[:, :, -1], 1)
        if not xp.isfinite(before[:, -1]).all():
            xp.add.accumulate(source, 1, d, target)
            continue
        y[:, 1:] += before[:, :-1, None]
        target[:, :whole] = y.reshape(-1, whole)
        if whole < n:
            xp.add.accumulate(source[:, whole:], 1, d, target[:, whole:])
            target[:, whole:] += before[:, -1:]
    return out


def _triangle(xp: Any, d: Any) -> Any:
    if (xp, d) not in _triangles:
        _triangles[xp, d] = xp.triu(xp.ones((_SIDE, _SIDE), d))
    return _triangles[xp, d]


def _doubling(xp: Any, ufunc: Any, a: Any, d: Any) -> Any:
    """Each step combines every element with the one 1, 2, 4, ... places before it."""
    out = xp.empty(a.shape, d)
    n = a.shape[1]
    for rows in _chunks(a):
        source, target = a[rows], out[rows]
        other = xp.empty(target.shape, d)
        steps = (n - 1).bit_length()
        now, k = source, 1
        for i in range(steps):
            to = target if (steps - i) % 2 else other
            to[:, :k] = now[:, :k]
            ufunc(now[:, k:], now[:, :-k], out=to[:, k:])
            now, k = to, 2 * k
    return out


def _on_threads(xp: Any, ufunc: Any, a: Any, d: Any) -> Any:
    out = xp.empty(a.shape, d)
    if xp is not NUMPY:
        return ufunc.accumulate(a, 1, d, out)
    rows = max(1, (1 << 17) // a.shape[1])
    work = a.size // a.shape[0]
    spread(lambda i, j: ufunc.accumulate(a[i:j], 1, d, out[i:j]), a.shape[0], rows, MANY // work)
    return out


def tree(xp: Any, ufunc: Any, a: Any, axis: int, d: Any, keepdim: bool) -> Any:
    """``ufunc.reduce`` along a dimension, pairing halves: as exact, and many elements at a time."""
    a = xp.moveaxis(a, axis, -1)
    if a.dtype is not d:
        a = a.astype(d)
    if a.ndim == 1 and a.size > 8 * _WIDE and a.flags.c_contiguous:
        whole = a.size // _WIDE * _WIDE
        head = ufunc.reduce(a[:whole].reshape(-1, _WIDE), 0)
        a = xp.concatenate((head, a[whole:])) if whole < a.size else head
        r = ufunc.reduce(a, -1, d)
        return xp.expand_dims(r, axis) if keepdim else r
    while a.shape[-1] > 8:
        n = a.shape[-1]
        half = n // 2
        r = ufunc(a[..., :half], a[..., half : 2 * half])
        if n % 2:
            r[..., 0] = ufunc(r[..., 0], a[..., -1])
        a = r
    r = ufunc.reduce(a, -1)
    return xp.expand_dims(r, axis) if keepdim else r
