"""Windows are walked place by place, with one pass over all of them each."""

from __future__ import annotations

from .few import FEW

__all__ = ["FEW"]
