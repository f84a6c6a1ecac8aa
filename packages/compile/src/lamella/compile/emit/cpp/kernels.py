"""A fused kernel as a C++ function, and how it is called."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...loops.index import Var, is_static, product
from ...loops.ir import Buffer
from ...schedule.plan import Kernel, Member, Part
from .. import kernels
from ..expressions import in_row
from ..kernels import canonical
from ..reading import Readings
from ..ssa import Line, Value
from .columns import Columns
from .expressions import RESERVED

#: Kernels of less work than this stay on one thread: waking another takes several microseconds.
PARALLEL_WORK = 60_000
#: Rows of scratch memory up to this many bytes lie on the stack.
STACK_ROW = 16_384
#: Column reductions to fewer columns than this share rows between threads instead of columns.
NARROW = 256
#: Those whose bodies take at most this many operations do several rows in one pass.
LIGHT = 8


@dataclass(eq=False, slots=True)
class Printed(kernels.Printed):
    """A kernel in C++.

    Attributes:
        split: how many steps can be shared between threads (an int or Expr), or None.
        work: for the decision on threads.
    """

    split: Any
    work: Any


class Printer(kernels.Printer):
    """Prints one kernel."""

    def __init__(self, kernel: Kernel, aliases: Callable[[list[Buffer], set[Buffer]], set[Buffer]],
                 readings: Readings, titles: dict[Buffer, str]) -> None:
        super().__init__(kernel, aliases, readings)
        self.function: Columns = Columns(self.written, self.shared, self.read)
        self.function.titles = titles
        self.split: Any = None

    def print(self) -> Printed:
        """The function."""
        f, kernel, readings = self.function, self.kernel, self.readings
        self.parameters_of_sizes()
        self.starts()
        across = [(p, m) for p in kernel.parts for m in p.members if m.across]
        if across:
            opened = self.rows_of_all(across)
        else:
            self.rows()
            opened = self.outer_loops()
        for part in kernel.parts:
            split, share = self.sharing(part)
            if kernel.columns:
                step = 4 if sum(readings.recorded(m.loop).cost() for m in part.members) <= LIGHT else 1
                f.columns(part, kernel.columns, split, share, step)
            else:
                f.part(part, split, share)
        if across:
            f.results_across(across, opened)
        else:
            for _ in range(opened):
                f.leave()
        body = f.text()
        parameters, arguments = self.signature(body)
        return Printed(kernel.name, parameters, body, arguments, f.checks,
                       canonical(f.names.ever - RESERVED, parameters, body), self.split, kernel.work)

    def sharing(self, part: Part) -> tuple[bool, Any]:
        """How threads share the loops of a part that is in no outer loop: (by the caller, work if inside)."""
        kernel = self.kernel
        kinds = {m.loop.kind for m in part.members}
        if kernel.outer or kernel.sequential or not part.inner or kinds & {"scan", "scatter"}:
            return False, None
        over = product([v.size for v in kernel.columns])
        work = self.readings.work(part, over)
        inside = work if not is_static(work) or work >= PARALLEL_WORK else None
        if kernel.columns:
            last = part.inner[-1].size
            if is_static(last) and last < NARROW:
                return False, inside
            self.split = last
            return True, None
        if kinds == {"pointwise"} and len(kernel.parts) == 1:
            self.split = part.inner[0].size
            return True, None
        return False, inside

    def parameters_of_sizes(self) -> None:
        """Sizes of kernels of one loop are parameters, so equal bodies of other sizes share a function."""
        kernel = self.kernel
        if kernel.outer or kernel.columns or any(len(p.inner) > 1 for p in kernel.parts):
            return
        for part in kernel.parts:
            for var in part.inner:
                if is_static(var.size):
                    self.name_size(var)

    def outer_loops(self) -> int:
        """Open the loops over the outer variables; returns how many scopes that opened."""
        f, kernel = self.function, self.kernel
        shared = 0 if kernel.sequential else min(kernel.parallel, len(kernel.outer))
        if not shared:
            for var in kernel.outer:
                f.loop(var)
            return len(kernel.outer)
        outer, count = list(kernel.outer), 1
        while count < shared and not enough(outer[:count]):
            count += 1
        self.split = product([v.size for v in outer[:count]])
        if count == 1:
            f.loop(outer[0], split=True)
        else:
            self.flat_loop(outer[:count])
        for var in outer[count:]:
            f.loop(var)
        return len(outer) - count + 1

    def rows_of_all(self, across: list[tuple[Part, Member]]) -> int:
        """Open the loops over the outer variables, with totals that live through all of them."""
        f, kernel = self.function, self.kernel
        f.totals_across(across)
        f.shared_range(f.size(kernel.outer[0]), kernel.work, [m for _, m in across])
        self.rows()
        for n, var in enumerate(kernel.outer):
            f.loop(var, split=n == 0)
        return len(kernel.outer)

    def flat_loop(self, outer: list[Var]) -> None:
        """One loop over several variables."""
        f = self.function
        step = f.names.new("step")
        names = [f.names.new(v.name, True) for v in outer]
        head: list[list[Any]] = [[f"for (long {step} = first; {step} < last; ++{step}) {{"]]
        head += [[f"    const long {name} = {text};"]
                 for (_, text), name in zip(f.unflattened(outer, step), names, strict=True)]
        scope = f.open(head, [["}"]])
        for var, name in zip(outer, names, strict=True):
            f.enter(var, Value("int64", [name], literal=True), scope)

    def starts(self) -> None:
        """What a scatter's buffer starts as."""
        f = self.function
        for member in self.kernel.members():
            loop = member.loop
            if loop.kind != "scatter":
                continue
            out, size = loop.out, f.index_text(loop.out.numel)
            f.accesses.setdefault(out, []).append(0)
            if loop.into is None:
                f.put(Line([f"clear({f.pointer(out)}, {size});"]))
            elif loop.into is not out:
                f.accesses.setdefault(loop.into, []).append(0)
                f.put(Line([f"copy({f.pointer(out)}, {f.pointer(loop.into)}, {size});"]))

    def rows(self) -> None:
        """Scratch rows for values that a later part reads and that have no memory."""
        f, slot = self.function, 0
        for out, length in self.scratch():
            kind, name = in_row(out.dtype), f.names.new(f.title_of(out) + "_row")
            if is_static(length) and length * 4 <= STACK_ROW:
                f.put(Line([f"alignas(64) {kind} {name}[{length}];"]))
            else:
                f.put(Line([f"{kind}* {name} = workspace<{kind}, {slot}>({f.index_text(length)});"]))
                slot += 1
            f.rows[out] = (name, self.inside)


def enough(outer: list[Var]) -> bool:
    """Whether these loops alone have steps enough to share out."""
    steps = product([v.size for v in outer])
    return is_static(steps) and steps >= 32
