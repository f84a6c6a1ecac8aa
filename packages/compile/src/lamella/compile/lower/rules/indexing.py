"""Elements read at places that other tensors hold, and written there."""

from __future__ import annotations

from typing import Any

from ...loops.index import is_static
from ...loops.ir import Loop
from .. import views
from ..context import broadcast_shape
from ..promote import INTS, cast, fitting, spec_type
from ..registry import Unsupported, lowering
from ..values import Value, stored
from .comparison import choose


def at_places(lo: Any, a: Value, dim: int, index: Value, place: Any, shape: tuple[Any, ...],
              wrap: bool = False) -> Value:
    """Elements whose index in ``dim`` is read from ``index`` at ``place(i)``; others stay (see callers)."""
    load, where, size = lo.ready(a).load, lo.ready(index).load, a.shape[dim]

    def body(ops: Any, i: Any) -> Any:
        at, rest = place(i)
        k = ops.indirect(where(ops, at), size, wrap)
        return load(ops, (*rest[:dim], k, *rest[dim:]))

    return Value(shape, a.dtype, body, cost=a.cost + index.cost + 10, reads=a.reads | index.reads)


@lowering("aten::index_select")
def index_select(lo: Any, node: Any, a: Value, dim: int, index: Value) -> Value:
    if not a.ndim:
        raise Unsupported("a tensor without dimensions")
    dim %= a.ndim
    one = views.flat(index) if index.ndim != 1 else index
    return at_places(lo, a, dim, one, lambda i: ((i[dim],), (*i[:dim], *i[dim + 1:])), tuple(node.spec.shape))


@lowering("aten::gather")
def gather(lo: Any, node: Any, a: Value, dim: int, index: Value, *, sparse_grad: bool = False) -> Value:
    if not a.ndim or index.ndim != a.ndim:
        raise Unsupported("a tensor without dimensions")
    dim %= a.ndim
    return at_places(lo, a, dim, index, lambda i: (i, (*i[:dim], *i[dim + 1:])), index.shape)


@lowering("aten::embedding")
def embedding(lo: Any, node: Any, weight: Value, indices: Value, *_: Any, **__: Any) -> Value:
    return at_places(lo, weight, 0, indices, lambda i: (i[:-1], i[-1:]), tuple(node.spec.shape))


def index_plan(a: Value, indices: Any) -> tuple[list[tuple[int, Value]], tuple[Any, ...], int]:
    """Of ``a[indices]``: (dimension, index) pairs, the indices' common shape, and where it stands in the result."""
    given = list(indices) + [None] * (a.ndim - len(indices))
    if any(v is not None and v.dtype not in INTS for v in given) or len(given) != a.ndim:
        raise Unsupported("a mask as an index")
    if any(v is not None and v.dtype == "uint8" for v in given):
        raise Unsupported("a mask as an index")
    pairs = [(d, v) for d, v in enumerate(given) if v is not None]
    if not pairs:
        raise Unsupported("no index")
    places = [d for d, _ in pairs]
    adjacent = places[-1] - places[0] == len(places) - 1
    return pairs, broadcast_shape([v for _, v in pairs]), places[0] if adjacent else 0


def _split(a: Value, pairs: Any, common: Any, first: int) -> Any:
    """Of a result's index: (the indices' part, the index in ``a`` with None where an index is read)."""
    taken = {d for d, _ in pairs}
    n = len(common)

    def split(i: Any) -> tuple[Any, list[Any]]:
        rest = iter((*i[:first], *i[first + n:]))
        return tuple(i[first:first + n]), [None if d in taken else next(rest) for d in range(a.ndim)]

    return split


@lowering("aten::index.Tensor")
def index_tensor(lo: Any, node: Any, a: Value, indices: Any) -> Value:
    pairs, common, first = index_plan(a, indices)
    split = _split(a, pairs, common, first)
    loads = [(d, lo.expanded(lo.ready(v), common).load, a.shape[d]) for d, v in pairs]
    load = lo.ready(a).load

    def body(ops: Any, i: Any) -> Any:
        at, found = split(i)
        for d, where, size in loads:
            found[d] = ops.indirect(where(ops, at), size)
        return load(ops, tuple(found))

    reads = a.reads.union(*(v.reads for _, v in pairs))
    return Value(tuple(node.spec.shape), a.dtype, body, cost=a.cost + 10 * len(pairs), reads=reads)


def scatter(lo: Any, into: Value | None, shape: Any, dtype: str, ranges: Any, body: Any, place: Any,
            how: str) -> Value:
    """A loop over ``ranges`` that writes or adds ``body(ops, i)`` at ``place(ops, i)``, an index into ``shape``."""
    out = lo.new_buffer(dtype, shape)
    start = None
    if into is not None:
        start = lo.dense(into)
        if start.base is not None:
            start = lo.copy(into)
    at = out.at
    lo.add_step(Loop(out, tuple(ranges), body, "scatter", how=how, store=lambda ops, i: at(place(ops, i)), into=start))
    return stored(out)


@lowering("aten::index_put")
def index_put(lo: Any, node: Any, a: Value, indices: Any, values: Value, accumulate: bool = False) -> Any:
    given = [v for v in indices if v is not None]
    if len(given) == 1 and given[0].dtype == "bool" and not accumulate and values.numel == 1:
        return _masked(lo, a, indices, values)
    pairs, common, first = index_plan(a, indices)
    taken = {d for d, _ in pairs}
    rest = [a.shape[d] for d in range(a.ndim) if d not in taken]
    ranges = (*rest[:first], *common, *rest[first:])
    split = _split(a, pairs, common, first)
    loads = [(d, lo.expanded(lo.ready(v), common).load, a.shape[d]) for d, v in pairs]
    if values.ndim > len(ranges):
        values = views.reshape(values, values.shape[values.ndim - len(ranges):])
    source = lo.expanded(cast(lo, values, a.dtype), ranges).load

    def place(ops: Any, i: Any) -> Any:
        at, found = split(i)
        for d, where, size in loads:
            found[d] = ops.indirect(where(ops, at), size)
        return tuple(found)

    return scatter(lo, a, a.shape, a.dtype, ranges, source, place, "add" if accumulate else "set")


def _masked(lo: Any, a: Value, indices: Any, values: Value) -> Any:
    """A number written where a mask holds."""
    first = next(d for d, v in enumerate(indices) if v is not None)
    mask = indices[first]
    if first:
        mask = views.insert_ones(mask, range(first))
    mask = views.insert_ones(mask, range(mask.ndim, a.ndim))
    number = views.reshape(cast(lo, values, a.dtype), ())
    return choose(lo, mask, number, a, a.dtype)


@lowering("aten::scatter.src", "aten::scatter.value", "aten::scatter_add")
def scatter_src(lo: Any, node: Any, a: Value, dim: int, index: Value, src: Any) -> Any:
    return _scattered(lo, a, dim, index, src, "add" if node.op.opname == "scatter_add" else "set")


@lowering("aten::scatter.reduce", "aten::scatter.value_reduce")
def scatter_reduce(lo: Any, node: Any, a: Value, dim: int, index: Value, src: Any, *, reduce: str) -> Any:
    if reduce != "add":
        raise Unsupported(f"reduce={reduce!r}")
    return _scattered(lo, a, dim, index, src, "add")


@lowering("aten::scatter_reduce.two")
def scatter_reduce_two(lo: Any, node: Any, a: Value, dim: int, index: Value, src: Any, reduce: str, *,
                       include_self: bool = True) -> Any:
    if reduce != "sum" or not include_self:
        raise Unsupported(f"reduce={reduce!r}")
    return _scattered(lo, a, dim, index, src, "add")


def _scattered(lo: Any, a: Value, dim: int, index: Value, src: Any, how: str) -> Any:
    if not a.ndim or index.ndim != a.ndim or a.dtype == "bool" and how == "add":
        raise Unsupported("a tensor without dimensions, or of bools")
    dim %= a.ndim
    where, size = lo.ready(index).load, a.shape[dim]
    if isinstance(src, Value) and src.ndim:
        body = cast(lo, src, a.dtype).load  # the same index, even where src is larger
    else:
        number = cast(lo, fitting(src, a.dtype), a.dtype).load
        body = lambda ops, i: number(ops, ())  # noqa: E731

    def place(ops: Any, i: Any) -> Any:
        return (*i[:dim], ops.indirect(where(ops, i), size, False), *i[dim + 1:])

    return scatter(lo, a, a.shape, a.dtype, index.shape, body, place, how)


@lowering("aten::index_add", "aten::index_copy")
def index_add(lo: Any, node: Any, a: Value, dim: int, index: Value, source: Value, *, alpha: Any = 1) -> Any:
    how = "add" if node.op.opname == "index_add" else "set"
    if not a.ndim or source.ndim != a.ndim or a.dtype == "bool":
        raise Unsupported("a tensor without dimensions, or of bools")
    dim %= a.ndim
    values = cast(lo, source, a.dtype)
    if not isinstance(alpha, (int, float)) or alpha != 1:
        factor = cast(lo, fitting(alpha, a.dtype), a.dtype)
        values = lo.pointwise(lambda ops, x, y: ops.mul(x, y), values, factor, dtype=a.dtype)
    return _along(lo, a, dim, index, values.load, how, False)


@lowering("aten::index_fill.int_Scalar", "aten::index_fill.int_Tensor")
def index_fill(lo: Any, node: Any, a: Value, dim: int, index: Value, value: Any) -> Any:
    if not a.ndim:
        raise Unsupported("a tensor without dimensions")
    number = cast(lo, fitting(value, a.dtype), a.dtype).load
    return _along(lo, a, dim % a.ndim, index, lambda ops, i: number(ops, ()), "set", True)


def _along(lo: Any, a: Value, dim: int, index: Value, body: Any, how: str, wrap: bool) -> Any:
    one = views.flat(index) if index.ndim != 1 else index
    where, size = lo.ready(one).load, a.shape[dim]
    ranges = (*a.shape[:dim], one.shape[0], *a.shape[dim + 1:])

    def place(ops: Any, i: Any) -> Any:
        return (*i[:dim], ops.indirect(where(ops, (i[dim],)), size, wrap), *i[dim + 1:])

    return scatter(lo, a, a.shape, a.dtype, ranges, body, place, how)


@lowering("aten::put")
def put(lo: Any, node: Any, a: Value, index: Value, source: Value, accumulate: bool = False) -> Any:
    line, flat_index, values = views.flat(a), views.flat(index), views.flat(source)
    where, size = lo.ready(flat_index).load, line.shape[0]

    def place(ops: Any, i: Any) -> Any:
        return (ops.indirect(where(ops, i), size),)

    out = scatter(lo, line, line.shape, a.dtype, flat_index.shape, cast(lo, values, a.dtype).load, place,
                  "add" if accumulate else "set")
    return views.reshape(out, a.shape)


@lowering("aten::embedding_dense_backward")
def embedding_backward(lo: Any, node: Any, grad: Value, indices: Value, num_weights: Any, padding_idx: Any,
                       scale_grad_by_freq: bool) -> Any:
    if scale_grad_by_freq:
        raise Unsupported("gradients scaled by frequency")
    dtype = spec_type(node)
    where = lo.ready(indices).load
    load, kind = lo.ready(cast(lo, grad, dtype)).load, indices.dtype

    def body(ops: Any, i: Any) -> Any:
        value = load(ops, i)
        if padding_idx is None or is_static(padding_idx) and padding_idx < 0:
            return value
        skipped = ops.eq(where(ops, i[:-1]), ops.index_value(padding_idx, kind))
        return ops.where(skipped, ops.constant(0, dtype), value)

    def place(ops: Any, i: Any) -> Any:
        return (ops.indirect(where(ops, i[:-1]), num_weights, False), i[-1])

    return scatter(lo, None, tuple(node.spec.shape), dtype, grad.shape, body, place, "add")


@lowering("aten::unfold_backward")
def unfold_backward(lo: Any, node: Any, grad: Value, input_sizes: Any, dim: int, size: int, step: int) -> Any:
    shape = tuple(node.spec.shape)
    if not shape:
        raise Unsupported("a tensor without dimensions")
    dim %= len(shape)
    load = lo.ready(grad).load

    def place(ops: Any, i: Any) -> Any:
        return (*i[:dim], i[dim] * step + i[-1], *i[dim + 1:-1])

    return scatter(lo, None, shape, grad.dtype, grad.shape, load, place, "add")


@lowering("aten::as_strided_scatter")
def as_strided_scatter(lo: Any, node: Any, a: Value, src: Value, size: Any, stride: Any,
                       storage_offset: Any = None) -> Any:
    line = views.flat(a)

    def place(ops: Any, i: Any) -> Any:
        at = storage_offset or 0
        for k, s in zip(i, stride, strict=True):
            at = at + k * s
        return (at,)

    out = scatter(lo, line, line.shape, a.dtype, src.shape, cast(lo, src, a.dtype).load, place, "set")
    return views.reshape(out, a.shape)
