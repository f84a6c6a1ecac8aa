"""Emission: a plan becomes source text, in C++ (`cpp`) or in CUDA C++ (`cuda`); both have the same steps."""

from __future__ import annotations

from lamella.dispatch.config import declare, settings

from ..schedule.plan import Plan
from .cpp.program import Program
from .source import Source

declare("cuda_checks", bool, False, "whether compiled CUDA kernels test the indices that they read from memory",
        enters_compile_key=True)


def emit(plan: Plan, target: str = "cpp", *, checks: bool | None = None) -> Source:
    """Print a plan.

    Args:
        plan: kernels, native calls and externs in order, and where buffers lie.
        target: "cpp" or "cuda" (of a plan that was scheduled for it).
        checks: whether CUDA kernels check indices that they read from memory (None: the setting ``cuda_checks``); C++
            always does.

    Returns:
        The text, and what the run time runs.
    """
    if target == "cpp":
        return Program(plan).print()
    from .cuda.program import Program as CudaProgram

    return CudaProgram(plan, settings.cuda_checks if checks is None else checks).print()


__all__ = ["Source", "emit"]
