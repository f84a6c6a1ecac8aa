"""torch._dynamo: the names by which programs reach for the compiler's front end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from lamella.compile import compile, counters, disable, explain, is_compiling, list_backends, register_backend, reset

__all__ = ["config", "disable", "explain", "is_compiling", "list_backends", "mark_dynamic", "mark_static", "optimize",
           "register_backend", "reset", "utils"]

#: Accepted: what programs set here has no counterpart; the setting ``compile_limit`` bounds recompilations.
config = SimpleNamespace(suppress_errors=False, verbose=False, cache_size_limit=8, recompile_limit=8,
                         dynamic_shapes=True, assume_static_by_default=True, automatic_dynamic_shapes=True)
utils = SimpleNamespace(counters=counters)


def mark_dynamic(t: Any, index: Any, *, min: int | None = None, max: int | None = None) -> None:
    """Say that a size of a tensor will vary, so that its first compilation leaves it open.

    Args:
        t: an argument of a compiled function.
        index: a dimension, or several.
        min, max: accepted.
    """
    dims = {index} if isinstance(index, int) else set(index)
    t._dynamo_dynamic_indices = getattr(t, "_dynamo_dynamic_indices", set()) | {d % t.dim() for d in dims}


maybe_mark_dynamic = mark_dynamic


def mark_static(t: Any, index: Any = None) -> None:
    """Take `mark_dynamic` back."""
    if index is None:
        t._dynamo_dynamic_indices = set()
        return
    dims = {index} if isinstance(index, int) else set(index)
    t._dynamo_dynamic_indices = getattr(t, "_dynamo_dynamic_indices", set()) - {d % t.dim() for d in dims}


def optimize(backend: Any = "inductor", *, nopython: bool = False, disable: bool = False,
             dynamic: bool | None = None) -> Any:
    """`torch.compile` in its first form: a decorator."""
    return compile(backend=backend, fullgraph=nopython, dynamic=dynamic, disable=disable)
