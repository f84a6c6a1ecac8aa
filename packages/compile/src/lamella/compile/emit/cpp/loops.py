"""The loops of one part of a kernel in C++: plain and reducing (`columns`: reducing by columns)."""

from __future__ import annotations

from typing import Any

from ...loops.index import Var, flattened, is_static, lift, product
from ...loops.ir import Buffer, itemsize
from ...schedule.plan import Member, Part
from .. import loops
from ..loops import quoted, title
from ..ssa import Access, Line, Piece, Scope, Value
from .expressions import MEMORY, REGISTER, Function, literal

#: How a reduction is called in ``lamella/loops.h``.
ACCUMULATORS = {
    "sum": "Sum", "prod": "Product", "max": "Max", "min": "Min", "any": "Any", "all": "All", "argmax": "ArgMax",
    "argmin": "ArgMin",
}
FEW = 12  # steps of a reduction that are done one after the other
LANES = 32  # of totals, as in the header; half of them where rows are SHORT
SHORT = 1000
STREAMED = 8 << 20  # bytes from which results go around the cache, which would read that memory before it is written
STAGED = 16_384  # bytes of a row that is collected for that


class Loops(Function, loops.Loops):
    """Prints parts into the open scope of a function in C++."""

    def __init__(self, written: set[Buffer], shared: set[Buffer], read: set[Buffer]) -> None:
        super().__init__(written, shared)
        self.read_too = read | shared  # buffers that are not written alone
        self.rows_across: dict[Member, Line] = {}
        self.staged: dict[Buffer, tuple[str, Any]] = {}  # rows that are collected: name and flat index of the first
        self.kinds_across: dict[Member, str] = {}
        self.width = LANES  # how many lanes the totals of a part have

    # -- loops ------------------------------------------------------------------------------------------------------

    def bounds(self, var: Var, split: bool) -> tuple[str, Any]:
        """Where a variable starts and stops: ``split`` is over the range that the surroundings give."""
        return ("first", "last") if split else ("0", self.size(var))

    def loop(self, var: Var, vector: bool = False, split: bool = False) -> Scope:
        """Open the loop over a variable."""
        value = Value("int64", [self.names.new(var.name, True)], literal=True)
        name = value.pieces[0]
        head: list[list[Piece]] = [["VECTOR"]] if vector else []
        start, stop = self.bounds(var, split)
        head.append([f"for (long {name} = {start}; {name} < ", stop, f"; ++{name}) {{"])
        scope = self.open(head, [["}"]])
        self.enter(var, value, scope)
        return scope

    # -- a part -----------------------------------------------------------------------------------------------------

    def part(self, part: Part, split: bool = False, share: Any = None) -> None:
        """Print the loops of a part.

        Args:
            part: the part.
            split: whether its first inner variable runs over the caller's range.
            share: how much work it is, if threads share that variable's range here.
        """
        kinds = {"pointwise" if m.across else m.loop.kind for m in part.members}
        totals = [m for m in part.members if m.loop.kind in ("reduce", "scan") and not m.across]
        holders = {m: Line([]) for m in totals}
        for holder in holders.values():
            self.scopes[-1].items.append(holder)
        self.stage(part)
        self.width = lanes_of(part)
        lanes = "reduce" in kinds and not kinds & {"scan", "scatter"} and self.width > 1
        if share is not None:
            self.shared_range(self.size(part.inner[0]), share, totals)
        for n, var in enumerate(part.inner):
            innermost, ranged = n == len(part.inner) - 1, n == 0 and (split or share is not None)
            if innermost and lanes:
                self.lanes(var, totals, ranged)
            else:
                vector = innermost and (kinds <= {"pointwise"} or self.vector_scatter(part, var))
                self.loop(var, vector, ranged)
        results = self.members(part, holders, "lane" if lanes else "")
        for _ in range(len(part.inner) + (share is not None)):
            self.leave()
        self.stream(part)
        for member, accumulator, dtype in results:
            self.finish(member, Value(dtype, [f"{accumulator}.result()"], hint=self.title_of(member.loop.out)))

    def stage(self, part: Part) -> None:
        """Declare rows in which results are collected that are too large to be found in the cache later."""
        if len(self.scopes) < 2 or len(part.inner) != 1 or not is_static(part.inner[0].size):
            return
        var, = part.inner
        for member in part.members:
            out = member.loop.out
            row = var.size * itemsize(out.dtype)
            if member.across or not member.keep or member.loop.kind != "pointwise" or out in self.read_too:
                continue
            if row % 64 or row > STAGED or not is_static(out.numel) or out.numel * itemsize(out.dtype) < STREAMED:
                continue
            first = lift(self.flat(member)).substitute({var: 0})
            if lift(self.flat(member)) - first != lift(var):
                continue
            name = self.names.new(f"{self.title_of(out)}_row")
            self.put(Line([f"alignas(64) {MEMORY[out.dtype]} {name}[{var.size}];"]))
            self.staged[out] = name, first

    def stream(self, part: Part) -> None:
        """Write the rows that were collected."""
        for member in part.members:
            name, first = self.staged.pop(member.loop.out, (None, 0))
            if name is not None:
                row = Access(member.loop.out, self.index(first))
                self.put(Line(["stream(&", row, f", {name}, {part.inner[0].size});"]))

    def shared_range(self, steps: Any, work: Any, totals: list[Member]) -> None:
        """Open the range ``first, last`` of one thread, with totals of its own."""
        names = [self.accumulator(m) for m in totals]
        own = "".join(f", auto& {name}" for name in names)
        head: list[Piece] = [f"share{'_totals' if names else ''}(", steps, ", ", Access(None, self.index(work)),
                             f", [&](long first, long last{own}) {{"]
        self.loop_depth = self.open([head], [["}" + "".join(f", {name}" for name in names) + ");"]]).depth

    def lanes(self, var: Var, totals: list[Member], split: bool) -> None:
        """Open the loop over ``var`` that keeps several accumulators."""
        value = Value("int64", [self.names.new(var.name, True)], literal=True)
        names = "".join(f", {self.accumulator(m)}" for m in totals)
        start, stop = self.bounds(var, split)
        width = f"<{self.width}>" if self.width != LANES else ""
        head: list[Piece] = [f"lanes{width}({start}, ", stop, f", [&](long {value.pieces[0]}, int lane) INLINE {{"]
        self.enter(var, value, self.open([head], [[f"}}{names});"]]))

    def members(self, part: Part, holders: dict[Member, Line], lane: str) -> list[tuple[Member, str, str]]:
        """Print the members' bodies into the open loops."""
        stores: list[tuple[Buffer, Any, Value]] = []
        results = []
        for member in part.members:
            loop = member.loop
            self.title = quoted(title(loop))
            value = loop.body(self, member.index)
            if member.across:
                self.add_across(member, value)
                continue
            if loop.kind == "reduce":
                name = self.accumulator(member)
                self.update(member, name, value, lane)
                width = f", {self.width}" if self.width != LANES else ""
                holders[member].pieces = [f"{ACCUMULATORS[loop.how]}<{REGISTER[value.dtype]}{width}> {name};"]
                results.append((member, name, "int64" if loop.how.startswith("arg") else value.dtype))
                continue
            if loop.kind == "scan":
                value = self.scan(member, value, holders[member])
            elif loop.kind == "scatter":
                self.scatter(member, value)
                continue
            stores += self.computed(member, value)
        for each in stores:
            self.store(*each)
        return results

    def update(self, member: Member, name: str, value: Value, lane: str) -> None:
        """Add a value to an accumulator."""
        where = [lane or "0", ", "]
        if member.loop.how.startswith("arg"):
            index = Access(None, self.index(self.reduced_index(member)))
            self.put(Line([f"{name}.add(", *where, value, ", ", index, ");"]), self.scopes[-1])
        else:
            self.put(Line([f"{name}.add(", *where, value, ");"]), self.scopes[-1])

    def scan(self, member: Member, value: Value, holder: Line) -> Value:
        """A running sum or product."""
        how, kind = member.loop.how, REGISTER[value.dtype]
        name = self.names.new(f"{self.title_of(member.loop.out)}_so_far")
        holder.pieces = [f"{kind} {name} = {literal(how == 'prod', value.dtype)};"]
        sign = "*" if how == "prod" else "+"
        if value.dtype.startswith("float"):
            self.put(Line([f"{name} {sign}= ", value, ";"]))
        else:
            self.put(Line([f"{name} = {'mul' if how == 'prod' else 'add'}({name}, ", value, ");"]))
        return Value(value.dtype, [name], scope=self.scopes[-1], literal=True)

    def vector_scatter(self, part: Part, var: Var) -> bool:
        """Whether steps of ``var`` never meet at one place: the index grows with it and nothing else depends on it."""
        for member in part.members:
            if member.loop.kind != "scatter":
                if member.loop.kind != "pointwise":
                    return False
                continue
            step = self.step_of(member, var)
            if not step:
                return False
        return True

    def target(self, out: Buffer, flat: Any) -> list[Piece]:
        if out in self.staged:
            name, first = self.staged[out]
            return [f"{name}[", Access(None, self.index(flat - first)), "]"]
        return super().target(out, flat)

    # -- sums over the outer variables, within rows -------------------------------------------------------------------

    def totals_across(self, across: list[tuple[Part, Member]]) -> None:
        """Declare a row of totals for each."""
        for _, member in across:
            self.rows_across[member] = Line([])
            self.scopes[-1].items.append(self.rows_across[member])

    def add_across(self, member: Member, value: Value) -> None:
        """Add a value at its place in the row."""
        name = self.accumulator(member)
        self.kinds_across[member] = value.dtype
        length = product(list(member.loop.ranges))
        self.rows_across[member].pieces = [f"SumRow<{REGISTER[value.dtype]}, {length}> {name};"]
        place = Access(None, self.index(place_across(member)))
        self.put(Line([f"{name}.add(", place, ", ", value, ");"]), self.scopes[-1])

    def results_across(self, across: list[tuple[Part, Member]], opened: int) -> None:
        """Leave the loops over the outer variables and store the totals."""
        for _ in range(opened - 1):
            self.leave()
        row = self.scopes[-1].names[0]
        for _, member in across:
            length = product(list(member.loop.ranges))
            name = self.accumulator(member)
            self.put(Line([f"if (({row} & 255) == 255 || {row} + 1 == last) {name}.flush({length});"]), self.scopes[-1])
        self.leave()
        self.leave()
        for part, member in across:
            for var in part.inner:
                self.loop(var)
            place = Access(None, self.index(place_across(member)))
            result: list[Piece] = [f"{self.accumulator(member)}.result(", place, ")"]
            self.finish(member, Value(self.kinds_across[member], result, hint=self.title_of(member.loop.out)))
            for _ in part.inner:
                self.leave()


def place_across(member: Member) -> Any:
    """The place in the row of totals: the index over the inner variables, flattened."""
    return flattened(member.index[:len(member.loop.ranges)], member.loop.ranges)


def lanes_of(part: Part) -> int:
    """How many lanes the totals of a part have: few steps are done one after the other."""
    steps = product([v.size for v in part.inner])
    last = part.inner[-1].size if part.inner else 1
    if not is_static(steps) or steps > FEW:
        return LANES // 2 if is_static(last) and last < SHORT else LANES
    return 1
