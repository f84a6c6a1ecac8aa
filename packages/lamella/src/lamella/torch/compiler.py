"""torch.compiler: marks for the compiler, and questions to it."""

from __future__ import annotations

from lamella.compile import (
    allow_in_graph,
    assume_constant_result,
    compile,
    disable,
    explain,
    is_compiling,
    list_backends,
    register_backend,
    reset,
    set_stance,
)

from ._missing import lookup

__all__ = ["allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable", "explain",
           "is_compiling", "is_dynamo_compiling", "is_exporting", "list_backends", "register_backend", "reset",
           "set_stance"]


def is_dynamo_compiling() -> bool:
    """Whether the code runs for the compiler to record it."""
    return is_compiling()


def is_exporting() -> bool:
    """Whether the code runs to be exported."""
    return False


def cudagraph_mark_step_begin() -> None:
    """Accepted: there are no CUDA graphs whose steps had to be told apart."""


__getattr__, __dir__ = lookup(__name__)
