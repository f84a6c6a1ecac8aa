"""What a plan does, step by step: for explanations, dumps, and the comments in the C++."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ..loops.index import product
from ..loops.ir import Buffer, itemsize
from ..loops.record import record
from .access import guess
from .plan import Kernel, NativeCall, Plan


@dataclass(slots=True)
class Line:
    """One step.

    Attributes:
        name: of the kernel, the native function or the operator.
        form: of a kernel: "pointwise", "rows", "columns" or "in order"; else "call", or "eager" and why.
        origins, where: the operators that it comes from, and the user's lines.
        loops: the sizes of the loops; passes: how often a row is passed over.
        reads, writes: bytes of memory; symbols count as 64.
        flops: about how many operations.
        made: the buffers that are in memory afterwards.
    """

    name: str
    form: str
    origins: list[str]
    where: list[str]
    loops: tuple[Any, ...]
    passes: int
    reads: int
    writes: int
    flops: int
    made: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        sizes = " x ".join(map(str, self.loops))
        shape = f" over {sizes}" if sizes else ""
        more = f", {self.passes} passes" if self.passes > 1 else ""
        lines = f" ({', '.join(self.where)})" if self.where else ""
        return (f"{self.name}: {self.form}{shape}{more}; {amount(self.reads)} read, {amount(self.writes)} written, "
                f"{self.flops:,} operations; {', '.join(self.origins)}{lines} -> {', '.join(self.made)}")


def report(plan: Plan) -> list[Line]:
    """One line for each step.

    Example:
        >>> from lamella.compile.loops.ir import Loop, Lowered
        >>> from lamella.compile.schedule import schedule
        >>> x, y = Buffer("x", "float32", (8,), kind="input", number=0), Buffer("y", "float32", (8,))
        >>> print(*report(schedule(Lowered([Loop(y, (8,), lambda ops, i: ops.exp(ops.load(x, x.at(i))))], [x], [y]))))
        k0_y: pointwise over 8; 32 B read, 32 B written, 136 operations;  -> y: float32[8]
    """
    found = []
    for step in plan.steps:
        found.append(line(step))
        if isinstance(step, NativeCall):
            found += [_then(line(k)) for k in step.epilogue]
    return found


def _then(found: Line) -> Line:
    """The line of a kernel that runs within a call."""
    return replace(found, name=f"then {found.name}")


def line(step: Any) -> Line:
    """The line of one step."""
    if isinstance(step, Kernel):
        return _kernel(step)
    if isinstance(step, NativeCall):
        native = step.native
        where = [native.where] if native.where else []
        return Line(native.function, "call", list(native.origins), where, (), 1, _bytes(native.ins),
                    _bytes(native.outs), guess(native.flops), [repr(b) for b in native.outs])
    outs = [b for b in step.outs if b is not None]
    return Line(step.op.name, f"eager, {step.why}",
                list(step.origins), [step.where] if step.where else [], (), 1, _bytes(step.ins), _bytes(outs), 0,
                [repr(b) for b in outs])


def _kernel(kernel: Kernel) -> Line:
    members = kernel.members()
    made = {m.loop.out for m in members}
    reads: dict[tuple[Buffer, str], int] = {}
    for part in kernel.parts:
        for m in part.members:
            body = record(m.loop, m.index)
            for op in body.loads():
                if op.buffer is not None and op.buffer not in made:
                    reads[op.buffer, str(op.index)] = _touched(op.index, kernel, op.buffer)
    of: dict[Buffer, int] = {}
    for (buffer, _), size in reads.items():
        of[buffer] = max(of.get(buffer, 0), size)
    form = "columns" if kernel.columns else "in order" if kernel.sequential else "rows" if (
        kernel.outer or len(kernel.parts) > 1 or any(m.loop.kind == "reduce" for m in members)) else "pointwise"
    inner = max((p.inner for p in kernel.parts), key=lambda v: guess(product([i.size for i in v])))
    loops = tuple(v.size for v in (*kernel.outer, *kernel.columns, *inner))
    origins = list(dict.fromkeys(o for m in members for o in m.loop.origins))
    where = list(dict.fromkeys(m.loop.where for m in members if m.loop.where))
    return Line(kernel.name, form, origins, where, loops, len(kernel.parts),
                sum(of.values()), _bytes([m.loop.out for m in members if m.keep]), guess(kernel.work),
                [repr(m.loop.out) for m in members if m.keep])


def _touched(index: Any, kernel: Kernel, buffer: Buffer) -> int:
    variables = {v: v.size for p in kernel.parts for v in (*kernel.outer, *kernel.columns, *p.inner)}
    used = index.vars() if hasattr(index, "vars") else set()
    count = guess(product([size for v, size in variables.items() if v in used]))
    if any(v not in variables for v in used):
        count = guess(product(list(variables.values())))
    return min(count, guess(product(buffer.shape))) * itemsize(buffer.dtype)


def _bytes(buffers: list[Buffer]) -> int:
    return sum(guess(product(b.shape)) * itemsize(b.dtype) for b in dict.fromkeys(buffers))


def amount(count: int) -> str:
    """Bytes in words."""
    for unit in ("B", "KiB", "MiB"):
        if count < 10240:
            return f"{count} {unit}"
        count = round(count / 1024)
    return f"{count} GiB"


def described(plan: Plan) -> list[str]:
    """The plan as lines of text: steps, then memory."""
    lines = [str(each) for each in report(plan)]
    size = f"{amount(plan.arena)}" if plan.arena or not plan.slots else "sized at run time"
    lines.append(f"arena: {size}, {len(plan.slots)} places for {sum(len(s.buffers) for s in plan.slots)} buffers")
    return lines
