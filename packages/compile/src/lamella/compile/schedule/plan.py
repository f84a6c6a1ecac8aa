"""What the scheduler hands to emission and to the run time: fused kernels in order, and where every buffer lies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..loops.index import Var
from ..loops.ir import Buffer, Loop, Native


@dataclass(eq=False, slots=True)
class Member:
    """A loop inside a kernel.

    Attributes:
        loop: the loop.
        index: one entry for each of the loop's own dimensions (ranges, then reduced): its index in terms of the
            kernel's variables (a `Var` lifted, an expression of them, or 0).
        keep: whether its buffer is written to memory; else its value lives in registers, or in a row of scratch
            memory where a later part of the kernel reads it.
        across: in a row kernel: it sums over all outer variables. Its ranges are the part's inner variables, its
            accumulators are a row that lives through the whole kernel, and its result is stored after that.
    """

    loop: Loop
    index: tuple[Any, ...]
    keep: bool = True
    across: bool = False


@dataclass(eq=False, slots=True)
class Part:
    """Loops over the same inner variables, done in one pass, in order.

    Attributes:
        inner: the variables of the inner loops, outermost first; () for one step per outer iteration.
        members: what is computed. A reduction among them reduces over all inner variables: its accumulator starts
            before the part and its result is there after it.
    """

    inner: tuple[Var, ...]
    members: list[Member]


@dataclass(eq=False, slots=True)
class Kernel:
    """One fused loop nest: for each step of the outer variables, the parts in order.

    Attributes:
        name: an identifier.
        outer: the shared variables, outermost first; may be ().
        parts: see `Part`.
        columns: variables of a column reduction: (reduced variables); then there is one part, its inner variables are
            kept, reductions run over ``columns``, and accumulators are rows: for each tile of the last inner variable,
            for each step of ``columns``, for each place in the tile.
        parallel: how many of the outer variables may be shared out between threads.
        sequential: the loops must run in order on one thread (scatter, scan).
        work: about how many elementary operations it does (an int or Expr), for the decision on threads.
    """

    name: str
    outer: tuple[Var, ...]
    parts: list[Part]
    columns: tuple[Var, ...] = ()
    parallel: int = 0
    sequential: bool = False
    work: Any = 0

    def members(self) -> list[Member]:
        """All members."""
        return [m for p in self.parts for m in p.members]


@dataclass(eq=False, slots=True)
class NativeCall:
    """A `Native`, and kernels that run on its result while it is in the cache."""

    native: Native
    epilogue: list[Kernel] = field(default_factory=list)


@dataclass(slots=True)
class Place:
    """Where a buffer lies at run time.

    Attributes:
        kind: "input" (number), "output" (number: memory made for the caller), "arena" (number: byte offset, None where
            sizes are symbolic: ask `Plan.layout`), "constant" (number: which of ``Plan.constants``), "extern" (number:
            slot filled by an extern call).
    """

    kind: str
    number: Any = 0


@dataclass(eq=False, slots=True)
class Slot:
    """Buffers of the arena that have the same memory, one after the other.

    Attributes:
        buffers: which.
        size: bytes, an int or Expr.
        first, last: the numbers of the steps between which it is in use.
    """

    buffers: list[Buffer]
    size: Any
    first: int
    last: int


@dataclass(slots=True)
class Plan:
    """A program that emission prints and the run time runs.

    Attributes:
        steps: Kernel, NativeCall and Extern in order. Runs of the first two become one C++ function each
            ("segments"), externs are called between them from Python.
        places: for every buffer that has memory.
        buffers: those buffers; their number is their slot in the table of pointers that segments get.
        arena: bytes of the arena. constants: arrays.
        outputs: as in `Lowered`. inputs, mutations, aliases, symbols: as in `Lowered`.
        reasons: why neighbours were not fused, one line each.
        slots: what lies in the arena, and when.
    """

    steps: list[Any]
    places: dict[Buffer, Place]
    buffers: list[Buffer]
    arena: int
    constants: list[Any]
    inputs: list[Buffer]
    outputs: list[Any]
    mutations: dict[int, int] = field(default_factory=dict)
    aliases: dict[int, Any] = field(default_factory=dict)
    symbols: dict[str, Any] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)

    def layout(self, symbols: dict[str, int]) -> tuple[int, dict[Buffer, int]]:
        """Where the arena's buffers lie.

        Args:
            symbols: the value of each symbolic size.

        Returns:
            The arena's bytes, and the byte offset of each buffer in it.
        """
        sizes = [s.size if isinstance(s.size, int) else s.size.evaluate(symbols) for s in self.slots]
        total, offsets = pack([(size, s.first, s.last) for size, s in zip(sizes, self.slots, strict=True)])
        return total, {b: at for s, at in zip(self.slots, offsets, strict=True) for b in s.buffers}


def pack(spans: list[tuple[int, int, int]]) -> tuple[int, list[int]]:
    """Lay spans ``(bytes, first step, last step)`` into one block so that those in use at once do not overlap.

    Largest first, each into the tightest gap that it fits into. Offsets are multiples of 64.
    """
    offsets = [0] * len(spans)
    placed: list[tuple[int, int, int, int]] = []
    total = 0
    for n in sorted(range(len(spans)), key=lambda k: (-spans[k][0], spans[k][1])):
        size = -(-max(spans[n][0], 1) // 64) * 64
        first, last = spans[n][1:]
        taken = sorted((start, end) for start, end, f, t in placed if f <= last and first <= t)
        best, tightest, at = -1, -1, 0
        for start, end in taken:
            gap = start - at
            if gap >= size and (tightest < 0 or gap < tightest):
                best, tightest = at, gap
            at = max(at, end)
        offsets[n] = best if best >= 0 else at
        placed.append((offsets[n], offsets[n] + size, first, last))
        total = max(total, offsets[n] + size)
    return total, offsets
