"""Attention on a GPU: products of 16-bit numbers by cuBLAS, softmax in float32, no question about values."""

from __future__ import annotations

import math
from typing import Any

from lamella.core.cuda.kernels.matmul import product
from lamella.dispatch.errors import message

from ...kernels.attention import _mismatch
from ...kernels.types import F32, is_low

__all__ = ["_attention", "_attention_backward", "causal_bias"]

_kept: dict[Any, Any] = {}


def causal_bias(xp: Any, rows: int, columns: int, dtype: Any) -> Any:
    """0 up to the diagonal and -inf right of it, on the current GPU."""
    key = (xp.cuda.runtime.getDevice(), rows, columns, dtype)
    found = _kept.get(key)
    if found is None:
        if len(_kept) > 16:
            _kept.clear()
        found = xp.triu(xp.full((rows, columns), -math.inf, dtype), 1)
        if rows * columns <= 1 << 22:
            _kept[key] = found
    return found


def _wide(a: Any) -> Any:
    return a.astype(F32) if a is not None and is_low(a.dtype) else a


def _scores(xp: Any, query: Any, key: Any, mask: Any, is_causal: bool, scale: float) -> Any:
    """The scores in float32 or float64, masked."""
    try:
        s = _wide(product(xp, query, key.swapaxes(-1, -2)))
    except ValueError:
        raise _mismatch(query, key) from None
    s *= scale
    if is_causal:
        s += causal_bias(xp, s.shape[-2], s.shape[-1], s.dtype)
    if mask is None:
        return s
    bias = xp.where(mask, s.dtype.type(0), s.dtype.type(-math.inf)) if mask.dtype.kind == "b" else _wide(mask)
    try:
        return s + bias
    except ValueError:
        shapes = {"attn_mask": list(mask.shape), "scores": list(s.shape)}
        rule = "the mask does not broadcast to the scores"
        raise RuntimeError(message("scaled_dot_product_attention", rule, shapes)) from None


def _softmax(xp: Any, s: Any) -> Any:
    """The softmax of rows, in place; rows of -inf alone become 0."""
    if not s.size:
        return s
    top = s.max(-1, keepdims=True)
    s -= xp.where(top == -math.inf, 0, top)
    xp.exp(s, s)
    total = s.sum(-1, keepdims=True)
    s /= xp.where(total == 0, 1, total)
    return s


def _attention(
    xp: Any, query: Any, key: Any, value: Any, attn_mask: Any, dropout_mask: Any, is_causal: bool, scale: float
) -> Any:
    """The result, and the weights for the backward pass, in the query's type."""
    d = query.dtype
    weights = _softmax(xp, _scores(xp, query, key, attn_mask, is_causal, scale)).astype(d, copy=False)
    used = weights if dropout_mask is None else weights * dropout_mask
    try:
        return product(xp, used, value).astype(d, copy=False), weights
    except ValueError:
        shapes = {"key": list(key.shape), "value": list(value.shape)}
        rule = "key and value need the same length"
        raise RuntimeError(message("scaled_dot_product_attention", rule, shapes)) from None


def _sum_to(xp: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """Sum over what broadcasting added."""
    lead = a.ndim - len(shape)
    dims = (*range(lead), *(i + lead for i, n in enumerate(shape) if n == 1 != a.shape[i + lead]))
    return a.sum(dims, keepdims=True).reshape(shape) if dims else a.reshape(shape)


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
