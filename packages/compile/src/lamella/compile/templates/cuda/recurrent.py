"""Recurrent layers over whole sequences, and their gradients: for each time a product and a kernel.

Kernels: `cuda/recurrent.cuh`. Halves are computed in float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...loops.device import TYPES, DeviceKernel, DeviceProduct, blocks, pointer
from ...loops.ir import Buffer, Native, itemsize
from ...lower.registry import Unsupported, lowering
from ...lower.values import Value, stored
from ..common import narrowed, real, widened
from .common import moved
from .products import matrices, turned

THREADS = 256
HEADER = "cuda/recurrent.cuh"


class Loop:
    """A loop over times at work.

    Attributes:
        dtype: of all buffers. size: of the state. gates: of one unit. rows: of the states. times: (rows, first row,
            rows of the time that ran before, its first row) in the order in which the forward loop runs.
        calls: launches and products so far. read, made: buffers.
    """

    def __init__(self, lo: Any, h: Value, weight: Value, sizes: Sequence[Any], reverse: bool) -> None:
        rows, size = h.shape
        self.equal = all(n == rows for n in sizes)
        known = isinstance(size, int) and (self.equal or all(isinstance(n, int) for n in (*sizes, rows)))
        if not known or not sizes or 0 in h.shape:
            raise Unsupported("a size that is symbolic, or an empty sequence")
        self.lo, self.rows, self.size, self.gates = lo, rows, size, weight.shape[0] // size
        self.reverse = reverse
        starts = [0]
        for n in sizes:
            starts.append(starts[-1] + n)
        self.total = starts[-1]
        order = range(len(sizes))[::-1] if reverse else range(len(sizes))
        self.times: list[tuple[Any, Any, Any, Any]] = []
        had: tuple[Any, Any] = (0, 0)
        for t in order:
            self.times.append((sizes[t], starts[t], *had))
            had = (sizes[t], starts[t])
        self.calls: list[Any] = []
        self.read: list[Buffer] = []
        self.made: list[Buffer] = []
        self.dtype = ""

    def take(self, *values: Value | None) -> list[Buffer | None]:
        """Row-major memory of what is read."""
        wide = [widened(self.lo, v) for v in values]
        self.dtype = real(*wide)
        found = [None if v is None else self.lo.dense(v) for v in wide]
        self.read += [b for b in found if b is not None]
        return found

    def new(self, *shape: Any) -> Buffer:
        """Memory that the loop fills."""
        found: Buffer = self.lo.new_buffer(self.dtype, shape)
        self.made.append(found)
        return found

    def launch(self, function: str, n: Any, numbers: Sequence[tuple[str, Any]], outs: Sequence[tuple[str, Buffer]],
               ins: Sequence[tuple[str, Buffer | None]]) -> None:
        """A kernel over n elements; None is passed as a null pointer."""
        kind = TYPES[self.dtype]
        parameters: list[Any] = [pointer(b, name, True) for name, b in outs]
        parameters += [pointer(b, name) for name, b in ins if b is not None]
        parameters += [("long", name, value) for name, value in (("n", n), *numbers) if name != "size"]
        words = ["n", *(str(value) if name == "size" else name for name, value in numbers), *(name for name, _ in outs)]
        words += [name if b is not None else f"(const {kind}*)nullptr" for name, b in ins]
        stem = function.split("<")[0].replace("cell", "step").replace("start_from", "first_state")
        each = n * itemsize(self.dtype)
        read = sum(self.of_unit(b) for _, b in ins if b is not None)
        written = sum(self.of_unit(b) for _, b in outs)
        facts = f"{n // self.size} rows of {self.size} units: {moved(each * read, each * written, 8 * n * self.gates)}"
        self.calls.append(DeviceKernel(stem, HEADER, parameters, [f"{function}({', '.join(words)});"],
                                       (blocks(n, THREADS), 1, 1), (THREADS, 1, 1), about=(facts,), flat=True))

    def of_unit(self, buffer: Buffer) -> int:
        """How many elements of a buffer belong to a unit."""
        return max(int(buffer.shape[-1]) // self.size, 1)

    def start(self, to: Buffer, source: Buffer | None) -> None:
        """A state begins as another, or as zeros."""
        self.launch("start_from", self.rows * self.size, [], [("to", to)], [("from", source)])

    def product(self, rows: Any, a: Buffer, b: Buffer, transposed: bool, c: Buffer, beta: float = 0.0) -> None:
        """``c = a @ weight`` (or its transpose) for some rows; weight is (gates * size, size)."""
        wide, size = self.gates * self.size, self.size
        n, k = (wide, size) if transposed else (size, wide)
        self.calls.append(DeviceProduct(self.dtype, self.dtype, 1, rows, n, k, a, b, c, (0, k, 1),
                                        (0, 1, size) if transposed else (0, size, 1), (0, n, 1), 1.0, beta))

    def at(self, buffer: Buffer | None, row: Any, width: int) -> Any:
        """The memory of a buffer from a row on."""
        if buffer is None:
            return None
        return Buffer(buffer.name, buffer.dtype, (buffer.shape[0] - row, width), offset=row * width, base=buffer.root)

    def done(self, function: str) -> None:
        """Add the step."""
        flops = 2 * self.total * self.gates * self.size * self.size
        native = Native(self.made, self.read, function, [*self.made, *self.read], HEADER, flops=flops)
        native.calls = self.calls
        self.lo.add_step(native)

    def before(self, output: Buffer, h: Buffer) -> Value:
        """For each row of the sequence the state before it."""
        state = self.neighbour(output, h) if self.equal else self.listed(output, h)
        made = Value((self.total, self.size), self.dtype, state, cost=8, reads=frozenset((output.root, h.root)))
        self.lo.realize(made)
        return made

    def neighbour(self, output: Buffer, h: Buffer) -> Any:
        """The body where all times have the same rows."""
        step = -self.rows if self.reverse else self.rows
        edge = self.total - self.rows if self.reverse else 0  # where the first time that runs begins

        def state(ops: Any, i: Any) -> Any:
            row, limit = ops.index_value(i[0], "int64"), ops.index_value(self.total - self.rows, "int64")
            first = ops.ge(row, limit) if self.reverse else ops.lt(row, ops.index_value(self.rows, "int64"))
            earlier = ops.masked(ops.logical_not(first), lambda: ops.load(output, output.at((i[0] - step, i[1]))), 0)
            start = ops.masked(first, lambda: ops.load(h, h.at((i[0] - edge, i[1]))), 0)
            return ops.where(first, start, earlier)

        return state

    def listed(self, output: Buffer, h: Buffer) -> Any:
        """The body where times have rows of their own: a table says where each row's state lies."""
        places = np.empty(self.total, np.int64)
        for n, first, had, start in self.times:
            both = min(n, had)
            places[first:first + both] = np.arange(start, start + both)
            places[first + both:first + n] = -1 - np.arange(both, n)
        table = Buffer(self.lo.new_buffer("int64", (self.total,)).name, "int64", (self.total,), kind="constant",
                       data=places)
        total, rows = self.total, self.rows

        def state(ops: Any, i: Any) -> Any:
            place, zero = ops.load(table, i[0]), ops.constant(0, "int64")
            inside = ops.ge(place, zero)
            earlier = ops.masked(inside, lambda: ops.load(
                output, output.at((ops.indirect(place, total, False), i[1]))), 0)
            first = ops.masked(ops.logical_not(inside), lambda: ops.load(
                h, h.at((ops.indirect(ops.sub(ops.constant(-1, "int64"), place), rows, False), i[1]))), 0)
            return ops.where(inside, earlier, first)

        return state


def _finish(lo: Any, low: str, *results: Buffer | Value | None) -> tuple[Any, ...]:
    return tuple(narrowed(lo, r, low) for r in results)


@lowering("aten::rnn_loop", target="cuda")
def rnn_loop(lo: Any, node: Any, gates: Value, h: Value, weight: Value, nonlinearity: str, sizes: Any,
             reverse: bool) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    x, first, w = loop.take(gates, h, weight)
    output, state, part = loop.new(loop.total, loop.size), loop.new(*h.shape), loop.new(*h.shape)
    loop.start(state, first)
    cell = f"rnn_cell<{'true' if nonlinearity == 'relu' else 'false'}>"
    for n, row, *_ in loop.times:
        loop.product(n, state, w, True, part)  # type: ignore[arg-type]
        loop.launch(cell, n * loop.size, [], [("output", loop.at(output, row, loop.size)), ("state", state)],
                    [("gates", loop.at(x, row, loop.size)), ("part", part)])
    loop.done("rnn_loop")
    return _finish(lo, h.dtype, output, state)


@lowering("aten::rnn_loop_backward", target="cuda")
def rnn_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, h: Value, weight: Value, nonlinearity: str,
                      sizes: Any, reverse: bool, output: Value) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    by_output, by_state, first, w, states = loop.take(grad_output, grad_h, h, weight, output)
    by_gates, dh = loop.new(*output.shape), loop.new(*h.shape)
    loop.start(dh, by_state)
    cell = f"rnn_cell_backward<{'true' if nonlinearity == 'relu' else 'false'}>"
    for n, row, *_ in loop.times[::-1]:
        d = loop.at(by_gates, row, loop.size)
        loop.launch(cell, n * loop.size, [], [("by_gates", d)],
                    [("by_state", dh), ("by_output", loop.at(by_output, row, loop.size)),
                     ("output", loop.at(states, row, loop.size))])
        loop.product(n, d, w, False, dh)  # type: ignore[arg-type]
    loop.done("rnn_loop_backward")
    return _finish(lo, h.dtype, by_gates, dh, _by_weight(lo, loop, by_gates, states, first))


def _by_weight(lo: Any, loop: Loop, by_gates: Buffer, states: Any, first: Any) -> Value:
    return matrices(lo, loop.dtype, turned(lo, stored(by_gates)), loop.before(states, first))


@lowering("aten::lstm_loop", target="cuda")
def lstm_loop(lo: Any, node: Any, gates: Value, h: Value, c: Value, weight: Value, sizes: Any, reverse: bool) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    x, first, first_cell, w = loop.take(gates, h, c, weight)
    size, wide = loop.size, 4 * loop.size
    output, state, cell = loop.new(loop.total, size), loop.new(*h.shape), loop.new(*h.shape)
    cells, work, part = loop.new(loop.total, size), loop.new(loop.total, wide), loop.new(loop.rows, wide)
    loop.start(state, first)
    loop.start(cell, first_cell)
    for n, row, *_ in loop.times:
        loop.product(n, state, w, True, part)  # type: ignore[arg-type]
        loop.launch("lstm_cell", n * size, [("size", size)],
                    [("output", loop.at(output, row, size)), ("state", state), ("cell", cell),
                     ("kept", loop.at(cells, row, size)), ("work", loop.at(work, row, wide))],
                    [("gates", loop.at(x, row, wide)), ("part", part)])
    loop.done("lstm_loop")
    return _finish(lo, h.dtype, output, state, cell, cells, work)


@lowering("aten::lstm_loop_backward", target="cuda")
def lstm_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, grad_c: Any, h: Value, c: Value,
                       weight: Value, sizes: Any, reverse: bool, output: Value, cells: Value, workspace: Value) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    by_output, by_state, by_cell, first, first_cell, w, states, kept, work = loop.take(
        grad_output, grad_h, grad_c, h, c, weight, output, cells, workspace)
    size, wide = loop.size, 4 * loop.size
    by_gates, dh, dc = loop.new(loop.total, wide), loop.new(*h.shape), loop.new(*h.shape)
    loop.start(dh, by_state)
    loop.start(dc, by_cell)
    for n, row, had, start in loop.times[::-1]:
        d = loop.at(by_gates, row, wide)
        loop.launch("lstm_cell_backward", n * size, [("size", size), ("had", had * size)],
                    [("by_gates", d), ("by_cell", dc)],
                    [("by_state", dh), ("by_output", loop.at(by_output, row, size)),
                     ("work", loop.at(work, row, wide)), ("cells", loop.at(kept, row, size)),
                     ("before", loop.at(kept, start, size)), ("first", first_cell)])
        loop.product(n, d, w, False, dh)  # type: ignore[arg-type]
    loop.done("lstm_loop_backward")
    return _finish(lo, h.dtype, by_gates, dh, dc, _by_weight(lo, loop, by_gates, states, first))


@lowering("aten::gru_loop", target="cuda")
def gru_loop(lo: Any, node: Any, gates: Value, h: Value, weight: Value, bias: Any, sizes: Any, reverse: bool) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    x, first, w, shift = loop.take(gates, h, weight, bias)
    size, wide = loop.size, 3 * loop.size
    output, state = loop.new(loop.total, size), loop.new(*h.shape)
    hidden, work, part = loop.new(loop.total, size), loop.new(loop.total, wide), loop.new(loop.rows, wide)
    loop.start(state, first)
    for n, row, *_ in loop.times:
        loop.product(n, state, w, True, part)  # type: ignore[arg-type]
        loop.launch("gru_cell", n * size, [("size", size)],
                    [("output", loop.at(output, row, size)), ("state", state),
                     ("hidden", loop.at(hidden, row, size)), ("work", loop.at(work, row, wide))],
                    [("gates", loop.at(x, row, wide)), ("part", part), ("bias", shift)])
    loop.done("gru_loop")
    return _finish(lo, h.dtype, output, state, hidden, work)


@lowering("aten::gru_loop_backward", target="cuda")
def gru_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, h: Value, weight: Value, sizes: Any,
                      reverse: bool, output: Value, hidden: Value, workspace: Value) -> Any:
    loop = Loop(lo, h, weight, sizes, reverse)
    by_output, by_state, first, w, states, seen, work = loop.take(grad_output, grad_h, h, weight, output, hidden,
                                                                  workspace)
    size, wide = loop.size, 3 * loop.size
    by_gates, dh, by_hidden = loop.new(loop.total, wide), loop.new(*h.shape), loop.new(loop.total, wide)
    loop.start(dh, by_state)
    for n, row, had, start in loop.times[::-1]:
        d = loop.at(by_hidden, row, wide)
        loop.launch("gru_cell_backward", n * size, [("size", size), ("had", had * size)],
                    [("by_gates", loop.at(by_gates, row, wide)), ("by_hidden", d), ("by_state", dh)],
                    [("by_output", loop.at(by_output, row, size)), ("work", loop.at(work, row, wide)),
                     ("hidden", loop.at(seen, row, size)), ("before", loop.at(states, start, size)),
                     ("first", first)])
        loop.product(n, d, w, False, dh, 1.0)  # type: ignore[arg-type]
    loop.done("gru_loop_backward")
    by_bias = lo.reduce(stored(by_hidden), [0], "sum", loop.dtype)
    return _finish(lo, h.dtype, by_gates, dh, _by_weight(lo, loop, by_hidden, states, first), by_bias)
