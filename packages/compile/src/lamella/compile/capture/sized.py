"""Recording a call so that its program is good for other sizes too."""

from __future__ import annotations

import re
from typing import Any

from ..loops.index import Expr, Var, lift
from .breaks import Break
from .guards import Guard, differs, space_of
from .results import Leaf, paired
from .sizes import MAX_SYMBOLS, TRIES, WHOLE, Fit, NoFit, agrees, fitted, points, size_at
from .tracing import Capture, trace


def trace_sizes(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dims: set[tuple[str, int]], *,
                wanted: set[Any] | None = None) -> Capture:
    """Record a call so that it is good for other sizes too.

    Args:
        dims: the sizes that vary: (text of an argument, dimension), or (text, `WHOLE`) for whole numbers. Sizes that
            are equal now must stay equal.

    Raises:
        NoFit: one program cannot serve all sizes. Break: as in `trace`.
    """
    space = space_of(args, kwargs)
    names: dict[Any, str] = {}
    symbols: dict[tuple[str, int], str] = {}
    hints: list[int] = []
    taken: set[int] = set()
    for e, i in sorted(dims):
        value = size_at(space, (e, i))
        if value is None:
            continue
        if i != WHOLE:
            taken.update(eval(e, space)._a.shape)
        key = e if i == WHOLE else value
        if key not in names:
            names[key] = f"n{len(names)}"
            hints.append(value)
        symbols[e, i] = names[key]
    if not symbols or len(names) > MAX_SYMBOLS:
        raise NoFit("too many sizes vary" if symbols else "no size that varies is 2 or more, of a contiguous tensor")
    stops = []
    for count, order in [(n, order) for n in ((3, 2) if len(names) < 3 else (2,)) for order in TRIES]:
        values, at = points(hints, taken, order, count)
        captures: list[Capture] = []
        try:
            for point in at:
                here = dict(zip(names.values(), point, strict=True))
                sizes = {k: (n, here[n]) for k, n in symbols.items()}
                captures.append(_sized_trace(fn, args, kwargs, wanted, sizes, point))
                _same_branches(captures)
            found = _joined(captures, Fit(list(names.values()), values, at))
            found.places = symbols
            found.ranges = {name: (min(row), max(row)) for name, row in zip(names.values(), values, strict=True)}
            if found.seen is not None:
                found.seen.update(at)
            return found
        except NoFit as stop:
            stops.append(stop)
    raise stops[0]


def _sized_trace(fn: Any, args: Any, kwargs: Any, wanted: Any, sizes: Any, point: Any) -> Capture:
    try:
        return trace(fn, args, kwargs, wanted=wanted, sizes=sizes)
    except Break:
        raise
    except Exception as error:
        raise NoFit(f"the function raises at size {', '.join(map(str, point))} ({error})") from error


def _joined(captures: list[Capture], fit: Fit) -> Capture:
    """The first capture with a graph for all sizes."""
    first = captures[0]
    symbols = first.graph.symbols
    seen = [c.observed for c in captures]
    for each in captures[1:]:
        _same_constants(first, each)
    sizes = [fit(row, "a size") for row in zip(*(o.values for o in seen), strict=True)]
    first.graph = fitted([c.graph for c in captures], fit)
    first.graph.symbols = symbols
    branches = dict.fromkeys((_size_text(text, sizes), result) for text, result in seen[0].guards
                             if _symbolic(text, sizes))
    for text, result in branches:
        if not _is_trivial(text, result):
            first.guards.append(Guard(f"({text}) is not {result}", f"the branch at {text}", "", result))
    if any(c.scalars != first.scalars for c in captures) or any(_PLACES.search(text) for text in first.pinned):
        raise NoFit("a number that is computed from a size decides a branch")
    first.scalars = [_size_text(text, sizes) for text in first.scalars]
    for row in _rows(captures):
        _merge_leaf(row, fit, sizes)
    looked: set[str] = set().union(*(o.looked for o in seen))
    blind = max(o.blind for o in seen)
    if blind > all(isinstance(n, int) for n in sizes) or any(_symbolic(text, sizes) for text in looked):
        first.seen = set()
    return first


def _rows(captures: list[Capture]) -> list[tuple[Leaf, ...]]:
    """The places of what calls return and store; everything else that they do must be the same."""
    effects = [([n for _, n in c.grads], c.mutated, [row[:2] for row in c.bumps], [n for _, n in c.steps],
                len(c.stores)) for c in captures]
    try:
        if any(each != effects[0] for each in effects):
            raise ValueError
        return paired([(c.result, *(value for _, value in c.stores)) for c in captures])
    except ValueError:
        raise NoFit("what the function leaves behind depends on the size") from None


def _merge_leaf(row: tuple[Leaf, ...], fit: Fit, sizes: list[Any]) -> None:
    """Make the first place good for all sizes."""
    first = row[0]
    if first.kind == "size" and _same_leaves(row):
        first.value = _size_text(first.value, sizes)
    elif all(leaf.kind == "plain" and type(leaf.value) is int for leaf in row):
        value = fit(tuple(leaf.value for leaf in row), "a number of the result")
        if not isinstance(value, int):
            first.kind, first.value = "size", str(value)
    elif not _same_leaves(row):
        raise NoFit("what the function returns depends on the size")


def _same_leaves(row: tuple[Leaf, ...]) -> bool:
    kind, value = row[0].kind, row[0].value
    if any(leaf.kind != kind for leaf in row):
        return False
    if kind in ("plain", "size", "argument"):
        return not any(differs(leaf.value, value) for leaf in row)
    return all(leaf.value is value if kind == "object" else leaf.value[0] == value[0] for leaf in row)


def _same_at(leaf: Leaf, other: Leaf, here: dict[str, int], values: list[int]) -> bool:
    """Whether a place of a program for all sizes holds what a recording at one of them returned."""
    if leaf.kind != "size" and other.kind != "size":
        return _same_leaves((leaf, other))
    return {leaf.kind, other.kind} <= {"size", "plain"} and not differs(
        *(eval(each.value, space) if each.kind == "size" else each.value
          for each, space in ((leaf, dict(here)), (other, {"o": values}))))


def holds(capture: Capture, fn: Any, args: Any, kwargs: Any, wanted: Any, here: dict[str, int]) -> bool:
    """Whether a program for all sizes is what a call with these sizes records, too.

    Code may compare sizes where nobody sees it. Comparisons split sizes into ranges, so looking again is needed only
    where a size is smaller or larger than all that were looked at.
    """
    sizes = {place: (name, here[name]) for place, name in capture.places.items()}
    try:
        other = _sized_trace(fn, args, kwargs, wanted, sizes, tuple(here.values()))
    except Break:
        return False
    if other.scalars and len(other.scalars) != len(capture.scalars):
        return False
    values, looks = other.observed, capture.observed
    if capture.seen is None and (values.blind > looks.blind or not values.looked <= looks.looked):
        return False
    try:
        _same_constants(capture, other)
        rows = _rows([capture, other])
    except NoFit:
        return False
    return (all(_same_at(a, b, here, values.values) for a, b in rows)
            and not any(_PLACES.search(text) for text in other.pinned) and agrees(capture.graph, other.graph, here))


def _same_branches(captures: list[Capture]) -> None:
    first, last = captures[0].observed, captures[-1].observed
    if len(first.values) != len(last.values) or first.guards != last.guards:
        raise NoFit("Python takes other branches at other sizes")


def _symbolic(text: str, sizes: list[Any]) -> bool:
    return any(not isinstance(sizes[int(i)], int) for i in _PLACES.findall(text))


def _size_text(text: str, sizes: list[Any]) -> str:
    return _PLACES.sub(lambda m: f"({sizes[int(m.group(1))]})", text)


def _same_constants(first: Capture, other: Capture) -> None:
    """Tensors that the function made from Python values must hold the same at all sizes."""
    given = {a.number for a in first.arguments} | first.carriers.keys()
    for i, (a, b) in enumerate(zip(first.arrays, other.arrays, strict=False)):
        if i not in given and a is not b and not (a.shape == b.shape and a.dtype is b.dtype and (a == b).all()):
            raise NoFit("a tensor made from Python values depends on the size")


def _is_trivial(text: str, result: bool) -> bool:
    """Whether a comparison has the same outcome for all sizes from 2 on, as far as that is easily seen."""
    left, sign, right = _COMPARED.match(text).groups()  # type: ignore[union-attr]
    names = {name: lift(Var(name)) for name in _NAMES.findall(text)}
    apart = eval(f"({left}) - ({right})", names)
    if not isinstance(apart, Expr):
        return True
    found = _sign(apart)
    return found != 0 and result is bool(eval(f"{found} {sign} 0"))


def _sign(value: Expr) -> int:
    """1 or -1 where a polynomial is always positive or negative if all its variables are 2 or more; else 0."""
    names = value.vars()
    if any(not isinstance(atom, Var) for atom in value.atoms()):
        return 0
    shifted = value.substitute({v: lift(v) + 2 for v in names})
    terms = shifted.terms if isinstance(shifted, Expr) else {(): shifted}
    least = terms.get((), 0)
    if least > 0 and all(c >= 0 for c in terms.values()):
        return 1
    return -1 if least < 0 and all(c <= 0 for c in terms.values()) else 0


_COMPARED = re.compile(r"(.*) (==|!=|<=|>=|<|>) (.*)$")
_NAMES = re.compile(r"\bn\d+\b")
_PLACES = re.compile(r"o\[(\d+)\]")
