"""Products with matrices that are nearly all zeros: sums of chosen, weighted rows.

SciPy multiplies sparse matrices row by row in one compiled pass, which neither makes the chosen rows nor sorts them.
Few rows are chosen by NumPy, which starts sooner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .types import F32, F64

#: Up to so many products NumPy's way is quicker.
_FEW = 1 << 12


def _compiled(xp: Any, rows: Any, terms: int) -> bool:
    from lamella.core.xp import NUMPY

    return xp is NUMPY and terms * rows.shape[1] > _FEW and (rows.dtype is F32 or rows.dtype is F64)


def _sparse(index: Any, weights: Any, count: int, transposed: bool) -> Any:
    """The matrix (n, count) of weights (n, k) in the columns ``index``, or its transpose."""
    from scipy.sparse import csc_array, csr_array

    n, k = index.shape
    small = np.int32 if max(count, n * k) < 2**31 else np.int64
    ends = np.arange(0, n * k + 1, k, dtype=small)
    parts = (weights.reshape(-1), index.reshape(-1).astype(small, copy=False), ends)
    return csc_array(parts, shape=(count, n)) if transposed else csr_array(parts, shape=(n, count))


def chosen(xp: Any, rows: Any, index: Any, weights: Any) -> Any:
    """(n, width): sums over k of rows[index] times weights, both (n, k)."""
    if _compiled(xp, rows, index.size):
        return _sparse(index, weights, len(rows), False) @ rows
    return xp.matmul(weights[:, None, :], rows.take(index, 0))[:, 0]


def spread(xp: Any, rows: Any, index: Any, weights: Any, count: int) -> Any:
    """(count, width): row i is the sum of rows[n] * weights[n, k] over all places (n, k) whose index is i."""
    if _compiled(xp, rows, index.size):
        return _sparse(index, weights, count, True) @ rows
    flat = index.reshape(-1)
    parts = (rows[:, None, :] * weights[:, :, None]).reshape(-1, rows.shape[1])
    r = xp.zeros((count, rows.shape[1]), rows.dtype)
    if len(flat):
        order = xp.argsort(flat, kind="stable")
        place = flat[order]
        starts = xp.flatnonzero(xp.concatenate([xp.ones(1, bool), place[1:] != place[:-1]]))
        r[place[starts]] = xp.add.reduceat(parts.take(order, 0), starts, 0)
    return r
