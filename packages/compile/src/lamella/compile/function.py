"""Compiled functions: entries that are tried in order, and what happens when none fits."""

from __future__ import annotations

import functools
import time
import warnings
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.config import settings
from lamella.dispatch.state import state

from . import backends
from .capture import Break, Capture, Changed, NoFit, holds, look_again, trace, trace_sizes
from .capture.breaks import user_line
from .capture.choose import trace_some
from .capture.guards import FAULTS, space_of
from .capture.sizes import WHOLE, size_at
from .entry import Entry, Miss
from .status import Recording, breaks_log, counters, guards_log, is_recording, once, recompiles_log, stance

_NOTHING = Miss(None)
_all: weakref.WeakSet[CompiledFunction] = weakref.WeakSet()
RETRIES = 3


class CompiledFunction:
    """A function that is compiled when it is called.

    Attributes:
        fn: the function itself. settings: what else it was made with.
        entries: compiled calls, the one that fitted last first.
        breaks: why calls run uncompiled: signature of a call -> the `Break`.
        wanted: numbers that became run-time values (see `capture.trace`).
    """

    def __init__(self, fn: Callable[..., Any], *, backend: Any = "cpp", fullgraph: bool = False,
                 dynamic: bool | None = None, options: dict[str, Any] | None = None) -> None:
        self.fn, self.fullgraph, self.dynamic, self.options = fn, fullgraph, dynamic, options or {}
        self.settings = {"backend": backend, "fullgraph": fullgraph, "dynamic": dynamic, "options": options}
        self.backend_name, self.backend, self.users_own = backends.lookup(backend)
        self.name = getattr(fn, "__qualname__", type(fn).__name__)
        self.reset()
        _all.add(self)

    def reset(self) -> None:
        """Forget what was compiled."""
        self.entries: list[Entry] = []
        self.breaks: dict[Any, Break] = {}
        self.wanted: set[Any] = set()
        self.sizes: set[tuple[str, int]] = set()
        self.fixed: list[set[tuple[str, int]]] = []
        self.fixed_reason = ""
        self.no_whole: set[tuple[str, int]] = set()
        self.retries = 0
        self.compiled = 0
        self.recompiles: list[str] = []
        self.seconds: list[float] = []
        self.first: Callable[[Any, Any], Any] = _no_entry

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found = self.first(args, kwargs)
        return self.slow(args, kwargs, found) if found.__class__ is Miss else found

    def emit(self, target: str, inputs: Any = (), kwargs: dict[str, Any] | None = None, out: Any = None) -> Any:
        """Write what a call compiles to as a program of its own: see `lamella.compile.standalone.emit`."""
        from .standalone import emit

        return emit(self, target, inputs, kwargs, out)

    # ------------------------------------------------------------------ choosing

    def slow(self, args: Any, kwargs: Any, miss: Miss) -> Any:
        """A call that the first entry does not fit."""
        if is_recording() or not settings.compile_enabled or stance[0] == "force_eager" or state.thread.modes:
            return self.fn(*args, **kwargs)
        misses: list[tuple[Entry, Miss]] = []
        for entry in list(self.entries):
            found = self._try(entry, args, kwargs)
            if found.__class__ is not Miss:
                self._to_front(entry)
                return found
            misses.append((entry, found))
        if not self.entries and self.breaks:
            known = self.breaks.get(signature(args, kwargs))
            if known is not None or len(self.breaks) >= RETRIES:
                return self._eager(args, kwargs)
        elif self.breaks and signature(args, kwargs) in self.breaks:
            return self._eager(args, kwargs)
        return self._compile(args, kwargs, misses)

    def _try(self, entry: Entry, args: Any, kwargs: Any) -> Any:
        for _ in range(len(entry.arrays) + 2):
            found = entry.run(args, kwargs)
            if found.__class__ is not Miss or not (entry.repair(found) or self._verified(entry, found, args, kwargs)):
                return found
        return found

    def _verified(self, entry: Entry, miss: Miss, args: Any, kwargs: Any) -> bool:
        """Look again at a size that lies beyond those that were looked at."""
        guard = miss.guard
        if guard is None or guard.place is None or guard.place[0] != "range":
            return False
        here = entry.sizes_of(args, kwargs)
        if tuple(here.values()) in entry.refused:
            return False
        with Recording():
            if holds(entry.capture, self.fn, args, kwargs, self.wanted, here):
                far = entry.beyond(here)  # sizes that grow from call to call are soon ahead of
                entry.widen(here)
                if far != here and holds(entry.capture, self.fn, args, kwargs, self.wanted, far):
                    entry.widen(far)
                return True
        entry.refused.add(tuple(here.values()))
        return False

    def _to_front(self, entry: Entry) -> None:
        if self.entries[0] is not entry:
            self.entries.remove(entry)
            self.entries.insert(0, entry)
        self.first = entry.run

    def _eager(self, args: Any, kwargs: Any) -> Any:
        counters["calls"]["eager"] += 1
        return self.fn(*args, **kwargs)

    # ------------------------------------------------------------------ compiling

    def _compile(self, args: Any, kwargs: Any, misses: list[tuple[Entry, Miss]]) -> Any:
        if misses and not self._may_recompile(args, kwargs, misses):
            return self._eager(args, kwargs)
        start = time.perf_counter()
        try:
            entry = self._new_entry(args, kwargs)
        except Break as stop:
            return self._stopped(stop, args, kwargs)
        except Exception as error:
            return self._failed(error, args, kwargs)
        self.seconds.append(time.perf_counter() - start)
        counters["calls"]["recompiled" if misses else "captured"] += 1
        self.compiled += 1
        self.entries.insert(0, entry)
        self.first = entry.run
        found = self._try(entry, args, kwargs)
        if found.__class__ is Miss:
            self.entries.remove(entry)
            why = entry.explain(found, args, kwargs)
            return self._stopped(Break(f"a guard does not hold right after compiling: {why}"), args, kwargs)
        return found

    def _new_entry(self, args: Any, kwargs: Any) -> Entry:
        capture = self.capture(args, kwargs)
        if guards_log.on:
            guards_log("%s: %d guards\n%s", self.name, len(capture.guards), "\n".join(map(repr, capture.guards)))
        from .build_entry import build_entry

        try:
            return build_entry(self, capture)
        except Exception as error:
            if not capture.graph.symbols:
                raise
            self.fixed.append(self._dims(args, kwargs))
            self.fixed_reason = f"{type(error).__name__}: {error}"
            recompiles_log("%s: compiled for one size at a time: %s", self.name, self.fixed_reason)
            return self._new_entry(args, kwargs)

    def _dims(self, args: Any, kwargs: Any) -> set[tuple[str, int]]:
        """The sizes that vary, as far as this call has them."""
        if self.dynamic is False:
            return set()
        space = space_of(args, kwargs)
        learned = {place for place in self.sizes - self.no_whole if size_at(space, place) is not None}
        return learned | (all_dims if self.dynamic else marked_dims)(args, kwargs)

    def capture(self, args: Any, kwargs: Any) -> Capture:
        """Record a call (see `capture.trace`)."""
        with Recording():
            dims = self._dims(args, kwargs)
            if dims and dims not in self.fixed:
                try:
                    return trace_sizes(self.fn, args, kwargs, dims, wanted=self.wanted)
                except NoFit as stop:
                    self.fixed_reason = stop.reason
                    whole = {place for place in dims if place[1] == WHOLE}
                    if whole:  # whole numbers may count loops; sizes can do without them
                        self.sizes -= whole
                        self.no_whole |= whole
                        return self.capture(args, kwargs)
                    with suppress(NoFit):
                        return trace_some(self.fn, args, kwargs, dims, seen=self.sizes, wanted=self.wanted)
                    self.fixed.append(dims)
                    recompiles_log("%s: compiled for one size at a time: %s", self.name, stop.reason)
            found = trace(self.fn, args, kwargs, wanted=self.wanted)
            look_again(found, self.fn, args, kwargs, self.wanted)
            return found

    def _may_recompile(self, args: Any, kwargs: Any, misses: list[tuple[Entry, Miss]]) -> bool:
        why = misses[0][0].explain(misses[0][1], args, kwargs)
        if stance[0] == "fail_on_recompile":
            raise RuntimeError(f"torch.compile: {self.name} would be compiled again: {why}\n"
                               "hint: torch.compiler.set_stance('default') allows it")
        if stance[0] == "eager_on_recompile":
            return False
        if self.compiled >= settings.compile_limit + len(self.wanted):
            text = (f"torch.compile: {self.name} was compiled {self.compiled} times and stays uncompiled for other "
                    f"arguments; the last time {why}\nhint: LAMELLA_LOGS=recompiles tells all reasons; the setting "
                    "compile_limit raises the limit")
            if self.fullgraph:
                raise RuntimeError(text)
            once(text.partition(";")[0], lambda _: warnings.warn(text, UserWarning, stacklevel=7))
            return False
        self.recompiles.append(why)
        if guards_log.on:
            for entry, miss in misses:
                guards_log("%s: failed: %s", self.name, entry.explain(miss, args, kwargs))
        recompiles_log("%s: compiled again at %s because %s", self.name, user_line(), why)
        self._learn(misses, args, kwargs)
        return True

    def _learn(self, misses: list[tuple[Entry, Miss]], args: Any, kwargs: Any) -> None:
        """Numbers and sizes that were seen to change become run-time values."""
        for entry, miss in misses:
            guard = miss.guard
            if guard is None or guard.place is None:
                continue
            kind = guard.place[0]
            if kind == "argument":
                if type(guard.want) is float:
                    self.wanted.add(guard.place[1])
                    self.entries.remove(entry)
                elif type(guard.want) is int and guard.want > 1:
                    self.sizes.add((guard.place[1], WHOLE))
            elif kind == "size":
                for each in entry.guards:
                    if each.place is not None and each.place[0] == "size":
                        self._learn_sizes(each, args, kwargs)
            elif kind not in ("array", "range") and (_are_floats(guard.want) or type(guard.want) is Tensor):
                self.wanted.add((id(kind), guard.place[1]))
                self.entries.remove(entry)

    def _learn_sizes(self, guard: Any, args: Any, kwargs: Any) -> None:
        try:
            now = eval(guard.read, space_of(args, kwargs))
        except FAULTS:
            return
        if len(now) == len(guard.want):
            self.sizes |= {(guard.place[1], i) for i, (a, b) in enumerate(zip(now, guard.want, strict=True))
                           if a != b and a > 1 and b > 1}

    def _stopped(self, stop: Break, args: Any, kwargs: Any) -> Any:
        """The call cannot become a graph."""
        if self.fullgraph and not stop.quiet:
            raise stop
        if (isinstance(stop, Changed) or not stop.lasting) and self.retries < RETRIES:
            self.retries += not stop.quiet
            breaks_log("%s: this call runs uncompiled: %s (%s)", self.name, stop.reason, stop.where)
            return self._eager(args, kwargs)
        stop.__traceback__ = stop.__cause__ = stop.__context__ = None  # they hold the call's arguments
        self.breaks[signature(args, kwargs)] = stop
        counters["breaks"][f"{stop.where}: {stop.reason}" if stop.where else stop.reason] += 1
        breaks_log("%s: stays uncompiled: %s%s", self.name, f"{stop.where}: " if stop.where else "", stop.reason)
        return self._eager(args, kwargs)

    def _failed(self, error: Exception, args: Any, kwargs: Any) -> Any:
        """The compiler, or the function itself, raised."""
        if self.fullgraph:
            raise error
        result = self._eager(args, kwargs)  # what is wrong with the function shows here, in eager's words
        reason = f"{type(error).__name__}: {error}"
        counters["errors"][reason] += 1
        self.breaks[signature(args, kwargs)] = Break(reason)
        text = f"torch.compile: {self.name} runs uncompiled: {reason}"
        once(text, lambda t: warnings.warn(t, UserWarning, stacklevel=7))
        return result


def _no_entry(args: Any, kwargs: Any) -> Any:
    return _NOTHING


def _tensors(args: Any, kwargs: Any) -> list[tuple[str, Tensor]]:
    given = [*((f"a{i}", a) for i, a in enumerate(args)), *((f"kw[{k!r}]", v) for k, v in kwargs.items())]
    return [(e, t) for e, t in given if type(t) is Tensor and t._a.flags.c_contiguous]


def all_dims(args: Any, kwargs: Any) -> set[tuple[str, int]]:
    """All sizes of contiguous tensors among the arguments that are not 0 or 1."""
    return {(e, i) for e, t in _tensors(args, kwargs) for i, n in enumerate(t._a.shape) if n > 1}


def marked_dims(args: Any, kwargs: Any) -> set[tuple[str, int]]:
    """The sizes that the user has said to vary."""
    return {(e, i) for e, t in _tensors(args, kwargs) for i in t.__dict__.get("_dynamo_dynamic_indices", ())
            if t._a.shape[i] > 1}


def _are_floats(value: Any) -> bool:
    return type(value) is float or type(value) is tuple and bool(value) and all(type(v) is float for v in value)


def signature(args: Any, kwargs: Any) -> Any:
    """What a call looks like, as a key: types, shapes, plain values."""
    return (state.thread.exclude, tuple(_kind(a) for a in args), tuple((k, _kind(v)) for k, v in kwargs.items()))


def _kind(value: Any) -> Any:
    if isinstance(value, Tensor):
        return type(value), value._ks, value._a.dtype, value._a.ndim
    if isinstance(value, (list, tuple)):
        return type(value), tuple(map(_kind, value))
    if isinstance(value, dict):
        return tuple((k, _kind(v)) for k, v in value.items())
    if isinstance(value, (bool, str, type(None))):
        return value
    if isinstance(value, (int, float)):
        return type(value)
    return id(type(value))


def wrapper(compiled: CompiledFunction) -> Callable[..., Any]:
    """The function that users get: it calls the first entry and nothing else as long as that fits."""
    slow = compiled.slow

    @functools.wraps(compiled.fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        found = compiled.first(args, kwargs)
        if found.__class__ is Miss:
            return slow(args, kwargs, found)
        return found

    call.compiled = compiled  # type: ignore[attr-defined]
    call._torchdynamo_orig_callable = compiled.fn  # type: ignore[attr-defined]
    call.emit = compiled.emit  # type: ignore[attr-defined]
    return call


def reset() -> None:
    """Forget everything that was compiled."""
    from . import status

    for compiled in list(_all):
        compiled.reset()
    status.forget()

