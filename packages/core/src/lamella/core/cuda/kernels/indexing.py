"""Places that may count from the end."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..checks import checking
from ..xp import CUPY
from .accumulate import extent


def _places(op: str, n: int, index: Any, negative: bool = True) -> Any:
    """Places along a dimension of ``n`` elements, none negative; IndexError for those out of range where they are
    checked.
    """
    if not index.size:
        return index
    if checking():
        low, high = extent(index)
        if high >= n or low < (-n if negative else 0):
            bad = int(high if high >= n else low)
            raise IndexError(message(op, f"index {bad} is out of bounds for dimension 0 with size {n}"))
    return CUPY.where(index < 0, index + n, index)
