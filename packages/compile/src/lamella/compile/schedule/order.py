"""The order of steps: what needs what, what nobody needs, and what may be written in place."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..loops.ir import Buffer, Extern, Loop, Lowered, Native


def reads_of(step: Any) -> list[Buffer]:
    """The buffers that a native or extern call reads."""
    return list(dict.fromkeys(b.root for b in step.ins))


def writes_of(step: Any) -> list[Buffer]:
    """The buffers that a step fills."""
    if isinstance(step, Loop):
        return [step.out]
    return list(dict.fromkeys(b.root for b in step.outs if b is not None))


@dataclass(slots=True)
class Web:
    """What depends on what.

    Attributes:
        steps: the steps, in an order that runs.
        reads: of each step.
        before: of each step the numbers of those that have to run earlier.
        writer: buffer -> number of the only step that fills it.
        readers: buffer -> numbers of the steps that read it.
        in_place: buffer of a mutated input -> the number of the step that writes the new content into it.
    """

    steps: list[Any]
    reads: list[list[Buffer]]
    before: list[set[int]] = field(default_factory=list)
    writer: dict[Buffer, int] = field(default_factory=dict)
    readers: dict[Buffer, list[int]] = field(default_factory=dict)
    in_place: dict[Buffer, int] = field(default_factory=dict)


def living(lowered: Lowered, reads: list[list[Buffer]]) -> list[int]:
    """The numbers of the steps that something depends on; calls of eager kernels always stay."""
    needed = {b.root for b in lowered.outputs if isinstance(b, Buffer)}
    kept = []
    for n in range(len(lowered.steps) - 1, -1, -1):
        step = lowered.steps[n]
        if isinstance(step, Extern) or any(b in needed for b in writes_of(step)):
            kept.append(n)
            needed.update(reads[n])
    return kept[::-1]


def web(lowered: Lowered, steps: list[Any], reads: list[list[Buffer]],
        reads_own: Callable[[Loop, Buffer], bool]) -> Web:
    """Dependencies of living steps, with their order changed so that in-place writes come after other reads.

    Args:
        lowered, steps, reads: the program, its living steps, and what each of those reads.
        reads_own: whether a loop reads a buffer only at the places that it then stores to.
    """
    before = _before(steps, reads)
    made = Web(steps, reads, before)
    _index(made)
    for number, output in lowered.mutations.items():
        target, value = lowered.inputs[number], lowered.outputs[output]
        if may_write_into(made, target, value, reads_own):
            step = made.writer[value]
            others = {r for r in made.readers.get(target, ()) if r != step}
            if not any(_reaches(before, step, r) for r in others):
                before[step] |= others
                made.in_place[target] = step
    order = topological(before, list(range(len(steps))))
    place = {n: k for k, n in enumerate(order)}
    found = Web([steps[n] for n in order], [reads[n] for n in order], [{place[b] for b in before[n]} for n in order])
    _index(found)
    found.in_place = {b: place[n] for b, n in made.in_place.items()}
    return found


def may_write_into(made: Web, target: Buffer, value: Any, reads_own: Callable[[Loop, Buffer], bool]) -> bool:
    """Whether a mutated input's new content is a made buffer of the same layout; `tidy` saw to it that it is no other
    output."""
    if not isinstance(value, Buffer) or value.kind != "made" or value.base is not None or value not in made.writer:
        return False
    if value.dtype != target.dtype or value.shape != target.shape or value.offset != target.offset:
        return False
    steps = zip(value.shape, value.stride, target.stride, strict=True)
    if any(a != b for n, a, b in steps if not (isinstance(n, int) and n == 1)):
        return False
    step = made.steps[made.writer[value]]
    if isinstance(step, Extern) or (isinstance(step, Native) and target in made.reads[made.writer[value]]):
        return False
    if isinstance(step, Loop) and not reads_own(step, target):
        return False
    return target not in made.in_place


def _before(steps: list[Any], reads: list[list[Buffer]]) -> list[set[int]]:
    before: list[set[int]] = []
    writers: dict[Buffer, int] = {}
    readers: dict[Buffer, list[int]] = {}
    last_extern = -1
    for n, step in enumerate(steps):
        needs = {writers[b] for b in reads[n] if b in writers}
        for b in writes_of(step):
            needs.update(readers.get(b, ()))
            if b in writers:
                needs.add(writers[b])
            writers[b] = n
            readers[b] = []
        for b in reads[n]:
            readers.setdefault(b, []).append(n)
        if isinstance(step, Extern):
            if last_extern >= 0:
                needs.add(last_extern)
            last_extern = n
        needs.discard(n)
        before.append(needs)
    return before


def _index(made: Web) -> None:
    count: dict[Buffer, int] = {}
    for n, step in enumerate(made.steps):
        for b in writes_of(step):
            count[b] = count.get(b, 0) + 1
            made.writer[b] = n
        for b in made.reads[n]:
            made.readers.setdefault(b, []).append(n)
    for b, times in count.items():
        if times > 1:
            del made.writer[b]


def _reaches(before: list[set[int]], start: int, goal: int) -> bool:
    """Whether ``goal`` has to run after ``start``."""
    seen: set[int] = set()
    stack = [goal]
    while stack:
        n = stack.pop()
        if n == start:
            return True
        for b in before[n]:
            if b not in seen:
                seen.add(b)
                stack.append(b)
    return False


def topological(before: list[set[int]], rank: list[Any]) -> list[int]:
    """An order in which everything comes after what it needs; among the possible ones the lowest rank first."""
    after: list[list[int]] = [[] for _ in before]
    missing = [len(b) for b in before]
    for n, needs in enumerate(before):
        for b in needs:
            after[b].append(n)
    ready = [(rank[n], n) for n, count in enumerate(missing) if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, n = heapq.heappop(ready)
        order.append(n)
        for m in after[n]:
            missing[m] -= 1
            if missing[m] == 0:
                heapq.heappush(ready, (rank[m], m))
    return order
