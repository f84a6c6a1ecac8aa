"""Which sizes one program can have as variables, where it cannot have all that are wished for."""

from __future__ import annotations

from typing import Any

from .guards import space_of
from .sized import trace_sizes
from .sizes import MAX_SYMBOLS, WHOLE, NoFit, size_at
from .tracing import Capture

Dims = set[tuple[str, int]]


def trace_some(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], dims: Dims, *, seen: Dims,
               wanted: set[Any] | None = None) -> Capture:
    """Record a call so that it is good for as many sizes as one program can serve; the others stay what they are.

    Args:
        dims: the sizes that may vary, as in `trace_sizes`.
        seen: those that were seen to vary; they come first.

    Raises:
        NoFit: no size can vary.
    """
    space = space_of(args, kwargs)
    groups: dict[int, Dims] = {}
    for e, i in sorted(dims, key=lambda place: (place not in seen, place)):
        value = None if i == WHOLE else size_at(space, (e, i))
        if value is not None:
            groups.setdefault(value, set()).add((e, i))
    chosen: Dims = set()
    found: Capture | None = None
    stop = NoFit("too many sizes vary")
    count = 0
    for group in groups.values():
        if count == MAX_SYMBOLS or len(groups) == 1:  # one group alone has been tried
            break
        try:
            found = trace_sizes(fn, args, kwargs, chosen | group, wanted=wanted)
        except NoFit as error:
            stop = error
            continue
        chosen |= group
        count += 1
    if found is None:
        raise stop
    return found
