"""Copies of arrays on a GPU, which needs no blocks that a cache holds."""

from __future__ import annotations

from typing import Any

from .xp import known_type


def copied(a: Any, d: Any) -> Any:
    """A C-contiguous copy of an array as elements of another type."""
    return a.astype(known_type(d), "C")


def in_float32(fn: Any, arrays: list[Any], d: Any) -> Any:
    """None: 16-bit arithmetic is done on whole arrays."""
    return None
