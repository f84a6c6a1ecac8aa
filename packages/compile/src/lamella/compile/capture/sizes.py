"""Sizes that vary: a function is recorded at several values of them, and every number in its graph is fitted.

A graph that has the same nodes whatever the size is, and whose numbers (shapes, strides, offsets, arguments) are
polynomials of the sizes at all recorded points, is good for every size for which Python would have taken the same
branches. What user code does with the sizes that it reads is noted by `symint`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from lamella.core.tensor import Tensor

from ..graph.node import Alias, Graph, Node, Spec, map_nodes
from ..loops.index import Expr, Var, lift
from .breaks import Break
from .guards import FAULTS
from .symint import plain

MAX_SYMBOLS = 3
WHOLE = -1  # in the place of a dimension: the argument is a whole number


def size_at(space: dict[str, Any], place: tuple[str, int]) -> int | None:
    """The size at a place of a call; None where there is none that can vary: another form, 0 or 1, other strides.

    Args:
        space: the arguments (see `guards.space_of`). place: (text of an argument, dimension or `WHOLE`).
    """
    text, dim = place
    try:
        value = eval(text, space)
    except FAULTS:
        return None
    if dim == WHOLE:
        found = value if type(value) is int else 0
    elif type(value) is Tensor and value._a.flags.c_contiguous and dim < value._a.ndim:
        found = value._a.shape[dim]
    else:
        return None
    return found if found >= 2 else None


class NoFit(Break):
    """The graph depends on a size in a way that one program cannot follow."""


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
            if number_at(total, env) != number:
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


FitFunction = Callable[[tuple[Any, ...], str], Any]


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
    if isinstance(v, (int, Expr)) and not isinstance(v, bool) and all(isinstance(w, int) for w in values[1:]):
        return fit(tuple([w if isinstance(w, Expr) else plain(w) for w in values]), what)
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
        if any(len(t.shape) != len(s.shape) or t.dtype is not s.dtype for t in each):
            raise NoFit(f"{what} depends on the size")
        shape = tuple(fit(n, what) for n in zip(*(t.shape for t in each), strict=True))
        stride = tuple(fit(n, what) for n in zip(*(t.stride for t in each), strict=True))
        found = specs[id(s)] = Spec(shape, stride, s.dtype, s.device, fit(tuple(t.offset for t in each), what))
    return found


def agrees(graph: Graph, other: Graph, here: dict[str, int]) -> bool:
    """Whether a graph with symbols is, with these values for them, another graph."""
    def fit(numbers: tuple[Any, ...], what: str) -> Any:
        a, b = numbers
        if number_at(a, here) != b:
            raise NoFit(what)
        return b

    try:
        fitted([graph, other], fit)
    except NoFit:
        return False
    return True


def number_at(value: Any, here: dict[str, int]) -> Any:
    """The value of a number with symbols."""
    return value.evaluate(here) if isinstance(value, Expr) else value
