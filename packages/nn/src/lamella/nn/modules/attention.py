"""Attention with several heads."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.module import Module
from lamella.nn.modules.linear import NonDynamicallyQuantizableLinear
from lamella.nn.parameter import Parameter

__all__ = ["MultiheadAttention"]


class MultiheadAttention(Module):
    """Lets each query look at all keys and mixes their values, in several heads at once (Vaswani et al., 2017).

    Args:
        embed_dim: size of queries and outputs.
        num_heads: how many heads share it.
        dropout: probability with which an attention weight is dropped while training.
        bias: whether the projections have biases.
        add_bias_kv: one more learned key and value.
        add_zero_attn: one more key and value of zeros.
        kdim: size of the keys; default: `embed_dim`.
        vdim: size of the values; default: `embed_dim`.
        batch_first: inputs are (N, L, E), not (L, N, E).
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        query (L, N, E), key (S, N, kdim), value (S, N, vdim) to output (L, N, E) and weights (N, L, S); all without
        N too.

    Raises:
        ValueError: sizes that are not positive, or `embed_dim` that does not split into the heads.

    Example:
        >>> from lamella import core, nn
        >>> attention = nn.MultiheadAttention(8, 2, batch_first=True)
        >>> x = core.rand(3, 5, 8)
        >>> out, weights = attention(x, x, x)
        >>> out.shape, weights.shape
        (torch.Size([3, 5, 8]), torch.Size([3, 5, 5]))
    """

    __constants__ = ["batch_first"]
    in_proj_weight: Any
    in_proj_bias: Any
    q_proj_weight: Any
    k_proj_weight: Any
    v_proj_weight: Any
    bias_k: Any
    bias_v: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                "MultiheadAttention: embed_dim and num_heads must be greater than 0 "
                f"(embed_dim={embed_dim}, num_heads={num_heads})"
            )
        if embed_dim % num_heads:
            raise ValueError(
                f"MultiheadAttention: embed_dim must be divisible by num_heads ({embed_dim} and {num_heads})"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        self._make_projections(bias, device, dtype)
        if add_bias_kv:
            self.bias_k = Parameter(core.empty((1, 1, embed_dim), device=device, dtype=dtype))
            self.bias_v = Parameter(core.empty((1, 1, embed_dim), device=device, dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _make_projections(self, bias: bool, device: Any, dtype: Any) -> None:
        e = self.embed_dim
        shapes = {"q_proj_weight": (e, e), "k_proj_weight": (e, self.kdim), "v_proj_weight": (e, self.vdim)}
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(core.empty((3 * e, e), device=device, dtype=dtype))
            for name in shapes:
                self.register_parameter(name, None)
        else:
            for name, shape in shapes.items():
                self.register_parameter(name, Parameter(core.empty(shape, device=device, dtype=dtype)))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(core.empty(3 * e, device=device, dtype=dtype))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(e, e, bias=bias, device=device, dtype=dtype)

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)  # type: ignore[arg-type]
        for extra in (self.bias_k, self.bias_v):
            if extra is not None:
                init.xavier_normal_(extra)

    def __setstate__(self, state: dict) -> None:
        state.setdefault("_qkv_same_embed_dim", True)
        super().__setstate__(state)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        """Attends.

        Args:
            query, key, value: the inputs.
            key_padding_mask: (N, S); True (or minus infinity, added) hides a key.
            need_weights: also return the weights; without them attention is quicker.
            attn_mask: (L, S) or (N*heads, L, S); True (or minus infinity, added) hides a key from a query.
            average_attn_weights: return the mean of the weights over the heads.
            is_causal: the mask is the causal one; `attn_mask` must be given too.

        Returns:
            The output, and the weights or None.
        """
        is_batched = query.dim() == 3
        key_padding_mask = F._canonical_mask(
            mask=key_padding_mask,
            mask_name="key_padding_mask",
            other_type=F._none_or_dtype(attn_mask),
            other_name="attn_mask",
            target_type=query.dtype,
        )
        attn_mask = F._canonical_mask(
            mask=attn_mask,
            mask_name="attn_mask",
            other_type=None,
            other_name="",
            target_type=query.dtype,
            check_other=False,
        )
        turn = self.batch_first and is_batched
        if turn:
            query, key, value = _turned(query, key, value)
        output, weights = F.multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (output.transpose(1, 0) if turn else output), weights

    def merge_masks(
        self, attn_mask: Tensor | None, key_padding_mask: Tensor | None, query: Tensor
    ) -> tuple[Tensor | None, int | None]:
        """Makes one mask of two.

        Args:
            attn_mask: (L, S) or (N*heads, L, S), to be added.
            key_padding_mask: (N, S), to be added.
            query: (N, L, E).

        Returns:
            The merged mask, and which kind it is: 1 for keys alone, 2 with four dimensions, None for no mask.
        """
        if attn_mask is None:
            return (None, None) if key_padding_mask is None else (key_padding_mask, 1)
        n, length, _ = query.shape
        if attn_mask.dim() == 3:
            merged = attn_mask.view(n, -1, length, length)
        else:
            merged = attn_mask.view(1, 1, length, length).expand(n, self.num_heads, -1, -1)
        if key_padding_mask is not None:
            merged = merged + key_padding_mask.view(n, 1, 1, length).expand(-1, self.num_heads, -1, -1)
        return merged, 2


def _turned(query: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """All three with length first; what was one tensor stays one, which lets attention project it once."""
    q = query.transpose(1, 0)
    k = q if key is query else key.transpose(1, 0)
    v = k if value is key else value.transpose(1, 0)
    return q, k, v
