"""Whole plans as text: what printers of them have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..loops.ir import Buffer, itemsize
from ..schedule.plan import Kernel, NativeCall, Place, Plan
from .kernels import Printed, comment
from .reading import Readings
from .ssa import Names


class Program:
    """A plan that is printed.

    Attributes:
        plan: the plan. slots: buffer -> its number in the table of memory.
        kernels: text in which names are numbers -> name of the function. functions: name -> text, in order.
        headers: those that it includes.
        names: of functions. reserved: words that are no names.
        readings: what loops read. titles: what to call buffers.
        arena_slots: buffer -> which memory of the arena it shares.
    """

    reserved: Iterable[str] = ()

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.slots = {buffer: n for n, buffer in enumerate(plan.buffers)}
        self.kernels: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self.headers: dict[str, None] = {}
        self.names = Names(self.reserved)
        self.readings = Readings()
        self.titles = titles(plan)
        self.arena_slots = {b: n for n, slot in enumerate(plan.slots) for b in slot.buffers}

    def printed(self, kernel: Kernel) -> Printed:
        """A kernel's function."""
        raise NotImplementedError

    def head(self, name: str, printed: Any) -> list[str]:
        """The lines that begin a kernel's function."""
        raise NotImplementedError

    def kernel(self, kernel: Kernel) -> tuple[str, Any]:
        """The name of the function that does a kernel, added if it is new, and the kernel as it was printed."""
        printed = self.printed(kernel)
        name = self.kernels.get(printed.key)
        if name is None:
            name = self.kernels[printed.key] = self.names.new(printed.name)
            about = [f"// {line}" for line in comment(kernel)]
            self.functions[name] = "\n".join([*about, *self.head(name, printed), *printed.body, "}\n"])
        return name, printed

    def file(self) -> list[str]:
        """The lines of the whole: includes and functions."""
        includes = "".join(f'#include "lamella/{h}"\n' for h in self.headers)
        return [includes, "namespace lamella {", "namespace program {\n", *self.functions.values(),
                "}  // namespace program", "}  // namespace lamella\n"]

    def aliases(self, buffers: list[Buffer], written: set[Buffer]) -> set[Buffer]:
        """Those whose memory overlaps another's, where one of the two is written."""
        found: set[Buffer] = set()
        places = [(b, self.extent(b)) for b in dict.fromkeys(buffers) if b in self.plan.places]
        for n, (a, where) in enumerate(places):
            for b, there in places[:n]:
                if (a in written or b in written) and overlap(where, there):
                    found |= {a, b}
        return found

    def memory(self, buffer: Buffer) -> Any:
        """What is equal for buffers that have the same memory within one step."""
        slot = self.arena_slots.get(buffer)
        if slot is not None:
            return slot
        place = self.plan.places.get(buffer)
        return buffer if place is None else (place.kind, place.number)

    def extent(self, buffer: Buffer) -> tuple[str, Any, Any]:
        """Where a buffer lies: kind, start, end (None: not known)."""
        place: Place = self.plan.places[buffer]
        if place.kind != "arena":
            return place.kind, place.number, None
        size = buffer.numel
        if place.number is None:  # laid out at run time: two buffers that one kernel needs are in one slot or apart
            return "slot", self.arena_slots[buffer], None
        return "arena", place.number, place.number + size * itemsize(buffer.dtype)


def titles(plan: Plan) -> dict[Buffer, str]:
    """What to call buffers that lowering made: as the operators that they come from."""
    found: dict[Buffer, str] = {}
    for step in plan.steps:
        kernels = [step] if isinstance(step, Kernel) else step.epilogue if isinstance(step, NativeCall) else []
        for kernel in kernels:
            for m in kernel.members():
                if m.loop.origins:
                    found[m.loop.out] = m.loop.origins[-1]
        if isinstance(step, NativeCall) and step.native.origins:
            for buffer in step.native.outs:
                found[buffer] = step.native.origins[-1]
    return found


def overlap(a: tuple[str, Any, Any], b: tuple[str, Any, Any]) -> bool:
    """Whether two extents may have memory in common."""
    if a[0] != b[0]:
        return False
    if a[0] != "arena":
        return a[1] == b[1]
    return a[1] < b[2] and b[1] < a[2]


def wrap(start: str, parts: list[str], end: str, width: int = 116) -> list[str]:
    """A call or signature, broken into lines of at most ``width``."""
    lines, line = [], start
    for n, part in enumerate(parts):
        piece = part + (", " if n + 1 < len(parts) else "")
        if len(line) + len(piece) > width and line.strip():
            lines.append(line.rstrip())
            line = "    " + " " * 4
        line += piece
    return [*lines, line + end]
