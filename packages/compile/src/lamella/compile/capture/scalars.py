"""Floats whose value is only known when a program runs: learning rates, and arguments that were seen to change.

A `SymFloat` is the float of the recorded call and remembers how it came about. Arithmetic keeps that; comparisons
become guards; everything that needs the bare number pins it down: the program is then only good for that number.
"""

from __future__ import annotations

import math
from typing import Any


class Pins:
    """The run-time floats of one recording.

    Attributes:
        sources: Python expressions of the floats that are read at run time, by number; filled by the entry.
        used: expression -> its number among the scalars that the program is called with.
        guards: (expression, value it must have), in order.
        pinned: numbers of floats whose value is fixed.
    """

    def __init__(self) -> None:
        self.values: list[float] = []
        self.used: dict[str, int] = {}
        self.guards: dict[str, Any] = {}

    def new(self, value: float) -> SymFloat:
        """A float that will be read anew in every call."""
        self.values.append(value)
        return SymFloat.make(value, f"s{len(self.values) - 1}", self)

    def number(self, value: SymFloat) -> int:
        """Where among the program's scalars an expression is."""
        return self.used.setdefault(value.expr, len(self.used))

    def pin(self, value: SymFloat) -> None:
        """Make the value of an expression a guard."""
        self.guards.setdefault(f"({value.expr})", float.__float__(value))

    def pin_all(self) -> None:
        """Something unseen may have read any of them."""
        for i, value in enumerate(self.values):
            self.guards.setdefault(f"(s{i})", value)


class SymFloat(float):
    """A float that remembers its expression."""

    expr: str
    pins: Pins

    @classmethod
    def make(cls, value: float, expr: str, pins: Pins) -> SymFloat:
        """A value with its expression."""
        made = float.__new__(cls, value)
        made.expr, made.pins = expr, pins
        return made

    def __bool__(self) -> bool:
        return self._compare(float.__ne__(self, 0.0), f"({self.expr} != 0)")

    def _compare(self, result: bool, text: str) -> bool:
        self.pins.guards.setdefault(text, result)
        return result

    def __float__(self) -> float:
        self.pins.pin(self)
        return float.__pos__(self)

    def __pos__(self) -> Any:
        return self

    def __int__(self) -> int:
        return int(self.__float__())

    def __trunc__(self) -> int:
        return int(self.__float__())

    def __round__(self, *n: Any) -> Any:
        return round(self.__float__(), *n)

    def __floor__(self) -> int:
        return math.floor(self.__float__())

    def __ceil__(self) -> int:
        return math.ceil(self.__float__())

    def __hash__(self) -> int:
        return hash(self.__float__())

    def __repr__(self) -> str:
        return repr(self.__float__())

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(self.__float__(), spec)

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.__float__(), other)

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self.__float__())

    def as_integer_ratio(self) -> Any:
        """The number as a fraction."""
        return self.__float__().as_integer_ratio()

    def hex(self) -> str:
        """The number in hexadecimal digits."""
        return self.__float__().hex()

    def is_integer(self) -> bool:
        """Whether it is a whole number."""
        return self.__float__().is_integer()

    def __reduce__(self) -> Any:
        return float, (self.__float__(),)


def _text(x: Any) -> str | None:
    expr = getattr(x, "expr", None)
    if expr is not None:  # a size, or a number of this kind
        return str(expr)
    if type(x) is float and not math.isfinite(x):
        return None
    return repr(x) if type(x) in (int, float, bool) else None


def _plain(x: Any) -> Any:
    return float.__pos__(x) if isinstance(x, SymFloat) else x


def _arithmetic(name: str, sign: str, swapped: bool) -> Any:
    own = getattr(float, name)

    def method(self: SymFloat, other: Any) -> Any:
        value = own(self, _plain(other))
        text = _text(other)
        if type(value) is not float:
            if not hasattr(other, "_a"):  # tensors take the text
                self.pins.pin(self)
            return value
        if text is None:
            self.pins.pin(self)
            return value
        a, b = (text, self.expr) if swapped else (self.expr, text)
        return SymFloat.make(value, f"({a} {sign} {b})", self.pins)

    method.__name__ = name
    return method


def _comparison(name: str, sign: str) -> Any:
    own = getattr(float, name)

    def method(self: SymFloat, other: Any) -> Any:
        value = own(self, _plain(other))
        text = _text(other)
        if value is NotImplemented:
            return value
        if text is None:
            self.pins.pin(self)
            return value
        return self._compare(value, f"({self.expr} {sign} {text})")

    method.__name__ = name
    return method


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("pow", "**"), ("mod", "%"),
                     ("floordiv", "//")):
    setattr(SymFloat, f"__{_name}__", _arithmetic(f"__{_name}__", _sign, False))
    setattr(SymFloat, f"__r{_name}__", _arithmetic(f"__r{_name}__", _sign, True))
for _name, _sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    setattr(SymFloat, f"__{_name}__", _comparison(f"__{_name}__", _sign))


def _negative(self: SymFloat) -> Any:
    return SymFloat.make(float.__neg__(self), f"(-{self.expr})", self.pins)


def _absolute(self: SymFloat) -> Any:
    return SymFloat.make(float.__abs__(self), f"abs({self.expr})", self.pins)


SymFloat.__neg__ = _negative  # type: ignore[method-assign, assignment]
SymFloat.__abs__ = _absolute  # type: ignore[method-assign, assignment]
