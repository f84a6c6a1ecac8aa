"""Programs on a device: memory that is planned once, launches that are prepared once, and replayed where they repeat.

A launch plan is run in three stages. What is the same for all calls with the same sizes is done once (`_Setup`): grids,
addresses in the arena, arguments that do not change. Each call fills in the addresses of inputs and outputs and the
run-time numbers. Runs of launches whose addresses and numbers come again are recorded, and started all at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ...graph.memory import may_overlap
from ..externs import Frame, caller, refs
from ..facts import Facts, number_of, numbers_of
from ..launcher import MAKE, POOL, SAME, VALUE
from ..outputs import Outputs
from .device import Device, current
from .staging import SMALL, Staging, leading_draws
from .steps import REPORT, Group, Launches, reported

NUMBER = SAME + 1  # besides the kinds of `launcher`: a copy of what has a place of its own
NUMBERS = 4  # outputs of one element that have a place of their own
KEPT = 8  # sets of memory (for values of symbols, or for streams) that are kept


class Program:
    """A compiled graph on a device.

    Call it with one array for each input, laid out as the graph's specs say, and the run-time scalars. NumPy arrays
    among the inputs are copied to the device, and back where the program writes to them.

    Attributes:
        launch: the same call.
        facts: what it was made from. source: the CUDA text.
        unwanted: numbers of outputs that the caller makes himself (views): they come as None.
        kernels, reasons, groups, timing, cached, graph: how it was made; see `lamella.compile.pipeline`.
    """

    kernels: Sequence[str] = ()
    reasons: Sequence[str] = ()
    groups: Mapping[str, str] = MappingProxyType({})
    timing: Any = None
    cached = False
    graph: Any = None

    def __init__(self, facts: Facts, source: str, unwanted: Iterable[int] = (), device: Device | None = None) -> None:
        self.facts, self.source, self.unwanted = facts, source, frozenset(unwanted)
        self.device = device or current()
        needed = any(kind == "launch" for kind, _ in facts.script)
        self.module = self.device.module(source) if needed else None
        self.written, self.read = frozenset(facts.written), frozenset(_read(facts))
        self._lock = threading.RLock()
        self._ready: dict[tuple[Any, ...], _Ready] = {}
        self._constants: list[Any] | None = None
        self.launch = self.__call__

    def __call__(self, inputs: Sequence[Any], scalars: Sequence[Any] = ()) -> list[Any]:
        """Run it.

        Returns:
            The outputs of the graph that are the caller's: arrays, and whatever else it returns. Outputs that lie in
            an input's memory are views of the array given.

        Raises:
            IndexError: an index read from memory is out of range (with the setting ``cuda_checks``).
        """
        if len(inputs) != self.facts.inputs:
            raise TypeError(message("compiled program", f"takes {self.facts.inputs} arrays", f"got {len(inputs)}"))
        values = tuple(int(inputs[of].shape[dim]) for _, of, dim in self.facts.symbols)
        with self._lock, self.device.active():
            return self._of(values)(inputs, scalars)

    def _of(self, values: tuple[int, ...]) -> _Ready:
        key = (values, self.device.stream())
        found = self._ready.get(key)
        if found is None:
            if len(self._ready) >= KEPT:
                del self._ready[next(iter(self._ready))]
            found = self._ready[key] = _Setup(self, values).ready()
        return found

    def constants(self) -> list[Any]:
        """The constants, on the device."""
        if self._constants is None:
            self._constants = [self.device.put(each) for each in self.facts.constants]
        return self._constants


def _read(facts: Facts) -> set[int]:
    """The inputs whose memory the program needs; others only tell sizes."""
    slots: set[int] = set()
    for kind, step in facts.script:
        if kind == "launch":
            slots |= {what[0] for kind, *what in step.arguments if kind == "buffer"}
        elif kind == "product":
            slots |= {step.a.slot, step.b.slot, step.c.slot}
        else:
            slots |= {ref.slot for ref in refs(step.args) + refs(step.kwargs)} | {n for n in step.outs if n is not None}
    found = {facts.slots[n].number for n in slots if facts.slots[n].kind == "input"}
    for kind, out in facts.outputs:
        if kind == "view" and out.kind == "input":
            found.add(out.of)
        elif kind == "slot" and facts.slots[out].kind == "input":
            found.add(facts.slots[out].number)
    return found


class _Memory:
    """What eager calls between launches need to know of the device's memory (see `externs.Host`)."""

    def __init__(self, device: Device) -> None:
        self.device, self.key = device, device.key
        self.address, self.copy, self.may_overlap = device.address, device.copy, may_overlap

    def part(self, root: Any, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
        """The view of a root's memory; offset in elements from the root's first element."""
        return self.device.lying_in(root, _name(root), shape, stride, offset)

    def maker(self, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Callable[[], Any]:
        """A function that makes an array of this layout."""
        return lambda: self.device.make(dtype, shape, stride)


def _name(array: Any) -> str:
    from lamella.core.dtypes import from_numpy_dtype

    return from_numpy_dtype(array.dtype).name


class _Setup:
    """A program in the making, with numbers for its symbols."""

    def __init__(self, program: Program, values: tuple[int, ...]) -> None:
        self.program, self.facts, self.device = program, program.facts, program.device
        self.symbols = {name: value for (name, _, _), value in zip(self.facts.symbols, values, strict=True)}
        self.fixed: dict[int, Any] = {}
        self.staging = Staging(self.device)
        self.addresses = [0] * len(self.facts.slots)

    def ready(self) -> _Ready:
        facts = self.facts
        self._lay_out()
        leading = leading_draws(facts)
        places = [self.staging.add("int64", (2,)) for _ in leading]
        if leading:
            made = self.staging.made()
            for step, place in zip(leading, places, strict=True):
                host, self.fixed[step.outs[0]] = made[place]
                self.addresses[step.outs[0]] = self.device.address(made[place][1])
                self.staging.draws.append((host, step.args[0]))
        launches = Launches(self.program, self.addresses, set(self.fixed), self.symbols)
        frame = Frame(facts.slots, self.symbols, self.fixed, facts.scalars, _Memory(self.device))
        steps: list[Any] = []
        for kind, step in facts.script:
            if any(step is each for each in leading):
                continue
            if kind == "call":
                filled = [n for n in step.outs if n is not None and facts.slots[n].kind == "extern"]
                steps.append((caller(step, frame), filled))
            else:
                if not steps or not isinstance(steps[-1], Group):
                    steps.append(Group(self.device))
                launches.add(steps[-1], kind, step)
        return _Ready(self, steps, launches)

    def _lay_out(self) -> None:
        facts, device = self.facts, self.device
        size, offsets = facts.arena, None
        if facts.symbols:
            from ..program import laid_out

            size, offsets = laid_out(facts, self.symbols)
        arena: Any = device.empty(size) if size else None
        constants = self.program.constants()
        for n, slot in enumerate(facts.slots):
            if slot.kind == "arena":
                place = slot.number if offsets is None else offsets[n]
                shape, stride = numbers_of(slot.shape, self.symbols), numbers_of(slot.stride, self.symbols)
                offset = number_of(slot.offset, self.symbols)
                self.fixed[n] = device.lying_in(arena[place:], slot.dtype, shape, stride, offset)
            elif slot.kind == "constant":
                self.fixed[n] = constants[slot.number]
        for n, array in self.fixed.items():
            self.addresses[n] = device.address(array)

    def outputs(self) -> list[tuple[int, Any]]:
        """How each output comes about (see `runtime.outputs`); of a new one slot and layout."""
        how = Outputs(self.facts, self.symbols, self.program.unwanted, self.device.lying_in)
        return [self._output(*how[n]) for n in range(len(self.facts.outputs))]

    def _output(self, kind: int, what: Any) -> tuple[int, Any]:
        if kind != POOL:
            return kind, what
        slot = self.facts.slots[what]
        shape, stride = numbers_of(slot.shape, self.symbols), numbers_of(slot.stride, self.symbols)
        return POOL, (what, slot.dtype, shape, stride)


class _Ready:
    """A program for one set of sizes on one stream."""

    def __init__(self, setup: _Setup, steps: list[Any], launches: Launches) -> None:
        self.program, self.device, self.draws = setup.program, setup.device, setup.staging
        self.hosts: list[int] = []
        self.staging: Staging | None = None
        self.staged: dict[int, Any] = {}
        self.steps, self.launches, self.addresses = steps, launches, setup.addresses
        self.frame = [setup.fixed.get(n) for n in range(len(setup.addresses))]
        self.outputs = setup.outputs()
        facts = setup.facts
        self.numbers = self._numbers()
        self.inputs = [(n, slot.number) for n, slot in enumerate(facts.slots) if slot.kind == "input"]
        self.returned = facts.returned
        self.report = None
        if launches.checked:
            self.report = self.device.put(np.zeros(REPORT * len(launches.checked), np.int64))

    def _numbers(self) -> list[tuple[int, Any]]:
        """Outputs of one element, such as a loss, which callers keep: they are computed in one place and copied from
        there, so that the launches of the next call see the same addresses."""
        found: list[tuple[int, Any]] = []
        for n, (kind, what) in enumerate(self.outputs):
            if kind == POOL and all(size == 1 for size in what[2]) and len(found) < NUMBERS:
                slot, dtype, shape, stride = what
                self.frame[slot] = array = self.device.make(dtype, shape, stride)
                self.addresses[slot] = self.device.address(array)
                self.outputs[n] = NUMBER, array
                found.append((n, array))
        return found

    def __call__(self, inputs: Sequence[Any], scalars: Sequence[Any]) -> list[Any]:
        device, frame, table = self.device, list(self.frame), list(self.addresses)
        given, copied = self._given(inputs)
        if self.draws.draws:
            self.draws.send(())
        for slot, of in self.inputs:
            frame[slot] = given[of]
            if of in self.program.read:
                table[slot] = device.address(given[of])
        results: list[Any] = [None] * len(self.outputs)
        for n, (kind, what) in enumerate(self.outputs):
            if kind == POOL:
                slot, dtype, shape, stride = what
                results[n] = frame[slot] = device.make(dtype, shape, stride)
                table[slot] = device.address(results[n])
        self._run(frame, table, scalars)
        for n, array in self.numbers:
            results[n] = array.copy()
        for n, (kind, what) in enumerate(self.outputs):
            if kind == VALUE:
                results[n] = what
            elif kind == SAME:
                results[n] = results[what]
            elif kind == MAKE:
                results[n] = what(given, results, frame)
        counters = self.program.facts.counters
        for n in copied:
            if n in counters:
                np.add(inputs[n], counters[n], out=inputs[n], casting="unsafe")
            else:
                np.copyto(inputs[n], device.get(given[n]))
        return results[: self.returned]

    def _given(self, inputs: Sequence[Any]) -> tuple[list[Any], list[int]]:
        """The inputs on the device, and which of them must be copied back."""
        kind = self.device.array_type
        hosts = [n for n, array in enumerate(inputs) if type(array) is not kind and n in self.program.read]
        if not hosts:
            return list(inputs), hosts
        if hosts != self.hosts:
            self._stage(hosts, inputs)
        given = list(inputs)
        if self.staging is not None:
            self.staging.send(inputs)
        for n in hosts:
            found = self.staged.get(n)
            given[n] = self.device.put(inputs[n]) if found is None else found
        return given, [n for n in hosts if n in self.program.written]

    def _stage(self, hosts: list[int], inputs: Sequence[Any]) -> None:
        """Make memory for the small inputs that come from the host."""
        small = [n for n in hosts if inputs[n].nbytes <= SMALL and inputs[n].flags.c_contiguous]
        self.hosts, self.staged, self.staging = hosts, {}, Staging(self.device) if small else None
        if self.staging is not None:
            for n in small:
                self.staging.add(_name(inputs[n]), inputs[n].shape)
            for n, (host, array) in zip(small, self.staging.made(), strict=True):
                self.staging.inputs.append((host, n))
                self.staged[n] = array

    def _run(self, frame: list[Any], table: list[int], scalars: Sequence[Any]) -> None:
        if self.report is not None:
            self.report[...] = 0
            self.launches.report = self.device.address(self.report)
        for step in self.steps:
            if isinstance(step, Group):
                step.run(table, scalars, self.launches.report)
            else:
                step[0](frame, scalars)
                for slot in step[1]:
                    table[slot] = self.device.address(frame[slot])
        if self.report is not None:
            reported(self.device.get(self.report), self.launches.checked)
