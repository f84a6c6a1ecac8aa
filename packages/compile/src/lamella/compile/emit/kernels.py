"""Fused kernels as functions: what printers of them have in common."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..loops.ir import Buffer
from ..schedule.plan import Kernel, Part
from ..schedule.report import amount, line
from .expressions import MEMORY

WORD = re.compile(r"\b[A-Za-z_]\w*\b")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


class Signature:
    """The parameters of a kernel's function.

    Attributes:
        function: the function. written: the buffers that it stores to. shared: those whose memory is another's too.
        size_names: names of sizes that are parameters.
        restrict: the word for a pointer that no other reaches into.
    """

    function: Any
    restrict = "__restrict"

    def __init__(self, written: set[Buffer], shared: set[Buffer]) -> None:
        self.written, self.shared = written, shared
        self.size_names: dict[Any, str] = {}

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


def in_brackets(text: str) -> str:
    """An operand of a division."""
    return text if text.isalnum() else f"({text})"


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
