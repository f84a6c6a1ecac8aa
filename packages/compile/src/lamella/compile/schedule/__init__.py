"""From loops to a plan: which loops become one kernel, in which order kernels run, and where every buffer lies."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..loops.ir import Buffer, Extern, Loop, Lowered
from .access import Nest, guess, nest
from .epilogue import attach
from .fuse import Fuser, Unit
from .group import Group
from .join import CPU, GPU
from .kernels import kernel
from .memory import bytes_of, plan_memory, unit_reads, unit_writes
from .order import Web, living, reads_of, web, writes_of
from .plan import Kernel, NativeCall, Plan
from .rows import pin_long_rows
from .split import copy, split_reductions, tidy

__all__ = ["Kernel", "NativeCall", "Plan", "schedule"]


#: Native functions that have a form `NAME_then`, which calls back for ranges of elements that are complete.
EPILOGUES = frozenset(("gemm", "conv_forward", "conv_backward_input"))


def schedule(lowered: Lowered, *, fuse: bool = True, epilogues: frozenset[str] = EPILOGUES,
             target: str = "cpp") -> Plan:
    """Fuse a program's loops into kernels, order them, and lay out memory.

    Args:
        lowered: the program.
        fuse: False makes one kernel of each loop.
        epilogues: the native functions that can run kernels on parts of their result as soon as those are complete;
            on a GPU there are none.
        target: "cpp" or "cuda".

    Returns:
        The plan.

    Example:
        >>> from lamella.compile.loops.ir import Loop
        >>> x, y, z = (Buffer(n, "float32", (8,)) for n in "xyz")
        >>> x.kind, x.number = "input", 0
        >>> steps = [Loop(y, (8,), lambda ops, i: ops.exp(ops.load(x, x.at(i)))),
        ...          Loop(z, (8,), lambda ops, i: ops.neg(ops.load(y, y.at(i))))]
        >>> plan = schedule(Lowered(steps, [x], [z]))
        >>> [len(k.members()) for k in plan.steps], plan.arena
        ([2], 0)
    """
    lowered = tidy(lowered)
    lowered = replace(lowered, steps=split_reductions(lowered.steps, target))
    recorded: dict[int, Nest] = {}
    reads = []
    for n, step in enumerate(lowered.steps):
        if isinstance(step, Loop):
            recorded[n] = nest(n, step)
            reads.append(recorded[n].reads)
        else:
            reads.append(reads_of(step))
    alive = living(lowered, reads)
    by_loop = {lowered.steps[n]: each for n, each in recorded.items()}

    def reads_own(loop: Loop, buffer: Buffer) -> bool:
        each = by_loop[loop]
        return all(a.same(each.store) and loop.kind != "scan" for a in each.loads if a.buffer is buffer)

    made = web(lowered, [lowered.steps[n] for n in alive], [reads[n] for n in alive], reads_own)
    nests: dict[int, Nest] = {}
    for n, step in enumerate(made.steps):
        if isinstance(step, Loop):
            nests[n] = by_loop[step]
            nests[n].number = n
            if step.out not in made.writer:
                nests[n].alone = True
    _copy_back(lowered, made, nests)
    fuser = Fuser(made, nests, fuse, GPU if target == "cuda" else CPU)
    fuser.run()
    if target == "cuda":
        for unit in fuser.units:
            for group in unit.groups:
                pin_long_rows(group)
    elif fuse and epilogues:
        attach(fuser, epilogues, lambda b: b in made.writer)
    units = list(fuser.units)
    last = _updates(units, made, lowered) if target == "cuda" else [0] * len(units)
    return _plan(lowered, made, _ordered(units, made, lowered, last), fuser.reasons)


def _copy_back(lowered: Lowered, made: Web, nests: dict[int, Nest]) -> None:
    """Add the copies of new content into inputs that could not be written in place."""
    for number, output in lowered.mutations.items():
        target, value = lowered.inputs[number], lowered.outputs[output]
        if target in made.in_place:
            continue
        loop, n = copy(value, target), len(made.steps)
        nests[n] = nest(n, loop)
        nests[n].alone = True
        before = {k for k, step in enumerate(made.steps) if value in writes_of(step) or target in made.reads[k]}
        made.steps.append(loop)
        made.reads.append([value])
        made.before.append(before)
        made.readers.setdefault(value, []).append(n)


def _updates(units: list[Unit], made: Web, lowered: Lowered) -> list[int]:
    """2 for units that write inputs' new content and nothing that is read later, 1 for those that only these read: they
    come last, so that equal ones (of an optimizer's step) are side by side."""
    steps, outside = made.steps, {b for b in lowered.outputs if isinstance(b, Buffer)}
    targets = {lowered.outputs[o] for o in lowered.mutations.values()}
    writes = [unit_writes(u, steps) if u.group is not None else [] for u in units]
    readers: dict[Buffer, set[int]] = {}
    reads = [set(unit_reads(u, steps)) for u in units]
    for k, own in enumerate(reads):
        for b in own:
            readers.setdefault(b, set()).add(k)

    def final(k: int) -> bool:
        kept = [b for b in writes[k] if b in outside or readers.get(b, set()) - {k}]
        return any(b in targets for b in kept) and all(b in outside and not readers.get(b, set()) - {k} for b in kept)

    found = [2 if final(k) else 0 for k in range(len(units))]
    for k, w in enumerate(writes):
        after = set().union(*(readers.get(b, set()) for b in w)) - {k}
        if after and not any(b in made.writer for b in reads[k] - set(w)) and all(found[n] == 2 for n in after):
            found[k] = 1
    return found


def _ordered(units: list[Unit], made: Web, lowered: Lowered, last: list[int]) -> list[Unit]:
    """The units in the order in which they run: eager calls that need nothing first, then what frees memory first.

    What has a higher number in ``last`` comes after all that is ready and has a lower one.
    """
    steps = made.steps
    of = {n: k for k, u in enumerate(units) for n in u.numbers}
    before = [{of[m] for n in u.numbers for m in made.before[n]} - {k} for k, u in enumerate(units)]
    stays = {b for b in lowered.outputs if isinstance(b, Buffer)}
    reads = [[b for b in unit_reads(u, steps) if b.kind == "made" and b not in stays] for u in units]
    sizes = {b: guess(bytes_of(b)) for r in reads for b in r}
    left: dict[Buffer, int] = {}
    for r in reads:
        for b in r:
            left[b] = left.get(b, 0) + 1
    wanted = set(left)
    grows = [sum(sizes[b] for b in unit_writes(u, steps) if b in wanted) for u in units]
    late = [not (isinstance(steps[u.numbers[0]], Extern) and not reads[k]) for k, u in enumerate(units)]
    when = _wanted_by(units, before)
    after: list[list[int]] = [[] for _ in units]
    missing = [len(b) for b in before]
    for k, needs in enumerate(before):
        for earlier in needs:
            after[earlier].append(k)

    def rank(k: int) -> tuple[int, bool, bool, bool, int]:
        frees = sum(sizes[b] for b in reads[k] if left[b] == 1)
        return last[k], late[k], grows[k] > 0 or not frees, grows[k] >= frees, when[k]

    ready = [k for k, count in enumerate(missing) if count == 0]
    order = []
    while ready:
        best = min(ready, key=rank)
        ready.remove(best)
        order.append(units[best])
        for b in reads[best]:
            left[b] -= 1
        for later in after[best]:
            missing[later] -= 1
            if missing[later] == 0:
                ready.append(later)
    return order


def _wanted_by(units: list[Unit], before: list[set[int]]) -> list[int]:
    """Where in the program's order a unit is needed first: at its own place, or earlier by one that depends on it."""
    when = [u.numbers[0] if u.group is None else u.numbers[-1] for u in units]
    stack = sorted(range(len(units)), key=lambda k: -when[k])
    while stack:
        k = stack.pop()
        for b in before[k]:
            if when[b] > when[k]:
                when[b] = when[k]
                stack.append(b)
    return when


def _plan(lowered: Lowered, made: Web, units: list[Unit], reasons: list[str]) -> Plan:
    steps = made.steps
    outside: set[Buffer] = {b for b in lowered.outputs if isinstance(b, Buffer)}
    for unit in units:
        outside.update(unit_reads(unit, steps))
        for group in unit.epilogue:
            outside.update(b for f in group.fits for b in f.nest.reads if b not in group.stores)
    kept = set(outside)
    made_steps: list[Any] = []
    for n, unit in enumerate(units):
        kernels = []
        for k, group in enumerate(unit.groups):
            kept |= group.pinned
            name = f"k{n}{'abcdefgh'[k - 1] if k else ''}_{_stem(group)}"
            kernels.append(kernel(group, name, lambda b: b in outside or b not in made.writer))
        kept.update(b for b in unit_writes(unit, steps) if b not in made.writer)
        if unit.group is None:
            step = steps[unit.numbers[0]]
            kept.update(writes_of(step))
            made_steps.append(step if isinstance(step, Extern) else NativeCall(step, kernels))
        else:
            made_steps += kernels
    in_place = {lowered.outputs[o]: lowered.inputs[i] for i, o in lowered.mutations.items()
                if lowered.inputs[i] in made.in_place}
    memory = plan_memory(lowered, steps, units, kept, in_place)
    return Plan(made_steps, memory.places, list(memory.places), memory.arena, memory.constants, lowered.inputs,
                lowered.outputs, lowered.mutations, lowered.aliases, lowered.symbols,
                list(dict.fromkeys(reasons)), memory.slots)


def _stem(group: Group) -> str:
    """A name for a kernel, from the operators that its loops come from."""
    names: dict[str, None] = {}
    loops = [f.nest.loop for f in sorted(group.fits, key=lambda f: f.nest.number)]
    for loop in loops:
        for origin in loop.origins[-1:]:
            names[re.sub(r"\W+", "_", re.sub(r"_\d+$", "", origin)).strip("_")] = None
    text = "_".join(list(names)[:3]) or loops[0].out.name
    return re.sub(r"\W+", "_", text)[:48].strip("_") or "loop"
