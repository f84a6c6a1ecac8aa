"""Sizes as user code gets them while they vary: whole numbers that remember how they came about.

Arithmetic keeps that, comparisons are noted and become guards. Whatever else needs the bare number (a dictionary's
look-up, ``int(n)``, ``n & 1``) is a look that no guard can follow: a program is then only good for the sizes at which
the function was recorded.
"""

from __future__ import annotations

import dis
import functools
import math
import sys
import threading
from typing import Any

from lamella.core.tensor import Tensor

from .breaks import is_ours
from .scalars import SymFloat

#: Functions and methods of C that take a size's number without asking it.
BLIND = frozenset((
    "log", "log2", "log10", "gcd", "lcm", "isqrt", "comb", "perm", "factorial", "ldexp", "bin", "hex", "oct", "chr",
    "getitem", "index", "__getitem__", "__index__", "pop", "insert", "zfill", "ljust", "rjust", "center"))


@functools.lru_cache(4096)
def blindness(code: Any) -> int:
    """Whether code may learn of sizes where nothing tells it (see `Observed.blind`).

    Returns:
        1: of those that it reads, by an index of a list, a range or a text's %; 2: of any, by an error that it
        catches; else 0.
    """
    before, found = None, 2 * ("suppress" in code.co_names)
    ranging = False  # the arguments of a range follow
    for each in dis.get_instructions(code):
        name = each.opname
        if ranging and name not in ("LOAD_CONST", "PUSH_NULL"):
            ranging = False
            if "CALL" not in name:
                found = max(found, 1)
        ranging = ranging or name in ("LOAD_GLOBAL", "LOAD_NAME") and each.argval == "range"
        if name == "BINARY_SUBSCR" and before not in ("LOAD_CONST", "BUILD_SLICE", "BUILD_TUPLE"):
            found = max(found, 1)
        if name == "BINARY_OP" and each.argrepr == "%" and any(type(c) is str and "%" in c for c in code.co_consts):
            found = max(found, 1)
        if before == "PUSH_EXC_INFO" and name != "WITH_EXCEPT_START":
            found = 2
        before = name
    return found


class _Tracker(threading.local):
    current: Observed | None = None


_tracker = _Tracker()


class Observed:
    """Sizes that user code read in one recording, and what it did with them.

    Attributes:
        values: the sizes, and the plain numbers that met them.
        guards: (text of a comparison, its outcome).
        looked: texts of numbers that were looked at in a way that no guard can follow.
        blind: 1: code may have looked at what it read and given no sign of it; 2: it may have learned of sizes that
            it did not read; else 0.
    """

    def __init__(self) -> None:
        self.values: list[int] = []
        self.guards: list[tuple[str, Any]] = []
        self.looked: set[str] = set()
        self.blind = 0
        self.pins: Any = None  # where floats that are computed from sizes go

    def __enter__(self) -> Observed:
        _tracker.current = self
        return self

    def __exit__(self, *_: object) -> None:
        _tracker.current = None

    def may_miss(self, blind: int) -> None:
        """Code runs that may look at sizes unseen (see ``blind``)."""
        self.blind = max(self.blind, blind)

    def read(self, value: int) -> Any:
        """The tracked form of a size."""
        self.values.append(value)
        return SymInt.make(value, f"o[{len(self.values) - 1}]", self)


def tracker() -> Observed | None:
    """What notes this thread's reads of sizes, while sizes vary."""
    return _tracker.current


def observed(shape: tuple[int, ...]) -> tuple[Any, ...]:
    """A shape as user code gets it: tracked while sizes vary."""
    current = _tracker.current
    return shape if current is None else tuple(map(current.read, shape))


def look(value: Any, depth: int = 1) -> Any:
    """Note that a size became a bare number, unless lamella's own code asked: it compares sizes where it is seen."""
    if isinstance(value, SymInt) and not is_ours(sys._getframe(depth + 1).f_code):
        value.tracker.looked.add(value.expr)
    return value


class SymInt(int):
    """An integer that remembers how it came from the sizes that were read."""

    expr: str
    tracker: Observed

    @classmethod
    def make(cls, value: int, expr: str, tracker: Observed) -> SymInt:
        """A value with its expression."""
        made = int.__new__(cls, value)
        made.expr, made.tracker = expr, tracker
        return made

    def _note(self, text: str, result: Any) -> Any:
        self.tracker.guards.append((text, result))
        return result

    def _text(self, x: int) -> str:
        """The text of an operand; plain integers may be sizes too, so they are fitted like those that were read."""
        if isinstance(x, SymInt):
            return x.expr
        self.tracker.values.append(plain(x))
        return f"o[{len(self.tracker.values) - 1}]"

    def __bool__(self) -> bool:
        return self._note(f"{self.expr} != 0", plain(self) != 0)

    def __repr__(self) -> str:
        self.tracker.looked.add(self.expr)
        return int.__repr__(self)

    def __format__(self, spec: str) -> str:
        self.tracker.looked.add(self.expr)
        return int.__format__(self, spec)

    def __reduce__(self) -> Any:
        self.tracker.looked.add(self.expr)
        return int, (plain(self),)

    def __neg__(self) -> Any:
        return SymInt.make(-plain(self), f"(-{self.expr})", self.tracker)

    def __abs__(self) -> Any:
        return self if self >= 0 else -self

    def _itself(self) -> Any:
        return self

    __pos__ = __trunc__ = __floor__ = __ceil__ = conjugate = _itself
    real = numerator = property(_itself)  # type: ignore[assignment]

    def __round__(self, digits: Any = None) -> Any:
        return self if digits is None else int.__round__(look(self), digits)

    def __divmod__(self, other: Any) -> Any:
        return (self // other, self % other) if isinstance(other, int) else NotImplemented

    def __rdivmod__(self, other: Any) -> Any:
        return (other // self, other % self) if isinstance(other, int) else NotImplemented


def plain(value: Any) -> int:
    """The bare number, without a look."""
    return int.__add__(value, 0)


def _arithmetic(name: str, sign: str, swapped: bool) -> Any:
    own, of_float = getattr(int, name), getattr(float, name)

    def method(self: SymInt, other: Any) -> Any:
        value = own(self, other)
        if value is NotImplemented:
            if isinstance(other, SymFloat):
                return value  # asks for the text
            if type(other) is float and math.isfinite(other) and not is_ours(sys._getframe(1).f_code):
                return SymFloat.make(of_float(int.__float__(self), other), f"({self.expr} {sign} {other!r})",
                                     self.tracker.pins)
            if not isinstance(other, Tensor):  # its operators take sizes
                look(self)
            return value
        text = self._text(other)
        a, b = (text, self.expr) if swapped else (self.expr, text)
        return SymInt.make(value, f"({a} {sign} {b})", self.tracker)

    return method


def _comparison(name: str, sign: str) -> Any:
    own = getattr(int, name)

    def method(self: SymInt, other: Any) -> Any:
        if type(other) is float and math.isfinite(other):
            if not other.is_integer() and sign in ("==", "!="):
                return sign == "!="
            other = math.ceil(other) if sign in ("<", ">=") else math.floor(other)
        value = own(self, other)
        if value is NotImplemented:
            if other is not None and not isinstance(other, (str, Tensor, float)):
                look(self)
            return value
        return self._note(f"{self.expr} {sign} {self._text(other)}", value)

    return method


def _quotient(name: str, swapped: bool) -> Any:
    own, of_float = getattr(int, name), getattr(float, name)

    def method(self: SymInt, other: Any) -> Any:
        value = own(self, other)
        if type(other) is float and math.isfinite(other) and not is_ours(sys._getframe(1).f_code):
            value, text = of_float(int.__float__(self), other), repr(other)
        elif value is NotImplemented:
            if not isinstance(other, (Tensor, SymFloat)):
                look(self)
            return value
        else:
            text = self._text(other)
        a, b = (text, self.expr) if swapped else (self.expr, text)
        return SymFloat.make(value, f"({a} / {b})", self.tracker.pins)

    return method


def _bare(name: str) -> Any:
    own = getattr(int, name)

    def method(self: SymInt, *args: Any, **kwargs: Any) -> Any:
        look(self)
        for each in args:
            look(each)
        return own(self, *args, **kwargs)

    return method


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("mod", "%")):
    setattr(SymInt, f"__{_name}__", _arithmetic(f"__{_name}__", _sign, False))
    setattr(SymInt, f"__r{_name}__", _arithmetic(f"__r{_name}__", _sign, True))
for _name, _sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    setattr(SymInt, f"__{_name}__", _comparison(f"__{_name}__", _sign))
for _name in ("__truediv__", "__rtruediv__"):
    setattr(SymInt, _name, _quotient(_name, _name == "__rtruediv__"))
for _name in ("hash", "int", "float", "invert"):
    setattr(SymInt, f"__{_name}__", _bare(f"__{_name}__"))
for _name in ("pow", "and", "or", "xor", "lshift", "rshift"):
    setattr(SymInt, f"__{_name}__", _bare(f"__{_name}__"))
    setattr(SymInt, f"__r{_name}__", _bare(f"__r{_name}__"))
for _name in ("bit_length", "bit_count", "to_bytes", "as_integer_ratio"):
    setattr(SymInt, _name, _bare(_name))
