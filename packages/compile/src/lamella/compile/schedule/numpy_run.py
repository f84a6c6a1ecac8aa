"""Running a plan with NumPy, kernel by kernel, in the memory that the plan lays out: the proof that fusion is right.

Rows, tiles and elements are visited in a random order, memory starts as garbage, and a value that is not kept in
memory can be read only where the plan says that it is there. Slow; for small programs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..loops.index import Var, substitute
from ..loops.ir import Buffer, Extern
from ..loops.numpy_run import Body, Run, dtype_of, memory_of, reduced
from ..loops.record import Op, record
from .plan import Kernel, Member, NativeCall, Plan

Natives = dict[str, Callable[..., None]]


def run(plan: Plan, inputs: Sequence[np.ndarray], scalars: Sequence[float] = (), *, natives: Natives | None = None,
        seed: int = 0) -> tuple[list[Any], list[np.ndarray]]:
    """Run a plan.

    Args:
        plan: the plan.
        inputs: arrays; they are not written to.
        scalars: the run-time scalars.
        natives: what to call for each native function, with arrays in place of buffers.
        seed: of the order of visits.

    Returns:
        The outputs, and the inputs' content afterwards.

    Raises:
        RuntimeError: a value is read that is not there.
    """
    return _PlanRun(plan, inputs, scalars, natives or {}, seed).run_plan()


class _PlanRun(Run):
    def __init__(self, plan: Plan, inputs: Sequence[np.ndarray], scalars: Sequence[float], natives: Natives,
                 seed: int) -> None:
        super().__init__(plan, inputs, scalars)  # type: ignore[arg-type]
        self.plan, self.natives = plan, natives
        self.random = np.random.default_rng(seed)
        self.inputs = [np.array(a) for a in inputs]
        symbols = {v.name: n for v, n in self.sizes.items()}
        total, self.offsets = plan.layout(symbols)
        self.arena = np.frombuffer(self.random.bytes(total + 64), np.uint8).copy()
        self.rows: dict[Buffer, tuple[np.ndarray, np.ndarray]] = {}
        self.missing: set[Buffer] = set()

    def flat(self, buffer: Buffer) -> np.ndarray:
        found = self.memory.get(buffer)
        if found is not None:
            return found
        place = self.plan.places.get(buffer)
        if place is None:
            raise RuntimeError(f"schedule: a buffer without memory is used ({buffer})")
        if place.kind == "input":
            found = self.memory[self.plan.inputs[place.number]]
        elif place.kind == "constant":
            found = memory_of(np.asarray(self.plan.constants[place.number]))
        else:
            count = int(np.prod(self.sizes_of(buffer.shape), dtype=np.int64))
            kind = dtype_of(buffer.dtype)
            if place.kind == "arena":
                start = self.offsets[buffer]
                if place.number not in (None, start):
                    raise RuntimeError(f"schedule: two places for {buffer} ({place.number}, {start})")
                found = self.arena[start:start + count * kind.itemsize].view(kind)
            else:
                found = np.frombuffer(self.random.bytes(count * kind.itemsize), np.uint8).copy().view(kind)
        self.memory[buffer] = found
        return found

    def run_plan(self) -> tuple[list[Any], list[np.ndarray]]:
        for step in self.plan.steps:
            if isinstance(step, Extern):
                self.extern(step)
            elif isinstance(step, NativeCall):
                self.native(step)
            elif step.members()[0].loop.kind in ("scan", "scatter"):
                self.loop(step.members()[0].loop)
            else:
                self.kernel(step)
        outputs = [self.array(o).copy() if isinstance(o, Buffer) else o for o in self.plan.outputs]
        return outputs, [self._content(b, a) for b, a in zip(self.plan.inputs, self.inputs, strict=True)]

    def native(self, call: NativeCall) -> None:
        native = call.native
        self.natives[native.function](*[
            self.array(a) if isinstance(a, Buffer) else substitute(a, self.sizes) for a in native.arguments])
        for kernel in call.epilogue:
            for m in kernel.members():
                if m.keep and any(np.shares_memory(self.flat(m.loop.out), self.flat(b.root)) for b in native.ins):
                    raise RuntimeError(f"schedule: a call's operand is overwritten while it runs ({m.loop.out})")
            self.kernel(kernel)

    def _content(self, buffer: Buffer, array: np.ndarray) -> np.ndarray:
        steps = [s // array.itemsize for s in array.strides]
        if array.size == 0:
            return array
        flat = self.memory[buffer]
        return np.lib.stride_tricks.as_strided(flat, array.shape, [s * flat.itemsize for s in steps]).copy()

    # ------------------------------------------------------------------ kernels

    def grid(self, variables: Sequence[Var]) -> Iterator[dict[Var, Any]]:
        """All places, in a random order."""
        sizes = self.sizes_of([v.size for v in variables])
        for n in self.random.permutation(int(np.prod(sizes, dtype=np.int64))):
            yield dict(zip(variables, np.unravel_index(n, sizes), strict=True)) if sizes else {}

    def tiles(self, variables: Sequence[Var]) -> Iterator[tuple[np.ndarray, dict[Var, Any]]]:
        """All places, in random tiles: their flat numbers, and their coordinates."""
        sizes = self.sizes_of([v.size for v in variables])
        count = int(np.prod(sizes, dtype=np.int64))
        order = self.random.permutation(count)
        step = int(self.random.choice([1, 3, max(count, 1)]))
        for k in range(0, count, step):
            flat = np.sort(order[k:k + step])
            yield flat, dict(zip(variables, np.unravel_index(flat, sizes), strict=True)) if sizes else {}

    def kernel(self, kernel: Kernel) -> None:
        self.rows = {}
        self.missing = {m.loop.out for m in kernel.members() if not m.keep}
        bodies = {m: record(m.loop, m.index) for m in kernel.members()}
        self.across: dict[Member, list[Any]] = {}
        for outer in self.grid(kernel.outer):
            self.rows = {}
            for part in kernel.parts:
                if kernel.columns:
                    self._columns(kernel, part.members, bodies, outer, part.inner)
                else:
                    self._part(part.members, bodies, outer, part.inner)
        for member, pieces in self.across.items():
            self._store_across(member, bodies[member], pieces)

    def _store_across(self, member: Member, recorded: Any, pieces: list[Any]) -> None:
        """Add up by place what all rows gave."""
        sums: dict[int, Any] = {}
        for env, values in pieces:
            body = _PlanBody(self, recorded, {**self.sizes, **env}, values.shape)
            place = np.broadcast_to(body.evaluate(recorded.store), values.shape)
            for k, value in zip(place.tolist(), values, strict=True):
                sums[k] = sums.get(k, 0) + value
        out = self.flat(member.loop.out)
        for k, value in sums.items():
            out[k] = value

    def _part(self, members: list[Member], bodies: Any, outer: dict[Var, Any], inner: Sequence[Var]) -> None:
        sums: dict[Member, list[tuple[np.ndarray, np.ndarray]]] = {}
        for flat, env in self.tiles(inner):
            for member in members:
                body, value = self._value(bodies[member], {**outer, **env}, flat.shape)
                if member.across:
                    self.across.setdefault(member, []).append((env, value))
                elif member.loop.kind == "reduce":
                    sums.setdefault(member, []).append((flat, value))
                else:
                    self._store(member, body, value, flat.shape)
        for member, pieces in sums.items():
            order = np.argsort(np.concatenate([f for f, _ in pieces]))
            values = np.concatenate([v for _, v in pieces])[order]
            self._store_sum(member, bodies[member], outer, values.reshape(1, -1), (1,))

    def _columns(self, kernel: Kernel, members: list[Member], bodies: Any, outer: dict[Var, Any],
                 inner: Sequence[Var]) -> None:
        for flat, env in self.tiles(inner):
            sums: dict[Member, list[np.ndarray]] = {}
            for step in self.grid(kernel.columns):
                self.rows = {}
                for member in members:
                    body, value = self._value(bodies[member], {**outer, **env, **step}, flat.shape)
                    if member.loop.kind == "reduce":
                        sums.setdefault(member, []).append(value)
                    else:
                        self._store(member, body, value, flat.shape)
            for member, rows in sums.items():
                self._store_sum(member, bodies[member], {**outer, **env}, np.stack(rows, -1), flat.shape)

    def _value(self, recorded: Any, env: dict[Var, Any], shape: tuple[int, ...]) -> tuple[Any, np.ndarray]:
        body = _PlanBody(self, recorded, {**self.sizes, **env}, shape)
        return body, np.broadcast_to(body.result(), shape)

    def _store_sum(self, member: Member, recorded: Any, env: dict[Var, Any], values: np.ndarray,
                   shape: tuple[int, ...]) -> None:
        body = _PlanBody(self, recorded, {**self.sizes, **env}, shape)
        total = np.asarray(reduced(values, member.loop.how))
        self._store(member, body, total.reshape(shape), shape)

    def _store(self, member: Member, body: Any, value: np.ndarray, shape: tuple[int, ...]) -> None:
        out = member.loop.out
        place = np.broadcast_to(body.evaluate(body.recorded.store), shape)
        with np.errstate(all="ignore"):
            value = value.astype(dtype_of(out.dtype))
        if member.keep:
            self.flat(out)[place] = value
            return
        known = self.rows.get(out)
        if known is not None:
            place, value = np.concatenate([known[0], place]), np.concatenate([known[1], value])
        self.rows[out] = (place, value)


class _PlanBody(Body):
    def value(self, op: Op, args: list[Any]) -> Any:
        run = self.run
        if op.name != "load" or op.buffer not in run.missing:  # type: ignore[attr-defined]
            return super().value(op, args)
        found = run.rows.get(op.buffer)  # type: ignore[attr-defined]
        if found is None:
            raise RuntimeError(f"schedule: a value is read before it is made ({op})")
        place = np.broadcast_to(self.evaluate(op.index), self.grid)
        order = np.argsort(found[0])
        at = np.clip(np.searchsorted(found[0], place, sorter=order), 0, len(order) - 1)
        if not np.array_equal(found[0][order][at], place):
            raise RuntimeError(f"schedule: a value is read at another step than it is made at ({op})")
        return found[1][order][at].astype(dtype_of(op.dtype))
