"""Copies of arrays on a GPU, which needs no blocks that a cache holds."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .xp import CUPY, known_type


def copied(a: Any, d: Any) -> Any:
    """A C-contiguous copy of an array as elements of another type."""
    return a.astype(known_type(d), "C")


#: Kernels that are one function of CuPy's unless the number beside their operands is another one than 1.
_SCALED = {"add_Tensor": CUPY.add, "sub_Tensor": CUPY.subtract}


def in_float32(fn: Any, arrays: list[Any], d: Any, params: tuple[Any, ...] = ()) -> Any:
    """An elementwise function of 16-bit numbers in one kernel, which computes in float32 between load and store.

    None where CuPy has no such kernel: then the arrays are converted as a whole, before and after.
    """
    if isinstance(fn, functools.partial):
        fn = _SCALED.get(getattr(fn.func, "__name__", "")) if params in ((), (1,)) else None
    elif params:
        return None
    types = getattr(fn, "types", None)
    char = np.dtype(d).char
    if types is None or not all(a.dtype == d for a in arrays):
        return None
    return fn(*arrays) if f"{char * len(arrays)}->{char}" in types else None
