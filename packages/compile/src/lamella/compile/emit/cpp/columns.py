"""Reductions by columns in C++: rows of accumulators side by side."""

from __future__ import annotations

from typing import Any

from ...loops.index import Var
from ...schedule.plan import Member, Part
from ..loops import quoted, title
from ..ssa import Access, Line, Piece, Value
from .expressions import REGISTER
from .loops import ACCUMULATORS, Loops

TILE = 2048  # elements of a row of accumulators


class Columns(Loops):
    """Prints parts that reduce by columns, too."""

    def columns(self, part: Part, columns: tuple[Var, ...], split: bool, share: Any = None, step: int = 4) -> None:
        """Reduce over ``columns`` with rows of accumulators along the last inner variable.

        Args:
            part: the one part.
            columns: the reduced variables.
            split: whether the last inner variable runs over the caller's range.
            share: how much work it is, if threads share the first reduced variable's range here.
            step: how many rows are taken in one pass.
        """
        *inner, last = part.inner
        for var in inner:
            self.loop(var)
        start, width = self.names.new("start"), self.names.new("width")
        begin, stop = self.bounds(last, split)
        tile = min(last.size, TILE) if isinstance(last.size, int) else TILE
        self.open([[f"for (long {start} = {begin}; {start} < ", stop, f"; {start} += {tile}) {{"]], [["}"]])
        self.put(Line([f"const long {width} = least({tile}, ", stop, f" - {start});"]))
        totals = [m for m in part.members if m.loop.kind == "reduce"]
        holders = {m: Line([]) for m in totals}
        for holder in holders.values():
            self.scopes[-1].items.append(holder)
        if share is not None:
            self.shared_range(self.size(columns[0]), share, totals)
        for n, var in enumerate(columns[:-1]):
            self.loop(var, split=share is not None and n == 0)
        k = self.column_loop(columns[-1], last, start, width, share is not None and len(columns) == 1, totals, step)
        results = self.column_members(part, holders, k, tile)
        for _ in range(len(columns) + (share is not None)):
            self.leave()
        self.column_results(last, results, start, width)
        for _ in inner:
            self.leave()

    def column_loop(self, rows: Var, last: Var, start: str, width: str, split: bool, totals: list[Member],
                    step: int) -> str:
        """Open the loops over rows and over a tile; returns the name of the place in the tile."""
        row, k = Value("int64", [self.names.new(rows.name, True)], literal=True), self.names.new("k", True)
        begin, stop = self.bounds(rows, split)
        names = "".join(f", {self.accumulator(m)}" for m in totals)
        head: list[Piece] = [f"columns<{step}>({begin}, ", stop,
                             f", {width}, [&](long {row.pieces[0]}, long {k}) INLINE {{"]
        inside = self.open([head], [[f"}}{names});"]])
        self.enter(rows, row, inside)
        inside.names.append(k)
        name = self.names.new(last.name, True)
        self.put(Line([f"const long {name} = {start} + {k};"]))
        self.enter(last, Value("int64", [name], literal=True), inside)
        return k

    def column_members(self, part: Part, holders: dict[Member, Line], k: str,
                       tile: int) -> list[tuple[Member, str, str]]:
        """The bodies, with accumulators ``name[k]``."""
        results = []
        for member in part.members:
            loop = member.loop
            self.title = quoted(title(loop))
            value = loop.body(self, member.index)
            if loop.kind != "reduce":
                flat = self.flat(member)
                value = self.to_out(value, loop.out)
                self.known[(loop.out, flat)] = value
                if member.keep:
                    self.store(loop.out, flat, value)
                continue
            name = self.accumulator(member)
            kind = REGISTER[value.dtype]
            holders[member].pieces = [f"{ACCUMULATORS[loop.how]}Row<{kind}, {tile}> {name};"]
            if loop.how.startswith("arg"):
                index = Access(None, self.index(self.reduced_index(member)))
                self.put(Line([f"{name}.add({k}, ", value, ", ", index, ");"]))
            else:
                self.put(Line([f"{name}.add({k}, ", value, ");"]))
            results.append((member, name, "int64" if loop.how.startswith("arg") else value.dtype))
        return results

    def column_results(self, last: Var, results: list[tuple[Member, str, str]], start: str, width: str) -> None:
        """Write the rows of results, and leave the tile."""
        k = self.names.new("k", True)
        scope = self.open([["VECTOR"], [f"for (long {k} = 0; {k} < {width}; ++{k}) {{"]], [["}"]])
        scope.names.append(k)
        name = self.names.new(last.name, True)
        self.put(Line([f"const long {name} = {start} + {k};"]))
        self.enter(last, Value("int64", [name], literal=True), scope)
        for member, accumulator, dtype in results:
            self.finish(member, Value(dtype, [f"{accumulator}.result({k})"], hint=self.title_of(member.loop.out)))
        self.leave()
        self.leave()
