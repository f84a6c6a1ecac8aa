"""Reductions by columns in CUDA: neighbours keep neighbouring elements, and share the rows above them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...loops.index import Var, is_static
from ...schedule.plan import Part
from ..loops import in_brackets
from ..ssa import Line
from .loops import Loops, Team


class Columns(Loops):
    """Prints parts that reduce by columns, too."""

    def columns(self, part: Part, columns: Sequence[Var], outside: Sequence[Var], tiles: Any,
                block: tuple[int, int, int]) -> None:
        """Reduce over ``columns``.

        Args:
            part: the one part. columns: the reduced variables.
            outside: the kept variables but for the last, on which blocks go apart.
            tiles: how many blocks the last one has. block: threads along it, and threads that share rows.
        """
        wide, high, _ = block
        last = part.inner[-1]
        tile = "blockIdx.x"
        if outside and tiles != 1:
            count = in_brackets(self.index_text(tiles))
            tile = f"blockIdx.x % {count}"
            self.declared_all(outside, f"blockIdx.x / {count}")
        elif outside:
            self.declared_all(outside, "blockIdx.x")
        self.declared(last, f"{tile} * {wide} + threadIdx.x" if tiles != 1 else "threadIdx.x")
        value = self.vars[last.name]
        fits = ""
        if not (is_static(last.size) and last.size % wide == 0):
            fits = f" && {value.name} < {self.index_text(last.size)}"
            value.uses += 1
        self.team = Team("column", "threadIdx.y", high, "__syncthreads();", f"threadIdx.y == 0{fits}")
        holders = {m: Line([]) for m in part.members if m.loop.kind == "reduce"}
        self.scopes[-1].items += holders.values()
        self.over(columns, "threadIdx.y", str(high), condition=fits)
        self.scopes[-1].guard = bool(fits)  # nothing is loaded outside of it for places beyond the end
        results = self.bodies(Part((), part.members), holders)
        self.leave()
        for member, total, dtype in results:
            self.reduced(member, total, dtype)
