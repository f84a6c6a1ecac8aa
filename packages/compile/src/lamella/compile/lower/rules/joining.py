"""Tensors put together, padded, and written into parts of others."""

from __future__ import annotations

from typing import Any

from ...loops.index import Expr, product, upper
from ...loops.ir import Native
from .. import views
from ..promote import cast, fitting, spec_type
from ..registry import Unsupported, lowering
from ..values import Value, stored
from .shape import bounds

PIECES = 8  # as many parts may be joined in one body


def within(ops: Any, i: Any, low: Any, high: Any) -> Any:
    """Whether ``low <= i < high`` (None: no limit): True or False where that is known, else a value."""
    top = upper(i)
    tests = []
    if not (isinstance(low, int) and low <= 0):
        if isinstance(i, int) and isinstance(low, int):
            if i < low:
                return False
        else:
            tests.append(ops.ge(ops.index_value(i, "int64"), ops.index_value(low, "int64")))
    if not (high is None or isinstance(high, int) and top is not None and top < high):
        if isinstance(i, int) and isinstance(high, int):
            return False
        tests.append(ops.lt(ops.index_value(i, "int64"), ops.index_value(high, "int64")))
    if not tests:
        return True
    return tests[0] if len(tests) == 1 else ops.logical_and(*tests)


def both(ops: Any, a: Any, b: Any) -> Any:
    """Both conditions, either of which may be a plain bool."""
    if a is True or b is False:
        return b
    if b is True or a is False:
        return a
    return ops.logical_and(a, b)


def chosen(ops: Any, condition: Any, inside: Any, other: Any, dtype: str) -> Any:
    """``inside()`` where a condition of `within` holds, else the number ``other``."""
    if condition is True:
        return inside()
    if condition is False:
        return ops.constant(other, dtype)
    return ops.masked(condition, inside, other)


@lowering("aten::cat")
def cat(lo: Any, node: Any, tensors: Any, dim: int = 0) -> Any:
    dtype, shape = spec_type(node), tuple(node.spec.shape)
    parts = [cast(lo, v, dtype) for v in tensors if v.shape != (0,) or len(shape) == 1]
    dim %= len(shape)
    parts = [p for p in parts if p.shape[dim] != 0] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    if len(parts) > PIECES and lo.target == "cpp":
        return _joined_by_call(lo, parts, dim, shape, dtype)
    while len(parts) > PIECES:  # some at a time
        groups = [_joined(lo, parts[n:n + PIECES], dim, shape, dtype) for n in range(0, len(parts), PIECES)]
        for group in groups:
            lo.realize(group)
        parts = groups
    return _joined(lo, parts, dim, shape, dtype)


def _joined(lo: Any, parts: list[Value], dim: int, shape: tuple[Any, ...], dtype: str) -> Value:
    if len(parts) == 1:
        return parts[0]
    starts: list[Any] = [0]
    for part in parts:
        starts.append(starts[-1] + part.shape[dim])
    shape = (*shape[:dim], starts[-1], *shape[dim + 1:])
    for part in parts:
        if part.cost > 16 and part.buffer is None:
            lo.realize(part)
    loads = [p.load for p in parts]

    def load(ops: Any, i: Any) -> Any:
        at = i[dim]
        if isinstance(at, int) and not any(isinstance(s, Expr) for s in starts):
            k = next(k for k in range(len(parts)) if at < starts[k + 1])
            return loads[k](ops, (*i[:dim], at - starts[k], *i[dim + 1:]))
        value: Any = None
        for k in reversed(range(len(parts))):
            def piece(k: int = k) -> Any:
                return loads[k](ops, (*i[:dim], at - starts[k], *i[dim + 1:]))

            if value is None:
                value = chosen(ops, within(ops, at, starts[k], None), piece, 0, dtype)
                continue
            inside = chosen(ops, within(ops, at, starts[k], starts[k + 1]), piece, 0, dtype)
            first = within(ops, at, 0, starts[k + 1])
            value = inside if first is True else value if first is False else ops.where(first, inside, value)
        return value

    reads = frozenset().union(*(p.reads for p in parts))
    return Value(shape, dtype, load, cost=sum(p.cost for p in parts) + 3 * len(parts), reads=reads)


def _joined_by_call(lo: Any, parts: list[Value], dim: int, shape: tuple[Any, ...], dtype: str) -> Value:
    """Many parts: each in memory, then copied."""
    out = lo.new_buffer(dtype, shape)
    inner = product(shape[dim + 1:])
    given = [lo.dense(part) for part in parts]
    arguments: list[Any] = [product(shape[:dim]), shape[dim] * inner, out]
    for part, buffer in zip(parts, given, strict=True):
        arguments += [buffer, part.shape[dim] * inner]
    lo.add_step(Native([out], given, "join", arguments, "join.h"))
    return stored(out)


@lowering("aten::constant_pad_nd")
def pad(lo: Any, node: Any, a: Value, pad: Any, value: Any = 0) -> Any:  # noqa: A002 - torch's name
    shape, dtype, load = tuple(node.spec.shape), a.dtype, a.load
    lows = [0] * a.ndim
    ends: list[Any] = list(a.shape)
    for k in range(len(pad) // 2):
        lows[a.ndim - 1 - k] = pad[2 * k]
        ends[a.ndim - 1 - k] = a.shape[a.ndim - 1 - k] + pad[2 * k]
    if not isinstance(value, (int, float)):
        raise Unsupported("a value that is only known at run time")
    fitting(value, dtype)
    grown = [d for d in range(a.ndim) if pad_grows(pad, a.ndim - 1 - d)]

    def body(ops: Any, i: Any) -> Any:
        condition: Any = True
        for d in grown:
            condition = both(ops, condition, within(ops, i[d], lows[d], ends[d]))
        return chosen(ops, condition, lambda: load(ops, tuple([k - low for k, low in zip(i, lows, strict=True)])),
                      value, dtype)

    return Value(shape, dtype, body, cost=a.cost + 2 + 3 * len(grown), reads=a.reads)


def pad_grows(pad: Any, k: int) -> bool:
    """Whether a dimension, counted from the last, gets new elements."""
    return 2 * k + 1 < len(pad) and any(not isinstance(p, int) or p > 0 for p in pad[2 * k:2 * k + 2])


def placed(lo: Any, part: Value, shape: tuple[Any, ...], dim: int, low: Any, high: Any, step: Any,
           base: Value | None = None) -> Value:
    """A part's elements at places ``low``, ``low + step``, ... of a dimension; elsewhere ``base``, or 0."""
    if part.cost > 16 and part.buffer is None:
        lo.realize(part)
    dtype, load = part.dtype, part.load
    other = base.load if base is not None else None
    last = low + (part.shape[dim] - 1) * step + 1 if step != 1 else high

    def body(ops: Any, i: Any) -> Any:
        at = i[dim] - low
        condition = within(ops, i[dim], low, last)
        if step != 1:
            hit = ops.eq(ops.index_value(_rest(at, step, low), "int64"), ops.constant(0, "int64"))
            condition = both(ops, condition, hit)
        inside = chosen(ops, condition, lambda: load(ops, (*i[:dim], at // step if step != 1 else at, *i[dim + 1:])),
                        0, dtype)
        if other is None or condition is True:
            return inside
        outside = other(ops, i)
        return outside if condition is False else ops.where(condition, inside, outside)

    cost = part.cost + 4 + (base.cost if base is not None else 0)
    return Value(shape, dtype, body, cost=cost, reads=part.reads | (base.reads if base is not None else frozenset()))


def _rest(at: Any, step: int, low: Any) -> Any:
    """``at % step``, taken of an expression that is not negative."""
    shift = -(-low // step) * step if isinstance(low, int) else 0
    return (at + shift) % step


@lowering("aten::select_backward")
def select_backward(lo: Any, node: Any, grad: Value, sizes: Any, dim: int, index: Any) -> Value:
    shape = tuple(node.spec.shape)
    dim %= len(shape)
    return _selected(lo, grad, shape, dim, index, None)


def _selected(lo: Any, part: Value, shape: Any, dim: int, index: Any, base: Value | None) -> Value:
    if isinstance(index, int) and index < 0:
        index = index + shape[dim]
    return placed(lo, views.insert_ones(part, [dim]), shape, dim, index, index + 1, 1, base)


@lowering("aten::slice_backward")
def slice_backward(lo: Any, node: Any, grad: Value, sizes: Any, dim: int, start: Any, end: Any, step: Any) -> Value:
    shape = tuple(node.spec.shape)
    dim %= len(shape)
    low, _ = bounds(start, end, shape[dim])
    return placed(lo, grad, shape, dim, low, low + grad.shape[dim] * step, step)


@lowering("aten::slice_scatter")
def slice_scatter(lo: Any, node: Any, a: Value, src: Value, dim: int = 0, start: Any = None, end: Any = None,
                  step: Any = 1) -> Value:
    dim %= a.ndim
    low, _ = bounds(start, end, a.shape[dim])
    part = views.expand(lo, cast(lo, src, a.dtype), (*a.shape[:dim], src.shape[dim], *a.shape[dim + 1:]))
    if part.shape[dim] == 0:
        return a
    return placed(lo, part, a.shape, dim, low, low + part.shape[dim] * step, step, a)


@lowering("aten::select_scatter")
def select_scatter(lo: Any, node: Any, a: Value, src: Value, dim: int, index: Any) -> Value:
    dim %= a.ndim
    part = views.expand(lo, cast(lo, src, a.dtype), (*a.shape[:dim], *a.shape[dim + 1:]))
    return _selected(lo, part, a.shape, dim, index, a)


def _on_diagonal(lo: Any, part: Value, shape: Any, offset: int, dim1: int, dim2: int, base: Value | None) -> Value:
    """A part's last dimension along the diagonal of two dimensions; elsewhere ``base``, or 0."""
    if part.cost > 16 and part.buffer is None:
        lo.realize(part)
    dim1, dim2 = dim1 % len(shape), dim2 % len(shape)
    rest = [d for d in range(len(shape)) if d not in (dim1, dim2)]
    row, col = max(-offset, 0), max(offset, 0)
    dtype, load, n = part.dtype, part.load, part.shape[-1]
    other = base.load if base is not None else None

    def body(ops: Any, i: Any) -> Any:
        hit = ops.eq(ops.index_value(i[dim1] + col, "int64"), ops.index_value(i[dim2] + row, "int64"))
        at = i[dim1] - row
        condition = both(ops, hit, within(ops, i[dim1], row, n + row))
        inside = chosen(ops, condition, lambda: load(ops, (*(i[d] for d in rest), at)), 0, dtype)
        return inside if other is None else ops.where(condition, inside, other(ops, i))

    cost = part.cost + 5 + (base.cost if base is not None else 0)
    return Value(tuple(shape), dtype, body, cost=cost,
                 reads=part.reads | (base.reads if base is not None else frozenset()))


@lowering("aten::diagonal_backward")
def diagonal_backward(lo: Any, node: Any, grad: Value, sizes: Any, offset: int, dim1: int, dim2: int) -> Value:
    return _on_diagonal(lo, grad, tuple(node.spec.shape), offset, dim1, dim2, None)


@lowering("aten::diagonal_scatter")
def diagonal_scatter(lo: Any, node: Any, a: Value, src: Value, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Value:
    return _on_diagonal(lo, cast(lo, src, a.dtype), a.shape, offset, dim1, dim2, a)


@lowering("aten::diag_embed")
def diag_embed(lo: Any, node: Any, a: Value, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Value:
    return _on_diagonal(lo, a, tuple(node.spec.shape), offset, dim1, dim2, None)
