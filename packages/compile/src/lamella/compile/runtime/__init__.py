"""Running compiled programs: memory, calls, operators between native segments."""

from __future__ import annotations

from typing import Any

from .facts import Facts, facts_of
from .program import Program

__all__ = ["Facts", "Program", "compile_graph", "facts_of"]


def compile_graph(graph: Any, inputs: Any = ()) -> Program:
    """`lamella.compile.pipeline.cpp` for a graph as captured, whose caller makes the outputs in ``graph.aliases``."""
    from ..pipeline import cpp

    return cpp(graph, graph.aliases)
