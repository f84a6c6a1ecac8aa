"""Linear maps of few elements: one product with a matrix that is made once, which costs less than a pass per tap."""

from __future__ import annotations

import math
from typing import Any

from .types import F32, F64

FEW = 1 << 12


def is_few(x: Any, space: Any, out: Any) -> bool:
    """Whether a map from positions ``space`` to positions ``out`` is better done by a matrix."""
    d = x.dtype
    return x.size <= FEW and (d is F32 or d is F64) and math.prod(space) * math.prod(out) <= FEW


def mapped(xp: Any, x: Any, matrix: Any, out: tuple[int, ...]) -> Any:
    """The last dimensions times a matrix (their elements, elements of ``out``); None where infinity or nan would be
    spread by factors of 0.
    """
    r = x.reshape(-1, matrix.shape[0]).dot(matrix)
    total = xp.add.reduce(r, None)
    if total - total:
        return None
    return r.reshape(x.shape[: x.ndim - len(out)] + out)
