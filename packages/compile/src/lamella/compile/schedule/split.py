"""Changes to loops before they are fused: copies of what must not share memory, and sums of much into few."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from ..loops.index import product
from ..loops.ir import Buffer, Loop, Lowered, itemsize
from ..loops.record import record
from .access import nest
from .group import start

ENOUGH_ROWS, MUCH = 4, 1 << 16
FEWEST, MOST = 8, 512
#: Of a GPU: blocks that keep it busy (which reduce by columns; by rows), and the least that each of them is to do.
COLUMN_BLOCKS, ROW_BLOCKS, LEAST_ROWS, LEAST_ELEMENTS = 1024, 256, 64, 4096


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


def split_reductions(steps: list[Any], target: str = "cpp") -> list[Any]:
    """Take reductions of much data to few results apart: first parts of it, then the parts' results.

    Args:
        steps: of a program. target: a GPU has many more threads to share the work.
    """
    made: list[Any] = []
    for step in steps:
        made.extend(_split(step, target) if isinstance(step, Loop) else [step])
    return made


def _split(loop: Loop, target: str) -> list[Loop]:
    if loop.kind != "reduce" or loop.how.startswith("arg"):
        return [loop]
    rows, length = product(loop.ranges), product(loop.reduced)
    if not (isinstance(rows, int) and isinstance(length, int)):
        return [loop]
    if target == "cuda":
        dim = max(range(len(loop.reduced)), key=lambda n: loop.reduced[n])
        chunks = _chunks_of_device(loop, rows, length, loop.reduced[dim])
    else:
        if rows >= ENOUGH_ROWS or length < MUCH:
            return [loop]
        dim = next(n for n, s in enumerate(loop.reduced) if s != 1)
        chunks = _chunks(loop.reduced[dim])
    return [loop] if chunks is None else _in_chunks(loop, dim, chunks)


def _in_chunks(loop: Loop, dim: int, chunks: int) -> list[Loop]:
    """The reduction of each chunk of a reduced dimension, and that of their results."""
    size = loop.reduced[dim]
    each = -(-size // chunks)
    count = len(loop.ranges)
    dtype = record(loop).result.dtype
    partial = Buffer(f"{loop.out.name}_parts", dtype, (*loop.ranges, chunks))
    inner = loop.body

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        own, part, rest = index[:count], index[count], list(index[count + 1:])
        rest[dim] = at = part * each + rest[dim]
        if each * chunks == size:
            return inner(ops, (*own, *rest))
        here = ops.lt(ops.index_value(at, "int64"), ops.constant(size, "int64"))
        return ops.masked(here, lambda: inner(ops, (*own, *rest)), neutral(loop.how, dtype))

    def finish(ops: Any, index: tuple[Any, ...]) -> Any:
        return ops.load(partial, partial.at(index))

    lengths = tuple(each if n == dim else s for n, s in enumerate(loop.reduced))
    begun = replace(loop, out=partial, ranges=(*loop.ranges, chunks), reduced=lengths, body=body, store=None)
    return [begun, replace(loop, reduced=(chunks,), body=finish)]


def neutral(how: str, dtype: str) -> Any:
    """What changes no result of a reduction."""
    if how not in ("max", "min"):
        return {"sum": 0, "prod": 1, "any": False, "all": True}[how]
    if dtype.startswith("float"):
        return -math.inf if how == "max" else math.inf
    if dtype == "bool":
        return how == "min"
    bits = 8 * itemsize(dtype)
    low, high = (0, 2**bits - 1) if dtype == "uint8" else (-2**(bits - 1), 2**(bits - 1) - 1)
    return low if how == "max" else high


def _chunks(size: int) -> int | None:
    """A divisor of a size near 64, or the size itself, or None."""
    divisors = [d for d in range(FEWEST, min(MOST, size) + 1) if size % d == 0]
    if not divisors:
        return None
    return min(divisors, key=lambda d: max(d / 64, 64 / d))


def _chunks_of_device(loop: Loop, rows: int, length: int, size: int) -> int | None:
    """In how many parts a reduction gives enough blocks work; None where it does so in one."""
    if start(nest(0, loop)).form == "column":
        wanted = min(COLUMN_BLOCKS // max(1, rows // 32), length // LEAST_ROWS)
    else:
        wanted = min(ROW_BLOCKS // max(1, rows), length // LEAST_ELEMENTS)
    if wanted < 4 or size < 8:
        return None
    exact = [d for d in range(max(2, wanted // 2), min(2 * wanted, size) + 1) if size % d == 0]
    chunks = min(exact, key=lambda d: abs(d - wanted)) if exact else min(wanted, size // 2)
    return -(-size // -(-size // chunks))
