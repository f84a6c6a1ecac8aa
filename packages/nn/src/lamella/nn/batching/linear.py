"""Rules of linear maps and table look-ups."""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.fallback import fallback
from lamella.autograd.transforms.batching.places import numbers, within
from lamella.autograd.transforms.batching.rules import rule
from lamella.core import functions as F

from .._gen import embedding as _embedding, linear as _linear


def rows(level: Any, t: Any) -> Any:
    """A batched tensor as (batch, rows, features); one that is not batched as (rows, features)."""
    value, dim = level.split(t)
    last = t._a.shape[-1]
    if dim is None:
        return value.reshape(-1, last)
    return level.front(t).reshape(level.size, t._a.size // last if last else 0, last)


@rule("linear")
def linear(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, w, *more = args
    b = more[0] if more else kwargs.get("bias")
    if not level.has(w) and not level.has(b):
        return level.wrap(_linear.op_linear(level.front(x), w, b))
    if w._a.ndim != 2 or not x._a.ndim or x._a.shape[-1] != w._a.shape[-1] or b is not None and b._a.ndim > 1:
        return fallback(level, op, args, kwargs)
    if not level.has(w):
        out = _linear.op_linear(level.front(x), w)
        if not level.has(x):
            out = out.unsqueeze(0)
    else:
        out = F.matmul(rows(level, x), level.front(w).transpose(-1, -2))
        out = out.reshape(level.size, *x._a.shape[:-1], w._a.shape[0])
    if b is not None:
        bias = level.front(b)
        if level.has(b):
            bias = bias.reshape(level.size, *[1] * (x._a.ndim - 1), b._a.shape[-1])
        out = out + bias
    return level.wrap(out)


@rule("linear_backward")
def linear_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    x, g, w, needs = args
    if w._a.ndim != 2 or not x._a.size:
        return fallback(level, op, args, kwargs)
    by_input = by_weight = by_bias = None
    if needs[0]:
        by_input = F.matmul(rows(level, g), level.front(w))
        if level.has(g) or level.has(w):
            by_input = level.wrap(by_input.reshape(level.size, *x._a.shape))
        else:
            by_input = by_input.reshape(x._a.shape)
    if needs[1]:
        if x._a.ndim == 1:
            by_weight = level.front(g).unsqueeze(-1) * level.front(x).unsqueeze(-2)
        else:
            by_weight = F.matmul(rows(level, g).transpose(-1, -2), rows(level, x))
        if level.has(g) or level.has(x):
            by_weight = level.wrap(by_weight)
    if needs[2]:
        by_bias = rows(level, g).sum(-2)
        if level.has(g):
            by_bias = level.wrap(by_bias)
    return by_input, by_weight, by_bias


# -- tables ------------------------------------------------------------------------------------------------------------


@rule("embedding")
def embedding(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    table, places, *more = args
    if not level.has(table):
        return level.wrap(_embedding.op_embedding(table, level.front(places), *more))
    padding = more[0] if more else kwargs.get("padding_idx", -1)
    count = table._a.shape[0]
    if padding >= 0 or any(more[1:]) or not within(places, count) or not count:
        return fallback(level, op, args, kwargs)
    values = level.front(table)
    if not level.has(places):
        shape = places._a.shape
        out = values.index_select(1, places.reshape(-1))
        return level.wrap(out.reshape(level.size, *shape, *table._a.shape[1:]))
    where = level.front(places) + numbers(level, places._a.ndim, places, count)
    flat = values.reshape(level.size * count, *table._a.shape[1:])
    return level.wrap(_embedding.op_embedding(flat, where))


@rule("embedding_dense_backward")
def embedding_dense_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    g, places, count, padding, scale = args
    if not within(places, count) or not count:
        return fallback(level, op, args, kwargs)
    where, grad = level.full(places), level.full(g)
    if padding >= 0:
        grad = grad.masked_fill((where == padding).unsqueeze(-1), 0)
    where = where + numbers(level, places._a.ndim, places, count)
    out = _embedding.op_embedding_dense_backward(grad, where, count * level.size, -1, scale)
    return level.wrap(out.reshape(level.size, count, *out._a.shape[1:]))


@rule("one_hot")
def one_hot(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    classes = args[1] if len(args) > 1 else kwargs.get("num_classes", -1)
    if classes < 0:
        return fallback(level, op, args, kwargs)
    return level.wrap(_embedding.op_one_hot(level.front(args[0]), classes))
