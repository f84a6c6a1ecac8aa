"""Kernels without shared rows, taken apart again where that makes functions that many places can call.

A kernel that has no outer loop saves nothing by holding loops that read different memory: each is a loop of its own.
Apart, they are small functions with equal bodies ("the sum of squares of n elements"), printed once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...loops.index import is_static
from ...loops.ir import Buffer
from ...schedule.plan import Kernel, Member, Part
from ..reading import Readings

FEW = 3


def apart(kernel: Kernel, readings: Readings, memory: Callable[[Buffer], Any]) -> list[Kernel]:
    """The kernel, or several that do the same one after the other.

    ``memory`` tells which buffers have memory in common: loops that touch it stay together, since one that reads old
    content and one that writes new content rely on running side by side. Values that pass between the pieces are single
    numbers (`is_number`), which need memory that the plan does not have.
    """
    if kernel.outer or kernel.columns or kernel.sequential or len(kernel.members()) <= FEW or (
            _rows_pass(kernel, readings)):
        return [kernel]
    found: list[Kernel] = []
    for part in kernel.parts:
        for members in (_components(part.members, readings, memory) if part.inner else [part.members]):
            last = found[-1] if found else None
            if last is not None and not part.inner and not last.parts[-1].inner:
                last.parts.append(Part((), list(members)))  # a part stores before the next one loads
                continue
            piece = Part(part.inner, list(members))
            found.append(Kernel(_name(kernel, members, readings), (), [piece], work=readings.work(piece)))
    for each in found:
        later = {b for k in found[found.index(each) + 1:] for m in k.members() for b in readings.reads(m.loop)}
        for p in each.parts:
            p.members = [Member(m.loop, m.index, m.keep or m.loop.out in later) for m in p.members]
    return found


def is_number(buffer: Buffer) -> bool:
    """Whether it holds one element."""
    return is_static(buffer.numel) and buffer.numel == 1


def _rows_pass(kernel: Kernel, readings: Readings) -> bool:
    """Whether values that have no memory and are not single numbers pass from part to part."""
    made: set[Buffer] = set()
    for part in kernel.parts:
        if any(b in made for m in part.members for b in readings.reads(m.loop)):
            return True
        made |= {m.loop.out for m in part.members if not m.keep and not is_number(m.loop.out)}
    return False


def _components(members: list[Member], readings: Readings, memory: Callable[[Buffer], Any]) -> list[list[Member]]:
    """Members that have memory in common, in order."""
    groups: list[tuple[set[Any], list[Member]]] = []
    made = {memory(m.loop.out) for m in members}
    for m in members:
        places = {memory(b): b for b in (*readings.reads(m.loop), m.loop.out)}
        touched = {place for place, b in places.items() if place in made or not is_number(b)}
        mine, rest = (touched, [m]), []
        for g in groups:
            if g[0] & touched:
                mine = (mine[0] | g[0], g[1] + mine[1])
            else:
                rest.append(g)
        groups = [*rest, mine]
    return [g[1] for g in groups]


def _name(kernel: Kernel, members: list[Member], readings: Readings) -> str:
    kinds = dict.fromkeys(m.loop.how or readings.recorded(m.loop).result.name for m in members)
    return f"{kernel.name.split('_')[0]}_{'_'.join(kinds)}"[:48]

