"""Attention of several heads with its projections, as `MultiheadAttention` calls it."""

from __future__ import annotations

import math
import warnings
from typing import Any

from lamella.core import functions as _core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen.linear import linear
from .attention import scaled_dot_product_attention
from .dropout import dropout

_OP = "multi_head_attention_forward"


def _none_or_dtype(input: Any) -> Any:
    """A mask's type, or None without a mask."""
    if input is None:
        return None
    if isinstance(input, Tensor):
        return input.dtype
    raise RuntimeError(message(_OP, f"a mask must be None or a Tensor, not {type(input).__name__}"))


def _canonical_mask(
    mask: Any, mask_name: str, other_type: Any, other_name: str, target_type: Any, check_other: bool = True
) -> Any:
    """A mask as what is added to the scores: bools become 0 and -inf."""
    if mask is None:
        return None
    if mask._a.dtype.kind != "b" and not mask.is_floating_point():
        raise RuntimeError(
            message(_OP, f"only bool and floating types of {mask_name} are supported", {mask_name: mask.dtype})
        )
    if check_other and other_type is not None and mask.dtype is not other_type:
        warnings.warn(
            message(
                _OP,
                f"Support for mismatched {mask_name} and {other_name} is deprecated",
                hint="use the same type for both",
            ),
            UserWarning,
            stacklevel=3,
        )
    if mask.is_floating_point():
        return mask
    return _core.zeros_like(mask, dtype=target_type).masked_fill_(mask, -math.inf)  # type: ignore[attr-defined]


def _check_shapes(query: Any, key: Any, value: Any, key_padding_mask: Any, attn_mask: Any, num_heads: int) -> bool:
    """Whether the input has a batch dimension; errors for numbers of dimensions that do not go together."""
    n = query.ndim
    if n not in (2, 3):
        raise RuntimeError(
            message(_OP, f"query should be unbatched 2D or batched 3D tensor but received {n}-D query tensor")
        )
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    if key.ndim != n or value.ndim != n:
        raise RuntimeError(
            message(
                _OP,
                f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.ndim}-D "
                f"and {value.ndim}-D tensors respectively",
            )
        )
    if key_padding_mask is not None and key_padding_mask.ndim != n - 1:
        raise RuntimeError(
            message(
                _OP,
                f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found "
                f"{key_padding_mask.ndim}-D tensor instead",
            )
        )
    if attn_mask is not None:
        if attn_mask.ndim not in (2, 3):
            raise RuntimeError(
                message(
                    _OP,
                    f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found "
                    f"{attn_mask.ndim}-D tensor instead",
                )
            )
        if n == 2 and attn_mask.ndim == 3 and attn_mask.shape != (num_heads, query.shape[0], key.shape[0]):
            raise RuntimeError(
                message(
                    _OP,
                    f"Expected `attn_mask` shape to be {(num_heads, query.shape[0], key.shape[0])} but "
                    f"got {attn_mask.shape}",
                )
            )
    return n == 3


def _projected(inputs: Any, packed: Any, bias: Any, separate: Any) -> tuple[Any, Any, Any]:
    """Query, key and value through their weights; what is the same tensor goes through one product."""
    query, key, value = inputs
    if separate is not None:
        if any(w is None for w in separate):
            raise RuntimeError(
                message(
                    _OP,
                    "use_separate_proj_weight is True but one of q_proj_weight, k_proj_weight and "
                    "v_proj_weight is None",
                )
            )
        biases = (None,) * 3 if bias is None else bias.chunk(3)
        q, k, v = (linear(x, w, b) for x, w, b in zip((query, key, value), separate, biases, strict=True))
        return q, k, v
    if packed is None:
        raise RuntimeError(message(_OP, "use_separate_proj_weight is False but in_proj_weight is None"))
    e = query.shape[-1]
    if key is value and query is key:
        q, k, v = linear(query, packed, bias).split(e, -1)
        return q, k, v
    w = packed.split(e)
    b = (None,) * 3 if bias is None else bias.split(e)
    if key is value:
        k, v = linear(key, packed[e:], None if bias is None else bias[e:]).split(e, -1)
        return linear(query, w[0], b[0]), k, v
    return linear(query, w[0], b[0]), linear(key, w[1], b[1]), linear(value, w[2], b[2])


def _check_mask(attn_mask: Any, batch: int, heads: int, rows: int, columns: int) -> Any:
    """The mask with dimensions for batch and heads."""
    if attn_mask is None:
        return None
    if attn_mask.ndim == 2:
        if attn_mask.shape != (rows, columns):
            raise RuntimeError(
                message(_OP, f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {(rows, columns)}.")
            )
        return attn_mask.reshape(1, 1, rows, columns)
    if attn_mask.shape != (batch * heads, rows, columns):
        raise RuntimeError(
            message(
                _OP,
                f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be {(batch * heads, rows, columns)}.",
            )
        )
    return attn_mask.reshape(batch, heads, rows, columns)


def _longer(x: Any, count: int) -> Any:
    """A mask with ``count`` more columns of 0."""
    if x is None or not count:
        return x
    return _core.cat([x, x.new_zeros((*x.shape[:-1], count))], -1)  # type: ignore[attr-defined]


def _split_heads(x: Any, batch: int, heads: int, width: int) -> Any:
    """(L, N, E) to (N, heads, L, width)."""
    return x.reshape(x.shape[0], batch, heads, width).permute(1, 2, 0, 3)


def _static(name: str, x: Any, batch: int, heads: int, width: int) -> Any:
    if x.shape[0] != batch * heads or x.shape[2] != width:
        raise RuntimeError(
            message(
                _OP,
                f"{name} must have the shape (batch * heads, length, head size)",
                {name: list(x.shape), "batch * heads": batch * heads, "head size": width},
            )
        )
    return x.reshape(batch, heads, x.shape[1], width)


def _weighted(q: Any, k: Any, v: Any, mask: Any, p: float) -> tuple[Any, Any]:
    """Attention that keeps its weights."""
    scores = (q * math.sqrt(1.0 / q.shape[-1])).matmul(k.transpose(-2, -1))
    if mask is not None:
        scores = scores + mask
    weights = scores.softmax(-1)
    if p > 0.0:
        weights = dropout(weights, p)
    return weights.matmul(v), weights


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention of several heads with input and output projections (Vaswani et al., 2017).

    Args:
        query: ``(L, N, E)``, or ``(L, E)`` without a batch.
        key, value: ``(S, N, E)`` or ``(S, E)`` (other last dimensions with separate weights).
        embed_dim_to_check: E.
        num_heads: the number of heads, a divisor of E.
        in_proj_weight, in_proj_bias: ``(3 E, E)`` and ``(3 E,)``: the projections of query, key and value.
        bias_k, bias_v: ``(1, 1, E)``: one more key and value.
        add_zero_attn: one more key and value of zeros.
        dropout_p: the probability of dropping a weight in training.
        out_proj_weight, out_proj_bias: the output projection.
        training: whether weights are dropped.
        key_padding_mask: ``(N, S)`` or ``(S,)``: True (or what is added to scores) for keys that do not count.
        need_weights: return the weights too.
        attn_mask: ``(L, S)`` or ``(N * num_heads, L, S)``: True (or what is added) where a query may not look.
        use_separate_proj_weight, q_proj_weight, k_proj_weight, v_proj_weight: three weights, not ``in_proj_weight``.
        static_k, static_v: projected keys and values to use instead, ``(N * num_heads, S, E / num_heads)``.
        average_attn_weights: return the mean of the heads' weights.
        is_causal: a hint that ``attn_mask`` is the causal one.

    Returns:
        The output, like ``query``; and the weights, ``(N, L, S)`` or ``(N, num_heads, L, S)``, or None.

    Raises:
        RuntimeError: for shapes and options that do not go together.
    """
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    padding: Any = _canonical_mask(
        key_padding_mask, "key_padding_mask", _none_or_dtype(attn_mask), "attn_mask", query.dtype
    )
    inputs: Any = (query, key, value)
    if not batched:
        inputs, padding = _with_batch(query, key, value, padding)
    _check_sizes(inputs, embed_dim_to_check, num_heads, use_separate_proj_weight)
    if is_causal and attn_mask is None:
        hint = "Transformer.generate_square_subsequent_mask makes one"
        raise RuntimeError(message(_OP, "Need attn_mask if specifying the is_causal hint.", hint=hint))
    causal = is_causal and padding is None and not need_weights
    mask: Any = None if causal else _canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
    (rows, batch, width), columns = inputs[0].shape, inputs[1].shape[0]
    mask = _check_mask(mask, batch, num_heads, rows, columns)
    separate = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    q, k, v = _projected(inputs, in_proj_weight, in_proj_bias, separate)
    q = _split_heads(q, batch, num_heads, width // num_heads)
    k, v = _keys((k, v), (bias_k, bias_v), (static_k, static_v), add_zero_attn, batch, num_heads, width)
    more = (bias_k is not None) + bool(add_zero_attn)
    mask = _merged(_longer(mask, more), _longer(padding, more), k.shape[2])
    weights = None
    if need_weights:
        out, weights = _weighted(q, k, v, mask, dropout_p if training else 0.0)
    else:
        out = scaled_dot_product_attention(q, k, v, mask, dropout_p if training else 0.0, causal)
    out = linear(out.permute(2, 0, 1, 3).reshape(rows, batch, width), out_proj_weight, out_proj_bias)
    if weights is not None and average_attn_weights:
        weights = weights.mean(1)
    if batched:
        return out, weights
    return out.squeeze(1), None if weights is None else weights.squeeze(0)  # type: ignore[attr-defined]


def _with_batch(query: Any, key: Any, value: Any, padding: Any) -> tuple[Any, Any]:
    """The inputs with a batch dimension; what is the same tensor stays the same."""
    q = query.unsqueeze(1)
    k = q if key is query else key.unsqueeze(1)
    v = k if value is key else value.unsqueeze(1)
    return (q, k, v), None if padding is None else padding.unsqueeze(0)


def _keys(pair: Any, biases: Any, static: Any, add_zero: bool, batch: int, heads: int, width: int) -> tuple[Any, Any]:
    """Keys and values by heads, with what is added to them or put in their place."""
    if (biases[0] is None) != (biases[1] is None):
        raise RuntimeError(message(_OP, "bias_k and bias_v must both be given, or neither"))
    made = []
    for name, x, bias, fixed in zip(("static_k", "static_v"), pair, biases, static, strict=True):
        if bias is not None:
            x = _core.cat([x, bias.expand(1, batch, width)])  # type: ignore[attr-defined]
        size = width // heads
        x = _split_heads(x, batch, heads, size) if fixed is None else _static(name, fixed, batch, heads, size)
        if add_zero:
            x = _core.cat([x, x.new_zeros((batch, heads, 1, size))], 2)  # type: ignore[attr-defined]
        made.append(x)
    return made[0], made[1]


def _check_sizes(args: Any, embed_dim: int, num_heads: int, separate: bool) -> None:
    query, key, value = args
    width = query.shape[-1]
    if width != embed_dim:
        raise RuntimeError(message(_OP, f"was expecting embedding dimension of {embed_dim}, but got {width}"))
    if width % num_heads:
        raise RuntimeError(message(_OP, f"embed_dim {width} not divisible by num_heads {num_heads}"))
    same = key.shape[:2] == value.shape[:2] if separate else key.shape == value.shape
    if not same:
        raise RuntimeError(message(_OP, f"key shape {key.shape} does not match value shape {value.shape}"))


def _merged(mask: Any, padding: Any, columns: int) -> Any:
    """One mask of both, or None."""
    if padding is None:
        return mask
    if padding.shape[-1] != columns:
        raise RuntimeError(
            message(
                _OP,
                "key_padding_mask must have one column for each key",
                {"key_padding_mask": list(padding.shape), "keys": columns},
            )
        )
    padding = padding.reshape(padding.shape[0], 1, 1, columns)
    return padding if mask is None else mask + padding


PRIVATE = {"_canonical_mask": _canonical_mask, "_none_or_dtype": _none_or_dtype}
__all__ = ["multi_head_attention_forward"]
