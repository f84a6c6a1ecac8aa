"""Emission: a plan becomes source text. C++ is the one language so far (`cpp`); siblings have the same steps."""

from __future__ import annotations

from ..schedule.plan import Plan
from .cpp.program import Program
from .source import Source


def emit(plan: Plan) -> Source:
    """Print a plan as C++.

    Args:
        plan: kernels, native calls and externs in order, and where buffers lie.

    Returns:
        The text, and what the run time runs.
    """
    return Program(plan).print()


__all__ = ["Source", "emit"]
