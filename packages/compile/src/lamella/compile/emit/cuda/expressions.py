"""Loop bodies as CUDA C++: checks of indices, and packs of elements that are moved at once."""

from __future__ import annotations

from typing import Any

from ...loops.index import Expr, Var, lift
from ...loops.ir import Buffer, itemsize
from ...loops.record import Recorded, computing
from .. import expressions
from ..expressions import HALF, MEMORY, REGISTER, Index, in_row, literal
from ..ssa import ATOM, LOOSE, Access, Line, Piece, Value

__all__ = ["HALF", "MEMORY", "REGISTER", "RESERVED", "Function", "literal"]

_HOWS = "sum product max min any all argmax argmin"
RESERVED = expressions.RESERVED | set(
    "threadIdx blockIdx blockDim gridDim warpSize grid_thread grid_threads grid_warp lane load store aligned mine Pack "
    "Best Report lowest highest bits least block_scan_sum block_scan_product UNROLL min max half printf clock assert "
    "Philox philox philox_uniform philox_uniform_double philox_normal "
    "dim3 uint3 float2 float4 int2 int4 uint16_t uint32_t uint64_t size_t norm".split()
) | {f"{whose}_{how}" for whose in ("warp", "block", "column") for how in _HOWS.split()}
WIDEST = 8  # elements of a pack
PACK = 16  # bytes of an access


class Address(Access):
    """Where a place in memory is: ``buffer + index``."""

    __slots__ = ()


class Function(expressions.Function):
    """A CUDA kernel under construction.

    Attributes:
        reports: whether indices that are read from memory are checked.
        vector: the variable along which several elements are done by one thread, or None. width: how many.
        step: the name of the element's number among them. first: the variable at the first of them.
        whole: the type of indices.
        flats: flat indices that have names: (expression, name, the variables' values for which it holds).
        single: whether each thread does one step of all parts, so that what it holds stays in registers.
        registers: (buffer, index) -> name of the elements that a thread holds.
    """

    reserved = RESERVED
    first: Value

    def __init__(self, written: set[Buffer], shared: set[Buffer], reports: bool = False) -> None:
        super().__init__(written, shared)
        self.reports = reports
        self.vector: Var | None = None
        self.width = 1
        self.whole = "long"
        self.step = ""
        self.lanes: dict[tuple[Buffer, Any], Value] = {}
        self.packs: dict[tuple[Buffer, Any], Value] = {}
        self.flats: list[tuple[Any, Value, dict[str, Value]]] = []
        self.single = False
        self.registers: dict[tuple[Buffer, Any], str] = {}

    def place(self, wrap: bool, index: Value, size: Access) -> list[Piece]:
        self.checks |= self.reports
        return ["place(" if wrap else "place_from_start(", index, ", ", size, ", report)" if self.reports else ")"]

    def declare(self, value: Value) -> str:
        if value.dtype.startswith("Pack"):
            return f"const {value.dtype} {value.name}"
        if value.dtype == "index":
            return f"const {self.whole} {value.name}"
        return super().declare(value)

    def access(self, access: Access) -> str:
        if not isinstance(access, Address):
            return super().access(access)
        row = self.rows.get(access.buffer)
        if row is not None:
            name, expr = row[0], row[1](access.index.expr)
        else:
            name, expr = self.pointer(access.buffer), access.index.expr - self.base(access.buffer)
        text = self.index_text(expr, access.index.env)
        return name if text == "0" else f"{name} - {text[1:]}" if text[0] == "-" else f"{name} + {text}"

    def uniform(self, seed: Value, offset: Value, place: Value) -> Value:
        """A random number in [0, 1)."""
        pieces: list[Piece] = ["philox_uniform_double(", seed, ", ", offset, ", ", place, ")"]
        return self.value("float64", pieces, hint="drawn")

    # -- packs --------------------------------------------------------------------------------------------------------

    def packed(self, buffer: Buffer, index: Any) -> bool:
        """Whether a place is a step further in memory for each element that the thread does."""
        if self.vector is None or self.guard_depth():
            return False
        if not follows(self.within_row(buffer, index), self.vector, self.width):
            return False
        others = [self.var(v.name).scope for v in lift(index).vars() if v != self.vector]
        return all(scope is None or scope.depth < self.loop_depth for scope in others)

    def within_row(self, buffer: Buffer, index: Any) -> Any:
        """The index into the memory that the function has for a buffer."""
        return self.rows[buffer][1](index) if buffer in self.rows else index

    def load(self, buffer: Buffer, index: Any) -> Value:
        index = lift(index) if isinstance(index, Var) else index
        if (buffer, index) in self.known:
            return super().load(buffer, index)
        held = self.registers.get((buffer, index))
        if held is not None and self.vector is not None:
            return Value(computing(buffer.dtype), [f"{held}[{self.step}]"], scope=self.scopes[-1], literal=True)
        if not self.packed(buffer, index):
            return super().load(buffer, index)
        found = self.lanes.get((buffer, index))
        if found is None:
            found = self.lanes[buffer, index] = self.lane_of(buffer, index)
        return found

    def lane_of(self, buffer: Buffer, index: Any) -> Value:
        """One element of a pack, which is loaded in front of the loop over its elements."""
        pack = self.packs.get((buffer, index)) or self.pack(buffer, index)
        pieces: list[Piece] = [pack, f"[{self.step}]"]
        bind, dtype = ATOM, computing(buffer.dtype)
        if buffer.dtype in HALF and buffer not in self.rows:
            return self.value(dtype, ["float(", *pieces, ")"], hint=f"{self.title_of(buffer)}_v", least=self.loop_depth)
        if buffer.dtype == "bool":
            pieces, bind = [*pieces, " != 0"], LOOSE
        return Value(dtype, pieces, bind, self.scopes[self.loop_depth], literal=True)

    def pack(self, buffer: Buffer, index: Any) -> Value:
        """Load a pack; one that is in registers and does not change is not loaded again."""
        self.touch(buffer, index)
        outside = self.scopes[self.loop_depth - 1]
        kind = f"Pack<{self.memory_type(buffer)}, {self.width}>"
        pack = Value(kind, [f"load<{self.width}>(", self.address(buffer, index), ")"], scope=outside,
                     hint=f"{self.title_of(buffer)}_v", pinned=True)
        self.put(pack, outside)
        pack.uses = 1
        if self.single and buffer not in self.written | self.shared:
            self.packs[buffer, index] = pack
        return pack

    def index(self, expr: Any) -> Index:
        """An index whose variables are looked up; a part of it that has a name of its own is called by that."""
        for flat, name, values in self.flats:
            if isinstance(expr, Expr) and all(self.vars.get(v) is value for v, value in values.items()):
                rest = expr - flat
                if isinstance(rest, int) or not any(v.name in values for v in rest.vars()):
                    found = super().index(rest)
                    var = Var(name.pieces[0])
                    return Index(found.expr + lift(var), {**found.env, var.name: name})
        return super().index(expr)

    def address(self, buffer: Buffer, index: Any) -> Address:
        """Where the first element of a pack is: the loop's variable names it."""
        if self.vector is None:
            return Address(buffer, self.index(index))
        inside = self.vars[self.vector.name]
        self.vars[self.vector.name] = self.first
        found = Address(buffer, self.index(index))
        self.vars[self.vector.name] = inside
        return found

    def memory_type(self, buffer: Buffer) -> str:
        """The type of a buffer's elements where they lie."""
        return in_row(buffer.dtype) if buffer in self.rows else MEMORY[buffer.dtype]

    def line(self, *pieces: Piece) -> None:
        """Append a statement to the innermost scope."""
        self.put(Line(list(pieces)), self.scopes[-1])


def follows(index: Any, var: Var, width: int) -> bool:
    """Whether an index grows with a variable by one, and starts on multiples of ``width`` but for a constant."""
    expr = lift(index)
    if not (isinstance(expr, Expr) and expr.coefficient(var) == 1):
        return False
    rest = lift(expr - lift(var))
    return all(c % width == 0 for monomial, c in rest.terms.items() if monomial)


def multiple(size: Any, width: int) -> bool:
    """Whether a size is known to be a multiple of a number."""
    return size % width == 0 if isinstance(size, int) else all(c % width == 0 for c in size.terms.values())


def widest(bodies: list[Recorded], stores: list[tuple[Buffer, Any]], var: Var, rows: set[Buffer]) -> int:
    """How many elements along a variable a thread takes at once.

    Args:
        bodies: of the loops. stores: what they store, and where.
        var: the innermost variable. rows: buffers that are rows of shared memory.

    Returns:
        1 where something lies so that this would save nothing.
    """
    loads = [(op.buffer, op.index, op.region) for body in bodies for op in body.loads()]
    plain = [(b, i) for b, i, region in loads if region is None] + stores
    moved = [(b, i) for b, i in plain if b is not None and (lift(i).coefficient(var) != 0)]
    sizes = [4 if b in rows else itemsize(b.dtype) for b, _ in moved if b is not None]
    width = min(WIDEST, PACK // max(sizes)) if sizes else 1
    while width > 1 and not (multiple(var.size, width) and all(follows(i, var, width) for _, i in moved)):
        width //= 2
    if any(region is not None and lift(i).coefficient(var) not in (0, 1) for _, i, region in loads):
        return 1
    if any(var in lift(i).vars() for b, i in plain for i in [i] if lift(i).coefficient(var) is None):
        return 1
    return width
