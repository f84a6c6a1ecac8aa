"""Operators of layers: look-ups, normalisation, attention, losses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from lamella import core

from ..placement_types import Shard
from .rule import SUM, Candidate, Operand, Question, R, broadcast_at, rule

# ---------------------------------------------------------------------- look-ups


def _embedding_parts(op: Any, values: dict[str, Any], ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    """Of the rows of the table that a rank does not have it contributes zeros."""
    from .._dispatch import call

    if not any(p.is_shard(0) for p in ins[0].placements):
        return call(op, values)
    weight, indices = values["weight"], values["indices"]
    first = ins[0].local_shape_and_offset()[1][0]
    at = indices - first
    foreign = (at < 0) | (at >= weight.shape[0])
    if not weight.shape[0]:
        return core.zeros((*indices.shape, weight.shape[1]), dtype=weight.dtype, device=weight.device)
    values = {**values, "indices": at.masked_fill(foreign, 0), "padding_idx": -1}
    return call(op, values).masked_fill(foreign.unsqueeze(-1), 0)


@rule("embedding", run=_embedding_parts)
def _embedding(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[1])
    yield Shard(ndim), (Shard(1), R)
    yield SUM, (Shard(0), R)
    for d in range(ndim):
        yield Shard(d), (R, Shard(d))


@rule("embedding_dense_backward")
def _embedding_backward(q: Question) -> Iterator[Candidate]:
    ndim = len(q.shapes[1])
    yield Shard(1), (Shard(ndim), R)
    if not q.values["scale_grad_by_freq"]:
        yield SUM, (SUM, R)
        for d in range(ndim):
            yield SUM, (Shard(d), Shard(d))


# ---------------------------------------------------------------------- normalisation


@rule("native_layer_norm _fused_rms_norm")
def _norm(q: Question) -> Iterator[Candidate]:
    for d in range(len(q.shapes[0]) - len(q.values["normalized_shape"])):
        yield Shard(d), (Shard(d), *[R] * (len(q.shapes) - 1))


@rule("native_layer_norm_backward _fused_rms_norm_backward")
def _norm_backward(q: Question) -> Iterator[Candidate]:
    """The gradients of weight and bias are sums over the parts."""
    whole = [q.values.get(name) for name in ("weight", "bias")]
    for d in range(len(q.shapes[0]) - len(q.values["normalized_shape"])):
        ins = tuple(R if k in [w for w in whole if isinstance(w, Operand)] else Shard(d) for k in range(len(q.shapes)))
        yield [Shard(d)] + [SUM] * (len(q.out_shapes) - 1), ins


# ---------------------------------------------------------------------- attention


def _attention_cuts(q: Question, names: str) -> Iterator[Candidate]:
    """Batch and heads may be cut: dimensions before the last two that all the operands have in full."""
    main = [q.values[name] for name in names.split()]
    shape = q.shapes[main[0]]
    for d in range(len(shape) - 2):
        if any(len(q.shapes[m]) != len(shape) or q.shapes[m][d] != shape[d] for m in main):
            continue
        ins = [broadcast_at(s, (*shape[:-2], s[-2], s[-1]), d) if len(s) > 1 else R for s in q.shapes]
        mask = q.values.get("attn_mask")
        if isinstance(mask, Operand) and ins[mask] is R and len(q.out_shapes) == 4 and q.out_shapes[3] is not None:
            continue  # the gradient of a mask that all heads share would be a sum over the parts
        yield Shard(d), tuple(ins)


@rule("_attention")
def _attention(q: Question) -> Iterator[Candidate]:
    yield from _attention_cuts(q, "query key value")


@rule("_attention_backward")
def _attention_backward(q: Question) -> Iterator[Candidate]:
    yield from _attention_cuts(q, "grad_output query key value")


# ---------------------------------------------------------------------- losses


def _loss_parts(op: Any, values: dict[str, Any], ins: Sequence[Any], outs: Sequence[Any]) -> Any:
    """A mean over the whole is a sum over each part, divided by the number of all elements."""
    from .._dispatch import call

    cut = any(p.is_shard() for spec in ins for p in spec.placements)
    if values["reduction"] != 1 or not cut:
        return call(op, values)
    n = max(math.prod(spec.shape) for spec in ins)
    return call(op, {**values, "reduction": 2}) / n


@rule("mse_loss smooth_l1_loss huber_loss soft_margin_loss binary_cross_entropy binary_cross_entropy_with_logits",
      run=_loss_parts)
def _loss(q: Question) -> Iterator[Candidate]:
    shape = q.shapes[0]
    if any(s != shape for s in q.shapes[1:2]):
        return
    for d in range(len(shape)):
        yield (Shard(d) if q.values["reduction"] == 0 else SUM), tuple(broadcast_at(s, shape, d) for s in q.shapes)


@rule("mse_loss_backward _limited_difference", run=_loss_parts)
def _loss_backward(q: Question) -> Iterator[Candidate]:
    shape = q.out_shapes[0] or ()
    for d in range(len(shape)):
        yield Shard(d), tuple(broadcast_at(s, shape, d) for s in q.shapes)
