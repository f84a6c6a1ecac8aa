"""Adding at places on a GPU, and what is asked of places before."""

from __future__ import annotations

from typing import Any

from ..checks import checking
from ..xp import CUPY


def extent(index: Any) -> tuple[Any, Any]:
    """The least and the greatest of some places; as if all were in range where they are not checked."""
    return (index.min(), index.max()) if checking() else (0, -1)


def add_rows(xp: Any, target: Any, places: Any, rows: Any) -> None:
    """``target[places[i]] += rows[i]`` for every i, repeated places included."""
    if places.size and rows.size:
        CUPY.add.at(target, places, rows)
