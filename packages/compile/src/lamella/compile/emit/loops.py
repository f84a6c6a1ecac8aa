"""The loops of one part of a kernel: what printers of them have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..loops.index import Expr, Var, flattened, lift, product, substitute
from ..loops.ir import Buffer, Loop
from ..loops.record import computing, kept, record
from ..schedule.plan import Member
from .expressions import HALF, Function
from .ssa import WIDTH, Access, Line, Piece, Scope, Value


class Loops(Function):
    """Prints parts into the open scope of a function.

    Attributes:
        sizes: sizes that are parameters: name of a variable -> name of the parameter.
        accumulators: the names of reductions' totals. given: values that are called as a buffer.
    """

    def __init__(self, written: set[Buffer], shared: set[Buffer]) -> None:
        super().__init__(written, shared)
        self.sizes: dict[str, str] = {}
        self.accumulators: dict[Member, str] = {}
        self.given: set[Value] = set()

    def size(self, var: Var) -> Any:
        """How many steps a variable makes, as a piece of text."""
        if var.name in self.sizes:
            return self.sizes[var.name]
        return Access(None, self.index(var.size))

    def enter(self, var: Var, value: Value, scope: Scope) -> None:
        """Make a variable known whose value ``scope``'s head declares."""
        value.scope = scope
        scope.names.append(value.pieces[0])
        self.vars[var.name] = value
        self.loop_depth = scope.depth

    def leave(self) -> None:
        """Close the innermost loop."""
        inside = self.scopes[-1]
        self.names.open -= set(inside.names)
        self.known = {k: v for k, v in self.known.items() if v.scope is None or v.scope.depth < inside.depth}
        self.close()
        self.loop_depth = self.scopes[-1].depth

    def accumulator(self, member: Member) -> str:
        """The name of a reduction's accumulator."""
        name = self.accumulators.get(member)
        if name is None:
            name = self.accumulators[member] = self.names.new(f"{self.title_of(member.loop.out)}_total")
        return name

    def named(self, value: Value, out: Buffer) -> Value:
        """A value that is called as its buffer, where it has no name yet."""
        if not value.literal and not value.name and value not in self.given:
            value.hint = self.title_of(out) + ("_v" if out in self.written else "")
            self.given.add(value)
        return value

    def to_out(self, value: Value, out: Buffer) -> Value:
        return value if value.dtype == computing(out.dtype) else self.to(value, computing(out.dtype))

    def reduced_index(self, member: Member) -> Any:
        """The index over the reduced dimensions, flattened."""
        return flattened(member.index[len(member.loop.ranges):], member.loop.reduced)

    def flat(self, member: Member) -> Any:
        """The flat index that a member stores to."""
        loop = member.loop
        index = kept(loop, member.index)
        flat = loop.store(self, index) if loop.store is not None else loop.out.at(index)
        return lift(flat) if isinstance(flat, Var) else flat

    def unflattened(self, variables: Sequence[Var], name: str) -> Iterator[tuple[Var, str]]:
        """Variables, and the text of each one's value: ``name`` is their flat index."""
        for n, var in enumerate(variables):
            below = product([v.size for v in variables[n + 1:]])
            text = name if below == 1 else f"{name} / {in_brackets(self.index_text(below))}"
            yield var, text + (f" % {in_brackets(self.index_text(var.size))}" if n else "")

    def computed(self, member: Member, value: Value) -> list[tuple[Buffer, Any, Value]]:
        """Make a member's value known; returns what is to be stored: nothing, or (buffer, flat index, value)."""
        out, flat = member.loop.out, self.flat(member)
        value = self.named(self.to_out(value, out), out)
        self.known[(out, flat)] = value
        return [(out, flat, value)] if member.keep or self.holds(out, flat) else []

    def holds(self, out: Buffer, flat: Any) -> bool:
        """Whether a value has a place within the function for what comes later."""
        return out in self.rows

    def step_of(self, member: Member, var: Var) -> Any:
        """By how much a scatter's place moves with ``var``; None where that is not known."""
        recorded = record(member.loop, member.index)
        for op in recorded.indirects.values():
            if any(var in lift(each.index).vars() for each in reads_of(op) if each.index is not None):
                return None
        return lift(recorded.store if recorded.store is not None else 0).coefficient(var)

    def scatter(self, member: Member, value: Value) -> None:
        """A store to a computed place, at once: the next step may meet it."""
        out, loop = member.loop.out, member.loop
        flat = self.flat(member)
        index = self.index(flat)
        self.accesses.setdefault(out, []).append(flat)
        value = self.to_out(value, out)
        place = Access(out, index)
        if loop.how != "add":
            self.put(Line([place, " = ", value, ";"]))
        elif out.dtype in HALF:
            self.put(Line([place, f" = {out.dtype}(float(", place, ") + (", value, "));"]))
        elif out.dtype.startswith("float"):
            self.put(Line([place, " += ", value, ";"]))
        elif out.dtype == "bool":
            self.put(Line([place, " |= ", value, ";"]))
        else:
            self.put(Line([place, " = add(", place, ", ", value, ");"]))

    def store(self, out: Buffer, flat: Any, value: Value) -> None:
        """Write a value to memory, or to the row that stands for it."""
        self.touch(out, flat)
        value.limit = WIDTH
        line = [*self.target(out, flat), " = ", value, ";"]
        self.put(Line(line), self.scope_of(line, self.loop_depth))

    def target(self, out: Buffer, flat: Any) -> list[Piece]:
        """The place that a value is stored to."""
        return [Access(out, self.index(flat))]

    def finish(self, member: Member, result: Value) -> None:
        """The result of a reduction, after its loops."""
        result.scope = self.scopes[-1]
        if not result.literal:
            self.put(result)
        value = self.to_out(result, member.loop.out)
        flat = self.flat(member)
        self.known[(member.loop.out, flat)] = value
        if member.keep:
            self.store(member.loop.out, flat, value)


def reads_of(op: Any) -> list[Any]:
    """An operation and all that it is computed from."""
    found, stack = [], [op]
    while stack:
        each = stack.pop()
        found.append(each)
        stack.extend(each.args)
    return found


def in_brackets(text: str) -> str:
    """An operand of a division."""
    return text if text.isalnum() else f"({text})"


def title(loop: Loop) -> str:
    """What to call a loop in messages."""
    what = loop.origins[-1] if loop.origins else loop.out.name
    return f"{what} ({loop.where})" if loop.where else what


def quoted(text: str) -> str:
    """A string literal of C++."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def row_index(expr: Any, outer: set[Var]) -> Any:
    """A flat index within the row that belongs to one step of the outer variables."""
    return substitute(expr, dict.fromkeys(outer, 0)) if isinstance(expr, Expr) else expr


def row_length(expr: Any) -> Any:
    """How many elements such a row has."""
    if not isinstance(expr, Expr):
        return expr + 1
    return expr.substitute({v: v.size - 1 for v in expr.vars() if v.size is not None}) + 1
