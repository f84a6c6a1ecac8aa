"""Fused kernels as functions: what printers of them have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..loops.index import Expr, Var
from ..loops.ir import Buffer
from ..schedule.plan import Kernel, Part
from ..schedule.report import amount, line
from .expressions import MEMORY
from .loops import Loops, row_index, row_length
from .reading import Readings

WORD = re.compile(r"\b[A-Za-z_]\w*\b")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@dataclass(eq=False, slots=True)
class Printed:
    """A kernel's function.

    Attributes:
        name: of the function.
        parameters: text of each. body: lines.
        arguments: for each parameter: ("buffer", buffer, base), ("symbol", name), ("scalar", k) or ("size", size).
        checks: whether it takes the report.
        key: equal for kernels that differ in names and arguments only.
    """

    name: str
    parameters: list[str]
    body: list[str]
    arguments: list[tuple[Any, ...]]
    checks: bool
    key: str


class Printer:
    """Prints one kernel.

    Attributes:
        kernel: the kernel. function: what it becomes. readings: what its loops read.
        aliases: tells which of some buffers have memory in common, where some of them are written.
        written, read: the buffers that it stores to and reads. shared: those whose memory is another's too.
        size_names: sizes that are parameters -> their names.
        restrict: the word for a pointer that no other reaches into.
    """

    function: Loops
    restrict = "__restrict"

    def __init__(self, kernel: Kernel, aliases: Callable[[list[Buffer], set[Buffer]], set[Buffer]],
                 readings: Readings) -> None:
        self.kernel, self.aliases, self.readings = normal(kernel), aliases, readings
        members = self.kernel.members()
        self.written = {m.loop.out for m in members if m.keep}
        self.read = {b for m in members for b in readings.reads(m.loop)}
        self.shared = aliases([*self.read, *self.written], self.written)
        self.size_names: dict[Any, str] = {}

    def name_size(self, var: Var) -> None:
        """Make a variable's size a parameter."""
        if var.size not in self.size_names:
            self.size_names[var.size] = self.function.names.new("n")
        self.function.sizes[var.name] = self.size_names[var.size]

    def scratch(self) -> Iterator[tuple[Buffer, Any]]:
        """Values that a later part reads and that have no memory: buffers, and how long their rows are."""
        parts = self.kernel.parts
        for n, part in enumerate(parts):
            later = {b for p in parts[n + 1:] for m in p.members for b in self.readings.reads(m.loop)}
            for member in part.members:
                out = member.loop.out
                if member.keep or member.loop.kind != "pointwise" or out not in later or not part.inner:
                    continue
                inside = self.inside(self.function.flat(member))
                if isinstance(inside, Expr):
                    yield out, row_length(inside)

    def inside(self, flat: Any) -> Any:
        """A flat index within the row that belongs to one step of the outer variables."""
        return row_index(flat, set(self.kernel.outer))

    def signature(self, body: list[str]) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Parameters in the order in which the text mentions them."""
        f = self.function
        of: dict[str, tuple[str, tuple[Any, ...]]] = {}
        for buffer, name in f.pointers.items():
            const = "" if buffer in self.written else "const "
            restrict = "" if buffer in self.shared else f" {self.restrict}"
            of[name] = (f"{const}{MEMORY[buffer.dtype]}*{restrict} {name}", ("buffer", buffer, f.base(buffer)))
        for symbol in f.symbols:
            of[symbol] = (f"long {symbol}", ("symbol", symbol))
        for k in f.scalars:
            of[f"scalar{k}"] = (f"double scalar{k}", ("scalar", k))
        for size, name in self.size_names.items():
            of[name] = (f"long {name}", ("size", size))
        found = [w for w in dict.fromkeys(WORD.findall(STRING.sub('""', "\n".join(body)))) if w in of]
        return [of[w][0] for w in found], [of[w][1] for w in found]


def normal(kernel: Kernel) -> Kernel:
    """The same kernel, with an inner loop where every part has none."""
    if kernel.outer and not kernel.columns and not any(p.inner for p in kernel.parts):
        members = [m for p in kernel.parts for m in p.members]
        last = kernel.outer[-1]
        return replace(kernel, outer=kernel.outer[:-1], parts=[Part((last,), members)],
                       parallel=min(kernel.parallel, len(kernel.outer) - 1))
    return kernel


def comment(kernel: Kernel) -> list[str]:
    """What a kernel does: operators and the user's lines, loops, memory and operations."""
    facts = line(kernel)
    sizes = " x ".join(map(str, facts.loops))
    passes = f", {facts.passes} passes" if facts.passes > 1 else ""
    origins = [f"{', '.join(facts.origins[:6])}{', ...' if len(facts.origins) > 6 else ''}"] if facts.origins else []
    where = [f"at {', '.join(facts.where[:3])}{', ...' if len(facts.where) > 3 else ''}"] if facts.where else []
    return [*(" ".join([*origins, *where]).splitlines()),
            f"{facts.form}{f' over {sizes}' if sizes else ''}{passes}: {amount(facts.reads)} read, "
            f"{amount(facts.writes)} written, {facts.flops:,} operations"]


def canonical(names: set[str], parameters: list[str], body: list[str]) -> str:
    """The text with the function's own names replaced by numbers, in order."""
    numbers: dict[str, str] = {}

    def number(match: re.Match[str]) -> str:
        word = match.group()
        return numbers.setdefault(word, f"${len(numbers)}") if word in names else word

    return WORD.sub(number, "\n".join([", ".join(parameters), *body]))
