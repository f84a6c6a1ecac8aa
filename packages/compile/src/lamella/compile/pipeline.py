"""From a captured graph to a program: the steps in order, each with its name in errors and its time in the log."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from lamella.dispatch import logs
from lamella.dispatch.config import declare, settings

from .errors import CompileError
from .graph.node import Graph

declare("compile_dump", str, "", "a folder for everything that is made on the way to a compiled program; empty: none")
declare("compile_cache", bool, True, "whether programs are looked for in the cache on disk, and stored there")
declare("cuda_checks", bool, False, "whether compiled CUDA kernels test the indices that they read from memory",
        enters_compile_key=True)

graph_log, fusion_log, code_log = logs.get("graph"), logs.get("fusion"), logs.get("code")
timing_log, cache_log = logs.get("timing"), logs.get("cache")


class Timing:
    """Seconds by step, in the order of the steps."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step; what goes wrong in it becomes a `CompileError` of that step."""
        start = time.perf_counter()
        try:
            yield
        except CompileError:
            raise
        except Exception as error:
            raise CompileError(name, f"{type(error).__name__}: {error}") from error
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

    def __str__(self) -> str:
        parts = [f"{name} {seconds * 1e3:.1f} ms" for name, seconds in self.seconds.items()]
        return f"{', '.join(parts)}; in all {sum(self.seconds.values()) * 1e3:.1f} ms"


def cpp(graph: Graph, unwanted: Iterable[int] = ()) -> Any:
    """Compile a graph to machine code.

    Args:
        graph: as captured, or functional already.
        unwanted: numbers of outputs that come as None, because the caller makes these views himself.

    Returns:
        A `runtime.Program`: ``program(arrays, scalars) -> outputs``. Its attributes ``kernels``, ``reasons``,
        ``groups``, ``timing`` and ``cached`` tell how it was made.

    Raises:
        CompileError: a step failed; ``step`` says which, ``__cause__`` holds its error.
    """
    from .build import compilers
    from .runtime import Program

    timing = Timing()
    with timing.step("prepare"):
        compilers.find()  # without one, all that follows is in vain
        _build_launcher()
        prepared = _prepared(graph)

    def load(stored: Any) -> Any:
        from .build import load

        with timing.step("build"):
            library = load(stored.text) if any(kind == "segment" for kind, _ in stored.facts.script) else None
        with timing.step("load"):
            return Program(stored.facts, library, stored.text, unwanted)

    return _compiled(graph, prepared, timing, "cpp", load)


def cuda(graph: Graph, unwanted: Iterable[int] = (), device: Any = None) -> Any:
    """Compile a graph to kernels of a GPU.

    Args:
        graph, unwanted: as in `cpp`. device: a `runtime.cuda.Device`; by default the first GPU.

    Returns:
        A `runtime.cuda.program.Program`: as that of `cpp`, over the device's arrays.

    Raises:
        CompileError: a step failed. RuntimeError: there is no GPU.
    """
    from .runtime.cuda import current
    from .runtime.cuda.program import Program

    timing = Timing()
    device = device or current()
    with timing.step("prepare"):
        prepared = _prepared(graph)

    def load(stored: Any) -> Any:
        with timing.step("build"):
            return Program(stored.facts, stored.text, unwanted, device)

    return _compiled(graph, prepared, timing, "cuda", load)


def emitted(graph: Graph, target: str = "cuda") -> tuple[Any, Made]:
    """All steps before the build.

    Returns:
        `build.programs.Stored`, and what the steps made.
    """
    timing = Timing()
    with timing.step("prepare"):
        prepared = _prepared(graph)
    return _make(prepared, timing, target)


def _compiled(graph: Graph, prepared: Graph, timing: Timing, target: str, load: Callable[[Any], Any]) -> Any:
    stored, key, made = None, None, None
    if settings.compile_cache and not settings.compile_dump:
        with timing.step("look up"):
            stored, key = _look_up(prepared, target)
    cached = stored is not None
    if stored is None:
        stored, made = _make(prepared, timing, target)
    program = load(stored)
    program.kernels, program.reasons, program.groups = stored.kernels, stored.reasons, stored.groups
    program.timing, program.cached, program.graph = timing.seconds, cached, prepared
    if key is not None and not cached:
        with timing.step("store"):
            from .build import programs

            programs.store(key, stored)
    timing_log("%s (%s)", timing, "program from the cache" if cached else "compiled")
    if settings.compile_dump:
        from .dump import dump

        dump(settings.compile_dump, graph, prepared, made, program)
    return program


def _build_launcher() -> None:
    """Build the extension that calls programs while the first program is in the making."""
    from .runtime.launcher import extension_module

    def build() -> None:
        with suppress(Exception):  # whoever needs the extension gets the error
            extension_module()

    if not extension_module.cache_info().currsize:
        threading.Thread(target=build, name="lamella-launcher", daemon=True).start()


def _prepared(graph: Graph) -> Graph:
    from .graph.passes import prepare

    prepared = graph if graph.functional else prepare(graph)
    if graph_log.on:
        from .graph.printer import source

        graph_log("%s", source(prepared))
    return prepared


def _look_up(prepared: Graph, target: str) -> tuple[Any, str | None]:
    from .build import programs

    key = programs.key(prepared, target)
    stored = programs.load(key) if key is not None else None
    cache_log("program %s: %s", key, "found" if stored is not None else "not found")
    return stored, key


class Made:
    """What the steps made, for people to read."""

    def __init__(self, prepared: Any, decomposed: Any, lowered: Any, plan: Any, source: Any) -> None:
        self.prepared, self.decomposed, self.lowered, self.plan, self.source = (
            prepared, decomposed, lowered, plan, source)


def _make(prepared: Graph, timing: Timing, target: str) -> tuple[Any, Made]:
    """All steps between the prepared graph and the text."""
    from .build.programs import Stored
    from .graph.picture import groups_of
    from .runtime.facts import counters_of, facts_of
    from .schedule.report import described

    other: dict[str, Any] = {} if target == "cpp" else {"target": target}
    with timing.step("decompose"):
        from .decompose import decompose

        decomposed = decompose(prepared)
    with timing.step("lower"):
        from .lower import lower

        lowered = lower(decomposed, **other)
    with timing.step("schedule"):
        from .schedule import schedule

        plan = schedule(lowered, **other)
    with timing.step("emit"):
        from .emit import emit

        source = emit(plan, **other)
        facts = facts_of(plan, source.script, prepared.returned)
        facts.counters = counters_of(decomposed)
        stored = Stored(source.text, facts, described(plan), list(plan.reasons), groups_of(plan))
    if fusion_log.on:
        fusion_log("%s", "\n".join([*stored.kernels, *(f"not fused: {reason}" for reason in stored.reasons)]))
    code_log("%s", source.text)
    return stored, Made(prepared, decomposed, lowered, plan, source)
