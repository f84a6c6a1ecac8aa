"""From a group of loops to a kernel: the order of dimensions, merging them, and the loops in the kernel's variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..loops.index import Var, lift, product
from ..loops.ir import Buffer, Loop
from .access import guess
from .group import Fit, Group
from .plan import Kernel, Member, Part
from .replay import replay, replay_index
from .unify import Refine

At = dict[Var, Any]
TILE, LARGE, LIGHT = 16, 1 << 17, 16


def kernel(group: Group, name: str, keeps: Callable[[Buffer], bool]) -> Kernel:
    """Make the kernel of a group.

    Args:
        group: the loops.
        name: the kernel's name.
        keeps: whether a buffer has to be in memory after the kernel.
    """
    if group.form == "alone":
        return _alone(group, name, keeps)
    maker = _Maker(group, name, keeps)
    across = maker.crossing() if group.form == "flat" else None
    return maker.make() if across is None else _tiled(group, across, name, keeps)


def _tiled(group: Group, across: tuple[Var, Var], name: str, keeps: Callable[[Buffer], bool]) -> Kernel:
    """A pointwise kernel in square tiles, so that what is read and what is written along different variables both stay
    in the cache."""
    group = group.copy()
    halves: list[Var] = []
    for var in across:
        place = group.passes[0].inner.index(var)
        group.refine(Refine(var, TILE))
        halves += group.passes[0].inner[place:place + 2]
    rest = [v for v in group.passes[0].inner if v not in halves]
    maker = _Maker(group, name, keeps)
    outside = maker.order(tuple(rest), False, group.fits)
    maker.fixed = [*outside, halves[0], halves[2], halves[1], halves[3]]
    return maker.make()


class _Maker:
    def __init__(self, group: Group, name: str, keeps: Callable[[Buffer], bool]) -> None:
        self.group, self.name, self.keeps = group, name, keeps
        self.fixed: list[Var] = []
        self.all = [a for f in group.fits for a in f.accesses]
        self.tangled = {v for a in self.all for v in a.tangled}
        self.at: At = {}
        self.count = {"o": 0, "i": 0, "c": 0}

    def make(self) -> Kernel:
        group = self.group
        if group.form == "column":
            return self._column()
        outer = self._variables(self.order(group.outer, False, group.fits), "o")
        sets: dict[frozenset[Var], tuple[Var, ...]] = {}
        parts = []
        for p in group.passes:
            key = frozenset(p.inner)
            if key not in sets:
                fits = [f for q in group.passes if frozenset(q.inner) == key for f in q.fits]
                order = self.fixed or self.order(p.inner, True, fits)
                sets[key] = self._variables(order, "i", len(order) - 4 if self.fixed else len(order))
            inner = sets[key]
            parts.append(Part(inner, [self._member(f, outer, (), inner) for f in p.fits]))
        flat = group.form == "flat"
        return Kernel(self.name, outer, parts, (), len(parts[0].inner) if flat else len(outer), False, work(group))

    def _column(self) -> Kernel:
        group = self.group
        [only] = group.passes
        columns = set(group.columns)
        main = max((f for f in only.fits if f.reduces), key=lambda f: f.nest.steps())
        load = max(main.loads, key=lambda a: (len(a.coefs), a.bytes()), default=None)
        steps = load.coefs if load is not None else {}
        least = min((guess(steps.get(v, 0)) for v in columns), default=0)
        kept = [v for v in only.inner if v not in columns]
        inside = [v for v in kept if guess(steps.get(v, 0)) < least] or kept[-1:]
        outside = [v for v in kept if v not in inside]
        outer = self._variables(self.order(tuple(outside), False, only.fits), "o")
        rows = self._variables(self.order(group.columns, False, only.fits), "c")
        inner = self._variables(self.order(tuple(inside), True, only.fits), "i")
        members = [self._member(f, outer, rows, inner) for f in only.fits]
        return Kernel(self.name, outer, [Part(inner, members)], rows, len(outer) + len(inner), False, work(group))

    def order(self, variables: tuple[Var, ...], vector: bool, fits: list[Fit]) -> list[Var]:
        """Largest steps first; last the variable that most accesses have a step of one along."""
        if len(variables) < 2:
            return list(variables)
        chosen = set(variables)
        arg = next((f for f in fits if f.nest.arg and chosen & set(f.extra[-1].coefs)), None)
        if arg is not None:
            return sorted(variables, key=lambda v: -guess(arg.extra[-1].coefs.get(v, 0)))
        main = self._main(fits, chosen)
        place = {v: n for n, v in enumerate(variables)}
        order = sorted(variables, key=lambda v: (-guess(main.get(v, 0)) if v in main else 0, place[v]))
        if vector:
            votes = dict.fromkeys(order, 0)
            for f in fits:
                for a in f.accesses:
                    weight = a.bytes() * (2 if a is f.store else 1)
                    for v, c in a.coefs.items():
                        if v in chosen and c == 1:
                            votes[v] += weight
            last = max(reversed(order), key=lambda v: votes[v])
            order.remove(last)
            order.append(last)
        return order

    @staticmethod
    def _main(fits: list[Fit], chosen: set[Var]) -> dict[Var, Any]:
        """The access that counts most for the order: over most of the variables, a store rather than a load."""
        best: dict[Var, Any] = {}
        score = (-1, 0)
        for f in fits:
            for a in (f.store, *f.loads):
                mine = (sum(v in chosen for v in a.coefs), a.bytes() * (2 if a is f.store else 1))
                if mine > score:
                    score, best = mine, a.coefs
        return best

    def crossing(self) -> tuple[Var, Var] | None:
        """A variable that something large is read along in steps of one, and the variable that all is written along."""
        [only] = self.group.passes
        order = self.order(only.inner, True, only.fits)
        last = order[-1] if order else None
        if len(order) < 2 or last is None or not _tiles(last) or last in self.tangled:
            return None
        if sum(f.nest.recorded.cost() for f in only.fits) > LIGHT:
            return None  # arithmetic takes longer than memory, and longer loops are better for it
        for f in only.fits:
            for a in f.loads:
                for v, c in a.coefs.items():
                    if c == 1 and v != last and a.coefs.get(last, 0) != 0 and _tiles(v) and v not in self.tangled and \
                            a.bytes() >= LARGE:
                        return v, last
        return None

    def _variables(self, order: list[Var], stem: str, mergeable: int = 1 << 30) -> tuple[Var, ...]:
        """Merge neighbours (among the first ``mergeable``) where every access allows it, and give final names."""
        merged: list[tuple[Any, list[Var]]] = []
        for n, v in enumerate(order):
            if n < mergeable and merged and self._mergeable(merged[-1][1][-1], v):
                merged[-1] = (merged[-1][0] * v.size, [*merged[-1][1], v])
            else:
                merged.append((v.size, [v]))
        made = []
        for size, group in merged:
            var = Var(f"{stem}{self.count[stem]}", size)
            self.count[stem] += 1
            for v in group[:-1]:
                self.at[v] = 0
            self.at[group[-1]] = lift(var)
            made.append(var)
        return tuple(made)

    def _mergeable(self, high: Var, low: Var) -> bool:
        if high in self.tangled or low in self.tangled:
            return False
        for a in self.all:
            c, d = a.coefs.get(high, 0), a.coefs.get(low, 0)
            if c != d * low.size and not (c == 0 and d == 0):
                return False
        return True

    def _member(self, f: Fit, outer: tuple[Var, ...], columns: tuple[Var, ...], inner: tuple[Var, ...]) -> Member:
        at = {own: _combine(form, self.at) for own, form in f.at.items()}
        loop = f.nest.loop
        if f.across:
            kept, reduced = inner, outer
        elif f.reduces:
            kept, reduced = ((*outer, *inner), columns) if columns else (outer, inner)
        else:
            kept, reduced = (*outer, *columns, *inner), ()
        return _rewritten(f, at, loop, kept, reduced, self.keeps(loop.out) or loop.out in self.group.pinned)


def _rewritten(f: Fit, at: At, loop: Loop, kept: tuple[Var, ...], reduced: tuple[Var, ...], keep: bool) -> Member:
    variables = (*kept, *reduced)
    moved = replace(
        loop, ranges=tuple(v.size for v in kept), reduced=tuple(v.size for v in reduced),
        body=replay(f.nest.recorded, at, variables), store=replay_index(f.nest.recorded, at, kept))
    return Member(moved, tuple(lift(v) for v in variables), keep, f.across)


def _tiles(var: Var) -> bool:
    """Whether a variable makes several whole tiles."""
    return isinstance(var.size, int) and var.size % TILE == 0 and var.size > TILE


def _combine(form: dict[Var, Any], at: At) -> Any:
    total: Any = 0
    for v, c in form.items():
        total = total + at[v] * c
    return total


def work(group: Group) -> Any:
    """About how many operations a group takes."""
    total: Any = 0
    for p in group.passes:
        steps = product([v.size for v in (*group.outer, *p.inner)])
        total = total + steps * sum(max(1, f.nest.recorded.cost() + len(f.loads)) for f in p.fits)
    return total


def _alone(group: Group, name: str, keeps: Callable[[Buffer], bool]) -> Kernel:
    """Scatters, scans and loops over nothing: their own dimensions, in their order."""
    [member] = group.fits
    loop = member.nest.loop
    reduces = loop.kind in ("scan", "reduce")
    kept = tuple(Var(f"o{n}" if reduces else f"i{n}", s) for n, s in enumerate(loop.ranges))
    reduced = tuple(Var(f"i{n}", s) for n, s in enumerate(loop.reduced))
    own = [v for v in member.nest.recorded.index]
    at: At = {}
    for each, var in zip(own, (*kept, *reduced), strict=True):
        if not isinstance(each, int):
            [(monomial, _)] = each.terms.items()
            at[monomial[0]] = lift(var)
    variables = (*kept, *reduced)
    target = kept
    if loop.kind == "scan":
        target = (*kept[:loop.axis], *reduced, *kept[loop.axis:])
    moved = replace(loop, body=replay(member.nest.recorded, at, variables),
                    store=replay_index(member.nest.recorded, at, target))
    made = Member(moved, tuple(lift(v) for v in variables), keeps(loop.out))
    outer, inner = (kept, reduced) if reduces else ((), kept)
    in_order = loop.kind in ("scatter", "scan")
    return Kernel(name, outer, [Part(inner, [made])], (), 0, in_order, work(group))
