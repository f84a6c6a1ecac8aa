"""Programs: machine code, memory that is planned once, and what Python does between native segments."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from lamella.core import parallel
from lamella.dispatch.errors import message

from ..build.library import Library
from ..graph.memory import lying_in
from ..schedule.plan import pack
from .externs import Frame, caller
from .facts import Facts, Slot, number_of, numbers_of
from .launcher import POOL, SAME, launcher
from .memory import block, kept, maker, numpy_dtype, within
from .outputs import Outputs

RELEASE = 50_000  # elementary operations of a call from which on it may use threads, and others may run meanwhile
KEPT = 8  # sets of memory (for values of symbols, or for calls at the same time) that are kept


class Program:
    """A compiled graph.

    Call it with one array for each input, laid out as the graph's specs say, and the run-time scalars.

    Attributes:
        launch: the same call, as the fastest object that does it; stays valid.
        facts, library: what it was made from. source: the C++ text.
        unwanted: numbers of outputs that the caller makes himself (views): they come as None.
        kernels, reasons, groups, timing, cached, graph: how it was made; see `lamella.compile.pipeline`.
    """

    kernels: Sequence[str] = ()
    reasons: Sequence[str] = ()
    groups: Mapping[str, str] = MappingProxyType({})
    timing: Any = None
    cached = False
    graph: Any = None

    def __init__(self, facts: Facts, library: Library | None, source: str = "", unwanted: Iterable[int] = ()) -> None:
        self.facts, self.library, self.source, self.unwanted = facts, library, source, frozenset(unwanted)
        self._lock = threading.Lock()
        self._ready: dict[tuple[int, ...], list[Any]] = {}
        self._class = launcher()
        self._addresses = {name: library.address(name) for kind, name in facts.script
                           if kind == "segment" and library is not None}
        self.launch: Callable[..., list[Any]] = self._slow if facts.symbols else self._new(())

    def __call__(self, inputs: Sequence[Any], scalars: Sequence[Any] = ()) -> list[Any]:
        """Run it.

        Returns:
            The outputs of the graph that are the caller's: arrays, and whatever else it returns. Outputs that lie in
            an input's memory are views of the array given.

        Raises:
            IndexError: an index read from memory is out of range.
        """
        return self.launch(inputs, scalars)

    def _slow(self, inputs: Sequence[Any], scalars: Sequence[Any] = ()) -> list[Any]:
        """A call with other sizes than the last one, or while another call is under way."""
        if len(inputs) != self.facts.inputs:
            raise TypeError(message("compiled program", f"takes {self.facts.inputs} arrays", f"got {len(inputs)}"))
        values = tuple(int(inputs[of].shape[dim]) for _, of, dim in self.facts.symbols)
        with self._lock:
            ready = self._ready.get(values, ())
            found = next((each for each in ready if not each.busy), None) or self._new(values)
            if values:
                self.launch = found
                self._ready[values] = self._ready.pop(values)  # the last to go
        return found(inputs, scalars)

    def _new(self, values: tuple[int, ...]) -> Any:
        """A launcher with memory of its own."""
        if sum(map(len, self._ready.values())) >= KEPT:
            oldest = next(iter(self._ready))
            self._ready[oldest].pop(0)
            if not self._ready[oldest]:
                del self._ready[oldest]
        made = _Setup(self, values).launcher()
        self._ready.setdefault(values, []).append(made)
        return made


class _Setup:
    """One launcher in the making: the program with numbers for its symbols."""

    def __init__(self, program: Program, values: tuple[int, ...]) -> None:
        self.program, self.values, self.facts = program, values, program.facts
        self.symbols = {name: value for (name, _, _), value in zip(self.facts.symbols, values, strict=True)}
        self.fixed: list[tuple[int, int, Any]] = []

    def launcher(self) -> Any:
        facts = self.facts
        self._lay_out()
        steps = [self._step(kind, step) for kind, step in facts.script]
        how = Outputs(facts, self.symbols, self.program.unwanted, lying_in, numpy_dtype)
        outputs = [self._output(n, how) for n in range(len(facts.outputs))]
        framed = any(isinstance(step, tuple) for step in steps) or any(
            kind == "slot" and facts.slots[out].kind not in ("output", "input")
            for kind, out in facts.outputs[: facts.returned])
        symbols = [(of, dim, value) for (_, of, dim), value in zip(facts.symbols, self.values, strict=True)]
        library = self.program.library
        release = facts.work is None or facts.work >= RELEASE
        inputs = tuple((n, slot.number) for n, slot in enumerate(facts.slots) if slot.kind == "input")
        return self.program._class(len(facts.slots), steps, self.fixed, facts.inputs, inputs, outputs, symbols,
                                   facts.returned, release, framed, np.ndarray, self.program._slow, failed,
                                   parallel.__dict__, 0 if library is None else library.openmp)

    def _lay_out(self) -> None:
        facts = self.facts
        size, offsets = facts.arena, None
        if facts.symbols:
            size, offsets = laid_out(facts, self.symbols)
        memory = block(size)
        start = memory.ctypes.data
        for n, slot in enumerate(facts.slots):
            if slot.kind == "arena":
                place = slot.number if offsets is None else offsets[n]
                self.fixed.append((n, start + place, self._array(slot, memory, place)))
            elif slot.kind == "constant":
                array = facts.constants[slot.number]
                self.fixed.append((n, array.ctypes.data, array))

    def _array(self, slot: Slot, memory: Any, start: int) -> Any:
        shape, stride = numbers_of(slot.shape, self.symbols), numbers_of(slot.stride, self.symbols)
        offset = number_of(slot.offset, self.symbols) * numpy_dtype(slot.dtype).itemsize
        return within(memory, start + offset, slot.dtype, shape, stride)

    def _step(self, kind: str, step: Any) -> Any:
        if kind == "segment":
            return self.program._addresses[step]
        slots = self.facts.slots
        filled = tuple(n for n in step.outs if n is not None and slots[n].kind == "extern")
        frame = Frame(slots, self.symbols, {n: array for n, _, array in self.fixed}, self.facts.scalars)
        return caller(step, frame), filled

    def _output(self, n: int, how: Outputs) -> tuple[int, int, Any, int]:
        kind, what = how[n]
        if kind == POOL:
            slot = self.facts.slots[what]
            shape, stride = numbers_of(slot.shape, self.symbols), numbers_of(slot.stride, self.symbols)
            return POOL, what, maker(slot.dtype, shape, stride), kept(slot.dtype, shape)
        return (SAME, what, None, 0) if kind == SAME else (kind, 0, what, 0)


def laid_out(facts: Facts, symbols: dict[str, int]) -> tuple[int, dict[int, int]]:
    """Bytes of the arena and the offset of each slot, for these sizes."""
    total, offsets = pack([(number_of(size, symbols), first, last) for size, first, last, _ in facts.layout])
    return total, {n: at for (_, _, _, slots), at in zip(facts.layout, offsets, strict=True) for n in slots}


def failed(kernel: str, value: int, size: int) -> None:
    """Raise what a failed check reports."""
    raise IndexError(message(kernel or "compiled program", "index out of range", {"index": value, "size": size}))
