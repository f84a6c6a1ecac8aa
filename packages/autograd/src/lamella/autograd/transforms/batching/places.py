"""Rules of operators that take an index: which places they touch may differ from example to example."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core._gen import (
    comparison as _comparison,
    creation as _creation,
    indexing as _indexing,
    masking as _masking,
    pointwise as _pointwise,
    shape as _shape,
)
from lamella.core.checks import concrete, wrap_dim
from lamella.core.dtypes import int64
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.registry import OpOverload

from .along import run_along
from .elementwise import padded
from .fallback import fallback, in_place
from .level import BatchLevel, invoke, move
from .rules import rule


def numbers(level: BatchLevel, rank: int, like: Any, step: int = 1) -> Any:
    """The numbers of the examples (times ``step``) as an index with ``rank`` dimensions after the batch."""
    a = _creation.op_arange_start_step(0, level.size * step, step, dtype=int64, device=like.device)
    return _shape.op_reshape(a, (level.size, *[1] * rank))


def within(index: Any, size: int) -> bool:
    """Whether all places are in range and not negative: what places of a folded batch must be."""
    a = concrete(index)._a
    return not a.size or bool(a.min() >= 0 and a.max() < size)


def is_mask(t: Any) -> bool:
    """Whether an index is a mask."""
    return t._a.dtype.kind == "b" or t._a.dtype == np.uint8


# -- x[index] ----------------------------------------------------------------------------------------------------------


class Places:
    """Tensor indices of one call, masks turned into numbers.

    Attributes:
        parts: a tensor or None for each dimension.
        first: the first dimension with a tensor.
        together: whether the dimensions with tensors are neighbours, so that the result has theirs in their place.
        rank, shape: the dimensions that the tensors broadcast to.
        batched: whether one of the tensors is batched.
    """

    def __init__(self, level: BatchLevel, op: str, indices: Any) -> None:
        self.parts: list[Any] = []
        for i in indices:
            if i is None or not is_mask(i):
                self.parts.append(i)
            elif level.has(i):
                raise RuntimeError(message(
                    op, "vmap: we do not support batching operators that can support dynamic shape; attempting to "
                        "batch over indexing with a boolean mask", hint="use torch.where(mask, x, other)"))
            else:
                self.parts += i.nonzero().unbind(1) if i._a.ndim else [i.reshape(1).nonzero()[:, 0]]
        at = [k for k, i in enumerate(self.parts) if i is not None]
        self.first = at[0] if at else 0
        self.together = not at or at[-1] - at[0] + 1 == len(at)
        self.shape = np.broadcast_shapes(*[self.parts[k]._a.shape for k in at])
        self.rank = len(self.shape)
        self.batched = any(level.has(self.parts[k]) for k in at)

    def values(self, level: BatchLevel) -> list[Any]:
        """The tensors' values: batches in front, ranks as needed to broadcast."""
        found = []
        for i in self.parts:
            value, dim = level.split(i)
            found.append(value if dim is None else padded(value, dim, self.rank))
        return found


def _places(level: BatchLevel, op: str, indices: Any) -> Places | None:
    try:
        return Places(level, op, indices)
    except ValueError:  # the shapes do not broadcast: the operator says so best
        return None


@rule("index.Tensor")
def index(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, indices = args
    p = _places(level, "index", indices)
    if p is None or len(p.parts) > x._a.ndim:
        return fallback(level, op, args, kwargs)
    value = level.front(x)
    if not level.has(x):
        out = _indexing.op_index_Tensor(value, p.values(level))
        return level.wrap(out, p.first if p.together else 0)
    if not p.batched:
        out = _indexing.op_index_Tensor(value, [None, *p.parts])
        return level.wrap(out, 0 if p.together else p.rank)
    out = _indexing.op_index_Tensor(value, [numbers(level, p.rank, value), *p.values(level)])
    if p.together and p.first:
        n = out._a.ndim
        picked = range(1, 1 + p.rank)
        before = range(1 + p.rank, 1 + p.rank + p.first)
        out = _shape.op_permute(out, (0, *before, *picked, *range(1 + p.rank + p.first, n)))
    return level.wrap(out)


@rule("index_put")
def index_put(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, indices, values = args[:3]
    accumulate = args[3] if len(args) > 3 else kwargs.get("accumulate", False)
    if len(indices) == 1 and is_mask(indices[0]) and level.has(indices[0]) and values._a.size == 1 and not accumulate:
        return _put_masked(level, x, indices[0], values)
    p = _places(level, "index_put", indices)
    if p is None or len(p.parts) > x._a.ndim or x._a.dtype != values._a.dtype:
        return fallback(level, op, args, kwargs)
    target = level.full(x)
    rest = [n for k, n in enumerate(x._a.shape) if k >= len(p.parts) or p.parts[k] is None]
    at = p.first if p.together else 0
    shape = (*rest[:at], *p.shape, *rest[at:])
    source, dim = level.split(values)
    if dim is None:
        source = _shape.op_expand(source, shape)
        source = _shape.op_unsqueeze(source, 0)
    else:
        source = _shape.op_expand(padded(source, dim, len(shape)), (level.size, *shape))
    if at:
        picked = range(1 + at, 1 + at + p.rank)
        source = _shape.op_permute(source, (0, *picked, *range(1, 1 + at), *range(1 + at + p.rank, 1 + len(shape))))
    if not level.size or dim is None:
        source = _shape.op_expand(source, (level.size, *source._a.shape[1:]))
    out = _indexing.op_index_put(target, [numbers(level, p.rank, target), *p.values(level)], source, accumulate)
    return level.wrap(out)


def _put_masked(level: BatchLevel, x: Any, mask: Any, values: Any) -> Any:
    """One value into the places of a batched mask."""
    rank = x._a.ndim
    inside = level.front(mask)
    if inside._a.dtype.kind != "b":
        inside = _comparison.op_ne_Tensor(inside, 0)
    for _ in range(rank - mask._a.ndim):
        inside = _shape.op_unsqueeze(inside, -1)
    value, dim = level.split(values)
    value = _shape.op_reshape(value, () if dim is None else (level.size, *[1] * rank))
    return level.wrap(_masking.op_where_self(inside, value, level.full(x)))


# -- one index for one dimension ---------------------------------------------------------------------------------------


@rule("gather", "scatter.src", "scatter.value", "scatter.reduce", "scatter.value_reduce", "scatter_add",
      "scatter_reduce.two")
def gather(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    ranks = {max(a._a.ndim, 1) for a in args if isinstance(a, Tensor)}
    if len(ranks) > 1 or not args[0]._a.ndim and any(a._a.ndim for a in args if isinstance(a, Tensor)):
        return fallback(level, op, args, kwargs)
    if args[0]._a.ndim and any(not a._a.ndim for a in args if isinstance(a, Tensor)):
        return fallback(level, op, args, kwargs)
    return run_along(level, op, args, kwargs)


@rule("index_select")
def index_select(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, dim, where = args
    if not x._a.ndim or where._a.ndim > 1:
        return fallback(level, op, args, kwargs)
    dim = wrap_dim("index_select", dim, x._a.ndim)
    if not level.has(where):
        return level.wrap(_indexing.op_index_select(level.front(x), dim + 1, where))
    places = _shape.op_reshape(level.front(where), (level.size, where._a.size))
    if not level.has(x):
        out = _indexing.op_index_select(level.split(x)[0], dim, _shape.op_reshape(places, (places._a.size,)))
        shape = x._a.shape
        out = _shape.op_reshape(out, (*shape[:dim], level.size, where._a.size, *shape[dim + 1 :]))
        return level.wrap(out, dim)
    if not within(places, x._a.shape[dim]):
        return fallback(level, op, args, kwargs)
    value = move(level.front(x), dim + 1, 1)
    out = _indexing.op_index_Tensor(value, [numbers(level, 1, value), places])
    return level.wrap(move(out, 1, dim + 1))


@rule("index_add", "index_copy", "index_reduce", "index_fill.int_Scalar", "index_fill.int_Tensor")
def index_write(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, dim, where, *more = args
    source = more[0]
    fills = op.opname == "index_fill"
    if not x._a.ndim or isinstance(source, Tensor) and not fills and source._a.ndim != x._a.ndim:
        return fallback(level, op, args, kwargs)
    if fills and isinstance(source, Tensor) and level.has(source):
        return fallback(level, op, args, kwargs)
    dim = wrap_dim(op.opname, dim, x._a.ndim)
    value = level.full(x)
    if not fills:
        source = level.full(source)
    if not level.has(where):
        return level.wrap(invoke(op, (value, dim + 1, where, source, *more[1:]), kwargs))
    size, count = x._a.shape[dim], where._a.size
    places = level.front(where)
    if not within(places, size) or not level.size:
        return fallback(level, op, args, kwargs)
    places = _pointwise.op_add_Tensor(_shape.op_reshape(places, (level.size, count)), numbers(level, 1, value, size)
                                      if size else 0)
    value = move(value, dim + 1, 1)
    shape = value._a.shape
    value = _shape.op_reshape(value, (level.size * size, *shape[2:]))
    if not fills:
        source = move(source, dim + 1, 1)
        if source._a.shape[1] != count:
            return fallback(level, op, args, kwargs)
        source = _shape.op_reshape(source, (level.size * count, *source._a.shape[2:]))
    out = invoke(op, (value, 0, _shape.op_reshape(places, (level.size * count,)), source, *more[1:]), kwargs)
    return level.wrap(move(_shape.op_reshape(out, shape), 1, dim + 1))


@rule("take")
def take(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, where = args
    if not level.has(x):
        return level.wrap(_masking.op_take(level.split(x)[0], level.front(where)))
    rows = _shape.op_reshape(level.front(x), (level.size, x._a.size))
    if not level.has(where):
        return level.wrap(_indexing.op_index_Tensor(rows, [None, where]))
    places = level.front(where)
    return level.wrap(_indexing.op_index_Tensor(rows, [numbers(level, where._a.ndim, rows), places]))


@rule("put")
def put(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, where, source, *more = args
    places = level.full(where)
    if not within(places, x._a.size) or not level.size or where._a.size != source._a.size:
        return fallback(level, op, args, kwargs)
    value = level.full(x)
    places = _pointwise.op_add_Tensor(places, numbers(level, where._a.ndim, value, x._a.size))
    flat = [_shape.op_reshape(t, (t._a.size,)) for t in (places, level.full(source))]
    out = _masking.op_put(_shape.op_reshape(value, (level.size * x._a.size,)), *flat, *more, **kwargs)
    return level.wrap(_shape.op_reshape(out, value._a.shape))


@rule("masked_fill.Tensor")
def masked_fill(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    x, mask, value = args
    if value._a.ndim or value.dtype is not x.dtype:
        return fallback(level, op, args, kwargs)
    rank = max(x._a.ndim, mask._a.ndim)
    parts = []
    for t in (mask, value, x):
        v, dim = level.split(t)
        parts.append(v if dim is None else padded(v, dim, rank))
    out = _masking.op_where_self(*parts)
    return level.wrap(out if out._a.ndim > rank else _shape.op_expand(out, (level.size, *out._a.shape)))


rule("masked_fill_.Tensor")(in_place)
