"""No matrix products for maps of few elements: whether their results can be used must not be asked of a GPU."""

from __future__ import annotations

__all__ = ["FEW"]

FEW = 0
