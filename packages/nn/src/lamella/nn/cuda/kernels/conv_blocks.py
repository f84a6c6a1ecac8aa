"""Columns of many images are made at once: products should be large."""

from __future__ import annotations

__all__ = ["_BUDGET"]

_BUDGET = 1 << 26
