"""Scaled dot-product attention over arrays.

Batches of products go to BLAS as they lie in memory: heads are usually a transposed view of rows, and results are
laid out like the query, so that merging the heads again copies nothing.
"""

from __future__ import annotations

import math
from typing import Any

from lamella.core.kernels.sums import ones_of, well_scaled
from lamella.dispatch.errors import message

from .types import F32, is_low

_causal: dict[Any, Any] = {}
#: Up to so many elements the bias of a causal mask is kept.
_KEPT = 1 << 20


def causal_bias(xp: Any, rows: int, columns: int, dtype: Any) -> Any:
    """0 up to the diagonal and -inf right of it."""
    key = (rows, columns, dtype)
    found = _causal.get(key)
    if found is None:
        if len(_causal) > 16:
            _causal.clear()
        found = xp.triu(xp.full((rows, columns), -math.inf, dtype), 1)
        if rows * columns <= _KEPT:
            _causal[key] = found
    return found


def _row_sums(xp: Any, a: Any) -> Any:
    """Sums along the last dimension: a product with ones is many times faster than a reduction of short rows."""
    return xp.matmul(a, ones_of(xp, a.shape[-1], a.dtype))


def _scored(xp: Any, query: Any, key: Any) -> Any:
    """Each query times each key; ValueError where they do not fit."""
    return xp.matmul(query, key.swapaxes(-1, -2))


def _scores(xp: Any, query: Any, key: Any, bias: Any, is_causal: bool, scale: float) -> Any:
    try:
        s = _scored(xp, query, key)
    except ValueError:
        raise _mismatch(query, key) from None
    s *= scale
    if is_causal:
        s += causal_bias(xp, s.shape[-2], s.shape[-1], s.dtype)
    if bias is not None:
        try:
            s += bias
        except ValueError:
            try:
                s = s + bias  # a mask with more batch dimensions
            except ValueError:
                raise RuntimeError(
                    message(
                        "scaled_dot_product_attention",
                        "the mask does not broadcast to the scores",
                        {"attn_mask": list(bias.shape), "scores": list(s.shape)},
                    )
                ) from None
    return s


def _mismatch(query: Any, key: Any) -> Exception:
    return RuntimeError(
        message(
            "scaled_dot_product_attention",
            "query and key need the same last dimension and batch dimensions that broadcast",
            {"query": list(query.shape), "key": list(key.shape)},
            hint="for fewer key heads than query heads pass enable_gqa=True",
        )
    )


def _lengths(key: Any, value: Any) -> Exception:
    return RuntimeError(
        message(
            "scaled_dot_product_attention",
            "key and value need the same length",
            {"key": list(key.shape), "value": list(value.shape)},
        )
    )


def _softmax(xp: Any, scores: Any, again: Any) -> Any:
    """The softmax of rows, in place; rows of -inf alone become 0. ``again()`` makes the scores once more."""
    if scores.size == 0:
        return scores
    e = xp.exp(scores, scores)
    s = _row_sums(xp, e)
    # Without the shift by the maximum, as long as the sums show that nothing over- or underflowed.
    if well_scaled(xp, s):
        return xp.divide(e, s[..., None], e)
    return _shifted(xp, again())


def _shifted(xp: Any, e: Any) -> Any:
    """The softmax of scores less the row's maximum, in place."""
    top = xp.maximum.reduce(e, -1, None, None, True)
    top[top == -math.inf] = 0
    e -= top
    xp.exp(e, e)
    s = xp.add.reduce(e, -1, None, None, True)
    s[s == 0] = 1
    e /= s
    return e


def _bias(xp: Any, attn_mask: Any, dtype: Any) -> Any:
    """A mask as what is added to the scores."""
    if attn_mask.dtype.kind != "b":
        return attn_mask
    return xp.where(attn_mask, dtype.type(0), dtype.type(-math.inf))


def _like(xp: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """Memory for a result, with the dimensions in the order in which ``a`` has them, if the shape is the same."""
    return xp.empty_like(a) if a.shape == shape else xp.empty(shape, a.dtype)


def _attention(
    xp: Any, query: Any, key: Any, value: Any, attn_mask: Any, dropout_mask: Any, is_causal: bool, scale: float
) -> Any:
    d = query.dtype
    if is_low(d):
        query, key, value = query.astype(F32), key.astype(F32), value.astype(F32)
        if attn_mask is not None and attn_mask.dtype.kind != "b":
            attn_mask = attn_mask.astype(F32)
    bias = None if attn_mask is None else _bias(xp, attn_mask, query.dtype)

    def scores() -> Any:
        return _scores(xp, query, key, bias, is_causal, scale)

    weights = _softmax(xp, scores(), scores)
    used = weights if dropout_mask is None else weights * dropout_mask
    try:
        if weights.shape[:-2] == value.shape[:-2]:
            out = _like(xp, query, weights.shape[:-1] + value.shape[-1:])
            xp.matmul(used, value, out)
        else:
            out = xp.matmul(used, value)
    except ValueError:
        raise _lengths(key, value) from None
    return out.astype(d, copy=False), weights.astype(d, copy=False)


def _sum_to(xp: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """Sum over what broadcasting added."""
    lead = a.ndim - len(shape)
    dims = (*range(lead), *(i + lead for i, n in enumerate(shape) if n == 1 != a.shape[i + lead]))
    return xp.add.reduce(a, dims, None, None, True).reshape(shape) if dims else a


def _product(xp: Any, a: Any, b: Any, like: Any) -> Any:
    """A batch of products, laid out like ``like`` where the shape is its."""
    if a.shape[:-2] == b.shape[:-2] and (*a.shape[:-1], b.shape[-1]) == like.shape:
        return xp.matmul(a, b, xp.empty_like(like))
    return _sum_to(xp, xp.matmul(a, b), like.shape)


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
    d = query.dtype
    g = grad_output
    if is_low(d):
        g, query, key, value, weights = (x.astype(F32) for x in (g, query, key, value, weights))
    used = weights if dropout_mask is None else weights * dropout_mask
    by_query = by_key = by_value = by_mask = None
    if output_mask[2]:
        by_value = _product(xp, used.swapaxes(-1, -2), g, value)
    if output_mask[0] or output_mask[1] or output_mask[3]:
        s = xp.matmul(g * g.dtype.type(scale), value.swapaxes(-1, -2))
        if dropout_mask is not None:
            s *= dropout_mask
        if s.shape != weights.shape:
            s = xp.broadcast_to(s, weights.shape).copy()
        s -= xp.einsum("...j,...j->...", s, weights)[..., None]
        s *= weights
        if output_mask[0]:
            by_query = _product(xp, s, key, query)
        if output_mask[1]:
            by_key = _product(xp, s.swapaxes(-1, -2), query, key)
        if output_mask[3]:
            by_mask = _sum_to(xp, s / s.dtype.type(scale), attn_mask.shape)
    return tuple([None if r is None else r.astype(d, copy=False) for r in (by_query, by_key, by_value, by_mask)])
