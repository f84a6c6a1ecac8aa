"""Attention by products of whole matrices of scores: for large heads, and where the weights are given."""

from __future__ import annotations

import math
from typing import Any

from ...loops.record import computing
from ...lower.values import Value
from ..attention import _summed
from ..common import narrowed
from .products import matrices, turned


def _scores(lo: Any, made: Value, mask: Value | None, causal: bool, scale: float) -> Value:
    dtype = made.dtype

    def scaled(ops: Any, x: Any, m: Any = None) -> Any:
        x = ops.mul(x, ops.constant(float(scale), dtype))
        if m is None:
            return x
        if mask is not None and mask.dtype == "bool":
            return ops.where(m, x, ops.constant(-math.inf, dtype))
        return ops.add(x, ops.to(m, dtype))

    found = lo.pointwise(scaled, made, *([] if mask is None else [mask]), dtype=dtype, shape=made.shape)
    if not causal:
        return found  # type: ignore[no-any-return]
    load = found.load

    def upto(ops: Any, i: Any) -> Any:
        counts = ops.le(ops.index_value(i[-1], "int64"), ops.index_value(i[-2], "int64"))
        return ops.where(counts, load(ops, i), ops.constant(-math.inf, dtype))

    return Value(found.shape, dtype, upto, cost=found.cost + 2, reads=found.reads)


def by_products(lo: Any, query: Value, key: Value, value: Value, mask: Value | None, drop: Value | None,
                scores: tuple[Any, ...], causal: bool, scale: float) -> tuple[Value, Value]:
    """The result and the weights."""
    low = query.dtype
    wide = computing(low)
    made = matrices(lo, low, query, turned(lo, key), wide)
    s = _scores(lo, lo.expanded(made, scores), mask, causal, scale)
    lo.realize(s)
    last = len(scores) - 1
    top = lo.reduce(s, [last], "max", wide, keepdim=True)

    def shifted(ops: Any, x: Any, t: Any) -> Any:
        none = ops.eq(t, ops.constant(-math.inf, wide))
        return ops.exp(ops.sub(x, ops.where(none, ops.constant(0.0, wide), t)))

    e = lo.pointwise(shifted, s, top, dtype=wide)
    lo.realize(e)
    total = lo.reduce(e, [last], "sum", wide, keepdim=True)

    def share(ops: Any, x: Any, t: Any) -> Any:
        return ops.div(x, ops.where(ops.eq(t, ops.constant(0.0, wide)), ops.constant(1.0, wide), t))

    weights = lo.pointwise(share, e, total, dtype=wide)
    lo.realize(weights)
    out = matrices(lo, low, narrowed(lo, _used(lo, weights, drop), low), value, wide)
    return narrowed(lo, out, low), narrowed(lo, weights, low)


def _used(lo: Any, weights: Value, drop: Value | None) -> Value:
    if drop is None:
        return weights
    wide = computing(weights.dtype)
    return lo.pointwise(lambda ops, w, d: ops.mul(w, ops.to(d, wide)), weights, drop, dtype=wide)  # type: ignore[no-any-return]


def backward_by_products(lo: Any, g: Value, query: Value, key: Value, value: Value, mask: Value | None,
                         drop: Value | None, weights: Value, scale: float, output_mask: Any) -> Any:
    """The gradients of query, key, value and mask, from the weights."""
    low = query.dtype
    wide = computing(low)
    found: list[Value | None] = [None, None, None, None]
    if output_mask[2]:
        used = narrowed(lo, _used(lo, weights, drop), low)
        lo.realize(used)
        found[2] = _summed(lo, matrices(lo, low, turned(lo, used), g, wide), tuple(value.shape), wide)
    if output_mask[0] or output_mask[1] or output_mask[3]:
        by_weight = _used(lo, matrices(lo, low, g, turned(lo, value), wide), drop)
        each = lo.pointwise(lambda ops, a, b: ops.mul(a, ops.to(b, wide)), by_weight, weights, dtype=wide)
        total = lo.reduce(each, [each.ndim - 1], "sum", wide, keepdim=True)
        by_score = lo.pointwise(lambda ops, t, x, w: ops.mul(ops.sub(x, t), ops.to(w, wide)), total, by_weight,
                                weights, dtype=wide)
        lo.realize(by_score)
        part = narrowed(lo, by_score, low)
        lo.realize(part)
        if output_mask[0]:
            by_query = matrices(lo, low, part, key, wide, float(scale))
            found[0] = _summed(lo, by_query, tuple(query.shape), wide)
        if output_mask[1]:
            by_key = matrices(lo, low, turned(lo, part), query, wide, float(scale))
            found[1] = _summed(lo, by_key, tuple(key.shape), wide)
        if output_mask[3] and mask is not None:
            found[3] = _summed(lo, by_score, tuple(mask.shape), wide)
    kinds = (low, low, low, low if mask is None else mask.dtype)
    return tuple(None if r is None else narrowed(lo, r, kind) for r, kind in zip(found, kinds, strict=True))
