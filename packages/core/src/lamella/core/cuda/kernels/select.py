"""Choosing between two arrays element by element."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY


def select(xp: Any, condition: Any, a: Any, b: Any) -> Any:
    """``where(condition, a, b)`` for arrays."""
    return CUPY.where(condition, a, b)
