"""What a rule is: for one dimension of the mesh, the placements of operands for which parts can be computed alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..placement_types import Partial, Placement, Replicate, Shard

R = Replicate()
#: (placements of the results, placements of the operands); one placement alone means all results.
Candidate = tuple[Any, tuple[Placement, ...]]
SUM = Partial("sum")
SUM_AND_MEAN = (SUM, Partial("avg"))


class Operand(int):
    """A tensor among the arguments of a `Question`: its place in ``shapes``."""


@dataclass
class Question:
    """A call, as rules see it.

    Attributes:
        name: the operator's name, without the `_` of in-place forms.
        values: its arguments by name; tensors are `Operand`s here.
        shapes: the shapes of the tensors among the arguments, in order.
        out_shapes: those of the results.
        n: the size of the mesh's dimension that is asked about.
        cuts: (operand, dimension) -> into how many parts dimensions of the mesh before this one cut it.
        now: the placements of the operands along the mesh's dimension that is asked about.
    """

    name: str
    values: dict[str, Any]
    shapes: list[tuple[int, ...]]
    out_shapes: list[tuple[int, ...] | None]
    n: int
    cuts: dict[tuple[int, int], int]
    now: list[Placement]

    def even(self, operand: int, dim: int) -> bool:
        """Whether another cut of a dimension leaves parts of one size."""
        return self.shapes[operand][dim] % (self.n * self.cuts.get((operand, dim), 1)) == 0

    def filled(self, operand: int, dim: int) -> bool:
        """Whether no part of a dimension would be empty."""
        size, n = self.shapes[operand][dim], self.n * self.cuts.get((operand, dim), 1)
        return self.even(operand, dim) or (self.cuts.get((operand, dim), 1) == 1 and -(-size // n) * (n - 1) < size)


@dataclass(frozen=True)
class Rule:
    """How parts are computed with.

    Attributes:
        candidates: yields `Candidate`s for a `Question`. Everything whole is always one, and not yielded.
        adjust: (arguments by name, specs of the operands, specs of the results) -> changes arguments for the parts.
        run: (operator, arguments by name, specs of the operands, specs of the results) -> computes instead of the
            operator itself.
    """

    candidates: Callable[[Question], Iterable[Candidate]]
    adjust: Callable[..., None] | None = None
    run: Callable[..., Any] | None = None


RULES: dict[str, Rule] = {}


def rule(names: str, *, adjust: Any = None, run: Any = None) -> Callable[[Any], Any]:
    """Register a function's candidates for operators, named without overload and without the `_` of in-place forms."""

    def decorate(fn: Any) -> Any:
        for name in names.split():
            RULES[name] = Rule(fn, adjust, run)
        return fn

    return decorate


#: What a collective costs even if it is empty, in elements that it could have sent.
COLLECTIVE = 8


def cost(now: Placement, to: Placement, numel: int, n: int) -> float:
    """What a step costs, in elements that a rank sends; infinite where it is not taken."""
    if now == to:
        return 0.0
    share = (n - 1) / n if n > 1 else 0.0
    if isinstance(to, Shard):
        step = 0.01 if isinstance(now, Replicate) else share if isinstance(now, Partial) else share / n
    elif isinstance(to, Replicate):
        step = 2 * share if isinstance(now, Partial) else share
    else:
        step = 0.02 if isinstance(now, Replicate) else math.inf
    return step * numel + (0 if isinstance(now, Replicate) else COLLECTIVE)


def local_size(argument: str) -> Callable[..., None]:
    """An `adjust` for operators with the size of the result among their arguments: it becomes the part's."""

    def adjust(values: dict[str, Any], ins: Sequence[Any], outs: Sequence[Any]) -> None:
        values[argument] = list(outs[0].local_shape())

    return adjust


def dims_of(dim: Any, ndim: int) -> list[int]:
    """The dimensions that an argument names; all where it is None or empty."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return list(range(ndim))
    dims = dim if isinstance(dim, (list, tuple)) else (dim,)
    return [d % ndim if ndim else 0 for d in dims]


def broadcast_at(shape: Sequence[int], out: Sequence[int], dim: int) -> Placement:
    """How an operand of a shape must lie where dimension ``dim`` of the broadcast result is cut."""
    at = dim - (len(out) - len(shape))
    return Shard(at) if at >= 0 and shape[at] == out[dim] else R
