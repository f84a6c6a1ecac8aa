"""Emission: a plan becomes source text. `cpp` is the one language so far; siblings have the same steps."""

from __future__ import annotations

from ..schedule.plan import Plan
from .cpp.program import Program  # before the function of the package's name
from .source import Source


def cpp(plan: Plan) -> Source:
    """Print a plan as C++.

    Args:
        plan: kernels, native calls and externs in order, and where buffers lie.

    Returns:
        The text, and what the run time runs.
    """
    return Program(plan).print()


__all__ = ["Source", "cpp"]
