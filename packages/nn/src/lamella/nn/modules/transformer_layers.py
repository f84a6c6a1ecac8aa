"""The layers of a Transformer (Vaswani et al., 2017)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.attention import MultiheadAttention
from lamella.nn.modules.dropout import Dropout
from lamella.nn.modules.linear import Linear
from lamella.nn.modules.normalization import LayerNorm

__all__ = ["TransformerDecoderLayer", "TransformerEncoderLayer"]


def _get_activation_fn(activation: str) -> Callable[[Tensor], Tensor]:
    if activation == "relu":
        return F.relu
    if activation == "gelu":
        return F.gelu
    raise RuntimeError(f"Transformer: activation should be relu/gelu, not {activation}")


def _activation(given: Any) -> Any:
    """The function for a name; PyTorch's own relu and gelu, which know no lamella tensors, become ours."""
    if isinstance(given, str):
        return _get_activation_fn(given)
    name = getattr(given, "__name__", "")
    if name in ("relu", "gelu") and str(given.__module__).split(".")[0] == "torch":
        return _get_activation_fn(name)
    return given


def canonical_masks(mask: Any, mask_name: str, padding: Any, padding_name: str, dtype: Any) -> tuple[Any, Any]:
    """Both masks as numbers that are added to the scores."""
    padding = F._canonical_mask(
        mask=padding,
        mask_name=padding_name,
        other_type=F._none_or_dtype(mask),
        other_name=mask_name,
        target_type=dtype,
    )
    mask = F._canonical_mask(
        mask=mask, mask_name=mask_name, other_type=None, other_name="", target_type=dtype, check_other=False
    )
    return mask, padding


class _Layer(Module):
    """What encoder and decoder layers share: the feed-forward part."""

    __constants__ = ["norm_first"]
    linear1: Linear
    linear2: Linear
    dropout: Dropout
    activation: Any

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        if not hasattr(self, "activation"):
            self.activation = F.relu


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward network, each with a residual connection and normalisation.

    Args:
        d_model: features of input and output.
        nhead: number of heads.
        dim_feedforward: width of the feed-forward network.
        dropout: probability of dropping while training.
        activation: `"relu"`, `"gelu"` or a function.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: inputs are (N, L, E), not (L, N, E).
        norm_first: normalise before each part, not after it.
        bias: whether Linear and LayerNorm have biases.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (L, N, E), (N, L, E) with `batch_first`, or (L, E), to the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.TransformerEncoderLayer(8, 2, 16)(core.rand(5, 3, 8)).shape
        torch.Size([5, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout=dropout, bias=bias, batch_first=batch_first, **where
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)
        name = getattr(self.activation, "__name__", type(self.activation).__name__.lower())
        self.activation_relu_or_gelu = {"relu": 1, "gelu": 2}.get(name, 0)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:
        """Encodes.

        Args:
            src: the sequence.
            src_mask: hides keys from queries, (L, L) or (N*heads, L, L).
            src_key_padding_mask: hides keys, (N, L).
            is_causal: `src_mask` is the causal one.
        """
        src_mask, padding = canonical_masks(
            src_mask, "src_mask", src_key_padding_mask, "src_key_padding_mask", src.dtype
        )
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, padding, is_causal=is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, padding, is_causal=is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        x = self.self_attn(
            x,
            x,
            x,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            need_weights=False,
            is_causal=is_causal,
        )[0]
        return self.dropout1(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout2(self._feed_forward(x))


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's output and a feed-forward network, each with a residual connection.

    Args:
        d_model: features of input and output.
        nhead: number of heads.
        dim_feedforward: width of the feed-forward network.
        dropout: probability of dropping while training.
        activation: `"relu"`, `"gelu"` or a function.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: inputs are (N, L, E), not (L, N, E).
        norm_first: normalise before each part, not after it.
        bias: whether Linear and LayerNorm have biases.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        target (T, N, E) and memory (S, N, E) to (T, N, E).

    Example:
        >>> from lamella import core, nn
        >>> nn.TransformerDecoderLayer(8, 2, 16)(core.rand(4, 3, 8), core.rand(5, 3, 8)).shape
        torch.Size([4, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        attention: dict[str, Any] = {"dropout": dropout, "batch_first": batch_first, "bias": bias, **where}
        self.self_attn = MultiheadAttention(d_model, nhead, **attention)
        self.multihead_attn = MultiheadAttention(d_model, nhead, **attention)
        self.linear1 = Linear(d_model, dim_feedforward, bias=bias, **where)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias=bias, **where)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Decodes.

        Args:
            tgt: the target sequence.
            memory: what the encoder returned.
            tgt_mask, memory_mask: hide keys from queries.
            tgt_key_padding_mask, memory_key_padding_mask: hide keys.
            tgt_is_causal, memory_is_causal: the mask is the causal one.
        """
        x = tgt
        own = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        far = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *far)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *far))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(
        self, x: Tensor, attn_mask: Tensor | None, key_padding_mask: Tensor | None, is_causal: bool = False
    ) -> Tensor:
        x = self.self_attn(
            x,
            x,
            x,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )[0]
        return self.dropout1(x)

    def _mha_block(
        self,
        x: Tensor,
        mem: Tensor,
        attn_mask: Tensor | None,
        key_padding_mask: Tensor | None,
        is_causal: bool = False,
    ) -> Tensor:
        x = self.multihead_attn(
            x,
            mem,
            mem,
            attn_mask=attn_mask,
            key_padding_mask=key_padding_mask,
            is_causal=is_causal,
            need_weights=False,
        )[0]
        return self.dropout2(x)

    def _ff_block(self, x: Tensor) -> Tensor:
        return self.dropout3(self._feed_forward(x))
