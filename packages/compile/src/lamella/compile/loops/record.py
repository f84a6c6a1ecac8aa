"""Recording a loop's body as a list of operations: what the scheduler reads and the emitter prints.

`record` runs a body once over symbolic indices. Each operation is recorded once: equal operations on equal operands
are one `Op`, so the list is in static single assignment form, operands before their users.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .index import Expr, Var, lift
from .ir import Buffer, Loop

UNARY = (
    "neg abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh asin acos atan "
    "asinh acosh atanh erf erfc erfinv lgamma digamma sigmoid floor ceil trunc round sign bitwise_not"
).split()
ARITHMETIC = (
    "add sub mul div floordiv mod fmod pow maximum minimum fmax fmin atan2 hypot copysign nextafter "
    "bitwise_and bitwise_or bitwise_xor shift_left shift_right"
).split()
TESTS = ("isnan isinf logical_not".split(), "eq ne lt le gt ge logical_and logical_or logical_xor".split())
COSTS = dict.fromkeys(
    "exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh asin acos atan asinh acosh atanh erf erfc erfinv "
    "lgamma digamma sigmoid pow atan2 hypot".split(), 16)
COSTS["uniform"] = 40
COSTS |= dict.fromkeys("div sqrt rsqrt reciprocal floordiv mod fmod".split(), 4)


def computing(dtype: str) -> str:
    """The type that values of an element type have inside bodies: half precision is computed in float32."""
    return "float32" if dtype in ("float16", "bfloat16") else dtype


@dataclass(eq=False, slots=True)
class Region:
    """What is computed only where a condition holds: the body of ``masked``.

    Attributes:
        number: in order of opening. condition: a bool `Op`. parent: the region around it, or None.
    """

    number: int
    condition: Op
    parent: Region | None


@dataclass(eq=False, slots=True)
class Op:
    """One operation of a body.

    Attributes:
        number: its place in `Recorded.ops`.
        name: "load", "constant", "index", "scalar", "to", "indirect", "masked", "where", or a unary or binary operation
            of `lamella.compile.loops.ir.Ops`.
        dtype: of the result (never float16 or bfloat16: those are float32 here).
        args: operand operations. Of "masked": (condition, result of the body); of "indirect": (the integer).
        buffer, index: of "load": where from, ``index`` flat (int or Expr); of "index": the Expr that becomes a value;
            of "indirect": whether negative numbers count from the end (True or False).
        value: of "constant" the Python number; of "scalar" which; of "masked" the Python number elsewhere; of
            "indirect" the size that bounds it (int or Expr); of "to" the element type asked for ("to" float16 or
            bfloat16 rounds to it, and stays float32).
        var: of "indirect": the variable that stands for it in index expressions.
        region: the region it belongs to, or None. An operation outside any region runs for every element.
    """

    number: int
    name: str
    dtype: str
    args: tuple[Op, ...] = ()
    buffer: Buffer | None = None
    index: Any = None
    value: Any = None
    var: Var | None = None
    region: Region | None = None

    def __repr__(self) -> str:
        return f"t{self.number}"

    def __str__(self) -> str:
        inside = ", ".join(map(repr, self.args))
        if self.buffer is not None:
            inside = f"{self.buffer.name}[{self.index}]"
        elif self.name == "index":
            inside = str(self.index)
        elif self.value is not None:
            inside += f"{', ' if inside else ''}{self.value}"
        where = f" in region {self.region.number}" if self.region else ""
        return f"t{self.number}: {self.dtype} = {self.name}({inside}){where}"


@dataclass(slots=True)
class Recorded:
    """A body that was run once.

    Attributes:
        ops: the operations, operands first.
        result: the body's value.
        index: what it ran over (one entry for each dimension).
        store: the flat index that the loop stores to (None: ``out.at(index)`` of the kept dimensions).
        indirects: variable -> its "indirect" operation.
        regions: the masked regions.
    """

    ops: list[Op]
    result: Op
    index: tuple[Any, ...]
    store: Any = None
    indirects: dict[Var, Op] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)

    def loads(self) -> list[Op]:
        """The loads, in order."""
        return [op for op in self.ops if op.name == "load"]

    def buffers(self) -> list[Buffer]:
        """The buffers that are read, each once, in order of the first load."""
        return list(dict.fromkeys(op.buffer for op in self.ops if op.buffer is not None))

    def cost(self) -> int:
        """About how many simple operations one step takes."""
        return sum(COSTS.get(op.name, 1) for op in self.ops if op.name not in ("constant", "load", "index", "to"))

    def __str__(self) -> str:
        return "\n".join([*map(str, self.ops), f"return {self.result!r}"])


class Recorder:
    """The ops handler that records; use `record`.

    Its values are `Op`.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.indirects: dict[Var, Op] = {}
        self.regions: list[Region] = []
        self._region: Region | None = None
        self._seen: dict[Any, Op] = {}
        self._inside: dict[Any, list[tuple[Region, dict[Any, Op]]]] = {}

    def _op(self, name: str, dtype: str, args: tuple[Op, ...] = (), buffer: Buffer | None = None, index: Any = None,
            value: Any = None) -> Op:
        key = (name, dtype, args, buffer, index, type(value), repr(value) if isinstance(value, float) else value)
        found = self._seen.get(key)
        if found is None:
            found = self._seen[key] = Op(len(self.ops), name, dtype, args, buffer, index, value, None, self._region)
            self.ops.append(found)
        return found

    def load(self, buffer: Buffer, index: Any) -> Op:
        """See `lamella.compile.loops.ir.Ops`; so for all others."""
        return self._op("load", computing(buffer.dtype), (), buffer, index)

    def constant(self, number: Any, dtype: str) -> Op:
        kind = bool if dtype == "bool" else float if dtype.startswith(("float", "bfloat")) else int
        return self._op("constant", computing(dtype), value=kind(number))

    def index_value(self, expr: Any, dtype: str = "int64") -> Op:
        if isinstance(expr, Var):
            expr = lift(expr)
        return self._op("index", computing(dtype), index=expr) if isinstance(expr, Expr) else self.constant(expr, dtype)

    def scalar(self, k: int, dtype: str) -> Op:
        return self._op("scalar", computing(dtype), value=k)

    def to(self, value: Op, dtype: str) -> Op:
        if value.dtype == dtype:
            return value
        if value.name == "constant" and dtype == computing(dtype) and abs(value.value) < 2**24:
            return self.constant(value.value, dtype)
        return self._op("to", computing(dtype), (value,), value=dtype)

    def uniform(self, seed: Op, offset: Op, place: Op) -> Op:
        return self._op("uniform", "float64", (seed, offset, place))

    def where(self, condition: Op, a: Op, b: Op) -> Op:
        return a if a is b else self._op("where", a.dtype, (condition, a, b))

    def indirect(self, value: Op, size: Any, wrap: bool = True) -> Any:
        op = self._op("indirect", "int64", (value,), index=wrap, value=size)
        if op.var is None:
            op.var = Var(f"t{op.number}", size)
            self.indirects[op.var] = op
        return lift(op.var)

    def masked(self, condition: Op, body: Callable[[], Op], other: Any) -> Op:
        if condition.name == "constant" and condition.value:
            return body()
        outer, seen = self._region, self._seen
        result = self._again(condition, body)
        if result is None:
            region = self._region = Region(len(self.regions), condition, outer)
            self.regions.append(region)
            self._seen = dict(seen)
            try:
                result = body()
                self._inside.setdefault((condition, outer), []).append((region, self._seen))
            finally:
                self._region, self._seen = outer, seen
        return self._op("masked", result.dtype, (condition, result), value=other)

    def _again(self, condition: Op, body: Callable[[], Op]) -> Op | None:
        """The result of a body that does nothing which an earlier one under the same condition did not do."""
        outer, seen, mark = self._region, self._seen, (len(self.ops), len(self.regions))
        for region, inside in self._inside.get((condition, outer), ()):
            self._region, self._seen = region, {**seen, **inside}
            try:
                result = body()
            finally:
                self._region, self._seen = outer, seen
            if mark == (len(self.ops), len(self.regions)):
                return result
            self.indirects = {v: op for v, op in self.indirects.items() if op.number < mark[0]}
            del self.ops[mark[0]:], self.regions[mark[1]:]
        return None


def _unary(name: str, dtype: str = "") -> Any:
    def op(self: Recorder, value: Op) -> Op:
        return self._op(name, dtype or value.dtype, (value,))

    op.__name__ = name
    return op


def _binary(name: str, dtype: str = "") -> Any:
    def op(self: Recorder, a: Op, b: Op) -> Op:
        return self._op(name, dtype or a.dtype, (a, b))

    op.__name__ = name
    return op


for _name in UNARY:
    setattr(Recorder, _name, _unary(_name))
for _name in ARITHMETIC:
    setattr(Recorder, _name, _binary(_name))
for _name in TESTS[0]:
    setattr(Recorder, _name, _unary(_name, "bool"))
for _name in TESTS[1]:
    setattr(Recorder, _name, _binary(_name, "bool"))


def record(loop: Loop, index: tuple[Any, ...] | None = None) -> Recorded:
    """Run a loop's body once.

    Args:
        loop: the loop.
        index: what to run it over: an int, `Var` or `Expr` for each of ``ranges`` and then ``reduced``; by default the
            variables of `variables`.

    Returns:
        The operations.

    Example:
        >>> x, y = Buffer("x", "float32", (4,)), Buffer("y", "float32", (4,))
        >>> print(record(Loop(y, (4,), lambda ops, i: ops.exp(ops.load(x, x.at(i))))))
        t0: float32 = load(x[i0])
        t1: float32 = exp(t0)
        return t1
    """
    if index is None:
        index = variables(loop)
    index = tuple(lift(i) if isinstance(i, Var) else i for i in index)
    ops = Recorder()
    result = loop.body(ops, index)
    store = None
    if loop.store is not None:
        store = loop.store(ops, kept(loop, index))
    return Recorded(ops.ops, result, index, store, ops.indirects, ops.regions)


def variables(loop: Loop) -> tuple[Var, ...]:
    """A fresh variable for each dimension: ``i0``, ``i1``, ... for the ranges, ``r0``, ... for the reduced."""
    kept = tuple(Var(f"i{n}", size) for n, size in enumerate(loop.ranges))
    return kept + tuple(Var(f"r{n}", size) for n, size in enumerate(loop.reduced))


def kept(loop: Loop, index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index of the element that a loop stores to, where ``index`` has an entry for each of its dimensions."""
    n = len(loop.ranges)
    if loop.kind == "scan":
        return (*index[:loop.axis], index[n], *index[loop.axis:n])
    return index[:n]
