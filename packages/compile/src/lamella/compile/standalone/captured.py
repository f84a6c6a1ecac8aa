"""From a call of a function to its folder."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .. import layers
from ..capture import Capture
from ..capture.guards import space_of
from ..explanation import compiled_in, compiled_of, recorded
from ..function import CompiledFunction
from .folder import Emitted, emit_graph

TARGETS = ("cuda",)


def emit(fn: Any, target: str, inputs: Any = (), kwargs: dict[str, Any] | None = None,
         out: str | Path | None = None) -> Emitted:
    """Write what a call compiles to as a program of its own.

    Args:
        fn: a function, module, or a compiled one. target: "cuda".
        inputs: the arguments of the call: a tuple or list, or a single tensor; on the CPU or a GPU. kwargs: keywords.
        out: the folder; by default ``NAME_cuda`` in the current one.

    Returns:
        The files: ``emitted.path``, ``emitted.kernels`` (name -> text), ``emitted.files``, ``emitted.eager``.

    Raises:
        RuntimeError: the call cannot become a program, or there is no such target.
    """
    if target not in TARGETS:
        raise RuntimeError(message("emit", f"there is no target {target!r}", hint=f"one of {', '.join(TARGETS)}"))
    compiled = compiled_of(fn)
    args = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    capture = captured(compiled, args, kwargs or {})
    name = name_of(fn)
    module = owner_of(fn)
    result = emit_graph(capture.graph, capture.arrays, name=name, weights=weights_of(capture, module),
                        names=names_of(capture, module), scalars=scalars_of(capture, args, kwargs or {}))
    result.write(out or f"{name}_{target}")
    return result


def captured(compiled: CompiledFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Capture:
    """The call, recorded; without history where its results would have one."""
    found = recorded(compiled, args, kwargs)
    if found.needs_grad:
        with layers.no_grad():
            found = recorded(compiled, args, kwargs)
    return found


def owner_of(fn: Any) -> Any:
    """The module that a function is of, or None."""
    if layers.is_module(fn):
        return fn.__dict__.get("_modules", {}).get("_orig_mod", fn)
    module = getattr(_inner(fn), "__self__", None)
    return module if layers.is_module(module) else None


def name_of(fn: Any) -> str:
    """What to call the program of a function: as the function, or as the class of its module."""
    module = owner_of(fn)
    if module is not None:
        return identifier(type(module).__name__)
    inner = _inner(fn)
    return identifier(getattr(inner, "__qualname__", type(inner).__name__))


def _inner(fn: Any) -> Any:
    """The function behind a compiled one."""
    compiled = compiled_in(fn)
    return fn if compiled is None else compiled.fn


def weights_of(capture: Capture, module: Any) -> dict[int, str]:
    """The inputs that are no arguments: number -> name."""
    given = {a.number for a in capture.arguments}
    known = {}
    if module is not None:
        known = {id(t): name for name, t in [*module.named_parameters(), *module.named_buffers()]}
    return {n: known.get(id(t), f"state{n}") for n, t in enumerate(capture.inputs)
            if n not in given and n not in capture.carriers and isinstance(t, Tensor)}


def names_of(capture: Capture, module: Any) -> dict[int, str]:
    """The inputs that are arguments: number -> name; of a module's call those of ``forward``."""
    known: list[str] = []
    if module is not None:
        known = list(inspect.signature(module.forward).parameters)

    def named(what: str) -> str:
        found = re.fullmatch(r"args_(\d+)(.*)", what)
        return known[int(found[1])] + found[2] if found and int(found[1]) < len(known) else what

    return {a.number: named(a.what) for a in capture.arguments}


def scalars_of(capture: Capture, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Sequence[float]:
    """The run-time numbers of a call."""
    space = {**capture.names.space, **space_of(args, kwargs)}
    for n, source in enumerate(capture.sources):
        space[f"s{n}"] = eval(source, space)  # noqa: S307 - text of the recording's own
    return [float(eval(text, space)) for text in capture.scalars]  # noqa: S307


def identifier(name: str) -> str:
    """A name for files and CMake.

    Example:
        >>> identifier("f.<locals>.step"), identifier("<lambda>")
        ('step', 'lambda')
    """
    found = re.sub(r"\W+", "_", name.rpartition("<locals>.")[2]).strip("_")
    return found or "program"
