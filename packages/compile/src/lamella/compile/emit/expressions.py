"""Loop bodies as expressions of C++ and of CUDA: the handler that is passed to bodies as ``ops``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..loops.index import Expr, FloorDiv, Mod, Var, lift, upper
from ..loops.ir import Buffer
from ..loops.record import computing
from .ssa import ATOM, LOOSE, PREFIX, PRODUCT, SUM, Access, Line, Names, Nest, Piece, Value, values_in

#: Element type -> its type in memory.
MEMORY = {
    "float32": "float", "float64": "double", "float16": "float16", "bfloat16": "bfloat16", "int8": "int8_t",
    "int16": "int16_t", "int32": "int32_t", "int64": "long", "uint8": "uint8_t", "bool": "uint8_t",
}
#: Element type -> the type of its values.
REGISTER = MEMORY | {"float16": "float", "bfloat16": "float", "bool": "bool"}
HALF = ("float16", "bfloat16")
FLOATS = ("float32", "float64", "float16", "bfloat16")
INFIX = {"add": ("+", SUM), "sub": ("-", SUM), "mul": ("*", PRODUCT), "div": ("/", PRODUCT)}
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
LOGICAL = {"logical_and": "&", "logical_or": "|", "logical_xor": "!="}
BITWISE = {"bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^"}
UNARY = (
    "abs exp exp2 expm1 log log2 log10 log1p sqrt rsqrt reciprocal sin cos tan tanh sinh cosh asin acos atan asinh "
    "acosh atanh erf erfc erfinv lgamma digamma sigmoid floor ceil trunc sign"
).split()
BINARY = "floordiv mod fmod pow maximum minimum fmax fmin atan2 hypot copysign nextafter shift_left shift_right".split()
RESERVED = set(
    "alignas and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr continue default "
    "delete do double else enum explicit export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private protected public register return short signed "
    "sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void "
    "volatile while xor xor_eq report scalars main float16 bfloat16 add sub mul neg int8_t int16_t int32_t uint8_t "
    "convert place place_from_start INLINE fail round_even is_nan is_inf inf32 inf64 nan32 nan64".split()
) | set(UNARY) | set(BINARY)


class Index:
    """A flat index: an expression, and the values that stand for its variables."""

    __slots__ = ("expr", "env", "values")

    def __init__(self, expr: Any, env: dict[str, Value]) -> None:
        self.expr, self.env, self.values = expr, env, list(env.values())


class Function(Nest):
    """A function under construction, and the ``ops`` handler of the bodies in it.

    Attributes:
        reserved: words that are no names, of the language and of its headers.
        written: buffers that the function stores to (loads of them stay in order).
        shared: buffers whose memory another buffer of the function shares, where one is written.
        known: (buffer, flat index) -> the value that is there, still in a register.
        rows: buffer -> (name, function of the flat index) for values kept in scratch memory.
    """

    reserved = RESERVED

    def __init__(self, written: set[Buffer], shared: set[Buffer]) -> None:
        super().__init__(Names(self.reserved))
        self.written, self.shared = written, shared
        self.known: dict[tuple[Buffer, Any], Value] = {}
        self.loaded: set[int] = set()  # ids of values whose loads are statements
        self.rows: dict[Buffer, tuple[str, Callable[[Any], Any]]] = {}
        self.vars: dict[str, Value] = {}
        self.pointers: dict[Buffer, str] = {}
        self.accesses: dict[Buffer, list[Any]] = {}
        self.symbols: list[str] = []
        self.scalars: list[int] = []
        self.titles: dict[Buffer, str] = {}  # what to call buffers
        self.checks = False  # whether an index is checked
        self.title = ""
        self.loop_depth = 0  # the depth of the innermost loop

    # -- names ------------------------------------------------------------------------------------------------------

    def declare(self, value: Value) -> str:
        return f"const {REGISTER[value.dtype]} {value.name}"

    def pointer(self, buffer: Buffer) -> str:
        """The name of the parameter that points to a buffer."""
        name = self.pointers.get(buffer)
        if name is None:
            name = self.pointers[buffer] = self.names.new(self.title_of(buffer))
        return name

    def title_of(self, buffer: Buffer) -> str:
        """What to call a buffer."""
        return self.titles.get(buffer) or buffer.name

    def access(self, access: Access) -> str:
        if access.buffer is None:
            return self.index_text(access.index.expr, access.index.env)
        row = self.rows.get(access.buffer)
        if row is not None:
            return f"{row[0]}[{self.index_text(row[1](access.index.expr), access.index.env)}]"
        expr = access.index.expr - self.base(access.buffer)
        return f"{self.pointer(access.buffer)}[{self.index_text(expr, access.index.env)}]"

    def base(self, buffer: Buffer) -> Any:
        """What all indices into a buffer have in common: it is added to the pointer by the caller."""
        found = {constant_of(e) for e in self.accesses[buffer]}
        return found.pop() if len(found) == 1 else 0

    def touch(self, buffer: Buffer, index: Any) -> None:
        """Note a flat index into a buffer that is read or written in memory."""
        if buffer not in self.rows:
            self.accesses.setdefault(buffer, []).append(index)
            self.pointer(buffer)

    def index(self, expr: Any) -> Index:
        """An index whose variables are looked up."""
        if not isinstance(expr, Expr):
            return Index(expr, {})
        return Index(expr, {v.name: self.var(v.name) for v in sorted(expr.vars())})

    def var(self, name: str) -> Value:
        """The value of a variable or a symbol."""
        value = self.vars.get(name)
        if value is None:
            self.symbols.append(name)
            self.names.take(name)
            value = self.vars[name] = Value("int64", [name], scope=self.scopes[0], literal=True)
        return value

    def index_text(self, expr: Any, env: dict[str, Value] | None = None) -> str:
        """An index expression as text; ``env`` tells what its variables are (default: those in force now)."""
        if not isinstance(expr, Expr):
            return str(expr)
        text = ""
        for monomial, factor in sorted(expr.terms.items(), key=lambda t: (-len(t[0]), -abs(t[1]), str(t[0]))):
            body = " * ".join(self._atom(a, env) for a in monomial)
            size = abs(factor)
            term = str(size) if not monomial else body if size == 1 else f"{size} * {body}"
            text += (" + " if factor > 0 else " - ") + term if text else term if factor > 0 else f"-{term}"
        return text

    def _atom(self, atom: Any, env: dict[str, Value] | None) -> str:
        if isinstance(atom, (FloorDiv, Mod)):
            above, below, whole = self.index_text(atom.a, env), self.index_text(atom.b, env), isinstance(atom, FloorDiv)
            if not never_negative(atom.a):
                return f"{'floordiv' if whole else 'mod'}<long>({above}, {below})"
            below = f"({below})" if isinstance(atom.b, Expr) else below
            return f"(({above}) {'/' if whole else '%'} {below})"
        return self.read(self.var(atom.name) if env is None else env[atom.name])[0]

    # -- ops ----------------------------------------------------------------------------------------------------------

    def load(self, buffer: Buffer, index: Any) -> Value:
        index = lift(index) if isinstance(index, Var) else index
        found = self.known.get((buffer, index))
        if found is not None:
            return found
        access = Access(buffer, self.index(index))
        moving = buffer in self.written or buffer in self.shared or buffer in self.rows
        least = max(self.guard_depth(), self.loop_depth if moving else 0)
        self.touch(buffer, index)
        if moving:
            for around in self.scopes[self.loop_depth + 1:]:
                around.need = max(around.need, self.loop_depth)
        pieces: list[Piece] = [access]
        bind = ATOM
        if buffer.dtype in HALF and buffer not in self.rows:
            pieces = ["float(", access, ")"]
        elif buffer.dtype == "bool":
            pieces, bind = [access, " != 0"], LOOSE
        pinned = moving and buffer not in self.rows
        return self.value(computing(buffer.dtype), pieces, bind, f"{self.title_of(buffer)}_v", least, pinned)

    def constant(self, number: Any, dtype: str) -> Value:
        text = literal(number, computing(dtype))
        return Value(computing(dtype), [text], PREFIX if text[0] == "-" else ATOM, literal=True)

    def index_value(self, expr: Any, dtype: str = "int64") -> Value:
        expr = lift(expr) if isinstance(expr, Var) else expr
        if not isinstance(expr, Expr):
            return self.constant(expr, dtype)
        index = self.index(expr)
        return self.value(computing(dtype), [f"{REGISTER[dtype]}(", Access(None, index), ")"], hint="index",
                          key=("index", dtype, expr))

    def scalar(self, k: int, dtype: str) -> Value:
        if k not in self.scalars:
            self.scalars.append(k)
            self.names.take(f"scalar{k}")
        return self.value(computing(dtype), [f"{REGISTER[dtype]}(scalar{k})"], hint=f"scalar{k}_{dtype}")

    def to(self, value: Value, dtype: str) -> Value:
        if value.dtype == dtype:
            return value
        into = computing(dtype)
        if dtype in HALF:
            value = self.to(value, "float32")
            return self.value(into, [f"float({dtype}(", value, "))"], hint="rounded")
        if dtype == "bool":
            return self.value(into, [(value, SUM), " != 0"], LOOSE, "nonzero")
        if value.dtype in FLOATS and into not in FLOATS:
            return self.value(into, [f"convert<{REGISTER[into]}>(", value, ")"], hint="whole")
        return self.value(into, [f"{REGISTER[into]}(", value, ")"], hint="as_" + into)

    def where(self, condition: Value, a: Value, b: Value) -> Value:
        if a is b:
            return a
        self.load_first(a, b)
        return self.value(a.dtype, [(condition, SUM), " ? ", (a, SUM), " : ", (b, SUM)], LOOSE, "where")

    def load_first(self, *values: Value) -> None:
        """Loads inside of values become statements of their own: what is loaded on a condition keeps loops from using
        vectors, and g++ 12 makes wrong code of two equal conditions around a load.
        """
        todo = list(values)
        while todo:
            value = todo.pop()
            if value.literal or value.pinned or id(value) in self.loaded:
                continue
            self.loaded.add(id(value))
            value.pinned = any(isinstance(piece, Access) for piece in value.pieces)
            todo += values_in(value.pieces)

    def neg(self, a: Value) -> Value:
        if a.dtype in FLOATS:
            return self.value(a.dtype, ["-", (a, ATOM)], PREFIX, "neg")
        return self.value(a.dtype, ["neg(", a, ")"], hint="neg")

    def bitwise_not(self, a: Value) -> Value:
        text: list[Piece] = ["!", (a, ATOM)] if a.dtype == "bool" else [f"{REGISTER[a.dtype]}(~", (a, ATOM), ")"]
        return self.value(a.dtype, text, PREFIX, "inverted")

    def logical_not(self, a: Value) -> Value:
        return self.value("bool", ["!", (self.to(a, "bool"), ATOM)], PREFIX, "not_" + a.hint)

    def isnan(self, a: Value) -> Value:
        return self.value("bool", ["is_nan(", a, ")"], hint="isnan")

    def isinf(self, a: Value) -> Value:
        return self.value("bool", ["is_inf(", a, ")"], hint="isinf")

    def round(self, a: Value) -> Value:
        return self.value(a.dtype, ["round_even(", a, ")"], hint="round")

    def place(self, wrap: bool, index: Value, size: Access) -> list[Piece]:
        """The place that an index which was read from memory stands for."""
        raise NotImplementedError

    def indirect(self, value: Value, size: Any, wrap: bool = True) -> Any:
        pieces = self.place(wrap, self.to(value, "int64"), Access(None, self.index(size)))
        found = self.value("int64", pieces, hint="at", least=self.guard_depth(), pinned=True)
        if not found.name:
            found.name = self.names.new("at")
            self.vars[found.name] = found
        return lift(Var(found.name, size))

    def steady(self, condition: Value) -> Value:
        """A condition of something that is masked, as it is to be printed."""
        return condition

    def masked(self, condition: Value, body: Callable[[], Value], other: Any) -> Value:
        if condition.literal and condition.pieces == ["true"]:
            return body()
        condition = self.steady(condition)
        scope = self.open([["if (", condition, ") {"]], [["}"]], guard=True)
        scope.need = condition.scope.depth if condition.scope else 0
        known = dict(self.known)
        result = body()
        name = self.names.new("chosen")
        self.put(Line([f"{name} = ", result, ";"]))
        self.known = known
        index = len(self.scopes) - 1
        self.scopes.pop()
        into = self.scopes[max(scope.need, self.guard_depth())]
        assert into.depth < index
        into.items.append(Line([f"{REGISTER[result.dtype]} {name} = {literal(other, result.dtype)};"]))
        into.items.append(scope)
        return Value(result.dtype, [name], scope=into, literal=True)


def in_row(dtype: str) -> str:
    """The type of an element of a row in scratch memory: rows hold values as they are computed."""
    return MEMORY["bool"] if dtype == "bool" else REGISTER[dtype]


def never_negative(expr: Any) -> bool:
    """Whether an index is known to be at least 0: C divides toward 0, indices are divided downward."""
    start = constant_of(expr)
    taken = upper(start - lift(expr))
    return taken is not None and taken <= start and all(
        never_negative(a.a) for a in lift(expr).atoms() if isinstance(a, FloorDiv))


def constant_of(expr: Any) -> int:
    """The number that an index expression adds."""
    return expr.terms.get((), 0) if isinstance(expr, Expr) else int(expr)


def is_one(value: Value) -> bool:
    """Whether a value is the number 1: a factor that changes nothing."""
    return value.literal and value.pieces in (["1.0f"], ["1.0"])


def literal(number: Any, dtype: str) -> str:
    """A number as text."""
    if dtype == "bool":
        return "true" if number else "false"
    if dtype in FLOATS:
        number = float(number)
        suffix = "" if dtype == "float64" else "f"
        if math.isnan(number):
            return "nan32" if suffix else "nan64"
        if suffix:
            with np.errstate(over="ignore"):
                number = np.float32(number)
        if math.isinf(number):
            return f"{'-' if number < 0 else ''}{'inf32' if suffix else 'inf64'}"
        text = np.format_float_scientific(number, trim="-") if not 1e-4 <= abs(number) < 1e7 and number else (
            np.format_float_positional(number, trim="0"))
        if "e" in text:
            head, tail = text.split("e")
            text = f"{head.rstrip('.')}e{int(tail)}"
        return text + suffix
    number = int(number)
    if dtype == "int64":
        return f"{number}L" if number != -2**63 else "(-9223372036854775807L - 1)"
    if dtype == "int32":
        return str(number) if number != -2**31 else "(-2147483647 - 1)"
    return f"{REGISTER[dtype]}({number})"


def _unary(name: str) -> Any:
    def op(self: Function, a: Value) -> Value:
        return self.value(a.dtype, [f"{name}(", a, ")"], hint=name)

    return op


def _binary(name: str) -> Any:
    def op(self: Function, a: Value, b: Value) -> Value:
        return self.value(a.dtype, [f"{name}(", a, ", ", b, ")"], hint=name)

    return op


def _infix(name: str, sign: str, bind: int) -> Any:
    def op(self: Function, a: Value, b: Value) -> Value:
        if name in ("mul", "div") and is_one(b):
            return a
        if name == "mul" and is_one(a):
            return b
        if a.dtype in FLOATS:
            return self.value(a.dtype, [(a, bind), f" {sign} ", (b, bind + 1)], bind, name)
        return self.value(a.dtype, [f"{name}(", a, ", ", b, ")"], hint=name)

    return op


def _compare(sign: str, name: str) -> Any:
    def op(self: Function, a: Value, b: Value) -> Value:
        return self.value("bool", [(a, SUM), f" {sign} ", (b, SUM)], LOOSE, name)

    return op


def _logical(sign: str, name: str) -> Any:
    def op(self: Function, a: Value, b: Value) -> Value:
        return self.value("bool", [(self.to(a, "bool"), SUM), f" {sign} ", (self.to(b, "bool"), SUM)], LOOSE, name[8:])

    return op


def _bitwise(sign: str, name: str) -> Any:
    def op(self: Function, a: Value, b: Value) -> Value:
        return self.value(a.dtype, [f"{REGISTER[a.dtype]}(", (a, SUM), f" {sign} ", (b, SUM), ")"], hint=name[8:])

    return op


for _name in UNARY:
    setattr(Function, _name, _unary(_name))
for _name in BINARY:
    setattr(Function, _name, _binary(_name))
for _name, (_sign, _bind) in INFIX.items():
    setattr(Function, _name, _infix(_name, _sign, _bind))
for _name, _sign in COMPARE.items():
    setattr(Function, _name, _compare(_sign, _name))
for _name, _sign in LOGICAL.items():
    setattr(Function, _name, _logical(_sign, _name))
for _name, _sign in BITWISE.items():
    setattr(Function, _name, _bitwise(_sign, _name))
