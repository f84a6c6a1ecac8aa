"""Sums that stay accurate along any dimension.

NumPy adds pairwise only where the summed elements lie next to each other; along an outer dimension it adds one row after
the other, and a float32 sum of many rows loses digits. Here a long outer dimension is cut into blocks whose sums are
summed in turn, which costs no more and keeps the error that of a pairwise sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCK = 128
_F32 = np.dtype(np.float32)


def add_reduce(xp: Any, a: Any, axis: Any, d: Any = None, keepdim: bool = False) -> Any:
    """``xp.add.reduce(a, axis, d, None, keepdim)`` with blocks along long outer dimensions of float32 (and complex64)."""
    if a.size > 8 * BLOCK and a.dtype.itemsize <= 8 and a.dtype.kind in "fc" and (d is None or d is a.dtype):
        axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        last = min(range(a.ndim), key=lambda i: (abs(a.strides[i]), -i))
        for i in axes:
            if a.shape[i] > 4 * BLOCK and i != last:
                a = _block_sums(xp, a, i)
    return xp.add.reduce(a, axis, d, None, keepdim)


def _block_sums(xp: Any, a: Any, axis: int) -> Any:
    """A shorter array with the same sum along ``axis``."""
    while a.shape[axis] > 4 * BLOCK:
        blocks, rest = divmod(a.shape[axis], BLOCK)
        lead = (slice(None),) * axis
        head = a[(*lead, slice(0, blocks * BLOCK))]
        shape = (*a.shape[:axis], blocks, BLOCK, *a.shape[axis + 1 :])
        sums = xp.add.reduce(head.reshape(shape), axis + 1)
        if rest:
            sums[(*lead, 0)] += xp.add.reduce(a[(*lead, slice(blocks * BLOCK, None))], axis)
        a = sums
    return a
