"""Sums that stay accurate along any dimension.

NumPy adds pairwise only where the summed elements lie next to each other; along an outer dimension it adds one row
after the other, and a float32 sum of many rows loses digits. Here a long outer dimension is cut into blocks whose sums
are summed in turn, which costs no more and keeps the error that of a pairwise sum. Elements that do lie next to each
other are summed by a product with ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..xp import NUMPY
from .strides import in_order

BLOCK = 128
_F32 = np.dtype(np.float32)


#: Rows of this length are summed by a product with ones, longer ones in pieces of it.
ROW = 256
_F64 = np.dtype(np.float64)
_ones: dict[Any, Any] = {}


def ones_of(xp: Any, n: int, d: Any) -> Any:
    """A vector of ones to sum by a product with; the ones in use are kept, few and not written to."""
    found = _ones.get((n, d))
    if found is None:
        if len(_ones) > 64:
            _ones.clear()
        found = _ones[n, d] = _aligned_ones(n, d) if xp is NUMPY else xp.ones(n, d)
    return found


def _aligned_ones(n: int, d: Any) -> Any:
    """Ones that begin where a line of the cache does: products read them over and over."""
    room = np.empty(n * d.itemsize + 64, np.uint8)
    start = -room.ctypes.data % 64
    ones = room[start : start + n * d.itemsize].view(d)
    ones.fill(1)
    return ones


def well_scaled(xp: Any, sums: Any) -> bool:
    """Whether sums of exponentials show that nothing over- or underflowed, so that no shift by a maximum is needed."""
    if sums.size <= 32:
        for v in sums.ravel().tolist():
            if v > 1e-20 and v < 1e30:  # noqa: SIM300 - quicker than a chain
                continue
            return False
        return sums.size > 0
    return bool(xp.minimum.reduce(sums, None) > 1e-20 and xp.maximum.reduce(sums, None) < 1e30)


_numbers: dict[Any, Any] = {}


def number_of(xp: Any, n: Any, d: Any) -> Any:
    """A number as a 0-d array, which ufuncs take up three times as fast as Python's own; not to be written to."""
    found = _numbers.get((n, d))
    if found is None:
        found = xp.asarray(n, d)
        if n:  # the two zeros are one key
            if len(_numbers) > 256:
                _numbers.clear()
            _numbers[n, d] = found
    return found


_steps: dict[Any, Any] = {}


def steps(xp: Any, stop: int, step: int) -> Any:
    """``arange(0, stop, step)``; short ones are kept and not to be written to."""
    found = _steps.get((stop, step))
    if found is None:
        found = xp.arange(0, stop, step)
        if found.size <= ROW:
            if len(_steps) > 256:
                _steps.clear()
            _steps[stop, step] = found
    return found


def line_sums(xp: Any, a: Any, dim: Any, keepdim: bool = False) -> Any:
    """The sums along a dimension of a small matrix of real numbers, by a product with ones; None for other arrays."""
    shape, d = a.shape, a.dtype
    if len(shape) != 2 or d is not _F32 and d is not _F64 or a.size > ROW:
        return None
    if dim == 1 or dim == -1:
        r = a.dot(ones_of(xp, shape[1], d))
        return r[:, None] if keepdim else r
    if dim == 0 or dim == -2:
        r = ones_of(xp, shape[0], d).dot(a)
        return r[None] if keepdim else r
    return None


def _trailing(a: Any, axis: Any) -> int:
    """How many elements lie next to each other in memory in each of the sums, 0 where they do not."""
    if a.size < ROW or not a.flags.c_contiguous or (a.dtype is not _F32 and a.dtype is not _F64):
        return 0
    if axis is None:
        return a.size
    axes = (axis,) if isinstance(axis, int) else axis
    first = a.ndim - len(axes)
    if not all(i >= first for i in axes):
        return 0
    n = 1
    for k in a.shape[first:]:
        n *= k
    return n


def _kept(a: Any, r: Any, axis: Any, keepdim: bool) -> Any:
    if axis is None:
        return r.reshape((1,) * a.ndim if keepdim else ())
    axes = (axis,) if isinstance(axis, int) else axis
    lead = a.shape[: a.ndim - len(axes)]
    return r.reshape(lead + (1,) * len(axes) if keepdim else lead)


def _row_sums(xp: Any, rows: Any) -> Any:
    """The sums of a matrix's rows by BLAS, in pieces; None where the pieces do not fit."""
    m, n = rows.shape
    if n > ROW:
        pieces, rest = divmod(n, ROW)
        if rest and m > 1:
            return None
        head = rows[:, : n - rest]
        sums = xp.add.reduce(_row_sums(xp, head.reshape(-1, ROW)).reshape(m, pieces), 1)
        return sums + xp.add.reduce(rows[:, n - rest :], 1) if rest else sums
    return rows.dot(ones_of(xp, n, rows.dtype))


def square_reduce(xp: Any, a: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """The sum of squares of real numbers."""
    n = _trailing(a, axis)
    if n:
        rows = a.reshape(-1, n)
        if n <= ROW:
            return _kept(a, xp.vecdot(rows, rows), axis, keepdim)
        if n % ROW == 0:
            pieces = rows.reshape(-1, ROW)
            return _kept(a, xp.add.reduce(xp.vecdot(pieces, pieces).reshape(-1, n // ROW), 1), axis, keepdim)
    return add_reduce(xp, a * a, axis, None, keepdim)


def add_reduce(xp: Any, a: Any, axis: Any, d: Any = None, keepdim: bool = False) -> Any:
    """``xp.add.reduce(a, axis, d, None, keepdim)``, in blocks where there are many elements."""
    if d is None or d is a.dtype:
        n = _trailing(a, axis)
        if n > 1:
            r = _row_sums(xp, a.reshape(-1, n))
            if r is not None:
                return _kept(a, r, axis, keepdim)
    if a.size > 8 * BLOCK and a.dtype.itemsize <= 8 and a.dtype.kind in "fc" and (d is None or d is a.dtype):
        axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        last = min(range(a.ndim), key=lambda i: (abs(a.strides[i]), -i))
        for i in axes:
            if a.shape[i] > 4 * BLOCK and i != last:
                a = _block_sums(xp, a, i)
    r = xp.add.reduce(a, axis, d, None, keepdim)
    return r if r.ndim < 2 else in_order(xp, r)


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
