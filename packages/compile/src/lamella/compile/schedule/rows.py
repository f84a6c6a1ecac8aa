"""Rows of values that pass from one pass over a row to a later one: on a GPU they have to fit into shared memory."""

from __future__ import annotations

from typing import Any

from ..loops.index import Var, product
from ..loops.ir import itemsize
from ..loops.record import computing
from .group import Fit, Group

#: Bytes of shared memory for rows; the rest is for reductions.
ROOM = 32 << 10
#: Rows up to this length are a warp's: so many of them share a block's memory.
NARROW, WARPS = 512, 4


def pin_long_rows(group: Group) -> None:
    """Give values memory of their own that pass from pass to pass and do not fit into shared memory, largest first."""
    if group.form != "row":
        return
    found: list[tuple[int, Fit]] = []
    for n, each in enumerate(group.passes):
        later = {a.buffer for p in group.passes[n + 1:] for f in p.fits for a in f.loads}
        for f in each.fits:
            if f.nest.loop.kind == "pointwise" and f.nest.loop.out in later and each.inner:
                length = reach(f, each.inner)
                if length is None:
                    group.pinned |= {f.nest.loop.out}
                else:
                    found.append((length * itemsize(computing(f.nest.loop.out.dtype)), f))
    sizes = [product([v.size for v in p.inner]) for p in group.passes]
    narrow = all(isinstance(n, int) and n <= NARROW for n in sizes)
    found.sort(key=lambda pair: pair[0])
    room = ROOM // (WARPS if narrow else 1)
    for size, f in found:
        room -= size
        if room < 0:
            group.pinned |= {f.nest.loop.out}


def reach(f: Fit, inner: tuple[Var, ...]) -> Any:
    """How many elements lie between the first and the last of a row; None where that is not known."""
    total = 1
    for v in inner:
        step = f.store.coefs.get(v, 0)
        if not isinstance(step, int) or not isinstance(v.size, int) or v in f.store.tangled:
            return None
        total += abs(step) * (v.size - 1)
    return total
