"""Running combinations on a GPU."""

from __future__ import annotations

from typing import Any


def scan(xp: Any, ufunc: Any, a: Any, axis: int, d: Any) -> Any:
    """``ufunc.accumulate(a, axis, d)``."""
    return ufunc.accumulate(a, axis, d)


def tree(xp: Any, ufunc: Any, a: Any, axis: int, d: Any, keepdim: bool) -> Any:
    """``ufunc.reduce`` along a dimension."""
    return ufunc.reduce(a, axis, d, None, keepdim)
