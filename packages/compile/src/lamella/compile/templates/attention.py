"""Scaled dot-product attention and its gradients: `attention.h`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..loops.index import is_static
from ..loops.ir import Buffer, Native
from ..lower.registry import Unsupported, lowering
from ..lower.values import Value, stored
from ..lower.views import expand
from .common import NULL, common_pair, narrowed, real, spread, widened


def _strides_like(shape: Sequence[Any], like: Buffer) -> tuple[Any, ...]:
    """Strides without gaps whose dimensions are in the order that they have in ``like``; the last stays the last."""
    lead = range(len(shape) - 1)
    steps = like.stride
    if len(like.shape) != len(shape) or not all(map(is_static, steps)):
        return ()
    order = [*sorted(lead, key=lambda d: (-steps[d] if shape[d] != 1 else 0, d)), len(shape) - 1]
    found: list[Any] = [1] * len(shape)
    step = 1
    for d in reversed(order):
        found[d] = step
        step *= shape[d]
    return tuple(found)


def _steps(batch: Sequence[Any], buffers: Sequence[Buffer | None]) -> tuple[Any, Any, list[list[Any]]] | None:
    """The batch as two sizes, and of each buffer the steps: outer, inner, rows, columns (zeros where it is None)."""
    given = [b for b in buffers if b is not None]
    found = common_pair(batch, [spread(b, batch) for b in given])
    if found is None:
        return None
    outer, inner, pairs = found
    steps = iter(pairs)
    made = []
    for b in buffers:
        if b is None:
            made.append([0, 0, 0, 0])
            continue
        row, column = b.stride[-2:]
        made.append([*next(steps), 0 if b.shape[-2] == 1 else row, column])
    return outer, inner, made


def _full(lo: Any, value: Value | None, scores: tuple[Any, ...]) -> Value | None:
    """A mask over scores, as it lies, with steps of 0 where it is repeated."""
    if value is None:
        return None
    lo.realize(value)
    return expand(lo, value, scores)


@lowering("aten::_attention", target="cpp")
def attention(lo: Any, node: Any, query: Value, key: Value, value: Value, mask: Value | None, drop: Value | None,
              is_causal: bool, scale: float) -> Any:
    low = query.dtype
    shape, scores = tuple(node.spec[0].shape), tuple(node.spec[1].shape)
    if shape[:-2] != scores[:-2] or not isinstance(scale, (int, float)) or 0 in (*shape, *scores):
        raise Unsupported("a value with batches of its own, or an empty tensor")
    truth = mask is not None and mask.dtype == "bool"
    q, k, v, d = (widened(lo, x) for x in (query, key, value, drop))
    m = mask if truth else widened(lo, mask)
    dtype = real(q, k, v, d, None if truth else m)
    ins = [lo.realize(x) for x in (q, k, v)]
    extra = [None if x is None else x.buffer for x in (_full(lo, m, scores), _full(lo, d, scores))]
    out = lo.new_buffer(dtype, shape, _strides_like(shape, ins[0]))
    # Without a backward pass nobody reads the weights: a block of them at a time is enough.
    read = any(n.kind == "item" and n.args == (node, 1) for n in lo.graph.nodes)
    weights = lo.new_buffer(dtype, scores) if read else None
    found = _steps(shape[:-2], [out, *ins, *extra])
    if found is None:
        ins = [lo.dense(x) for x in (q, k, v)]
        out = lo.new_buffer(dtype, shape)
        found = _steps(shape[:-2], [out, *ins, *extra])
    if found is None:
        raise Unsupported("batches that are laid out in more than two steps")
    outer, inner, steps = found
    sizes = [outer, inner, shape[-2], scores[-1], query.shape[-1], shape[-1], bool(is_causal), float(scale)]
    arguments = [*sizes, out, *steps[0][:3], weights or NULL]
    missing = (NULL, NULL, NULL, "(const float*)nullptr", NULL)  # the type of masks is not told by the others
    for b, s, null in zip((*ins, *extra), steps[1:], missing, strict=True):
        arguments += [b or null, *s]
    given = [b for b in (*ins, *extra) if b is not None]
    lo.add_step(Native([out] if weights is None else [out, weights], given, "attention", arguments, "attention.h",
                       flops=2 * outer * inner * shape[-2] * scores[-1] * (query.shape[-1] + shape[-1])))
    return narrowed(lo, out, low), narrowed(lo, weights, low)


def _summed(lo: Any, value: Value, shape: tuple[Any, ...], dtype: str) -> Value:
    """Sums over what broadcasting added, in a type of their own."""
    lead = value.ndim - len(shape)
    dims = [*range(lead), *(d + lead for d, n in enumerate(shape) if n == 1 != value.shape[d + lead])]
    if not dims:
        return value
    total = lo.realize(lo.reduce(value, dims, "sum", dtype, keepdim=True))
    return stored(Buffer(total.name, total.dtype, shape, total.stride[lead:], total.offset, base=total.root))


@lowering("aten::_attention_backward", target="cpp")
def attention_backward(lo: Any, node: Any, g: Value, query: Value, key: Value, value: Value, mask: Value | None,
                       drop: Value | None, weights: Value, scale: float, output_mask: Any) -> Any:
    low = query.dtype
    scores = weights.shape
    batch = scores[:-2]
    if g.shape[:-2] != batch or not isinstance(scale, (int, float)) or 0 in (*g.shape, *scores):
        raise Unsupported("a value with batches of its own, or an empty tensor")
    given = [widened(lo, x) for x in (g, query, key, value)]
    w, d = widened(lo, weights), widened(lo, drop)
    dtype = real(*given, w, d)
    ins = [lo.realize(x) for x in given]
    kept = lo.dense(w)
    factor = _full(lo, d, scores)
    extra = None if factor is None else factor.buffer
    outs: list[Buffer | None] = []
    for like, wanted in zip(ins[1:], output_mask[:3], strict=True):
        shape = (*batch, *like.shape[-2:])
        outs.append(lo.new_buffer(dtype, shape, _strides_like(shape, like)) if wanted else None)
    found = _steps(batch, [*outs, *ins, extra])
    if found is None:
        ins = [lo.dense(x) for x in given]
        outs = [None if b is None else lo.new_buffer(dtype, b.shape) for b in outs]
        found = _steps(batch, [*outs, *ins, extra])
    if found is None:
        raise Unsupported("batches that are laid out in more than two steps")
    outer, inner, steps = found
    by_mask = lo.new_buffer(dtype, scores) if output_mask[3] else None
    depth, width = query.shape[-1], value.shape[-1]
    arguments: list[Any] = [outer, inner, scores[-2], scores[-1], depth, width, float(scale)]
    for b, s in zip(outs, steps[:3], strict=True):
        arguments += [b or NULL, *s[:3]]
    arguments += [by_mask or NULL, kept]
    for b, s in zip((*ins, extra), steps[3:], strict=True):
        arguments += [b or NULL, *s]
    read = [b for b in (*ins, kept, extra) if b is not None]
    filled = [b for b in (*outs, by_mask) if b is not None]
    if not filled:
        return None, None, None, None
    lo.add_step(Native(filled, read, "attention_backward", arguments, "attention.h",
                       flops=2 * outer * inner * scores[-2] * scores[-1] * (3 * depth + 2 * width)))
    shapes = (query.shape, key.shape, value.shape, () if mask is None else mask.shape)
    return tuple(None if b is None else narrowed(lo, _summed(lo, stored(b), shape, dtype), low)
                 for b, shape in zip((*outs, by_mask), shapes, strict=True))
