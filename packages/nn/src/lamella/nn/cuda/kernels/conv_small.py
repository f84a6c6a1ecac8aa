"""One gather makes the columns of more elements than on the CPU, because a pass for each place costs more to start."""

from __future__ import annotations

__all__ = ["FEW"]

FEW = 1 << 20
