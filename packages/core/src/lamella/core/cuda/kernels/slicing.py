"""Parts of CuPy's arrays."""

from __future__ import annotations

from typing import Any

from ...kernels.slicing import planes


def diagonal(xp: Any, self: Any, offset: int, dim1: int, dim2: int) -> Any:
    """A view of a diagonal."""
    i, j = planes("diagonal", self, dim1, dim2)
    if not -(1 << 31) < offset < 1 << 31:
        offset = 1 << 30  # as far outside as CuPy can count
    return self.diagonal(offset, i, j)
