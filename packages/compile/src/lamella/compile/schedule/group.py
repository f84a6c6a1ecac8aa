"""Loops that are to become one kernel, over common variables."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..loops.index import Var, product
from ..loops.ir import Buffer
from .access import Access, Coefs, Nest, guess
from .unify import Refine

_names = itertools.count()


def fresh(size: Any) -> Var:
    """A variable with a name of its own."""
    return Var(f"v{next(_names)}", size)


@dataclass(eq=False, slots=True)
class Fit:
    """A loop in a group: its variables and accesses in terms of the group's variables.

    Attributes:
        across: it sums over the outer variables; see `lamella.compile.schedule.plan.Member`.
    """

    nest: Nest
    at: dict[Var, Coefs]
    loads: list[Access]
    store: Access
    extra: list[Access]
    across: bool = False

    @property
    def accesses(self) -> Iterator[Access]:
        """Everything that depends on the variables."""
        yield self.store
        yield from self.loads
        yield from self.extra

    @property
    def reduces(self) -> bool:
        """Whether its result is there only after the part."""
        return self.nest.loop.kind == "reduce"


def fit(nest: Nest, at: dict[Var, Coefs]) -> Fit:
    """Move a loop into a group's variables."""
    return Fit(nest, at, [a.moved(at) for a in nest.loads], nest.store.moved(at), [a.moved(at) for a in nest.extra])


@dataclass(eq=False, slots=True)
class Pass:
    """Members over the same inner variables."""

    inner: tuple[Var, ...]
    fits: list[Fit]


@dataclass(eq=False, slots=True)
class Group:
    """What becomes a kernel.

    Attributes:
        form: "flat" (pointwise over the first pass's inner variables), "row" (passes under the outer variables),
            "column" (reductions over ``columns``, which are among the only pass's inner variables), or "alone".
        outer, passes, columns: see form.
        pinned: buffers that must be in memory because a later pass reads them at other places of the row.
    """

    form: str
    outer: tuple[Var, ...]
    passes: list[Pass]
    columns: tuple[Var, ...] = ()
    pinned: frozenset[Buffer] = frozenset()
    _stores: dict[Buffer, tuple[Fit, int]] | None = None
    _loads: dict[Buffer, list[Access]] | None = None

    @property
    def fits(self) -> list[Fit]:
        """All members, in order."""
        return [f for p in self.passes for f in p.fits]

    @property
    def stores(self) -> dict[Buffer, tuple[Fit, int]]:
        """Buffer -> the member that fills it, and its pass."""
        if self._stores is None:
            self._stores = {f.nest.loop.out: (f, n) for n, p in enumerate(self.passes) for f in p.fits}
        return self._stores

    @property
    def loads(self) -> dict[Buffer, list[Access]]:
        """Buffer -> the accesses that read it."""
        if self._loads is None:
            self._loads = {}
            for f in self.fits:
                for a in f.loads:
                    if a.buffer is not None:
                        self._loads.setdefault(a.buffer, []).append(a)
        return self._loads

    def copy(self) -> Group:
        """A copy that can be changed."""
        passes = [Pass(p.inner, list(p.fits)) for p in self.passes]
        return Group(self.form, self.outer, passes, self.columns, self.pinned, self._stores, self._loads)

    def changed(self) -> None:
        """Members came or moved."""
        self._stores = self._loads = None

    def rows(self) -> int:
        """About how many outer steps there are."""
        return guess(product([v.size for v in self.outer]))

    def elements(self) -> int:
        """About how many elements the largest pass has for each outer step."""
        return max(guess(product([v.size for v in p.inner])) for p in self.passes)

    def refine(self, split: Refine) -> None:
        """Take a variable apart into two."""
        var, factor = split.var, split.factor
        high = fresh(var.size // factor)
        low = fresh(factor)
        parts = {var: {high: factor, low: 1}}

        def spread(variables: tuple[Var, ...]) -> tuple[Var, ...]:
            return tuple(w for v in variables for w in ((high, low) if v == var else (v,)))

        self.outer, self.columns = spread(self.outer), spread(self.columns)
        for p in self.passes:
            p.inner = spread(p.inner)
            p.fits = [_refined(f, var, parts) for f in p.fits]
        self.changed()

    def make_rows(self, outer: Iterable[Var]) -> None:
        """Turn a flat group into passes under some of its variables."""
        chosen = set(outer)
        [only] = self.passes
        self.form = "row"
        self.outer = tuple(v for v in only.inner if v in chosen)
        only.inner = tuple(v for v in only.inner if v not in chosen)
        self.changed()


def _refined(f: Fit, var: Var, parts: dict[Var, Coefs]) -> Fit:
    if not any(var in form for form in f.at.values()):
        return f
    at = {own: _spread(form, var, parts[var]) for own, form in f.at.items()}
    moved = _Identity(parts)
    return Fit(f.nest, at, [a.moved(moved) for a in f.loads], f.store.moved(moved), [a.moved(moved) for a in f.extra],
               f.across)


def _spread(form: Coefs, var: Var, parts: Coefs) -> Coefs:
    if var not in form:
        return form
    c = form[var]
    return {**{v: d for v, d in form.items() if v != var}, **{v: c * d for v, d in parts.items()}}


class _Identity(dict):  # type: ignore[type-arg]
    """A substitution that leaves other variables."""

    def __missing__(self, key: Var) -> Coefs:
        return {key: 1}


def start(nest: Nest) -> Group:
    """A group of one loop."""
    names = {v: fresh(v.size) for v in nest.variables}
    only = fit(nest, {v: {w: 1} for v, w in names.items()})
    kept = tuple(names[v] for v in nest.kept)
    reduced = tuple(names[v] for v in nest.reduced)
    if nest.alone:
        outer = kept if nest.loop.kind in ("scan", "reduce") else ()
        inner = reduced if outer or nest.loop.kind in ("scan", "reduce") else kept
        return Group("alone", outer, [Pass(inner, [only])])
    if not reduced:
        return Group("flat", (), [Pass(kept, [only])])
    if is_column(only, set(reduced)):
        return Group("column", (), [Pass((*kept, *reduced), [only])], reduced)
    return Group("row", kept, [Pass(reduced, [only])])


def is_column(f: Fit, reduced: set[Var]) -> bool:
    """Whether a reduction reads memory in steps of one along what it keeps."""
    if f.nest.arg:
        return False
    votes = {True: 0, False: 0}
    for a in f.loads:
        for v, c in a.coefs.items():
            if c == 1:
                votes[v in reduced] += guess(product([w.size for w in a.coefs]))
    return votes[False] > votes[True]
