"""Running sums and products.

NumPy's `accumulate` waits for every addition. Across rows of some length the rows themselves can be added; along a row,
it is cut into blocks that are summed side by side, and each block then gets the sum of those before it.
"""

from __future__ import annotations

import math
from typing import Any

_ROW = 128
_BLOCK = 32


def scan(xp: Any, ufunc: Any, a: Any, axis: int, d: Any) -> Any:
    """``ufunc.accumulate(a, axis, d)``."""
    n, inner = a.shape[axis], math.prod(a.shape[axis + 1 :])
    if n > 1 and inner >= _ROW:
        return _rows(xp, ufunc, a, axis, d)
    if ufunc is xp.add and inner == 1 and n >= 8 * _BLOCK and d.kind in "fiu" and d.itemsize > 2:
        return _blocks(xp, a.reshape(-1, n), d).reshape(a.shape)
    return ufunc.accumulate(a, axis, d)


def _rows(xp: Any, ufunc: Any, a: Any, axis: int, d: Any) -> Any:
    out = xp.empty(a.shape, d)
    source, target = xp.moveaxis(a, axis, 0), xp.moveaxis(out, axis, 0)
    target[0] = source[0]
    for i in range(1, a.shape[axis]):
        ufunc(target[i - 1], source[i], target[i])
    return out


def _blocks(xp: Any, a: Any, d: Any) -> Any:
    """Running sums along the rows of a matrix."""
    out = xp.array(a, d, order="C")
    m, n = out.shape
    blocks, rest = divmod(n, _BLOCK)
    main = out[:, : n - rest].reshape(m, blocks, _BLOCK)
    flat = main if rest else out.reshape(m * blocks, _BLOCK)
    for i in range(1, _BLOCK):
        column = flat[..., i]
        xp.add(column, flat[..., i - 1], column)
    before = xp.add.accumulate(main[:, :, -1], 1)
    main[:, 1:] += before[:, :-1, None]
    if rest:
        tail = out[:, n - rest :]
        xp.add.accumulate(tail, 1, out=tail)
        tail += before[:, -1:]
    return out


def tree(xp: Any, ufunc: Any, a: Any, axis: int, d: Any, keepdim: bool) -> Any:
    """``ufunc.reduce`` along a dimension, pairing halves: as exact, and many elements at a time."""
    a = xp.moveaxis(a, axis, -1)
    if a.dtype is not d:
        a = a.astype(d)
    while a.shape[-1] > 8:
        n = a.shape[-1]
        half = n // 2
        r = ufunc(a[..., :half], a[..., half : 2 * half])
        if n % 2:
            r[..., 0] = ufunc(r[..., 0], a[..., -1])
        a = r
    r = ufunc.reduce(a, -1)
    return xp.expand_dims(r, axis) if keepdim else r
