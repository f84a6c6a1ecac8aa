"""Changes to loops before they are fused: copies of what must not share memory, and sums of much into few."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..loops.index import product
from ..loops.ir import Buffer, Loop, Lowered
from ..loops.record import record

ENOUGH_ROWS, MUCH = 4, 1 << 16
FEWEST, MOST = 8, 512


def tidy(lowered: Lowered) -> Lowered:
    """The program with an own made buffer for each output that is computed, and without idle mutations."""
    steps = list(lowered.steps)
    outputs = list(lowered.outputs)
    mutations = {n: o for n, o in lowered.mutations.items() if outputs[o] is not lowered.inputs[n]}
    targets = set(mutations.values())
    seen: set[Buffer] = set()
    idle = set(lowered.mutations.values()) - targets
    for o in sorted(range(len(outputs)), key=lambda o: (o not in targets, o)):
        value = outputs[o]
        if not isinstance(value, Buffer) or o in lowered.aliases or o in idle:
            continue
        if value.kind != "made" or value.base is not None or value in seen:
            fresh = Buffer(f"{value.name}_copy{o}", value.dtype, value.shape)
            steps.append(copy(value, fresh))
            outputs[o] = value = fresh
        seen.add(value)
    return replace(lowered, steps=steps, outputs=outputs, mutations=mutations)


def copy(source: Buffer, target: Buffer) -> Loop:
    """A loop that copies a buffer into another of the same shape and type."""
    root = source.root

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        return ops.load(root, source.at(index))

    def store(ops: Any, index: tuple[Any, ...]) -> Any:
        return target.at(index)

    return Loop(target, source.shape, body, store=store, origins=(f"copy_{target.name}",))


def split_reductions(steps: list[Any]) -> list[Any]:
    """Take reductions of much data to very few results apart: first parts of it, then the parts' results."""
    made: list[Any] = []
    for step in steps:
        made.extend(_split(step) if isinstance(step, Loop) else [step])
    return made


def _split(loop: Loop) -> list[Loop]:
    if loop.kind != "reduce" or loop.how.startswith("arg"):
        return [loop]
    rows, length = product(loop.ranges), product(loop.reduced)
    if not (isinstance(rows, int) and isinstance(length, int)) or rows >= ENOUGH_ROWS or length < MUCH:
        return [loop]
    kept = [n for n, s in enumerate(loop.reduced) if s != 1]
    first = kept[0]
    chunks = _chunks(loop.reduced[first])
    if chunks is None:
        return [loop]
    each = loop.reduced[first] // chunks
    count = len(loop.ranges)
    dtype = record(loop).result.dtype
    partial = Buffer(f"{loop.out.name}_parts", dtype, (*loop.ranges, chunks))
    inner = loop.body

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        own, part, rest = index[:count], index[count], list(index[count + 1:])
        rest[first] = part * each + rest[first]
        return inner(ops, (*own, *rest))

    def finish(ops: Any, index: tuple[Any, ...]) -> Any:
        return ops.load(partial, partial.at(index))

    lengths = tuple(each if n == first else s for n, s in enumerate(loop.reduced))
    begun = replace(loop, out=partial, ranges=(*loop.ranges, chunks), reduced=lengths, body=body, store=None)
    return [begun, replace(loop, reduced=(chunks,), body=finish)]


def _chunks(size: int) -> int | None:
    """A divisor of a size near 64, or the size itself, or None."""
    divisors = [d for d in range(FEWEST, min(MOST, size) + 1) if size % d == 0]
    if not divisors:
        return None
    return min(divisors, key=lambda d: max(d / 64, 64 / d))


