"""Where results go on a GPU."""

from __future__ import annotations

from typing import Any

from ..storage import is_overlapping


def is_writable(a: Any) -> bool:
    """Whether each element of ``a`` has memory of its own (CuPy has no read-only arrays)."""
    return not (a.size and is_overlapping(a))
