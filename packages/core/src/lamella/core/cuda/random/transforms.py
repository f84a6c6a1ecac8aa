"""Continuous distributions on a GPU where they are not the CPU's code: normal numbers come from one kernel."""

from __future__ import annotations

import math
from typing import Any

import cupy
import numpy as np

from lamella.dispatch.errors import message

from ...random.transforms import _REAL, is_floating, require_floating

__all__ = ["cast", "normal", "standard_normals"]


def cast(values: Any, dtype: Any) -> Any:
    """Convert as C++ does: to the 16-bit types by way of float32, to the others directly."""
    if dtype.itemsize == 2 and is_floating(dtype):
        values = values.astype(np.float32, copy=False)
    return values.astype(dtype, copy=False)


def normal(
    shape: Any, dtype: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None, contiguous: bool = True
) -> Any:
    """Normal numbers by Box and Muller's method: one counter an element, in float64.

    Args:
        shape: of the result.
        dtype: a floating or complex dtype (the two parts of a complex number share the variance).
        mean, std: of the distribution; std may be 0.
        generator: what to draw from.
        contiguous: for the CPU's sake.

    Raises:
        RuntimeError: when std is negative or nan, for an integer dtype.
    """
    if not std >= 0:
        raise RuntimeError(message("normal", "std must be at least 0", {"std": std}))
    dtype = np.dtype(dtype)
    if dtype in _REAL:
        return normal((*shape, 2), _REAL[dtype], mean, std / math.sqrt(2), generator).view(dtype).reshape(shape)
    dtype = require_floating("normal_", dtype)
    values = standard_normals(math.prod(shape), generator)
    if std != 1:
        values *= std
    if mean != 0:
        values += mean
    return cast(values, dtype).reshape(shape)


def standard_normals(n: int, generator: Any) -> Any:
    """n float64 of the standard normal distribution."""
    return generator.engine.normals(n) if n else cupy.empty(0)
