"""Which loops become one kernel: a greedy walk in the order of the program, guarded against cycles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..loops.ir import Buffer, Loop
from .access import Nest
from .group import Group, start
from .join import CPU, Limits, Rules, join, saved
from .order import Web, writes_of

MOST_CANDIDATES = 8
LITTLE = 1 << 14


@dataclass(eq=False, slots=True)
class Unit:
    """What runs as one step: a group of loops, or one native or extern call.

    Attributes:
        own: its steps. before, after: the steps that have to run earlier and later.
        group: the loops; None for a call. numbers: its steps, in order.
        epilogue: of a native call: groups that run on its result.
    """

    own: int
    before: int
    after: int
    group: Group | None = None
    numbers: list[int] = field(default_factory=list)
    epilogue: list[Group] = field(default_factory=list)

    @property
    def groups(self) -> list[Group]:
        """All groups of loops in it."""
        return self.epilogue if self.group is None else [self.group]


class Fuser:
    """The state of the walk. Sets of steps are bits of whole numbers."""

    def __init__(self, made: Web, nests: dict[int, Nest], enabled: bool = True, limits: Limits = CPU) -> None:
        self.web, self.nests, self.enabled = made, nests, enabled
        self.rules = Rules(dict(made.in_place), limits)
        self.reasons: list[str] = []
        self.units: dict[Unit, None] = {}
        self.unit: list[Unit] = []
        self.calls = [n for n in range(len(made.steps)) if n not in nests]
        self._reach()

    def _reach(self) -> None:
        count = len(self.web.steps)
        before = [0] * count
        after = [0] * count
        for n in range(count):
            for b in self.web.before[n]:
                before[n] |= before[b] | 1 << b
        for n in range(count - 1, -1, -1):
            for b in self.web.before[n]:
                after[b] |= after[n] | 1 << n
        for n in range(count):
            nest = self.nests.get(n)
            group = start(nest) if nest is not None else None
            self.unit.append(Unit(1 << n, before[n], after[n], group, [n]))
        self.units = dict.fromkeys(self.unit)

    def run(self) -> None:
        """Fuse: `units` are then what is left, in no particular order."""
        if self.enabled:
            for n in range(len(self.web.steps)):
                if n in self.nests and not self.nests[n].alone:
                    self._step(n)

    def _step(self, n: int) -> None:
        nest = self.nests[n]
        for unit, makes in self._candidates(n):
            mine = self.unit[n]
            if unit is mine or unit.own & mine.own:
                continue
            why = self._merge(unit, mine, makes)
            if why and makes:
                self._explain(nest, unit, why)

    def _candidates(self, n: int) -> list[tuple[Unit, bool]]:
        """Units that make what the loop reads, then units that read the same, those that save most first."""
        nest = self.nests[n]
        makers: dict[Unit, bool] = {}
        sharers: dict[Unit, bool] = {}
        for b in nest.reads:
            w = self.web.writer.get(b)
            if w is not None and w in self.nests:
                makers[self.unit[w]] = True
        for b in nest.reads:
            if _large(b) or not nest.variables:
                for r in self.web.readers.get(b, ())[-MOST_CANDIDATES:]:
                    if r < n and r in self.nests and self.unit[r] not in makers:
                        sharers[self.unit[r]] = False
        found = []
        for group, kind in ((makers, True), (sharers, False)):
            ranked = [(u, saved(u.group, nest)) for u in group if u.group is not None]
            ranked.sort(key=lambda pair: -pair[1])
            found += [(u, kind) for u, s in ranked[:MOST_CANDIDATES] if kind or s]
        return found

    def _merge(self, a: Unit, b: Unit, needed: bool) -> str:
        """Make one unit of two; or say why not."""
        own = a.own | b.own
        if (a.before & b.after | b.before & a.after) & ~own:
            return "something in between needs the one and is needed by the other"
        first, second = (a, b) if _rank(a) >= _rank(b) else (b, a)
        if first.group is None or second.group is None:
            return "one of them is a call"
        group = first.group
        if not needed and not self._worth(group, first, second):
            return "they share little"
        left = sorted(second.numbers)
        while left:
            why = ""
            for number in left:
                joined = join(group, self.nests[number], self.rules)
                if isinstance(joined, Group):
                    group = joined
                    left.remove(number)
                    break
                why = why or joined
            else:
                return why
        self._commit(first, second, group, [])
        return ""

    def adopt(self, call: Unit, unit: Unit) -> None:
        """Let a call take over a unit as its epilogue."""
        if unit.group is not None:
            self._commit(call, unit, None, [*call.epilogue, unit.group])

    def _worth(self, group: Group, first: Unit, second: Unit) -> bool:
        """Loops that only read the same are fused where that is a good part of their traffic and no call is between."""
        if second.group is None:
            return False
        traffic = sum(a.bytes() for f in second.group.fits for a in (f.store, *f.loads))
        if sum(saved(group, self.nests[n]) for n in second.numbers) * 4 < traffic:
            return False
        low, high = sorted((first.numbers[-1], second.numbers[-1]))
        return traffic < LITTLE or not any(low < c < high for c in self.calls)

    def _commit(self, a: Unit, b: Unit, group: Group | None, epilogue: list[Group]) -> None:
        own = a.own | b.own
        numbers = sorted(a.numbers + b.numbers, key=lambda n: (isinstance(self.web.steps[n], Loop), n))  # a call first
        made = Unit(own, (a.before | b.before) & ~own, (a.after | b.after) & ~own, group, numbers, epilogue)
        for n in made.numbers:
            self.unit[n] = made
        del self.units[a], self.units[b]
        later, earlier = own | made.after, own | made.before
        for u in self.units:
            if u.own & made.before:
                u.after |= later
            elif u.own & made.after:
                u.before |= earlier
        self.units[made] = None

    def _explain(self, nest: Nest, unit: Unit, why: str) -> None:
        made = {b: n for n in unit.numbers for b in writes_of(self.web.steps[n]) if b in nest.reads}
        what = ", ".join(_called(b.name, self.web.steps[n].origins) for b, n in made.items())
        where = f" ({nest.loop.where})" if nest.loop.where else ""
        self.reasons.append(f"{what} -> {_called(nest.loop.out.name, nest.loop.origins)}: {why}{where}")


def _called(name: str, origins: tuple[str, ...]) -> str:
    """A buffer's name, and the operator that it comes from."""
    return f"{name} ({origins[-1]})" if origins and origins[-1] != name else name


def _rank(unit: Unit) -> tuple[bool, int]:
    """Which of two units the other's loops join: rows take sums over columns, not the reverse."""
    return unit.group is not None and unit.group.form == "row", len(unit.numbers)


def _large(buffer: Buffer) -> bool:
    sizes: list[Any] = [s for s in buffer.shape if not (isinstance(s, int) and s == 1)]
    return bool(sizes)
