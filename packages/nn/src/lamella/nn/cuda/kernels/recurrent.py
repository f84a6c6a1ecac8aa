"""Factors of the backward pass are computed at once."""

from __future__ import annotations

__all__ = ["_PART"]

_PART = 1 << 62
