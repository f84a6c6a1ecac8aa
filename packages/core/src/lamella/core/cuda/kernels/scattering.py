"""Places of gather and scatter are not looked at one by one on a GPU."""

from __future__ import annotations

from typing import Any


def _quick(xp: Any, a: Any, dim: int, index: Any) -> Any:
    """None: the short way of the CPU looks at the places first."""
    return None


def parts(index: Any) -> Any:
    """The whole index at once."""
    return ((0, index.shape[0]),)
