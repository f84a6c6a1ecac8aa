"""The gradient of attention: the fused kernel, or operators where it is differentiated again."""

from __future__ import annotations

import math
from typing import Any

from lamella.autograd.fit import sum_to
from lamella.core import functions as F

from ._gen.attention import _attention_backward
from .formulas import recorded


def attention_gradient(
    grad: Any,
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any,
    dropout_mask: Any,
    weights: Any,
    is_causal: bool,
    scale: float,
    needs: Any,
) -> Any:
    """The gradients of query, key, value and mask."""
    if not recorded(grad, query, key, value, attn_mask):
        return _attention_backward(grad, query, key, value, attn_mask, dropout_mask, weights, scale, needs)
    w = _weights(query, key, attn_mask, weights, is_causal, scale)
    used = w if dropout_mask is None else w * dropout_mask
    by_value = used.transpose(-1, -2).matmul(grad)
    s = grad.matmul(value.transpose(-1, -2))
    if dropout_mask is not None:
        s = s * dropout_mask
    s = w * (s - (s * w).sum(-1, keepdim=True))
    by_query = s.matmul(key) * scale
    by_key = s.transpose(-1, -2).matmul(query) * scale
    return (
        sum_to(by_query, query.shape),
        sum_to(by_key, key.shape),
        sum_to(by_value, value.shape),
        sum_to(s, attn_mask.shape) if needs[3] else None,
    )


def _weights(query: Any, key: Any, attn_mask: Any, weights: Any, is_causal: bool, scale: float) -> Any:
    """The attention weights once more, as a function of query, key and mask."""
    s = query.matmul(key.transpose(-1, -2)) * scale
    if attn_mask is not None:
        s = F.where(attn_mask, s, -math.inf) if attn_mask._a.dtype.kind == "b" else s + attn_mask
    if is_causal:
        s = s + F.triu(F.full_like(s.detach(), -math.inf), 1)
    # Where a weight was 0 the score may be -inf; without it the softmax of such rows would be nan.
    alive = F.ne(weights, 0)
    return F.where(alive, F.softmax(F.where(alive.any(-1, keepdim=True), s, 0), -1), 0)
