"""A rule's arithmetic as statements of C++: `update` is run over values that write down what is done to them."""

from __future__ import annotations

import math
from typing import Any

from ..rules.rule import Rule


class Value:
    """A variable of the kernel; arithmetic on it makes others, in-place arithmetic changes it.

    Args:
        text: the trace.
        name: the variable.
    """

    __slots__ = ("trace", "name", "changed")

    def __init__(self, trace: Trace, name: str) -> None:
        self.trace, self.name, self.changed = trace, name, False

    def _with(self, symbol: str, other: Any, swapped: bool = False) -> Value:
        a, b = self.name, self.trace.spelled(other)
        return self.trace.new(f"{b} {symbol} {a}" if swapped else f"{a} {symbol} {b}")

    def _change(self, symbol: str, other: Any) -> Value:
        self.trace.lines.append(f"{self.name} {symbol}= {self.trace.spelled(other)};")
        self.changed = True
        return self

    def __add__(self, other: Any) -> Value:
        return self._with("+", other)

    def __sub__(self, other: Any) -> Value:
        return self._with("-", other)

    def __mul__(self, other: Any) -> Value:
        return self._with("*", other)

    def __truediv__(self, other: Any) -> Value:
        return self._with("/", other)

    def __radd__(self, other: Any) -> Value:
        return self._with("+", other, True)

    def __rsub__(self, other: Any) -> Value:
        return self._with("-", other, True)

    def __rmul__(self, other: Any) -> Value:
        return self._with("*", other, True)

    def __rtruediv__(self, other: Any) -> Value:
        return self._with("/", other, True)

    def __iadd__(self, other: Any) -> Value:
        return self._change("+", other)

    def __isub__(self, other: Any) -> Value:
        return self._change("-", other)

    def __imul__(self, other: Any) -> Value:
        return self._change("*", other)

    def __itruediv__(self, other: Any) -> Value:
        return self._change("/", other)

    def __neg__(self) -> Value:
        return self.trace.new(f"-{self.name}")

    def __lt__(self, other: Any) -> str:  # type: ignore[override]
        return f"{self.name} < {self.trace.spelled(other)}"

    def __gt__(self, other: Any) -> str:  # type: ignore[override]
        return f"{self.name} > {self.trace.spelled(other)}"


class Trace:
    """The statements of one element's update, and the functions of ``xp`` for rules.

    Attributes:
        lines: the statements.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def spelled(self, x: Any) -> str:
        """A value's variable; a number as it is written in C++."""
        if isinstance(x, Value):
            return x.name
        number = float(x)
        return f"T({number!r})" if math.isfinite(number) else f"T({'-' if number < 0 else ''}1e308 * 10)"

    def new(self, expression: str) -> Value:
        """A new variable with the value of an expression."""
        made = Value(self, f"v{self._count}")
        self._count += 1
        self.lines.append(f"T {made.name} = {expression};")
        return made

    def sqrt(self, a: Value) -> Value:
        """The square root."""
        return self.new(f"sqrt({a.name})")

    def abs(self, a: Value) -> Value:
        """The absolute value."""
        return self.new(f"fabs({a.name})")

    def sign(self, a: Value) -> Value:
        """-1, 0 or 1; nan stays."""
        return self.new(f"{a.name} != {a.name} ? {a.name} : T(({a.name} > 0) - ({a.name} < 0))")

    def where(self, condition: str, a: Any, b: Any) -> Value:
        """Choose by a comparison."""
        return self.new(f"{condition} ? {self.spelled(a)} : {self.spelled(b)}")

    def raise_to(self, a: Value, b: Value) -> None:
        """Set ``a`` to the larger of ``a`` and ``b``; nan is larger than all."""
        self.assign(a, self.new(f"{a.name} != {a.name} || {a.name} > {b.name} ? {a.name} : {b.name}"))

    def clip(self, a: Value, low: float, high: float) -> None:
        """Keep ``a`` between two numbers."""
        below, above = self.spelled(low), self.spelled(high)
        self.assign(a, self.new(f"{a.name} < {below} ? {below} : {a.name} > {above} ? {above} : {a.name}"))

    def assign(self, a: Value, b: Value) -> None:
        """Copy ``b`` into ``a``."""
        self.lines.append(f"{a.name} = {b.name};")
        a.changed = True


def statements(rule: Rule, present: tuple[bool, ...], constants: int, o: dict[str, Any]) -> tuple[list[str], list[int]]:
    """Run a rule over a trace.

    Args:
        rule: the rule.
        present: whether there is an array for parameter, gradient and each state.
        constants: how many constants a step has; they are ``k0``, ``k1``, ...
        o: the options.

    Returns:
        The statements over ``x0``, ``x1``, ..., and the numbers of the arrays that are written.
    """
    trace = Trace()
    arrays = [Value(trace, f"x{i}") if there else None for i, there in enumerate(present)]
    k = tuple(Value(trace, f"k{i}") for i in range(constants))
    p, g, *states = arrays
    rule.update(trace, p, g, states, k, o)
    return trace.lines, [i for i, a in enumerate(arrays) if a is not None and a.changed]
