"""Sizes that vary: a function is recorded at several values of them, and every number in its graph is fitted.

A graph that has the same nodes whatever the size is, and whose numbers (shapes, strides, offsets, arguments) are
polynomials of the sizes at all recorded points, is good for every size for which Python would have taken the same
branches. Sizes that user code reads are `SymInt`: their comparisons are noted and become guards.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from ..graph.node import Alias, Graph, Node, Spec, map_nodes
from ..loops.index import Expr, Var, lift
from .breaks import Break
from .scalars import SymFloat

MAX_SYMBOLS = 3
WHOLE = -1  # in the place of a dimension: the argument is a whole number


class NoFit(Break):
    """The graph depends on a size in a way that one program cannot follow."""


class _Tracker(threading.local):
    current: Observed | None = None


_tracker = _Tracker()


class Observed:
    """Sizes that user code read in one recording, and the comparisons it made with them."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.guards: list[tuple[str, Any]] = []
        self.pins: Any = None  # where floats that are computed from sizes go

    def __enter__(self) -> Observed:
        _tracker.current = self
        return self

    def __exit__(self, *_: object) -> None:
        _tracker.current = None

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

    def __bool__(self) -> bool:
        return self._note(f"{self.expr} != 0", int(self) != 0)

    def __hash__(self) -> int:
        return hash(int(self))

    def __int__(self) -> int:
        return int.__add__(self, 0)

    def __repr__(self) -> str:
        return int.__repr__(self)

    def __reduce__(self) -> Any:
        return int, (int(self),)


def _text(x: Any, tracker: Observed) -> str | None:
    """The text of an operand; plain integers may be sizes too, so they are fitted like those that were read."""
    if isinstance(x, SymInt):
        return x.expr
    if type(x) is not int:
        return None
    tracker.values.append(x)
    return f"o[{len(tracker.values) - 1}]"


def _arithmetic(name: str, sign: str, swapped: bool) -> Any:
    own = getattr(int, name)

    def method(self: SymInt, other: Any) -> Any:
        value = own(self, other)
        text = _text(other, self.tracker)
        if value is NotImplemented or text is None:
            return value
        a, b = (text, self.expr) if swapped else (self.expr, text)
        return SymInt.make(value, f"({a} {sign} {b})", self.tracker)

    return method


def _comparison(name: str, sign: str) -> Any:
    own = getattr(int, name)

    def method(self: SymInt, other: Any) -> Any:
        value = own(self, other)
        text = _text(other, self.tracker)
        return value if value is NotImplemented or text is None else self._note(f"{self.expr} {sign} {text}", value)

    return method


for _name, _sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("floordiv", "//"), ("mod", "%")):
    setattr(SymInt, f"__{_name}__", _arithmetic(f"__{_name}__", _sign, False))
    setattr(SymInt, f"__r{_name}__", _arithmetic(f"__r{_name}__", _sign, True))
for _name, _sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="), ("eq", "=="), ("ne", "!=")):
    setattr(SymInt, f"__{_name}__", _comparison(f"__{_name}__", _sign))


def _quotient(name: str, swapped: bool) -> Any:
    own = getattr(int, name)

    def method(self: SymInt, other: Any) -> Any:
        value = own(self, other)
        text = _text(other, self.tracker)
        if value is NotImplemented or text is None or self.tracker.pins is None:
            return value
        a, b = (text, self.expr) if swapped else (self.expr, text)
        return SymFloat.make(value, f"({a} / {b})", self.tracker.pins)

    return method


setattr(SymInt, "__truediv__", _quotient("__truediv__", False))  # noqa: B010
setattr(SymInt, "__rtruediv__", _quotient("__rtruediv__", True))  # noqa: B010


def _negative(self: SymInt) -> Any:
    return SymInt.make(-int(self), f"(-{self.expr})", self.tracker)


SymInt.__neg__ = _negative  # type: ignore[method-assign, assignment]


# ---------------------------------------------------------------------- fitting


#: Where to record, relative to the sizes of the call; the next is tried where Python takes other branches there.
TRIES = ((-1, -3, 1, 2, 5, -5, *range(6, 60)), tuple(range(1, 60)), (*range(-1, -60, -1), *range(1, 60)))


def points(hints: list[int], taken: set[int], order: tuple[int, ...],
           count: int) -> tuple[list[list[int]], list[tuple[int, ...]]]:
    """Values for each symbol, and the combinations to record at (the first is the call itself, the last checks).

    Polynomials of degree ``count - 1`` can be fitted.
    """
    values: list[list[int]] = []
    used = set(taken)
    for hint in hints:
        mine = [hint]
        for step in order:
            each = hint + step
            if len(mine) == count + 1:
                break
            if each >= 2 and each not in used and each not in mine:
                mine.append(each)
        used.update(mine)
        values.append(mine)
    grid = list(product(*(mine[:count] for mine in values)))
    return values, [*grid, tuple(mine[count] for mine in values)]


class Fit:
    """Finds the polynomial of symbols through numbers at recorded points."""

    def __init__(self, names: list[str], values: list[list[int]], at: list[tuple[int, ...]]) -> None:
        self.vars = [lift(Var(name)) for name in names]
        self.at = at
        self.count = len(values[0]) - 1
        self.values = [mine[: self.count] for mine in values]
        self._known: dict[tuple[int, ...], Any] = {}
        self._bases = [[_basis(mine, i) for i in range(self.count)] for mine in self.values]

    def __call__(self, numbers: tuple[int, ...], what: str) -> Any:
        """An int, or the `Expr` that has these values at the points.

        Raises:
            NoFit: there is none with whole coefficients.
        """
        if all(n == numbers[0] for n in numbers):
            return int(numbers[0])
        found = self._known.get(numbers)
        if found is None:
            found = self._known[numbers] = self._fit(numbers, what)
        return found

    def _fit(self, numbers: tuple[int, ...], what: str) -> Any:
        degrees = range(self.count)
        powers = list(product(*(degrees for _ in self.values)))
        sums: dict[tuple[int, ...], Fraction] = dict.fromkeys(powers, Fraction(0))
        for number, place in zip(numbers, product(*(range(self.count) for _ in self.values)), strict=False):
            for power in powers:
                term = Fraction(number)
                for basis, i, p in zip(self._bases, place, power, strict=True):
                    term *= basis[i][p]
                sums[power] += term
        total: Any = 0
        for power, c in sums.items():
            if c.denominator != 1:
                raise NoFit(f"{what} is no polynomial of the size")
            if c:
                term_: Any = int(c)
                for var, p in zip(self.vars, power, strict=True):
                    for _ in range(p):
                        term_ = term_ * var
                total = total + term_
        for number, point in zip(numbers, self.at, strict=True):
            env = {v.name: n for v, n in zip(self._names(), point, strict=True)}
            if (total if isinstance(total, int) else total.evaluate(env)) != number:
                raise NoFit(f"{what} is no polynomial of the size")
        return total

    def _names(self) -> list[Var]:
        return [next(iter(v.vars())) for v in self.vars]


def _basis(xs: list[int], i: int) -> list[Fraction]:
    """The coefficients of the polynomial that is 1 at ``xs[i]`` and 0 at the others, lowest power first."""
    c = [Fraction(1)]
    for j, x in enumerate(xs):
        if j != i:
            scale = Fraction(1, xs[i] - x)
            longer = [Fraction(0), *[v * scale for v in c]]
            for k, v in enumerate(c):
                longer[k] -= v * scale * x
            c = longer
    return c


FitFunction = Callable[[tuple[int, ...], str], Any]


def fitted(graphs: list[Graph], fit: FitFunction) -> Graph:
    """The first graph with polynomials in the place of numbers.

    Raises:
        NoFit: the graphs differ in more than numbers.
    """
    first = graphs[0]
    if any(len(g.nodes) != len(first.nodes) for g in graphs):
        raise NoFit("the number of operator calls depends on the size")
    made: dict[Node, Node] = {}
    specs: dict[int, Spec] = {}
    numbers = [{n: i for i, n in enumerate(g.nodes)} for g in graphs]
    out = Graph()
    for nodes in zip(*(g.nodes for g in graphs), strict=True):
        n = nodes[0]
        if any((m.kind, m.op if m.kind != "constant" else None) != (n.kind, n.op if n.kind != "constant" else None)
               for m in nodes):
            raise NoFit(f"the operators depend on the size ({n.where})")
        where = f"an argument of {n.name}" + (f" ({n.where})" if n.where else "")
        args = _merged([m.args for m in nodes], numbers, fit, where)
        kwargs = _merged([m.kwargs for m in nodes], numbers, fit, where)
        spec = _merged_spec([m.spec for m in nodes], fit, f"the shape of {n.name}", specs)
        copy = Node(n.name, n.kind, n.op, map_nodes(args, made.__getitem__), map_nodes(kwargs, made.__getitem__),
                    spec, n.where)
        made[n] = copy
        out.nodes.append(copy)
    out._count = dict(first._count)
    out.aliases = _aliases([g.aliases for g in graphs], fit, specs)
    return out


def _aliases(each: list[dict[int, Alias]], fit: FitFunction, specs: dict[int, Spec]) -> dict[int, Alias]:
    if any(a.keys() != each[0].keys() for a in each):
        raise NoFit("which outputs share memory depends on the size")
    return {k: Alias(a.kind, a.of, _merged_spec([x[k].spec for x in each], fit, "the shape of an output", specs))
            for k, a in each[0].items()}


def _merged(values: list[Any], numbers: list[dict[Node, int]], fit: FitFunction, what: str) -> Any:
    v = values[0]
    if isinstance(v, Node):
        if any(not isinstance(w, Node) for w in values) or len(
                {number[w] for w, number in zip(values, numbers, strict=True)}) != 1:
            raise NoFit(f"{what} depends on the size")
        return v
    if isinstance(v, (list, tuple)):
        if any(type(w) is not type(v) or len(w) != len(v) for w in values):
            raise NoFit(f"{what} depends on the size")
        parts = [_merged(list(each), numbers, fit, what) for each in zip(*values, strict=True)]
        return parts if isinstance(v, list) else tuple(parts)
    if isinstance(v, dict):
        if any(w.keys() != v.keys() for w in values):
            raise NoFit(f"{what} depends on the size")
        return {k: _merged([w[k] for w in values], numbers, fit, what) for k in v}
    if isinstance(v, int) and not isinstance(v, bool) and all(isinstance(w, int) for w in values):
        return fit(tuple(map(int, values)), what)
    if any(type(w) is not type(v) for w in values) or any(not _same(v, w) for w in values):
        raise NoFit(f"{what} depends on the size")
    return v


def _same(a: Any, b: Any) -> bool:
    return a is b or bool(a == b) or (a != a and b != b)


def _merged_spec(each: list[Any], fit: FitFunction, what: str, specs: dict[int, Spec]) -> Any:
    s = each[0]
    if s is None:
        return None
    if isinstance(s, tuple):
        return tuple(_merged_spec(list(row), fit, what, specs) for row in zip(*each, strict=True))
    found = specs.get(id(s))
    if found is None:
        if any(len(t.shape) != len(s.shape) for t in each):
            raise NoFit(f"{what} depends on the size")
        shape = tuple(fit(n, what) for n in zip(*(t.shape for t in each), strict=True))
        stride = tuple(fit(n, what) for n in zip(*(t.stride for t in each), strict=True))
        found = specs[id(s)] = Spec(shape, stride, s.dtype, s.device, fit(tuple(t.offset for t in each), what))
    return found


def agrees(graph: Graph, other: Graph, here: dict[str, int]) -> bool:
    """Whether a graph with symbols is, with these values for them, another graph."""
    if len(graph.nodes) != len(other.nodes):
        return False
    numbers = {n: i for i, n in enumerate(graph.nodes)}, {n: i for i, n in enumerate(other.nodes)}
    for a, b in zip(graph.nodes, other.nodes, strict=True):
        if a.kind != b.kind or a.kind != "constant" and a.op is not b.op and a.op != b.op:
            return False
        if not (_agree(a.args, b.args, numbers, here) and _agree(a.kwargs, b.kwargs, numbers, here)
                and _agree_spec(a.spec, b.spec, here)):
            return False
    return graph.aliases.keys() == other.aliases.keys()


def _number(value: Any, here: dict[str, int]) -> Any:
    return value.evaluate(here) if isinstance(value, Expr) else value


def _agree(a: Any, b: Any, numbers: Any, here: dict[str, int]) -> bool:
    if isinstance(a, Node):
        return isinstance(b, Node) and numbers[0][a] == numbers[1][b]
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(
            _agree(x, y, numbers, here) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_agree(a[k], b[k], numbers, here) for k in a)
    a = _number(a, here)
    return not isinstance(b, Node) and (a is b or type(a) is type(_plain(b)) and _same(a, b))


def _plain(value: Any) -> Any:
    return int.__add__(value, 0) if isinstance(value, SymInt) else value


def _agree_spec(a: Any, b: Any, here: dict[str, int]) -> bool:
    if isinstance(a, tuple) or isinstance(b, tuple):
        return isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b) and all(
            _agree_spec(x, y, here) for x, y in zip(a, b, strict=True))
    if a is None or b is None:
        return a is b
    rows = zip((*a.shape, *a.stride, a.offset), (*b.shape, *b.stride, b.offset), strict=False)
    return len(a.shape) == len(b.shape) and a.dtype is b.dtype and all(_number(x, here) == y for x, y in rows)
