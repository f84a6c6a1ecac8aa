"""Elementwise work of several passes, block by block, so that all passes but the first find their data in cache.

Blocks of very large arrays are spread over the threads that torch.set_num_threads allows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella.core.parallel import spread

#: A few arrays of so many float32 elements fit into the second-level cache.
BLOCK = 1 << 15
_FEW = 1 << 9
INTS = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}


def blockwise(xp: Any, fn: Callable[..., Any], arrays: tuple[Any, ...], *rest: Any) -> Any:
    """``fn(xp, out, *arrays, *rest)`` over blocks of arrays of one shape and type.

    ``fn`` writes its result into ``out``, which overlaps no array, or makes a new array where ``out`` is None.
    """
    first = arrays[0]
    if first.size <= 2 * BLOCK:
        return fn(xp, None, *arrays, *rest)
    shape, d = first.shape, first.dtype
    for a in arrays:
        if a.shape != shape or a.dtype is not d or not a.flags.c_contiguous:
            return fn(xp, None, *arrays, *rest)
    r = xp.empty(shape, d)
    flat, lines = r.reshape(-1), [a.reshape(-1) for a in arrays]

    def piece(start: int, stop: int) -> None:
        part = slice(start, stop)
        fn(xp, flat[part], *[a[part] for a in lines], *rest)

    spread(piece, first.size, BLOCK)
    return r


def limit(xp: Any, a: Any, low: Any, high: Any, out: Any = None) -> Any:
    """Elements limited to [low, high]: for many elements NumPy's clip is faster than its maximum by a number."""
    if a.size >= _FEW:
        return xp.clip(a, low, high, out=out)
    return xp.minimum(xp.maximum(a, low, out=out), high, out=out)


def at_least(xp: Any, a: Any, low: Any, out: Any = None) -> Any:
    """The larger of an element and a number."""
    return xp.clip(a, low, math.inf, out=out) if a.size >= _FEW else xp.maximum(a, low, out=out)


def at_most(xp: Any, a: Any, high: Any, out: Any = None) -> Any:
    """The smaller of an element and a number."""
    return xp.clip(a, -math.inf, high, out=out) if a.size >= _FEW else xp.minimum(a, high, out=out)


def clear(xp: Any, a: Any, condition: Any) -> Any:
    """Put 0 where a condition holds, in place: also over inf and nan, which a product with 0 would leave."""
    if a.size < _FEW:
        xp.copyto(a, 0, where=condition)
    else:
        bits = a.view(INTS[a.dtype.itemsize])
        xp.bitwise_and(bits, xp.subtract(condition.view(np.int8), 1, dtype=np.int8), bits)
    return a


def kept(xp: Any, a: Any, condition: Any, out: Any = None) -> Any:
    """Elements where a condition holds, 0 elsewhere."""
    if a.size < _FEW:
        r = xp.zeros(a.shape, a.dtype) if out is None else out
        if out is not None:
            r.fill(0)
        xp.copyto(r, a, where=condition)
        return r
    ints = INTS[a.dtype.itemsize]
    r = xp.empty(a.shape, a.dtype) if out is None else out
    xp.bitwise_and(a.view(ints), xp.negative(condition.view(np.int8)), r.view(ints))
    return r
