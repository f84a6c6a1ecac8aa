"""Steps of optimizers: the rules that the optimizers themselves are made of (`lamella.optim.rules`), run over nodes.

Numbers that depend on a parameter's step count are 0-d calls in float64, as eager computes them, and enter the
parameter's arithmetic in its element type.
"""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt

from ... import layers
from ...graph.node import Node
from ..builder import Builder
from ..specs import wide
from ..table import Keep, rule

NAMES = ("adadelta", "adagrad", "adam", "adamax", "asgd", "nadam", "radam", "rmsprop", "rprop", "sgd")


class Cell:
    """A place that holds a node: arithmetic makes new cells, and the in-place forms put another node into this one."""

    __slots__ = ("b", "node")

    def __init__(self, b: Builder, node: Node) -> None:
        self.b, self.node = b, node

    def _make(self, name: str, x: Any, y: Any) -> Cell:
        return Cell(self.b, getattr(self.b, name)(value_of(x), value_of(y)))

    def __add__(self, other: Any) -> Cell:
        return self._make("add", self, other)

    def __radd__(self, other: Any) -> Cell:
        return self._make("add", self, other)

    def __sub__(self, other: Any) -> Cell:
        return self._make("sub", self, other)

    def __rsub__(self, other: Any) -> Cell:
        return self._make("sub", other, self)

    def __mul__(self, other: Any) -> Cell:
        return self._make("mul", self, other)

    def __rmul__(self, other: Any) -> Cell:
        return self._make("mul", self, other)

    def __truediv__(self, other: Any) -> Cell:
        return self._make("div", self, other)

    def __rtruediv__(self, other: Any) -> Cell:
        return self._make("div", other, self)

    def __pow__(self, other: Any) -> Cell:
        return self._make("pow", self, other)

    def __rpow__(self, other: Any) -> Cell:
        return self._make("pow", other, self)

    def __gt__(self, other: Any) -> Cell:
        return self._make("gt", self, other)

    def __lt__(self, other: Any) -> Cell:
        return self._make("lt", self, other)

    def __neg__(self) -> Cell:
        return Cell(self.b, self.b.neg(self.node))

    def __iadd__(self, other: Any) -> Cell:
        self.node = (self + other).node
        return self

    def __isub__(self, other: Any) -> Cell:
        self.node = (self - other).node
        return self

    def __imul__(self, other: Any) -> Cell:
        self.node = (self * other).node
        return self

    def __itruediv__(self, other: Any) -> Cell:
        self.node = (self / other).node
        return self


def value_of(x: Any) -> Any:
    """The node in a cell; numbers as they are."""
    return x.node if type(x) is Cell else x


class NodeMath:
    """The functions of ``xp`` that the optimizers' rules use, over cells."""

    def __init__(self, b: Builder) -> None:
        self.b = b

    def sqrt(self, a: Cell) -> Cell:
        """Return the square root."""
        return Cell(self.b, self.b.sqrt(a.node))

    def abs(self, a: Cell) -> Cell:
        """Return the absolute value."""
        return Cell(self.b, self.b.abs(a.node))

    def sign(self, a: Cell) -> Cell:
        """Return -1, 0 or 1."""
        return Cell(self.b, self.b.sign(a.node))

    def where(self, condition: Cell, a: Any, b: Any) -> Cell:
        """Choose element by element."""
        return Cell(self.b, self.b.where(condition.node, value_of(a), value_of(b)))

    def raise_to(self, a: Cell, b: Cell) -> None:
        """Set ``a`` to the larger of ``a`` and ``b``."""
        a.node = self.b.maximum(a.node, b.node)

    def clip(self, a: Cell, low: float, high: float) -> None:
        """Keep ``a`` between ``low`` and ``high``."""
        a.node = self.b.clamp(a.node, low, high)

    def assign(self, a: Cell, b: Any) -> None:
        """Put ``b`` into ``a``."""
        a.node = value_of(b)

    def select(self, condition: Any, a: Any, b: Any) -> Any:
        """Choose between two scalars."""
        if type(condition) is not Cell:
            return a if condition else b
        kept = [x.node if type(x) is Cell else self.b.full((), x, dt.float64) for x in (a, b)]
        return Cell(self.b, self.b.where(condition.node, *kept))

    def biggest(self, a: Any, b: Any) -> Any:
        """Return the larger of two scalars."""
        if type(b) is not Cell:
            return max(a, b)
        return Cell(self.b, self.b.maximum(b.node, a))


def _option(b: Builder, x: Any) -> Any:
    """A number, or a cell where it is known only when the program runs."""
    if not isinstance(x, Node):
        if x is not None and not isinstance(x, (bool, int, float)):
            return Cell(b, b.full((), x, dt.float64))  # a symbol
        return x
    if x.kind == "scalar":
        return Cell(b, b.full((), x, dt.float64))
    return Cell(b, b.to(x if not x.spec.shape else b.view(x, ()), dt.float64))


def _step(b: Builder, name: str, lists: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    known = layers.optimizer_rules()[name]
    first_count = 2 + len(known.states)
    options = {k: _option(b, v) for k, v in options.items()}
    xp = NodeMath(b)
    made: list[list[Any]] = [[] for _ in lists]
    for i, p in enumerate(lists[0]):
        d = wide(p.spec.dtype)
        counts = tuple(Cell(b, b.to(column[i], dt.float64)) for column in lists[first_count:])
        k, later = known.scalars(xp, counts, options)
        k = tuple(Cell(b, b.to(x.node, d)) if type(x) is Cell else x for x in k)
        cells = [Cell(b, b.to(column[i], d)) if column else None for column in lists[:first_count]]
        known.update(xp, cells[0], cells[1], cells[2:], k, options)
        for at, cell in enumerate(cells):
            if cell is not None:
                made[at].append(b.to(cell.node, lists[at][i].spec.dtype))
        for at, (column, value) in enumerate(zip(lists[first_count:], later, strict=True), first_count):
            made[at].append(b.to(value.node, column[i].spec.dtype))
    return tuple(node for at, column in enumerate(made) if at != 1 for node in column)


def _register(name: str) -> None:
    @rule(f"lamella_optim::{name}_", f"lamella_optim::{name}_.tensor_lr")
    def step(b: Builder, *lists: Any, **options: Any) -> Any:
        if any(t.spec.dtype.category != 2 for column in lists for t in column):
            raise Keep("integers")
        return _step(b, name, lists, options)


for _name in NAMES:
    _register(_name)
