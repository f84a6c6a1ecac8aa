"""What a loop reads and writes, as linear forms over its variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ..loops.index import Atom, Expr, FloorDiv, Mod, Var, contiguous, lift, product
from ..loops.ir import Buffer, Loop, itemsize
from ..loops.record import Recorded, record

Coefs = dict[Var, Any]
MOST_SPLITS = 8


def guess(size: Any) -> int:
    """A size as a number: symbols count as 64."""
    return size if isinstance(size, int) else int(lift(size).substitute({v: 64 for v in lift(size).vars()}))


@dataclass(eq=False, slots=True)
class Access:
    """A place in a buffer as ``sum(coefs[v] * v) + rest``.

    Attributes:
        buffer: which; None for an index that becomes a value.
        coefs: variable -> step, without zeros.
        rest: what does not depend on the variables in a linear way.
        tangled: the variables inside ``rest``.
        exact: rest is a number or depends on symbolic sizes alone.
    """

    buffer: Buffer | None
    coefs: Coefs
    rest: Any = 0
    tangled: frozenset[Var] = frozenset()
    exact: bool = True

    def same(self, other: Access) -> bool:
        """Whether both are the same place for all values of the variables."""
        return self.exact and other.exact and self.coefs == other.coefs and self.rest == other.rest

    def bytes(self) -> int:
        """About how many bytes it touches."""
        return 0 if self.buffer is None else guess(product([v.size for v in self.coefs])) * itemsize(self.buffer.dtype)

    def moved(self, at: dict[Var, Coefs]) -> Access:
        """The access with each variable replaced by a linear form of others."""
        coefs: Coefs = {}
        for v, c in self.coefs.items():
            for w, d in at[v].items():
                coefs[w] = coefs[w] + c * d if w in coefs else c * d
        tangled = frozenset(w for v in self.tangled for w in at[v]) if self.tangled else self.tangled
        return Access(self.buffer, coefs, self.rest, tangled, self.exact)


def access(buffer: Buffer | None, expr: Any, own: set[Var], moving: Iterable[Var] = ()) -> Access:
    """Take an index expression apart.

    Args:
        buffer: what it indexes.
        expr: a flat index.
        own: the loop's variables.
        moving: variables whose value is read from memory.
    """
    if not isinstance(expr, Expr):
        return Access(buffer, {}, expr)
    coefs: dict[Var, dict[Any, int]] = {}
    rest: dict[Any, int] = {}
    tangled: set[Var] = set()
    for monomial, c in expr.terms.items():
        mine = [a for a in monomial if isinstance(a, Var) and a in own]
        deep = {v for a in monomial if not isinstance(a, Var) for v in _inside(a) if v in own}
        others = set(moving).intersection(monomial)
        if len(mine) == 1 and not deep and not others:
            left = list(monomial)
            left.remove(mine[0])
            coefs.setdefault(mine[0], {})[tuple(left)] = c
        else:
            rest[monomial] = c
            tangled.update(mine, deep)
    left_over = _number(rest)
    exact = not tangled and not (isinstance(left_over, Expr) and set(moving) & left_over.vars())
    return Access(buffer, {v: _number(t) for v, t in coefs.items()}, left_over, frozenset(tangled), exact)


def _inside(atom: Atom) -> set[Var]:
    return lift(atom).vars()


def _number(terms: dict[Any, int]) -> Any:
    if not terms:
        return 0
    return terms[()] if len(terms) == 1 and () in terms else Expr(terms)


@dataclass(eq=False, slots=True)
class Nest:
    """A loop, recorded and taken apart.

    Attributes:
        number: its place in the order of the program.
        loop, recorded: the loop and what its body does.
        kept, reduced: its variables of size other than 1.
        loads: what it reads. store: where it writes, over ``kept``.
        extra: indices that become values, and of an arg-reduction the flat index over what it reduces.
        alone: it cannot be fused (scatter, scan, nothing to do).
    """

    number: int
    loop: Loop
    recorded: Recorded
    kept: tuple[Var, ...]
    reduced: tuple[Var, ...]
    loads: list[Access]
    store: Access
    extra: list[Access] = field(default_factory=list)
    alone: bool = False

    @property
    def variables(self) -> tuple[Var, ...]:
        """All its variables."""
        return self.kept + self.reduced

    @property
    def arg(self) -> bool:
        """Whether it looks for the place of an extreme value."""
        return self.loop.kind == "reduce" and self.loop.how.startswith("arg")

    @property
    def reads(self) -> list[Buffer]:
        """The buffers it reads."""
        found = self.recorded.buffers()
        return [*found, self.loop.into] if self.loop.into is not None and self.loop.into not in found else found

    def steps(self) -> int:
        """About how many elements it computes."""
        return guess(product([v.size for v in self.variables]))


def _without_nothing_to_reduce(loop: Loop) -> Loop:
    """A reduction over dimensions of size 1 as a pointwise loop."""
    if loop.kind != "reduce" or not all(isinstance(s, int) and s == 1 for s in loop.reduced):
        return loop
    inner, zeros = loop.body, (0,) * len(loop.reduced)

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        if loop.how.startswith("arg"):
            return ops.constant(0, loop.out.dtype)
        return ops.to(inner(ops, (*index, *zeros)), loop.out.dtype)

    return replace(loop, kind="pointwise", reduced=(), how="", body=body)


def _split(made: Nest) -> tuple[int, int] | None:
    """A dimension that an access takes apart by division, and the divisor."""
    place = {v: n for n, i in enumerate(made.recorded.index) if isinstance(i, Expr) for v in i.vars()}
    for a in (made.store, *made.loads, *made.extra):
        if a.tangled:
            for atom in a.rest.atoms():
                if isinstance(atom, (FloorDiv, Mod)) and isinstance(atom.b, int):
                    for v in atom.a.vars():
                        step = atom.a.coefficient(v)
                        size = v.size
                        if v in a.tangled and isinstance(step, int) and step > 0 and atom.b % step == 0 and \
                                isinstance(size, int):
                            factor = atom.b // step
                            if 1 < factor < size and size % factor == 0:
                                return place[v], factor
    return None


def _with_split(loop: Loop, dim: int, factor: int) -> Loop:
    """The loop with a dimension taken apart into two: ``index = outer * factor + inner``."""
    count = len(loop.ranges)
    inner, store = loop.body, loop.store

    def whole(index: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*index[:dim], index[dim] * factor + index[dim + 1], *index[dim + 2:])

    def spread(sizes: tuple[Any, ...], at: int) -> tuple[Any, ...]:
        return (*sizes[:at], sizes[at] // factor, factor, *sizes[at + 1:])

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        return inner(ops, whole(index))

    if dim >= count:
        return replace(loop, reduced=spread(loop.reduced, dim - count), body=body)

    def put(ops: Any, index: tuple[Any, ...]) -> Any:
        return store(ops, whole(index)) if store is not None else loop.out.at(whole(index))

    return replace(loop, ranges=spread(loop.ranges, dim), body=body, store=put)


def nest(number: int, loop: Loop) -> Nest:
    """Record a loop and take its accesses apart."""
    loop = _without_nothing_to_reduce(loop)
    for _ in range(MOST_SPLITS):
        made = _recorded(number, loop)
        split = None if made.alone else _split(made)
        if split is None:
            break
        loop = _with_split(loop, *split)
    return made


def _recorded(number: int, loop: Loop) -> Nest:
    names = [f"i{n}" for n in range(len(loop.ranges))] + [f"r{n}" for n in range(len(loop.reduced))]
    sizes = (*loop.ranges, *loop.reduced)
    solo = loop.kind in ("scatter", "scan") or any(isinstance(s, int) and s == 0 for s in sizes)
    index: list[Any] = []
    own: list[Var] = []
    for name, size in zip(names, sizes, strict=True):
        one = isinstance(size, int) and size == 1 and not solo
        index.append(0 if one else Var(name, size))
        if not one:
            own.append(index[-1])
    recorded = record(loop, tuple(index))
    count = len(loop.ranges)
    kept = tuple(v for v in index[:count] if isinstance(v, Var))
    reduced = tuple(v for v in index[count:] if isinstance(v, Var))
    variables, moving = set(own), set(recorded.indirects)
    lifted = recorded.index
    if loop.kind == "scan":
        target = (*lifted[:loop.axis], lifted[count], *lifted[loop.axis:count])
    else:
        target = lifted[:count]
    flat = recorded.store if recorded.store is not None else loop.out.at(target)
    recorded.store = flat
    loads = [access(op.buffer, op.index, variables, moving) for op in recorded.ops if op.name == "load"]
    extra = [access(None, op.index, variables, moving) for op in recorded.ops if op.name == "index"]
    made = Nest(number, loop, recorded, kept, reduced, loads, access(loop.out, flat, variables, moving), extra, solo)
    made.alone = solo or not made.store.exact
    if made.arg:
        steps = contiguous(tuple(v.size for v in reduced))
        made.extra.append(Access(None, dict(zip(reduced, steps, strict=True))))
    return made
