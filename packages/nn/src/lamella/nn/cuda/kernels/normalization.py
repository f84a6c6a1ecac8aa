"""Rows are computed at once."""

from __future__ import annotations

__all__ = ["_BLOCK"]

_BLOCK = 1 << 62
