"""Arrays are computed whole: a GPU has no cache that blocks would have to fit."""

from __future__ import annotations

__all__ = ["BLOCK", "_FEW"]

BLOCK = _FEW = 1 << 62
