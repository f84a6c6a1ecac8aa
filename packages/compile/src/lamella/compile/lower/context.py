"""Lowering at work: what rules use to read arguments, make memory and add steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.node import Graph, Node
from ..loops.index import Expr, Var, contiguous, is_static, lift, memory_order
from ..loops.ir import Buffer, Extern, Index, Loop
from .values import NONE, Scalar, Value, constant, is_dense, mapped, stored

DTYPES = frozenset("float32 float64 float16 bfloat16 int8 int16 int32 int64 uint8 bool".split())
CHEAP = 8  # operations: values that cost less are computed again by each reader
DEAR = 4  # operations: values that cost as much get memory before they are read often
LARGE = 64  # operations: a body that is larger gets memory
READS = 10  # buffers that one body reads


class Lowering:
    """The program so far.

    Attributes:
        graph: the graph. target: what the program is made for. node: the node whose rule runs. steps: of the program.
        values: node -> its `Value` (a tuple of them for several results).
        notes: what rules keep for later ones, by node.
    """

    def __init__(self, graph: Graph, target: str = "cpp") -> None:
        self.graph, self.target = graph, target
        self.node: Any = None
        self.steps: list[Any] = []
        self.values: dict[Node, Any] = {}
        self.notes: dict[Node, Any] = {}
        self.inputs: list[Buffer] = []
        self._count = 0

    # what rules call

    def realize(self, value: Value, stride: tuple[Any, ...] = ()) -> Buffer:
        """Give a value memory: added as a step unless it has some; afterwards readers load from there.

        Args:
            value: the value.
            stride: the layout of memory that is made (row-major by default); what has memory keeps its layout.

        Returns:
            Its buffer, which may be a strided view of another (see `Buffer.base`).
        """
        if value.buffer is None:
            done = None if stride else self._through(value)
            if done is None:
                out = self.new_buffer(value.dtype, value.shape, stride)
                self.fill(out, value)
                done = stored(out)
            value.load, value.buffer, value.cost, value.reads = done.load, done.buffer, 0, done.reads
        return value.buffer  # type: ignore[return-value]

    def ready(self, value: Value) -> Value:
        """A value that may be read often, or out of order: what is dear to compute gets memory."""
        if value.buffer is None and value.cost >= DEAR:
            self.realize(value)
        return value

    def _through(self, value: Value) -> Value | None:
        """The value as a view of its source, which gets memory; None where that does not go."""
        if value.source is None:
            return None
        source, again = value.source
        self.realize(source)
        found = again(source)
        return found if found.buffer is not None else None

    def dense(self, value: Value) -> Buffer:
        """Row-major memory without gaps that holds the value, at offset 0 of it or of its root: a copy if need be."""
        if value.buffer is None and value.source is not None and value.source[0].buffer is None:
            return self.realize(value, contiguous(value.shape))
        buffer = self.realize(value)
        return buffer if is_dense(buffer) else self.copy(value)

    def copy(self, value: Value, stride: tuple[Any, ...] = ()) -> Buffer:
        """New memory that holds the value."""
        out = self.new_buffer(value.dtype, value.shape, stride)
        self.fill(out, value)
        return out

    def new_buffer(self, dtype: str, shape: Sequence[Any], stride: Sequence[Any] = ()) -> Buffer:
        """Memory to be filled by a step; row-major unless ``stride`` says otherwise."""
        self._count += 1
        return Buffer(f"b{self._count}", dtype, tuple(shape), tuple(stride))

    def add_step(self, step: Any, of: Value | None = None) -> None:
        """Append a `Loop`, `Native` or `Extern`; buffers read are noted by their roots.

        Args:
            step: the step. of: the lazy value that it computes, or whose elements it reduces.
        """
        if self.node is not None and not step.origins:
            step.origins, step.where = (self.node.name,), self.node.where
        if of is not None and of.origins:
            if isinstance(step, Loop) and step.kind == "pointwise":
                step.origins, step.where = of.origins, of.where
            else:
                step.origins = (*of.origins, *step.origins)
        if not isinstance(step, Loop):
            step.ins = list(dict.fromkeys(b.root for b in step.ins))
        self.steps.append(step)

    def fill(self, out: Buffer, value: Value) -> None:
        """Add the loop that writes a value into a buffer, in the order of the buffer's memory."""
        order = memory_order(out.shape, out.stride)
        load: Any = value.load
        if order is None or order == tuple(range(len(order))):
            self.add_step(Loop(out, out.shape, load), value)
            return
        back = tuple(order.index(d) for d in range(len(order)))
        at = out.at

        def body(ops: Any, index: Index) -> Any:
            return load(ops, tuple(index[d] for d in back))

        self.add_step(Loop(out, tuple(out.shape[d] for d in order), body,
                           store=lambda ops, index: at(tuple(index[d] for d in back))), value)

    def reduce(self, value: Value, dims: Sequence[int], how: str, dtype: str,
               keepdim: bool = False) -> Value:
        """Reduce over dimensions.

        Args:
            value: what is reduced. dims: over which dimensions, none twice.
            how: see `Loop.how`. dtype: of the result. keepdim: leave sizes of 1.
        """
        dims = sorted(dims)
        kept = [d for d in range(value.ndim) if d not in dims]
        place = {d: n for n, d in enumerate([*kept, *dims])}
        order = tuple(place[d] for d in range(value.ndim))
        load = value.load

        def element(ops: Any, index: Index) -> Any:
            return load(ops, tuple(index[n] for n in order))

        shape = tuple(value.shape[d] for d in kept)
        out = self.new_buffer(dtype, shape)
        self.add_step(Loop(out, shape, element, "reduce", tuple(value.shape[d] for d in dims), how), value)
        result = stored(out)
        if not keepdim:
            return result
        from .views import insert_ones

        return insert_ones(result, dims)

    def pointwise(self, fn: Callable[..., Any], *values: Value, dtype: str, shape: tuple[Any, ...] | None = None,
                  cost: int = 1) -> Value:
        """A lazy value ``fn(ops, *elements)`` of values that are broadcast against each other.

        Args:
            fn: gets the ops handler and one element of each value; its result has type ``dtype``.
            values: operands. dtype: of the result. shape: of the result, if it is not the broadcast one.
            cost: about how many operations fn takes.
        """
        shape = broadcast_shape(values) if shape is None else shape
        loads = [self.expanded(v, shape).load for v in values]
        total = cost + sum(v.cost for v in values)
        reads = NONE.union(*(v.reads for v in values))
        load: Any
        if len(loads) == 1:
            [one] = loads
            load = lambda ops, index: fn(ops, one(ops, index))  # noqa: E731
        elif len(loads) == 2:
            a, b = loads
            load = lambda ops, index: fn(ops, a(ops, index), b(ops, index))  # noqa: E731
        else:
            load = lambda ops, index: fn(ops, *(each(ops, index) for each in loads))  # noqa: E731
        return Value(shape, dtype, load, cost=total, reads=reads)

    def expanded(self, value: Value, shape: tuple[Any, ...]) -> Value:
        """The value broadcast to a shape; what is dear is realized first, so that it is computed once."""
        if value.shape == shape:
            return value
        self.ready(value)
        skip = len(shape) - value.ndim
        keep = tuple(None if n == 1 and shape[d + skip] != 1 else d + skip for d, n in enumerate(value.shape))
        if not any(d is not None for d in keep):
            zeros = (0,) * value.ndim
            return mapped(value, shape, lambda index: zeros)
        return mapped(value, shape, lambda index: tuple([0 if d is None else index[d] for d in keep]))

    def symbol(self, expr: Any, dtype: str = "") -> Value:
        """A 0-d value of a symbolic size."""
        if not isinstance(expr, Expr):
            return constant(expr, (), dtype or "int64")
        kind = dtype or "int64"
        return Value((), kind, lambda ops, index: ops.index_value(expr, kind))

    # what the walk calls

    def settle(self, value: Any, users: int, stride: tuple[Any, ...] | None, from_memory: Callable[[], bool]) -> None:
        """Decide about a fresh value: whether it gets memory now.

        Args:
            value: the value. users: how many nodes read it.
            stride: set for what the graph returns: how it is to lie.
            from_memory: whether one of its readers can only read memory.
        """
        if not isinstance(value, Value) or value.buffer is not None:
            return
        if stride is not None:
            self.realize(value, stride)
        elif value.cost > LARGE or len(value.reads) > READS or (
                users > 1 and value.cost and (value.cost > CHEAP or _reads_much(value, users) or from_memory())):
            self.realize(value)

    def tensor(self, value: Value) -> Buffer:
        """A buffer for an eager kernel's argument: numbers become constants."""
        if value.buffer is None and value.number is not None and value.ndim == 0:
            kind = value.dtype
            if kind != "bfloat16":
                return Buffer(self.new_buffer(kind, ()).name, kind, (), kind="constant",
                              data=np.asarray(value.number, kind))
        return self.realize(value)

    def extern(self, node: Node, args: Any, kwargs: Any, why: str) -> Any:
        """Add a call of the eager kernel; gives its results' values."""
        ins: list[Buffer] = []

        def convert(arg: Any) -> Any:
            if isinstance(arg, Scalar):
                return lift(Var(arg.name))
            if isinstance(arg, Value):
                ins.append(self.tensor(arg))
                return ins[-1]
            if isinstance(arg, (list, tuple)):
                parts = [convert(each) for each in arg]
                return parts if isinstance(arg, list) else tuple(parts)
            return arg

        args = convert(args)
        kwargs = {k: convert(v) for k, v in kwargs.items()}
        single = not isinstance(node.spec, (tuple, list))
        outs: list[Buffer | None] = []
        for n, spec in enumerate([node.spec] if single else node.spec):
            made = spec is not None and (single or not _is_mask(args, len(node.spec)) or args[-1][n])
            outs.append(self.new_buffer(spec.dtype.name, spec.shape, dense_stride(spec)) if made else None)
        self.add_step(Extern(node.op, args, kwargs, outs, ins, why))
        results = tuple(None if b is None else stored(b) for b in outs)
        return results[0] if single else results


def _is_mask(args: Any, results: int) -> bool:
    """Whether a backward is told which gradients are asked for: eager gives None for the others."""
    return bool(args) and isinstance(args[-1], (list, tuple)) and len(args[-1]) == results and all(
        isinstance(m, bool) for m in args[-1])


def _reads_much(value: Value, users: int) -> bool:
    """Whether readers that compute a value anew load more than if it were written once and loaded by them."""
    if len(value.reads) < 2:
        return False
    size = value.numel
    whole = sum(1 for b in value.reads if not (isinstance(size, int) and isinstance(b.numel, int)) or b.numel >= size)
    return whole >= 3 or (whole == 2 and users > 2)


def dense_stride(spec: Any) -> tuple[Any, ...]:
    """The strides of memory for a result: the spec's where they are a permutation of row-major, else row-major."""
    shape = tuple(spec.shape)
    return tuple(spec.stride) if memory_order(shape, tuple(spec.stride)) is not None else contiguous(shape)


def broadcast_shape(values: Sequence[Value]) -> tuple[Any, ...]:
    """The shape of operands broadcast against each other."""
    first = values[0].shape
    if all(v.shape == first for v in values):
        return first
    ndim = max(v.ndim for v in values)
    shape: list[Any] = []
    for d in range(-ndim, 0):
        sizes = [v.shape[d] for v in values if v.ndim >= -d]
        shape.append(next((n for n in sizes if not is_static(n) or n != 1), 1))
    return tuple(shape)
