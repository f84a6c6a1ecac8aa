"""Attention on a GPU: products of 16-bit numbers by cuBLAS, softmax in float32, no question about values."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda.kernels.matmul import product
from lamella.core.cuda.twins import twin

from ...kernels.attention import _bias, _lengths, _shifted, _sum_to
from ...kernels.types import F32, is_low

__all__ = ["_KEPT", "_attention", "_attention_backward", "_scored"]

_KEPT = 1 << 22


def _wide(a: Any) -> Any:
    return a.astype(F32) if is_low(a.dtype) else a


def _scored(xp: Any, query: Any, key: Any) -> Any:
    """Each query times each key, in float32 or float64."""
    return _wide(product(xp, query, key.swapaxes(-1, -2)))


def _attention(
    xp: Any, query: Any, key: Any, value: Any, attn_mask: Any, dropout_mask: Any, is_causal: bool, scale: float
) -> Any:
    """The result, and the weights for the backward pass, in the query's type."""
    d = query.dtype
    bias = None if attn_mask is None else _wide(_bias(xp, attn_mask, F32 if is_low(d) else d))
    s = twin("lamella.nn.kernels.attention")._scores(xp, query, key, bias, is_causal, scale)
    weights = (_shifted(xp, s) if s.size else s).astype(d, copy=False)
    used = weights if dropout_mask is None else weights * dropout_mask
    try:
        return product(xp, used, value).astype(d, copy=False), weights
    except ValueError:
        raise _lengths(key, value) from None


def _attention_backward(
    xp: Any,
    grad_output: Any,
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any,
    dropout_mask: Any,
    weights: Any,
    scale: float,
    output_mask: Any,
) -> Any:
    """The gradients of query, key, value and mask that are asked for."""
    d, g = query.dtype, grad_output
    by_query = by_key = by_value = by_mask = None
    if output_mask[2]:
        used = weights if dropout_mask is None else weights * dropout_mask
        by_value = _sum_to(xp, product(xp, used.swapaxes(-1, -2), g), value.shape)
    if output_mask[0] or output_mask[1] or output_mask[3]:
        s = _wide(product(xp, g, value.swapaxes(-1, -2)))
        if dropout_mask is not None:
            s = s * dropout_mask
        wide = _wide(weights)
        s = (s - (s * wide).sum(-1, keepdims=True)) * wide
        if output_mask[3]:
            by_mask = _sum_to(xp, s, attn_mask.shape)
        s = (s * scale).astype(d, copy=False)
        if output_mask[0]:
            by_query = _sum_to(xp, product(xp, s, key), query.shape)
        if output_mask[1]:
            by_key = _sum_to(xp, product(xp, s.swapaxes(-1, -2), query), key.shape)
    return tuple([None if r is None else r.astype(d, copy=False) for r in (by_query, by_key, by_value, by_mask)])
