"""Distances between all pairs of vectors on a GPU, by broadcasting a part of the rows at a time."""

from __future__ import annotations

from typing import Any

from ...kernels.distance import _norm
from ..xp import CUPY

__all__ = ["_matrix"]
#: Numbers that are held at once.
_ROOM = 1 << 26


def _matrix(xp: Any, a: Any, b: Any, p: float) -> Any:
    out = CUPY.empty((a.shape[0], b.shape[0]), a.dtype)
    rows = max(1, _ROOM // max(b.size, 1))
    for i in range(0, a.shape[0], rows):
        out[i : i + rows] = _norm(CUPY, a[i : i + rows, None, :] - b[None, :, :], p)
    return out
