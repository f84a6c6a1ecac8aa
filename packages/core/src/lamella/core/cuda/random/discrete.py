"""Discrete draws on a GPU where they are not the CPU's code: permutations and draws from running sums."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from lamella.dispatch.errors import message

from ...random.discrete import _whole_numbers
from .transforms import cast

__all__ = ["_search_sums", "randperm"]


def randperm(n: int, dtype: Any = np.int64, generator: Any = None) -> Any:
    """The numbers 0 to n - 1 in random order: the order of n 64-bit words.

    Args:
        n: how many.
        dtype: an integer or floating dtype that holds n exactly.
        generator: what to draw from.

    Raises:
        RuntimeError: when n is negative or too large for the dtype.
    """
    dtype = np.dtype(dtype)
    if n < 0:
        raise RuntimeError(message("randperm", "n must not be negative", {"n": n}))
    if dtype.kind in "bc":
        raise RuntimeError(message("randperm", f"not implemented for {dtype.name}"))
    if n > _whole_numbers(dtype)[1] + 1:
        raise RuntimeError(message("randperm", f"n is too large for {dtype.name}", {"n": n}))
    return cast(cupy.argsort(generator.engine.words64(n)), dtype)


def _search_sums(weights: Any, num_samples: int, generator: Any) -> Any:
    """Indices with replacement: uniform points are looked for in the running sums of all rows at once."""
    rows = weights.reshape(-1, weights.shape[-1]).astype(np.float64)
    sums = cupy.cumsum(rows, axis=-1)
    sums /= sums[:, -1:].copy()
    sums[:, -1] = 1
    shift = cupy.arange(len(rows), dtype=np.float64)[:, None]
    points = generator.engine.doubles(len(rows) * num_samples).reshape(len(rows), num_samples)
    found = cupy.searchsorted((sums + shift).ravel(), (points + shift).ravel(), side="left")
    found = found.reshape(points.shape) - (shift * rows.shape[1]).astype(np.int64)
    found = cupy.clip(found, 0, rows.shape[1] - 1)
    return found.astype(np.int64, copy=False).reshape(*weights.shape[:-1], num_samples)
