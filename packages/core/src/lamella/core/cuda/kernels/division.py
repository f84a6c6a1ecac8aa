"""Division with a rounded quotient on a GPU: nothing is looked at that the host would have to wait for.

Integers divided by zero give some number, as in torch on CUDA, where the CPU raises.
"""

from __future__ import annotations

from typing import Any


def _no_zero(xp: Any, op: str, other: Any) -> None:
    pass


def _quotient(xp: Any, a: Any, b: Any) -> Any:
    return None
