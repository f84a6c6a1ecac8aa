"""Launches that are prepared: what each call fills in, and runs of them that are recorded and started at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...emit.launch import Launch, Product, with_sizes
from ..facts import number_of
from ..memory import numpy_dtype
from .device import Device

REPORT = 3  # numbers of a report: whether something was out of range, what, and of which size
RECORDINGS = 8  # of one run of launches that are kept
SMALLEST = 2  # launches from which on a run is worth being recorded

Start = Callable[[list[int], Sequence[Any], int], None]


class Launches:
    """Prepares the launches of a program for one set of sizes.

    Attributes:
        checked: what the launches that report are called. report: address of their reports.
    """

    def __init__(self, program: Any, addresses: list[int], fixed: set[int], symbols: Mapping[str, int]) -> None:
        self.program, self.device = program, program.device
        self.addresses, self.fixed, self.symbols = addresses, fixed, symbols
        self.checked: list[str] = []
        self.report = 0

    def add(self, group: Group, kind: str, step: Launch | Product) -> None:
        """Prepare a step and add it to a run of them."""
        now = with_sizes(step, lambda size: int(number_of(size, self.symbols)))
        if isinstance(now, Launch):
            self._launch(group, now)
        else:
            self._product(group, now)

    def _launch(self, group: Group, step: Launch) -> None:
        if 0 in step.grid:
            return
        ready: list[Any] = []
        changing: list[tuple[int, str, int, Any]] = []  # place, what, slot or scalar, offset or type
        for place, (kind, *what) in enumerate(step.arguments):
            ready.append(0)
            if kind == "size":
                ready[place] = what[0]
            elif kind == "buffer":
                slot, offset = what
                ready[place] = self.addresses[slot] + offset
                if slot not in self.fixed:
                    changing.append((place, kind, slot, offset))
                    group.slots.add(slot)
            elif kind == "scalar":
                changing.append((place, kind, what[0], numpy_dtype(what[1]).type))
                group.scalars.add(what[0])
            else:
                changing.append((place, kind, 0, len(self.checked) * REPORT * 8))
                self.checked.append(step.title or step.kernel)
        group.add(self._starter(step, ready, changing))

    def _starter(self, step: Launch, ready: list[Any], changing: list[tuple[int, str, int, Any]]) -> Start:
        launch, module = self.device.launch, self.program.module
        kernel, grid, block, shared = step.kernel, step.grid, step.block, step.shared
        if not changing:
            return lambda table, scalars, report: launch(module, kernel, grid, block, shared, ready)

        def start(table: list[int], scalars: Sequence[Any], report: int) -> None:
            arguments = list(ready)
            for place, kind, number, more in changing:
                if kind == "buffer":
                    arguments[place] = table[number] + more
                elif kind == "scalar":
                    arguments[place] = more(scalars[number])
                else:
                    arguments[place] = report + more
            launch(module, kernel, grid, block, shared, arguments)

        return start

    def _product(self, group: Group, step: Product) -> None:
        if 0 in (step.batch, step.m, step.n):
            return
        product = self.device.product
        for each in (step.a, step.b, step.c):
            if each.slot not in self.fixed:
                group.slots.add(each.slot)
        (a, at), (b, bt), (c, ct) = ((each.slot, each.offset) for each in (step.a, step.b, step.c))
        group.add(lambda table, scalars, report: product(step, table[a] + at, table[b] + bt, table[c] + ct))


class Group:
    """Launches with no eager call between them.

    The second time that a run sees the same addresses and numbers it is recorded; from then on that recording is
    started instead.

    Attributes:
        slots: whose addresses change from call to call. scalars: the run-time numbers that launches read.
    """

    def __init__(self, device: Device) -> None:
        self.device = device
        self.starts: list[Start] = []
        self.slots: set[int] = set()
        self.scalars: set[int] = set()
        self._seen: OrderedDict[Any, Callable[[], None] | None] = OrderedDict()
        self._may_record = True
        self._order: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def add(self, start: Start) -> None:
        """Add a launch."""
        self.starts.append(start)

    def run(self, table: list[int], scalars: Sequence[Any], report: int) -> None:
        """Start all launches in order."""
        if not self._may_record or len(self.starts) < SMALLEST or self.device.recording():
            return self._start(table, scalars, report)
        if self._order is None:
            self._order = tuple(sorted(self.slots)), tuple(sorted(self.scalars))
        slots, numbers = self._order
        key = (tuple([table[n] for n in slots]), tuple([scalars[n] for n in numbers]), report)
        if key not in self._seen:
            if len(self._seen) >= RECORDINGS:
                self._seen.popitem(last=False)
            self._seen[key] = None
            return self._start(table, scalars, report)
        replay = self._seen[key]
        if replay is None:
            replay = self.device.recorded(lambda: self._start(table, scalars, report))
            if replay is None:
                self._may_record = False
                self._seen.clear()
                return self._start(table, scalars, report)
            self._seen[key] = replay
        self._seen.move_to_end(key)
        return replay()

    def _start(self, table: list[int], scalars: Sequence[Any], report: int) -> None:
        for start in self.starts:
            start(table, scalars, report)


def reported(numbers: Any, launches: list[str]) -> None:
    """Raise what the first report with a value says.

    Args:
        numbers: of all reports, in order. launches: what they are called.
    """
    from ..program import failed

    for n, launch in enumerate(launches):
        found, value, size = (int(each) for each in numbers[n * REPORT : (n + 1) * REPORT])
        if found & 0xFFFFFFFF:
            failed(launch, value, size)
