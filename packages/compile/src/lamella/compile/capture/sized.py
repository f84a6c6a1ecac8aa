"""Recording a call so that its program is good for other sizes too."""

from __future__ import annotations

import re
from typing import Any

from .breaks import Break
from .guards import Guard
from .sizes import MAX_SYMBOLS, TRIES, Fit, NoFit, fitted, points
from .tracing import Capture, leaves, trace


def trace_sizes(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dims: set[tuple[str, int]], *,
                wanted: set[Any] | None = None) -> Capture:
    """Record a call so that it is good for other sizes too.

    Args:
        dims: the sizes that vary: (text of an argument, dimension). Those that are equal now must stay equal.

    Raises:
        NoFit: one program cannot serve all sizes. Break: as in `trace`.
    """
    space = {"kw": kwargs, **{f"a{i}": a for i, a in enumerate(args)}}
    names: dict[int, str] = {}
    symbols: dict[tuple[str, int], str] = {}
    taken: set[int] = set()
    for e, i in sorted(dims):
        t = eval(e, space)
        taken.update(t._a.shape)
        if t._a.shape[i] >= 2 and t._a.flags.c_contiguous:
            symbols[e, i] = names.setdefault(t._a.shape[i], f"n{len(names)}")
    if not symbols or len(names) > MAX_SYMBOLS:
        raise NoFit("too many sizes vary" if symbols else "a tensor whose size varies is not contiguous")
    stops = []
    for count, order in [(n, order) for n in ((3, 2) if len(names) < 3 else (2,)) for order in TRIES]:
        values, at = points(list(names), taken, order, count)
        captures: list[Capture] = []
        try:
            for point in at:
                here = dict(zip(names.values(), point, strict=True))
                sizes = {k: (n, here[n]) for k, n in symbols.items()}
                captures.append(_sized_trace(fn, args, kwargs, wanted, sizes, point))
                _same_branches(captures)
            return _joined(captures, Fit(list(names.values()), values, at))
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
    for leaf in leaves(first.result):
        if leaf.kind == "size":
            leaf.value = _size_text(leaf.value, sizes)
    return first


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
    given = {a.number for a in first.arguments}
    for i, (a, b) in enumerate(zip(first.arrays, other.arrays, strict=False)):
        if i not in given and a is not b and not (a.shape == b.shape and a.dtype is b.dtype and (a == b).all()):
            raise NoFit("a tensor made from Python values depends on the size")


def _is_trivial(text: str, result: bool) -> bool:
    """Whether a comparison has the same outcome for all sizes from 2 on, as far as that is easily seen."""
    left, sign, right = _COMPARED.match(text).groups()  # type: ignore[union-attr]
    if left == right:
        return True
    found = [eval(text, dict.fromkeys(_NAMES.findall(text), n)) for n in (2, 3, 1000, 10**6 + 3)]
    return sign in ("!=", "==") and result is (sign == "!=") and all(f is result for f in found) and (
        right.strip("()") in ("0", "1", "-1"))


_COMPARED = re.compile(r"(.*) (==|!=|<=|>=|<|>) (.*)$")
_NAMES = re.compile(r"\bn\d+\b")
_PLACES = re.compile(r"o\[(\d+)\]")
