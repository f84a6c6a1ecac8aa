"""Scaled dot-product attention."""

from __future__ import annotations

import math
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen.attention import op__attention as _attention
from .._gen.dropout import op__dropout_noise as _noise


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """``softmax(query @ key.T * scale + mask) @ value`` (Vaswani et al., 2017).

    Args:
        query: ``(N, ..., Hq, L, E)``.
        key: ``(N, ..., H, S, E)``.
        value: ``(N, ..., H, S, Ev)``.
        attn_mask: broadcasts to ``(N, ..., Hq, L, S)``: bools (False: not looked at), or what is added to the scores.
        dropout_p: the probability of dropping a weight. It applies always: pass 0.0 in evaluation.
        is_causal: each row looks at the places up to its own only.
        scale: the factor of the scores; default ``1 / sqrt(E)``.
        enable_gqa: key and value have fewer heads than the query, each for a group of neighbouring query heads.

    Returns:
        A tensor of shape ``(N, ..., Hq, L, Ev)``, in the query's memory layout; rows that may look at nothing are 0.

    Raises:
        RuntimeError: for shapes or types that do not go together.

    Example:
        >>> from lamella import core
        >>> x = core.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> scaled_dot_product_attention(x, x, x, is_causal=True)[0]
        tensor([1., 0.])
    """
    try:
        q, k, v = query._a, key._a, value._a
    except AttributeError:
        raise TypeError(message("scaled_dot_product_attention", "query, key and value must be Tensors")) from None
    if q.ndim < 2 or k.ndim < 2 or v.ndim < 2 or not q.dtype == k.dtype == v.dtype or q.dtype.kind in "biu":
        _refuse(q, k, v)
    if enable_gqa:
        key, value = _repeated(query, key, value)
        k = key._a
    if attn_mask is not None and attn_mask._a.dtype.kind != "b":
        if attn_mask._a.dtype != q.dtype and attn_mask.dtype.name != "float32":
            raise RuntimeError(
                message(
                    "scaled_dot_product_attention",
                    "Expected attn_mask dtype to be bool or float or to "
                    f"match query dtype, but got attn_mask.dtype: {attn_mask.dtype} and  query.dtype: "
                    f"{query.dtype} instead.",
                )
            )
        attn_mask = attn_mask.to(query.dtype)  # type: ignore[attr-defined]
    drop = None
    if dropout_p:
        drop = _dropped(query, k, attn_mask, dropout_p)
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None and q.shape[-1] else 1.0 if scale is None else float(scale)
    return _attention(query, key, value, attn_mask, drop, is_causal, scale)[0]


def _refuse(q: Any, k: Any, v: Any) -> None:
    op = "scaled_dot_product_attention"
    if min(q.ndim, k.ndim, v.ndim) < 2:
        raise RuntimeError(
            message(
                op,
                "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
                f"{q.ndim} key.dim: {k.ndim} and value.dim: {v.ndim} instead.",
            )
        )
    if q.dtype.kind in "biu":
        raise RuntimeError(message(op, "it is not implemented for integer tensors", {"query": q.dtype.name}))
    raise RuntimeError(
        message(
            op,
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{q.dtype.name} key.dtype: {k.dtype.name} and value.dtype: {v.dtype.name} instead.",
        )
    )


def _repeated(query: Any, key: Any, value: Any) -> tuple[Any, Any]:
    """Each head of key and value once for each query head of its group."""
    made = []
    for name, x in (("key", key), ("value", value)):
        if query.ndim < 3 or x.ndim < 3:
            made.append(x)
            continue
        heads, own = query.size(-3), x.size(-3)
        if heads % own:
            raise RuntimeError(
                message(
                    "scaled_dot_product_attention",
                    f"the number of query heads must be a multiple of that of {name} heads",
                    {"query": heads, name: own},
                )
            )
        made.append(x if heads == own else x.repeat_interleave(heads // own, -3))
    return made[0], made[1]


def _dropped(query: Any, k: Any, attn_mask: Any, p: float) -> Any:
    """The factors of the weights."""
    import numpy as np

    if not 0 <= p <= 1:
        raise RuntimeError(
            message("scaled_dot_product_attention", f"dropout probability has to be between 0 and 1, but got {p}")
        )
    shape: tuple[int, ...] = (*np.broadcast_shapes(query._a.shape[:-2], k.shape[:-2]), query._a.shape[-2], k.shape[-2])
    if attn_mask is not None:
        shape = np.broadcast_shapes(shape, attn_mask._a.shape)
    return query.new_zeros(shape) if p == 1 else _noise(query.detach(), shape, p, True)


__all__ = ["scaled_dot_product_attention"]
