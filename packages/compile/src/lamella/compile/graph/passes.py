"""The passes between capture and decomposition, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection

from lamella.dispatch.config import settings

from . import clean
from .functionalize import functionalize
from .node import Graph
from .verify import verify

settings.declare("compile_verify", bool, False, "check every graph between the compiler's passes")

PASSES: tuple[tuple[str, Callable[[Graph], int]], ...] = (
    ("remove_noops", clean.remove_noops),
    ("share", clean.share),
    ("fold", clean.fold),
    ("drop_dead", clean.drop_dead),
    ("separate", clean.separate),
)


def prepare(graph: Graph, *, apart: Collection[int] = (), check: bool | None = None) -> Graph:
    """A functional graph without work that is not needed.

    Args:
        graph: as captured, left as it is; or one that is functional already, which is cleaned in place.
        apart: numbers of outputs that share memory with nothing, whatever they are views of.
        check: verify between passes; by default as the setting ``compile_verify`` says.

    Returns:
        A functional graph.

    Raises:
        CompileError: a write that has no functional form.
        VerifyError: a pass made a malformed graph.
    """
    check = settings.compile_verify if check is None else check
    if check:
        verify(graph, after="capture")
    graph = functionalize(graph, apart)
    if check:
        verify(graph, after="functionalize", specs=True)
    for name, run in PASSES:
        run(graph)
        if check:
            verify(graph, after=name)
    return graph
