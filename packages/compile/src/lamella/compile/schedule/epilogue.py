"""Kernels that run on a product's or convolution's result while it is in the cache."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..loops.index import contiguous, lift, product
from ..loops.ir import Buffer, Native
from ..loops.record import record
from .fuse import Fuser, Unit
from .kernels import kernel
from .order import reads_of
from .plan import Kernel
from .unify import divide


def attach(fuser: Fuser, functions: frozenset[str], outs: Callable[[Buffer], bool]) -> None:
    """Let calls take over the kernels that can run on ranges of their result.

    Args:
        fuser: after fusion.
        functions: the native functions that call back for ranges of complete elements (of gemm: whole rows; of
            convolutions: whole channels).
        outs: whether a buffer is filled by one step only.
    """
    for n in fuser.calls:
        step = fuser.web.steps[n]
        if not isinstance(step, Native) or step.function not in functions or not step.outs:
            continue
        out, rows = step.outs[0], _rows(step)
        if rows is None or out.base is not None or not outs(out):
            continue
        for reader in dict.fromkeys(fuser.web.readers.get(out, ())):
            unit = fuser.unit[reader]
            if unit.group is not None and _fits(fuser, n, unit, out, rows):
                fuser.adopt(fuser.unit[n], unit)


def _rows(step: Native) -> Any:
    """Of how many consecutive elements the ranges that a call completes are made; None where they are not."""
    out = step.outs[0]
    if out.offset != 0 or out.stride != contiguous(out.shape):
        return None
    if step.function != "gemm":
        return product(out.shape[2:])
    columns, target, row = step.arguments[1], *step.arguments[11:13]
    dense = isinstance(target, Buffer) and target.root is out and target.offset == 0
    return columns if dense and row == columns else None


def _fits(fuser: Fuser, n: int, unit: Unit, out: Buffer, rows: Any) -> bool:
    """Whether a unit's kernel can run on such ranges, and the steps stay free of cycles."""
    call = fuser.unit[n]
    if unit.group is None or unit.group.form not in ("flat", "row"):
        return False
    own = call.own | unit.own
    if unit.before & call.own & ~(1 << n):
        return False
    if (call.after & unit.before) & ~own or (unit.after & call.before) & ~own:
        return False
    read = set(reads_of(fuser.web.steps[n]))
    if any(fuser.rules.targets.get(w) in read for w in unit.numbers):
        return False
    made = kernel(unit.group, "epilogue", lambda b: True)
    step = chunk(made, out)
    return step is not None and divide(rows, step) is not None


def chunk(made: Kernel, out: Buffer) -> Any:
    """How many elements of ``out`` a step of a kernel's first variable reads: they lie together, and nothing else of
    ``out`` is read in the step. None where that is not so, or where steps cannot run in any order."""
    first = _first(made)
    if first is None:
        return None
    size = divide(lift(out.numel) if not isinstance(first.size, int) else out.numel, first.size)
    if size is None:
        return None
    for m in made.members():
        body = record(m.loop, m.index)
        if body.indirects:
            return None
        for op in body.loads():
            if op.buffer is out:
                flat = lift(op.index)
                if flat.coefficient(first) != size or not _inside(flat - lift(first) * size, size):
                    return None
    return size


def _first(made: Kernel) -> Any:
    if made.columns or made.sequential or not made.parallel or any(m.across for m in made.members()):
        return None
    if made.outer:
        return made.outer[0] if len(made.outer) == 1 else None
    return made.parts[0].inner[0] if len(made.parts) == 1 else None


def _inside(rest: Any, size: Any) -> bool:
    """Whether an index stays below a size."""
    if not isinstance(rest, int) and any(c < 0 for c in rest.terms.values()):
        return False
    reach: Any = 0
    for v in () if isinstance(rest, int) else rest.vars():
        c = rest.coefficient(v)
        if c is None or v.size is None:
            return False
        reach = reach + c * (v.size - 1)
    constant = rest if isinstance(rest, int) else rest.terms.get((), 0)
    top = reach + constant
    if isinstance(top, int) and isinstance(size, int):
        return top < size
    return bool(top + 1 == size)
