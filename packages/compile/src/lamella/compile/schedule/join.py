"""Whether a loop can join a group, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..loops.index import Var, product, upper
from ..loops.ir import Buffer
from .access import Access, Coefs, Nest, guess
from .group import Fit, Group, Pass, fit, fresh, is_column
from .unify import Refine, unify

MOST_MEMBERS, MOST_OPERATIONS = 64, 500
MOST_PASSES = 12
SMALL = 1 << 12
ENOUGH_ROWS, LONGEST_ROW = 16, 2048


@dataclass(frozen=True, slots=True)
class Limits:
    """What kernels may be on a machine.

    Attributes:
        few_rows: fewer rows than this are fused only up to ``much`` elements, a single one up to ``much_in_one``.
        longest: and only where no row has more elements than this.
        across: whether sums over all rows may be made in a pass over the rows.
    """

    few_rows: int
    much: int
    much_in_one: int
    longest: int = 1 << 62
    across: bool = True


CPU = Limits(4, 1 << 16, 1 << 14)
#: A row is one block's, and a GPU has many.
GPU = Limits(128, 1 << 21, 1 << 12, 1 << 14, False)


@dataclass(eq=False, slots=True)
class Rules:
    """What holds between loops beyond their reads and writes.

    Attributes:
        writers: buffer of a mutated input -> number of the loop that writes its new content in place.
        limits: of the machine. targets: ``writers`` reversed.
    """

    writers: dict[Buffer, int] = field(default_factory=dict)
    limits: Limits = CPU
    targets: dict[int, Buffer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.targets = {n: b for b, n in self.writers.items()}


class No(Exception):
    """A loop cannot join; the text says why."""


def join(group: Group, nest: Nest, rules: Rules) -> Group | str:
    """The group with the loop in it, or why that is not possible. Does not change ``group``."""
    if group.form == "alone" or nest.alone:
        return "one of them runs alone (in order, or at places that are read from memory)"
    if len(group.fits) >= MOST_MEMBERS:
        return f"the kernel has {MOST_MEMBERS} loops already"
    if sum(len(f.nest.recorded.ops) for f in group.fits) + len(nest.recorded.ops) > MOST_OPERATIONS:
        return f"the kernel would have more than {MOST_OPERATIONS} operations"
    trial = group.copy()
    try:
        for _ in range(12):
            found = _solve(trial, nest)
            if not isinstance(found, Refine):
                return _place(trial, nest, found, rules)
            trial.refine(found)
    except No as reason:
        return str(reason)
    return "their iteration spaces do not fit together"


def _anchors(group: Group, nest: Nest) -> list[tuple[Access, Access]]:
    """Places that both touch: (the group's access, the loop's), what one makes for the other first."""
    made: list[tuple[Access, Access]] = []
    shared: list[tuple[Access, Access]] = []
    stores, loads = group.stores, group.loads
    for a in nest.loads:
        if a.buffer in stores:
            made.append((stores[a.buffer][0].store, a))
        elif a.buffer in loads:
            shared.extend((b, a) for b in loads[a.buffer])
    made.extend((b, nest.store) for b in loads.get(nest.loop.out, ()))
    for pairs in (made, shared):
        pairs.sort(key=lambda pair: -len(pair[1].coefs))
    return made + shared


def _solve(group: Group, nest: Nest) -> dict[Var, Coefs] | Refine:
    at: dict[Var, Coefs] = {}
    used: set[Var] = set()
    count = len(nest.variables)
    for target, source in _anchors(group, nest):
        if len(at) == count:
            break
        if not source.coefs or all(v in at for v in source.coefs):
            continue
        got = unify(target, source, at)
        if isinstance(got, Refine):
            return got
        if got is None:
            continue
        new = {w for form in got.values() for w in form}
        if not new & used:
            at.update(got)
            used |= new
    return at


def _place(group: Group, nest: Nest, at: dict[Var, Coefs], rules: Rules) -> Group:
    image = {w for form in at.values() for w in form}
    free = [v for v in nest.variables if v not in at]
    new: tuple[Var, ...] = ()
    if free:
        new = _complete(group, nest, at, image, free)
    kept = {w for v in nest.kept for w in at[v]}
    reduced = {w for v in nest.reduced for w in at[v]}
    if not rules.limits.across and group.form == "row" and reduced and reduced == set(group.outer):
        raise No("it reduces over the rows")
    inner = _reshape(group, nest, at, kept, reduced, new)
    member = fit(nest, at)
    member.across = group.form == "row" and bool(reduced) and reduced == set(group.outer)
    if group.form == "column" and reduced and not member.reduces:
        raise No("it needs all sums over the columns first")
    if nest.arg and not _same_order(group, member, inner):
        raise No("an index over the reduced elements has another order")
    _check_layout(group, member, set(inner))
    low, high = _bounds(group, member, set(inner), rules)
    if low > high and _torn(group, member, high, rules):
        raise No("it would have to run between passes in two orders")
    _insert(group, member, inner, low, high)
    _check_rows(group, rules.limits)
    return group


def _check_layout(group: Group, member: Fit, inner: set[Var]) -> None:
    """Large values are written along the same variable as the others of the pass."""
    if member.reduces or not inner or guess(member.store.buffer.numel) < SMALL:  # type: ignore[union-attr]
        return
    mine = {v for v, c in member.store.coefs.items() if c == 1}
    others = {v for p in group.passes if set(p.inner) == inner for f in p.fits if not f.reduces
              for v, c in f.store.coefs.items() if c == 1}
    if mine and ((others and not mine & others) or (group.form == "row" and not mine & inner)):
        raise No("it is written in another layout")


def _check_rows(group: Group, limits: Limits) -> None:
    """Few long rows would keep the other threads idle."""
    rows = group.rows()
    if group.form != "row" or rows >= limits.few_rows or len(group.fits) == 1:
        return
    elements = group.elements()
    if rows * elements > (limits.much if rows > 1 else limits.much_in_one) or elements > limits.longest:
        raise No(f"it would leave {rows} rows for the threads")


def _complete(group: Group, nest: Nest, at: dict[Var, Coefs], image: set[Var], free: list[Var]) -> tuple[Var, ...]:
    """Give a meaning to variables that no common place determines: inner variables of equal sizes, or new ones."""
    if len({v in nest.reduced for v in free}) > 1:
        raise No("they have no element in common")
    sizes = [v.size for v in free]
    rest = [tuple(v for v in p.inner if v not in image) for p in group.passes]
    for candidate in rest:
        if candidate and [v.size for v in candidate] == sizes:
            at.update({v: {w: 1} for v, w in zip(free, candidate, strict=True)})
            return ()
    new = tuple(fresh(v.size) for v in free)
    at.update({v: {w: 1} for v, w in zip(free, new, strict=True)})
    return new


def _reshape(group: Group, nest: Nest, at: dict[Var, Coefs], kept: set[Var], reduced: set[Var], new: tuple[Var, ...]
             ) -> tuple[Var, ...]:
    """Bring the group into the form that the loop needs, and say over which inner variables the loop runs."""
    if kept & reduced:
        raise No("it reduces over what it keeps")
    if group.form == "flat":
        return _reshape_flat(group, nest, at, kept, reduced, new)
    everything = kept | reduced
    if group.form == "column":
        [only] = group.passes
        if nest.arg:
            raise No("the place of an extreme value is found row by row")
        if new or everything != set(only.inner) or (reduced and reduced != set(group.columns)):
            raise No("it runs over other elements than the sums over columns")
        return only.inner
    outer = set(group.outer)
    if reduced and reduced == outer and not new:
        return _across(group, nest, kept)
    if not outer <= kept:
        raise No("it runs over other rows")
    inside = (kept - outer) | reduced
    if reduced and kept != outer:
        raise No("it reduces over a part of the row, or keeps a part of it")
    if not inside:
        return ()
    if set(new) == inside:
        if not reduced and not _steps_of_one(nest.store, at, set(new)):
            raise No("its rows would not lie together in memory")
        if len(group.passes) >= MOST_PASSES:
            raise No(f"the kernel has {MOST_PASSES} passes already")
        return new
    for p in group.passes:
        if set(p.inner) == inside:
            return p.inner
    raise No("it runs over other elements of the rows")


def _across(group: Group, nest: Nest, kept: set[Var]) -> tuple[Var, ...]:
    """A sum over all rows, in the pass over the rows."""
    if nest.loop.how != "sum" or group.rows() < ENOUGH_ROWS:
        raise No("it reduces over the rows")
    for p in group.passes:
        length = product([v.size for v in p.inner])
        if p.inner and set(p.inner) == kept and isinstance(length, int) and length <= LONGEST_ROW:
            return p.inner
    raise No("it reduces over rows that are long, or of another size")


def _reshape_flat(group: Group, nest: Nest, at: dict[Var, Coefs], kept: set[Var], reduced: set[Var],
                  new: tuple[Var, ...]) -> tuple[Var, ...]:
    [only] = group.passes
    space = set(only.inner)
    if new:
        if (kept | reduced) - set(new) != space or (reduced and reduced != set(new)):
            raise No("it runs over other elements")
        if not reduced and not _steps_of_one(nest.store, at, set(new)):
            raise No("its rows would not lie together in memory")
        group.make_rows(only.inner)
        return new
    if kept | reduced != space:
        if not reduced and nest.loop.out in group.loads:
            if any(v in kept for f in only.fits for v, c in f.store.coefs.items() if c == 1):
                raise No("its values are used again in each row")
            group.make_rows(kept)
            return ()
        raise No("it runs over other elements")
    if not reduced:
        return only.inner
    if kept and not nest.arg and is_column(_probe(nest), set(nest.reduced)):
        group.form, group.columns = "column", tuple(v for v in only.inner if v in reduced)
        return only.inner
    group.make_rows(kept)
    return group.passes[0].inner


def _steps_of_one(store: Access, at: dict[Var, Coefs], inner: set[Var]) -> bool:
    """Whether neighbours in memory are neighbours along the inner variables."""
    ones = [v for v, c in store.coefs.items() if c == 1]
    return not ones or any(w in inner for v in ones for w in at[v])


def _probe(nest: Nest) -> Fit:
    """The reduction as it reads by itself, with what its values are made of in their own places."""
    return Fit(nest, {}, nest.loads, nest.store, [])


def _same_order(group: Group, member: Fit, inner: tuple[Var, ...]) -> bool:
    flat = member.extra[-1].coefs
    for p in group.passes:
        if set(p.inner) == set(inner):
            for f in p.fits:
                if f.nest.arg and f.extra[-1].coefs != flat:
                    return False
    return True


def _bounds(group: Group, member: Fit, inner: set[Var], rules: Rules) -> tuple[int, int]:
    """The first and the last pass that the loop may be in."""
    low, high = 0, len(group.passes) - 1
    stores = group.stores
    for a in member.loads:
        if a.buffer in stores:
            source, p = stores[a.buffer]
            low = max(low, p + _after(group, source, a, set(group.passes[p].inner), inner))
    out = member.nest.loop.out
    for p, each in enumerate(group.passes):
        for f in each.fits:
            for a in f.loads:
                if a.buffer is out:
                    high = min(high, p - _after(group, member, a, inner, set(each.inner)))
    low, high = _in_place(group, member, inner, rules, low, high)
    if group.form in ("flat", "column") and (low, high) != (0, 0):
        raise No("it needs a sum that is complete only after the kernel")
    return low, high


def _after(group: Group, source: Fit, a: Access, made: set[Var], used: set[Var]) -> int:
    """0 where a value can be read in the pass that makes it, 1 where a later pass can; else an error."""
    if source.across:
        raise No("it needs a sum that is complete only after the kernel")
    if a.same(source.store):
        return int(source.reduces or made != used)
    if group.form == "row" and not source.reduces and _within_row(group, source.store, a, made):
        group.pinned |= {a.buffer} if a.buffer is not None else set()
        return 1
    raise No("reads other elements than those made at the same step (another layout, or a part)")


def _within_row(group: Group, store: Access, a: Access, inner: set[Var]) -> bool:
    """Whether a place lies in the row that the same outer step makes."""
    outer = set(group.outer)
    if a.tangled & outer or store.rest != 0 or not store.exact:
        return False
    if {v: c for v, c in a.coefs.items() if v in outer} != {v: c for v, c in store.coefs.items() if v in outer}:
        return False
    length: Any = 1
    left = {v: c for v, c in store.coefs.items() if v in inner}
    while left:
        v = next((v for v, c in left.items() if c == length), None)
        if v is None:
            return False
        del left[v]
        length = length * v.size
    if not isinstance(length, int):
        return False
    reach = upper(a.rest)
    if reach is None or (not isinstance(a.rest, int) and any(c < 0 for c in a.rest.terms.values())):
        return False
    for v, c in a.coefs.items():
        if v not in outer:
            if not (isinstance(c, int) and isinstance(v.size, int)) or c < 0:
                return False
            reach += c * (v.size - 1)
    return reach < length and (not isinstance(a.rest, int) or a.rest >= 0)


def _in_place(group: Group, member: Fit, inner: set[Var], rules: Rules, low: int, high: int) -> tuple[int, int]:
    """Old content of a mutated input is read before the same step writes the new one."""
    target = rules.targets.get(member.nest.number)
    if target is not None and target in group.loads:
        for p, each in enumerate(group.passes):
            for f in each.fits:
                if any(a.buffer is target for a in f.loads):
                    _same_places(f, member, target)
                    low = max(low, p + (set(each.inner) != inner))
    for buffer in {a.buffer for a in member.loads if a.buffer in rules.writers and a.buffer is not target}:
        for p, each in enumerate(group.passes):
            for f in each.fits:
                if buffer is not None and f.nest.number == rules.writers[buffer]:
                    _same_places(member, f, buffer)
                    high = min(high, p - (set(each.inner) != inner))
    return low, high


def _same_places(reader: Fit, writer: Fit, buffer: Buffer) -> None:
    if not all(a.same(writer.store) for a in reader.loads if a.buffer is buffer):
        raise No(f"{buffer.name} is written in place while other elements of its old content are read")


def _torn(group: Group, member: Fit, high: int, rules: Rules) -> bool:
    """Whether a pass of its own after pass ``high`` would run too late for an earlier pass, or too early."""
    out, target = member.nest.loop.out, rules.targets.get(member.nest.number)
    read = {a.buffer for a in member.loads}
    writers = {rules.writers[b] for b in read if b in rules.writers}
    for n, p in enumerate(group.passes):
        for f in p.fits:
            late, early = f.nest.number in writers, f.nest.loop.out in read
            for a in f.loads:
                late, early = late or a.buffer is out, early or (target is not None and a.buffer is target)
            if (late and n <= high) or (early and n > high):
                return True
    return False


def _insert(group: Group, member: Fit, inner: tuple[Var, ...], low: int, high: int) -> None:
    wanted = set(inner)
    for n in range(low, high + 1):
        if set(group.passes[n].inner) == wanted:
            fits = group.passes[n].fits
            fits.append(member)
            fits.sort(key=lambda f: f.nest.number)
            group.changed()
            return
    if high + 1 < low:
        raise No("it would have to run between passes in two orders")
    group.passes.insert(high + 1, Pass(inner, [member]))
    group.changed()


def saved(group: Group, nest: Nest) -> int:
    """About how many bytes of traffic the loop saves in the group."""
    total = 0
    stores, loads = group.stores, group.loads
    for a in nest.loads:
        if a.buffer in stores:
            total += 2 * a.bytes()
        elif a.buffer in loads:
            total += a.bytes()
    if nest.loop.out in loads:
        total += 2 * nest.store.bytes()
    return total

