"""Discrete draws on a GPU where they are not the CPU's code: coins, permutations and draws from running sums."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from lamella.dispatch.errors import message

__all__ = ["_SMALL_PERM", "_coins", "_large_permutation", "_refuse_chances", "_search_sums", "dropout_mask"]

#: From how many numbers on a permutation is `_large_permutation`.
_SMALL_PERM = 0


def _coins(engine: Any, shape: Any, dtype: Any, p: float) -> Any:
    """1 with probability p, else 0, in one kernel."""
    return engine.flips(tuple(shape), np.dtype(dtype), p)


def _refuse_chances(chance: Any) -> None:
    """Nothing: the host would wait for the GPU."""


def dropout_mask(shape: Any, dtype: Any, p: float, generator: Any = None) -> Any:
    """The factors that dropout multiplies by: 0 with probability p, else 1 / (1 - p); one kernel.

    Args:
        shape: of the result.
        dtype: a floating or complex dtype.
        p: probability of dropping, 0 <= p < 1.
        generator: what to draw from.

    Raises:
        ValueError: when p is not in [0, 1).
    """
    if not 0 <= p < 1:
        raise ValueError(message("dropout", "p must lie in [0, 1)", {"p": p}))
    dtype = np.dtype(dtype)
    keep = np.float64(1.0 - p) if dtype in (np.float64, np.complex128) else np.float32(1.0 - p)
    factor = 1 / keep if dtype.kind == "c" else (1 / keep).astype(dtype)
    return generator.engine.flips(tuple(shape), dtype, 1.0 - p, float(factor))


def _large_permutation(n: int, engine: Any) -> Any:
    """The order of n 64-bit words."""
    return cupy.argsort(engine.words64(n))


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
