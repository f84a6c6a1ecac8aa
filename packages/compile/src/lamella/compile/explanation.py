"""`explain`: what the compiler makes of a call, for people."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.config import settings
from lamella.dispatch.errors import message

from . import layers
from .build_entry import program_of
from .capture import Break, Capture
from .function import CompiledFunction


class Explanation:
    """What the compiler makes of a call.

    Attributes:
        graph_count, graph_break_count, op_count: as torch counts them.
        graphs: the captured graph, or nothing.
        break_reasons: why the call is not compiled.
        guards: what must hold for the program to be used again.
        kernels: what the backend says of its program.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.graphs: list[Any] = []
        self.break_reasons: list[str] = []
        self.guards: list[Any] = []
        self.kernels: list[str] = []
        self.prepared: Any = None
        self.groups: dict[str, str] = {}
        self.reasons: list[str] = []

    @property
    def graph_count(self) -> int:
        """How many graphs there are."""
        return len(self.graphs)

    @property
    def graph_break_count(self) -> int:
        """How many places stop the compiler."""
        return len(self.break_reasons)

    @property
    def op_count(self) -> int:
        """How many operators are called."""
        return sum(n.kind == "call" for g in self.graphs for n in g.nodes)

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.graph_count} graph, {self.graph_break_count} breaks, {self.op_count} operators"]
        lines += [f"break: {reason}" for reason in self.break_reasons]
        for graph in self.graphs:
            lines += ["graph:", _source(graph)]
        if self.guards:
            lines += [f"guards ({len(self.guards)}):", *(f"  {g!r}" for g in self.guards)]
        if self.kernels:
            lines += [f"kernels ({len(self.kernels)}):", *(f"  {k}" for k in self.kernels)]
        lines += [f"not fused: {reason}" for reason in self.reasons]
        return "\n".join(lines)

    __repr__ = __str__

    def picture(self) -> str:
        """The graph as the text of an SVG file, coloured by kernels.

        Raises:
            RuntimeError: there is no graph; `break_reasons` says why.
        """
        from .graph.picture import svg

        if not self.graphs:
            raise RuntimeError(message("explain", "there is no graph to draw", self.break_reasons[0]))
        if self.prepared is None or not self.groups:
            return svg(self.prepared or self.graphs[0])
        from .decompose import decompose

        return svg(decompose(self.prepared), self.groups)  # kernels are made of what its calls are taken apart into


def _source(graph: Any) -> str:
    from .graph.printer import source

    return source(graph)


def explain_call(fn: Any, /, *args: Any, **kwargs: Any) -> Explanation:
    """See `api.explain`."""
    compiled = compiled_of(fn)
    found = Explanation(compiled.name)
    try:
        capture = recorded(compiled, args, kwargs)
    except Break as stop:
        found.break_reasons.append(f"{stop.where}: {stop.reason}" if stop.where else stop.reason)
        return found
    found.graphs.append(capture.graph)
    found.guards = list(capture.guards)
    if settings.compile_enabled and not compiled.users_own:
        _ask(compiled, capture, found)
    return found


def compiled_of(fn: Any) -> CompiledFunction:
    """A function that is to be explained, with the settings that it was compiled with."""
    if layers.is_module(fn):
        fn = fn.__dict__.get("_call", fn.__call__)
    inner = compiled_in(fn)
    return CompiledFunction(fn) if inner is None else CompiledFunction(inner.fn, **inner.settings)


def compiled_in(fn: Any) -> CompiledFunction | None:
    """What `wrapper` put around a compiled function; None where there is none."""
    inner = fn if isinstance(fn, CompiledFunction) else getattr(fn, "compiled", None)
    return inner if isinstance(inner, CompiledFunction) else None


def recorded(compiled: CompiledFunction, args: Any, kwargs: Any) -> Capture:
    """The recording of a call; one that makes state in its first run, such as an optimizer's, is run first.

    Raises:
        Break: the call cannot be recorded.
    """
    try:
        return compiled.capture(args, kwargs)
    except Break as stop:
        if not stop.quiet:
            raise
    compiled.fn(*args, **kwargs)
    return compiled.capture(args, kwargs)


def _ask(compiled: CompiledFunction, capture: Any, found: Explanation) -> None:
    """What the backend tells of its program."""
    try:
        program = program_of(compiled, capture)
    except Exception as error:
        found.break_reasons.append(f"the backend failed: {type(error).__name__}: {error}")
        return
    found.prepared, found.groups = getattr(program, "graph", None), dict(getattr(program, "groups", {}))
    report = getattr(program, "report", None)
    if report is not None:
        found.kernels = str(report()).splitlines()
    else:
        found.kernels = list(getattr(program, "kernels", ()))
    found.reasons = list(getattr(program, "reasons", ()))
