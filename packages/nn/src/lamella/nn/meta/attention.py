"""Shape rules of attention."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message


def _attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Any, dropout_mask: Any, is_causal: bool, scale: float
) -> Any:
    q, k, v = query._a.shape, key._a.shape, value._a.shape
    try:
        batch = np.broadcast_shapes(q[:-2], k[:-2])
        scores = (*batch, q[-2], k[-2])
        if attn_mask is not None:
            scores = np.broadcast_shapes(scores, attn_mask._a.shape)
        batch = np.broadcast_shapes(scores[:-2], v[:-2])
        fits = q[-1] == k[-1] and k[-2] == v[-2]
    except ValueError:
        fits = False
    if not fits:
        raise RuntimeError(
            message(
                "scaled_dot_product_attention",
                "the shapes do not go together",
                {"query": list(q), "key": list(k), "value": list(v)},
            )
        )
    return ((*batch, q[-2], v[-1]), query.dtype), (scores, query.dtype)


def _attention_backward(
    grad_output: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Any,
    dropout_mask: Any,
    weights: Tensor,
    scale: float,
    output_mask: Any,
) -> Any:
    d = query.dtype
    mask = (() if attn_mask is None else attn_mask._a.shape, d)
    return (query._a.shape, d), (key._a.shape, d), (value._a.shape, d), mask
