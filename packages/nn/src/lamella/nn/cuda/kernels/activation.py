"""Arrays are computed whole."""

from __future__ import annotations

from .blockwise import BLOCK

__all__ = ["BLOCK"]
