"""The loops of one part of a kernel in CUDA: what each thread does of them, and how threads put results together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any

from ...loops.index import Expr, Var, flattened, lift, product, substitute
from ...loops.ir import Buffer
from ...loops.record import record
from ...schedule.plan import Member, Part
from .. import loops
from ..expressions import in_row
from ..ssa import LOOSE, WIDTH, Access, Line, Piece, Scope, Value
from .expressions import REGISTER, Function, literal

#: How -> (what a total starts as, how a value is added, what the functions of warps and blocks are called).
REDUCTIONS = {
    "sum": ("", "add", "sum"), "prod": ("", "mul", "product"), "max": ("lowest", "maximum", "max"),
    "min": ("highest", "minimum", "min"), "any": ("", "|", "any"), "all": ("", "&", "all"),
}


@dataclass(slots=True)
class Team:
    """The threads that share the loops of a part.

    Attributes:
        name: "warp", "block", "column" (those of a block that have the same threadIdx.x), or "" for one alone.
        first: what tells them apart. count: how many there are. barrier: what they wait at for each other.
        leads: what holds for one of them alone.
    """

    name: str
    first: str
    count: int
    barrier: str = ""
    leads: str = ""


ALONE = Team("", "0", 1)
WARP = Team("warp", "lane()", 32, "__syncwarp();", "lane() == 0")


def block(threads: int) -> Team:
    """All threads of a block."""
    return Team("block", "threadIdx.x", threads, "__syncthreads();", "threadIdx.x == 0")


class Loops(Function, loops.Loops):
    """Prints parts into the open scope of a kernel.

    Attributes:
        team: whose threads share loops. spread: whether threads do different elements in what is printed.
        filled: packs to be stored after the loop over their elements: (buffer, index of the first element, name).
    """

    def __init__(self, written: set[Buffer], shared: set[Buffer], reports: bool = False) -> None:
        super().__init__(written, shared, reports)
        self.team = ALONE
        self.spread = False
        self.filled: list[tuple[Buffer, Any, str]] = []

    # -- loops ------------------------------------------------------------------------------------------------------

    def over(self, variables: Sequence[Var], first: str, step: str, width: int = 1, condition: str = "") -> Scope:
        """Open one loop over several variables, of which a thread does every ``step``-th step.

        Args:
            variables: outermost first. first, step: where it begins, and how far it goes on; both are taken times
                ``width``. width: how many elements of the last variable are done at once.
            condition: what has to hold besides.
        """
        times = f"{width} * " if width > 1 else ""
        begin = first if first == "0" else times + first
        go = f"{int(step) * width}" if step.isdigit() else times + step
        size: Any = Access(None, self.index(product([v.size for v in variables])))
        if len(variables) == 1 and variables[0].name in self.sizes:
            size = self.sizes[variables[0].name]
        name = self.names.new(variables[0].name if len(variables) == 1 else "step", True)
        more = f"++{name}" if go == "1" else f"{name} += {go}"
        head: list[Piece] = [f"for ({self.whole} {name} = {begin}; {name} < ", size, f"{condition}; {more}) {{"]
        scope = self.open([head], [["}"]])
        scope.names.append(name)
        self.loop_depth = scope.depth
        self.apart(variables, name)
        return scope

    def apart(self, variables: Sequence[Var], name: str) -> None:
        """Make variables known whose flat index has a name."""
        if len(variables) == 1:
            self.vars[variables[0].name] = Value("int64", [name], scope=self.scopes[-1], literal=True)
        else:
            self.declared_all(variables, name)

    def declared_all(self, variables: Sequence[Var], name: str) -> None:
        """Declare the values of variables whose flat index has a name."""
        for var, text in self.unflattened(variables, name):
            self.declared(var, text)
        if name.isidentifier():
            flat = flattened([lift(v) for v in variables], [v.size for v in variables])
            values = {v.name: self.vars[v.name] for v in variables}
            self.flats.append((flat, Value("int64", [name], scope=self.scopes[-1], literal=True), values))

    def declared(self, var: Var, text: str, uses: int = 0) -> None:
        """Declare a variable's value; ``uses``: how often its name is used besides."""
        scope = self.scopes[-1]
        value = self.vars[var.name] = Value("index", [text], scope=scope, pinned=True)
        value.name = self.names.new(var.name, True)
        scope.names.append(value.name)
        self.put(value)
        value.uses += uses

    def lanes_open(self, var: Var, width: int) -> None:
        """Open the loop over the elements that a thread does at once; the variable is then that of each element."""
        self.vector, self.width = var, width
        self.first = self.vars[var.name]
        self.step = self.names.new("k", True)
        k = self.step
        scope = self.open([[f"UNROLL for (int {k} = 0; {k} < {width}; ++{k}) {{"]], [["}"]])
        scope.names.append(k)
        self.loop_depth = scope.depth
        value = self.vars[var.name] = Value("index", [self.first, f" + {k}"], scope=scope, pinned=True)
        value.name = self.names.new(var.name, True)
        scope.names.append(value.name)
        self.put(value)

    def lanes_close(self, var: Var) -> None:
        """Leave that loop, and move the packs that it filled."""
        packs, self.filled = self.filled, []
        for buffer, _, name in packs:
            self.scopes[-2].items.append(Line([f"Pack<{self.memory_type(buffer)}, {self.width}> {name};"]))
        self.leave()
        for buffer, flat, name in packs:
            self.line("store(", self.address(buffer, flat), f", {name});")
        if not self.vars[var.name].uses:
            self.first.uses -= 1  # nothing but the element's variable, which is not printed
        self.vars[var.name] = self.first
        self.vector, self.width = None, 1
        self.lanes.clear()

    # -- a part -----------------------------------------------------------------------------------------------------

    def part(self, part: Part, width: int = 1) -> None:
        """Print the loops of a part, shared by the team.

        Args:
            part: the part. width: how many elements along its last variable a thread does at once.
        """
        totals = [m for m in part.members if m.loop.kind == "reduce"]
        holders = {m: Line([]) for m in totals}
        self.scopes[-1].items += holders.values()
        opened = 0
        if self.team is ALONE:
            opened = len(part.inner)
            for var in part.inner:
                self.over([var], "0", "1")
        elif part.inner and not self.single:
            opened = 1
            self.over(part.inner, self.team.first, str(self.team.count), width)
        results = self.bodies(part, holders, width, bool(part.inner))
        for _ in range(opened):
            self.leave()
        for member, total, dtype in results:
            self.reduced(member, total, dtype)

    def bodies(self, part: Part, holders: dict[Member, Line], width: int = 1,
               spread: bool = True) -> list[tuple[Member, str, str]]:
        """Print the members' bodies into the open loops; ``spread``: threads do different elements."""
        self.spread = spread
        if width > 1:
            self.lanes_open(part.inner[-1], width)
        stores: list[tuple[Buffer, Any, Value]] = []
        results = []
        for member in part.members:
            loop = member.loop
            value = loop.body(self, member.index)
            if loop.kind == "reduce":
                results.append((member, self.update(member, value, holders[member]), value.dtype))
                continue
            stores += self.computed(member, value)
        for each in stores:
            self.store(*each)
        if width > 1:
            self.lanes_close(part.inner[-1])
        self.spread = False
        return results

    def update(self, member: Member, value: Value, holder: Line) -> str:
        """Add a value to the total of a thread; returns the total's name."""
        how, name = member.loop.how, self.accumulator(member)
        kind = REGISTER[value.dtype]
        if how.startswith("arg"):
            holder.pieces = [f"Best<{kind}> {name};"]
            self.line(f"{name}.{how[3:]}(", value, ", ", Access(None, self.index(self.reduced_index(member))), ");")
            return name
        start, add, _ = REDUCTIONS[how]
        begin = f"{start}<{kind}>()" if start else literal(how in ("prod", "all"), value.dtype)
        holder.pieces = [f"{kind} {name} = {begin};"]
        if value.dtype.startswith("float") and add in ("add", "mul"):
            self.line(f"{name} {'+' if add == 'add' else '*'}= ", value, ";")
        elif add in "|&":
            self.line(f"{name} {add}= ", self.to(value, "bool"), ";")
        else:
            self.line(f"{name} = {add}({name}, ", value, ");")
        return name

    def reduced(self, member: Member, total: str, dtype: str) -> None:
        """The result of a reduction, from the totals of the team."""
        how, team = member.loop.how, self.team.name
        if how.startswith("arg"):
            text, dtype = f"{team}_{how}({total}).place()" if team else f"{total}.place()", "int64"
        elif team:
            text = f"{team}_{REDUCTIONS[how][2]}({total})"
        else:
            text = total
        result = Value(dtype, [text], hint=self.title_of(member.loop.out), pinned=True, literal=not team)
        self.finish(member, result)

    # -- stores -----------------------------------------------------------------------------------------------------

    def holds(self, out: Buffer, flat: Any) -> bool:
        return super().holds(out, flat) or (out, flat) in self.registers

    def store(self, out: Buffer, flat: Any, value: Value) -> None:
        held = self.registers.get((out, flat))
        if held is not None:
            self.line(f"{held}[{self.step}] = ", value, ";")
            if out not in self.written:
                return
        if self.packed(out, flat):
            self.fill(out, flat, value)
            return
        if self.spread or not self.team.leads:
            super().store(out, flat, value)
            return
        self.touch(out, flat)
        value.limit = WIDTH
        if out in self.shared:
            self.line(self.team.barrier)  # the others have read what was there
        self.line(f"if ({self.team.leads}) ", *self.target(out, flat), " = ", value, ";")

    def fill(self, out: Buffer, flat: Any, value: Value) -> None:
        """Put a value into the pack that is stored after the loop over its elements."""
        self.touch(out, flat)
        name = self.names.new(f"{self.title_of(out)}_out")
        value.limit = WIDTH
        self.line(f"{name}[{self.step}] = ", value, ";")
        self.filled.append((out, flat, name))

    # -- in order -----------------------------------------------------------------------------------------------------

    def scan_total(self, member: Member, dtype: str) -> tuple[str, str, str]:
        """Declare the total of a scan; returns its name, how values are added, and what the scan is called."""
        _, add, called = REDUCTIONS[member.loop.how]
        name = self.names.new(f"{self.title_of(member.loop.out)}_so_far")
        self.line(f"{REGISTER[dtype]} {name} = {literal(add == 'mul', dtype)};")
        return name, add, called

    def scan_alone(self, member: Member, var: Var) -> None:
        """A running sum by one thread."""
        dtype = record(member.loop, member.index).result.dtype
        name, add, _ = self.scan_total(member, dtype)
        self.over([var], "0", "1")
        value = member.loop.body(self, member.index)
        self.line(f"{name} = {add}({name}, ", value, ");")
        total = Value(dtype, [name], scope=self.scopes[-1], literal=True)
        self.store(member.loop.out, self.flat(member), self.to_out(total, member.loop.out))
        self.leave()

    def scan_rows(self, member: Member, var: Var, threads: int) -> None:
        """A running sum by all threads of a block, as many elements at a time."""
        dtype, size = record(member.loop, member.index).result.dtype, Access(None, self.index(var.size))
        name, add, called = self.scan_total(member, dtype)
        start = self.names.new("start", True)
        head: list[Piece] = [f"for ({self.whole} {start} = 0; {start} < ", size, f"; {start} += {threads}) {{"]
        scope = self.open([head], [["}"]])
        scope.names.append(start)
        self.loop_depth = scope.depth
        self.declared(var, f"{start} + threadIdx.x")
        inside = self.value("bool", [self.vars[var.name], " < ", size], LOOSE, "inside", pinned=True, least=scope.depth)
        given = self.masked(inside, lambda: member.loop.body(self, member.index), add == "mul")
        total = self.value(dtype, [f"block_scan_{called}(", given, f", {name})"], pinned=True, least=scope.depth,
                           hint=self.title_of(member.loop.out))
        self.open([["if (", inside, ") {"]], [["}"]], guard=True)
        flat = self.flat(member)
        self.accesses.setdefault(member.loop.out, []).append(flat)
        self.line(Access(member.loop.out, self.index(flat)), " = ", self.to_out(total, member.loop.out), ";")
        self.close()
        self.leave()

    def scatter_owned(self, member: Member, alone: Sequence[Var], owners: int) -> None:
        """A store to a computed place.

        Args:
            member: the loop. alone: variables along which threads never meet.
            owners: how many blocks share the places that are left between them.
        """
        if owners > 1:
            place = sequential(self.flat(member), alone)
            head: list[Piece] = [f"if (mine<{owners}>(", Access(None, self.index(place)), ", blockIdx.y)) {"]
            self.open([head], [["}"]], guard=True)
        self.scatter(member, member.loop.body(self, member.index))
        if owners > 1:
            self.close()

    def scatter_listed(self, member: Member, alone: Sequence[Var], rest: Sequence[Var], owners: int,
                       threads: int) -> None:
        """A store to a computed place by blocks that first list the steps whose places are theirs.

        Args:
            member: the loop. alone: variables along which threads of a block never meet. rest: the others.
            owners: how many blocks there are. threads: of each.
        """
        loop, size = member.loop, Access(None, self.index(product([v.size for v in rest])))
        steps, start = self.names.new("steps"), self.names.new("start", True)
        self.line(f"__shared__ int {steps}[{threads}];")
        head: list[Piece] = [f"for ({self.whole} {start} = 0; {start} < ", size, f"; {start} += {threads}) {{"]
        scope = self.open([head], [["}"]])
        scope.names.append(start)
        self.loop_depth = scope.depth
        seen = {v: Var(f"{v.name}_seen", v.size) for v in rest}
        step = Var("step", None)
        self.declared(step, f"{start} + threadIdx.x", 1)
        self.apart(list(seen.values()), self.vars["step"].name)

        def own() -> Value:
            kept = tuple(substitute(i, {v: lift(w) for v, w in seen.items()}) for i in member.index)
            place = sequential(loop.store(self, kept) if loop.store else loop.out.at(kept), alone)
            return self.value("bool", [f"mine<{owners}>(", Access(None, self.index(place)), ", blockIdx.x)"],
                              least=self.guard_depth())

        inside = self.value("bool", [self.vars["step"], " < ", size], LOOSE, "inside", least=scope.depth)
        chosen = self.masked(inside, own, False)
        count = self.value("index", ["listed(", chosen, f", {steps})"], pinned=True, least=scope.depth, hint="count")
        n = self.names.new("n", True)
        scope = self.open([[f"for (int {n} = 0; {n} < ", count, f"; ++{n}) {{"]], [["}"]])
        scope.names.append(n)
        self.loop_depth = scope.depth
        self.declared(step, f"{start} + {steps}[{n}]", 1)
        self.apart(rest, self.vars["step"].name)
        if alone:
            self.over(alone, "threadIdx.x", str(threads))
        else:
            self.open([["if (threadIdx.x == 0) {"]], [["}"]], guard=True)
        self.scatter(member, loop.body(self, member.index))
        for _ in range(3):
            self.leave()

    # -- rows of shared memory -----------------------------------------------------------------------------------------

    def row(self, out: Buffer, length: int, teams: int, inside: Any) -> None:
        """Declare a row of shared memory for the values of a buffer, one for each of the block's teams."""
        kind, name = in_row(out.dtype), self.names.new(f"{self.title_of(out)}_row")
        if self.team is ALONE:
            self.line(f"{kind} {name}[{length}];")
        elif teams == 1:
            self.line(f"alignas(16) __shared__ {kind} {name}[{length}];")
        else:
            all_rows = self.names.new(f"{self.title_of(out)}_rows")
            self.line(f"alignas(16) __shared__ {kind} {all_rows}[{teams}][{-(-length // 4) * 4}];")
            self.line(f"{kind}* const {name} = {all_rows}[threadIdx.x / 32];")
        self.rows[out] = (name, inside)


def same_thread(a: Any, b: Any, first: tuple[Var, ...], second: tuple[Var, ...], widths: tuple[int, int]) -> bool:
    """Whether the thread that touches one place also touches the other, as the loops over both are shared alike."""
    return lift(a) == lift(b) and first == second and widths[0] == widths[1]


def sequential(flat: Any, alone: Sequence[Var]) -> Any:
    """What tells places apart whose threads differ in nothing of ``alone``: a number of its own for each."""
    rest = lift(substitute(lift(flat), dict.fromkeys(alone, 0)))
    step = gcd(*(c for monomial, c in rest.terms.items() if monomial))
    return sum((lift(Expr({monomial: c // step})) for monomial, c in rest.terms.items() if monomial), start=lift(0))
