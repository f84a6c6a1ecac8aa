"""Where buffers lie: inputs that are written in place, results for the caller, and an arena for everything between."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..loops.index import product
from ..loops.ir import Buffer, Extern, Loop, Lowered, itemsize
from .fuse import Unit
from .group import Fit, Group
from .order import reads_of, writes_of
from .plan import Place, Slot, pack


@dataclass(slots=True)
class Memory:
    """The result: see `lamella.compile.schedule.plan.Plan`."""

    places: dict[Buffer, Place] = field(default_factory=dict)
    constants: list[Any] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    arena: int = 0


def bytes_of(buffer: Buffer) -> Any:
    """The size of a made buffer."""
    top: Any = 1
    for n, step in zip(buffer.shape, buffer.stride, strict=True):
        if isinstance(n, int) and isinstance(step, int) and isinstance(top, int):
            top += max(n - 1, 0) * step
        else:
            top = None
            break
    elements = max(top, product(buffer.shape)) if isinstance(top, int) else product(buffer.shape)
    return elements * itemsize(buffer.dtype)


def unit_reads(unit: Unit, steps: list[Any]) -> list[Buffer]:
    """What a unit reads that it does not make itself."""
    own = {b for n in unit.numbers for b in writes_of(steps[n])} if unit.groups else set()
    found: dict[Buffer, None] = {}
    if unit.group is None:
        found = dict.fromkeys(reads_of(steps[unit.numbers[0]]))
    found |= dict.fromkeys(b for g in unit.groups for f in g.fits for b in f.nest.reads if b not in own)
    return list(found)


def unit_writes(unit: Unit, steps: list[Any]) -> list[Buffer]:
    """What a unit fills."""
    return list(dict.fromkeys(b for n in unit.numbers for b in writes_of(steps[n])))


def plan_memory(lowered: Lowered, steps: list[Any], units: list[Unit], kept: set[Buffer],
                in_place: dict[Buffer, Buffer]) -> Memory:
    """Give every buffer that has memory its place.

    Args:
        lowered: the program. steps: its steps by number. units: in the order in which they run.
        kept: the buffers that have memory.
        in_place: new content -> the input that it overwrites.
    """
    memory = Memory()
    for b in lowered.inputs:
        memory.places[b] = Place("input", b.number)
    for new, target in in_place.items():
        memory.places[new] = Place("input", target.number)
    for o, b in enumerate(lowered.outputs):
        if isinstance(b, Buffer) and o not in lowered.aliases and b.kind == "made" and b not in memory.places:
            memory.places[b] = Place("output", o)
    count = 0
    for unit in units:
        for b in [*unit_reads(unit, steps), *unit_writes(unit, steps)]:
            if b.kind == "constant" and b not in memory.places:
                memory.places[b] = Place("constant", len(memory.constants))
                memory.constants.append(b.data)
        step = steps[unit.numbers[0]]
        if isinstance(step, Extern):
            for b in writes_of(step):
                if b not in memory.places:
                    memory.places[b] = Place("extern", count)
                    count += 1
    _arena(memory, steps, units, kept)
    return memory


def _arena(memory: Memory, steps: list[Any], units: list[Unit], kept: set[Buffer]) -> None:
    first: dict[Buffer, int] = {}
    last: dict[Buffer, int] = {}
    for n, unit in enumerate(units):
        for b in unit_writes(unit, steps):
            if b not in memory.places and b in kept:
                first.setdefault(b, n)
                last[b] = n
        for b in unit_reads(unit, steps):
            if b in first:
                last[b] = n
    slot: dict[Buffer, Slot] = {}
    for n, unit in enumerate(units):
        for b in [b for b in first if first[b] == n]:
            old = _heir(unit, steps, b, slot, n, last)
            if old is not None:
                found = slot[old]
                found.buffers.append(b)
                found.last = last[b]
            else:
                found = Slot([b], bytes_of(b), n, last[b])
                memory.slots.append(found)
            slot[b] = found
    static = all(isinstance(s.size, int) for s in memory.slots)
    if static:
        memory.arena, offsets = pack([(s.size, s.first, s.last) for s in memory.slots])
    for k, s in enumerate(memory.slots):
        for b in s.buffers:
            memory.places[b] = Place("arena", offsets[k] if static else None)


def _heir(unit: Unit, steps: list[Any], new: Buffer, slot: dict[Buffer, Slot], n: int, last: dict[Buffer, int]
          ) -> Buffer | None:
    """A buffer that dies in a kernel, whose memory the kernel's result may take over."""
    group = next((g for g in unit.groups if new in g.stores), None)
    if group is None:
        return None
    maker, place = group.stores[new]
    size = bytes_of(new)
    busy = {b for g in unit.groups if g is not group for f in g.fits for b in f.nest.reads}
    if unit.group is None:
        busy.update(reads_of(steps[unit.numbers[0]]))
    for old in unit_old(group):
        free = old in slot and last[old] == n and slot[old].last == n and slot[old].buffers[-1] is old
        if free and old not in busy and slot[old].size == size and itemsize(old.dtype) == itemsize(new.dtype) and \
                _before(group, old, maker, place):
            return old
    return None


def unit_old(group: Group) -> list[Buffer]:
    """The buffers that a group reads, each once."""
    own = group.stores
    return [b for b in dict.fromkeys(b for f in group.fits for b in f.nest.reads) if b not in own]


def _before(group: Group, old: Buffer, maker: Fit, place: int) -> bool:
    """Whether all reads of ``old`` are at the element that ``maker`` then stores, and not after it."""
    if maker.nest.alone:
        loop: Loop = maker.nest.loop
        return loop.kind == "scatter" and loop.into is old and all(a.buffer is not old for a in maker.loads)
    for p, each in enumerate(group.passes):
        for f in each.fits:
            for a in f.loads:
                if a.buffer is old and not (a.same(maker.store) and (p < place or (p == place and (
                        f is maker or f.nest.number < maker.nest.number)))):
                    return False
    return True
