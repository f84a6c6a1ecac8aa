"""Choosing between two arrays element by element, and whether there is anything to choose."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..xp import NUMPY

_INTS = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}


def any_true(xp: Any, flags: Any) -> bool:
    """Whether an element is true, asked to leave out work that changes nothing where none is."""
    return xp.logical_or.reduce(flags, None)


def all_true(xp: Any, flags: Any) -> bool:
    """Whether all elements are true, asked to leave out work that changes nothing where they are."""
    return xp.logical_and.reduce(flags, None)


def keep_where_false(flags: Any, a: Any) -> Any:
    """``where(flags, 0, a)`` for large arrays of float32 or float64, by their bits."""
    mask = np.subtract(flags.view(np.int8), 1, dtype=np.int8).astype(_INTS[a.itemsize])
    return np.bitwise_and(mask, a.view(mask.dtype), mask).view(a.dtype)


def select(xp: Any, condition: Any, a: Any, b: Any) -> Any:
    """``where(condition, a, b)`` for arrays.

    NumPy's own takes a branch for every element: nine times the cost where the condition is as good as random.
    Large arrays are chosen by their bits instead: b ^ ((a ^ b) & mask), mask being all ones where the condition holds.
    """
    d = a.dtype
    if condition.size <= 256 and d is b.dtype and condition.shape == a.shape == b.shape:
        r = b.copy()
        xp.putmask(r, condition, a)
        return r
    ints = _INTS.get(d.itemsize)
    if condition.size <= 4096 or ints is None or d is not b.dtype or d.kind == "c" or xp is not NUMPY:
        return xp.where(condition, a, b)
    mask = np.negative(condition.view(np.int8)).astype(ints)
    if b.ndim == 0 and not b.view(ints):
        r = mask & a.view(ints)
    else:
        low = b.view(ints)
        r = mask & (a.view(ints) ^ low)
        r ^= low
    return r.view(d)
