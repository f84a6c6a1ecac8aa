"""Work that the CPU does in pieces on several threads, as one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def spread(work: Callable[[int, int], Any], n: int, step: int = 0, many: int = 0) -> None:
    """``work(0, n)``."""
    if n:
        work(0, n)


def in_pieces(fn: Callable[..., Any], *operands: Any) -> Any:
    """None: arrays are computed whole."""
    return None
