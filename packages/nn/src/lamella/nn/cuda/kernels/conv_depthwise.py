"""Parts are large: each place of the window is one pass."""

from __future__ import annotations

__all__ = ["_PART"]

_PART = 1 << 26
