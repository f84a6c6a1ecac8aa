"""`Transformer` and its stacks of layers (Vaswani et al., 2017)."""

from __future__ import annotations

import copy
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.containers import ModuleList
from lamella.nn.module import Module
from lamella.nn.modules.dropout import Dropout
from lamella.nn.modules.linear import Linear
from lamella.nn.modules.normalization import LayerNorm
from lamella.nn.modules.transformer_layers import (
    MultiheadAttention,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
    _get_activation_fn,
    canonical_masks,
)

__all__ = [
    "Dropout", "LayerNorm", "Linear", "MultiheadAttention", "Transformer", "TransformerDecoder",
    "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer", "_get_activation_fn",
]  # fmt: skip


def _generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
    """The causal mask: minus infinity above the diagonal, zero elsewhere."""
    return core.triu(core.full((sz, sz), float("-inf"), device=device, dtype=dtype), diagonal=1)


def _get_seq_len(src: Tensor, batch_first: bool) -> int | None:
    if src.dim() == 2:
        return src.size(0)
    return src.size(1 if batch_first else 0)


def _detect_is_causal_mask(mask: Tensor | None, is_causal: bool | None = None, size: int | None = None) -> bool:
    """Whether the mask is the causal one; asked only where the caller did not say."""
    if is_causal is not None or mask is None:
        return is_causal is True
    causal = _generate_square_subsequent_mask(
        size if size is not None else mask.size(-2), device=mask.device, dtype=mask.dtype
    )
    return mask.shape == causal.shape and bool((mask == causal).all())


def _get_clones(module: Module, n: int) -> ModuleList:
    return ModuleList([copy.deepcopy(module) for _ in range(n)])


class TransformerEncoder(Module):
    """A stack of encoder layers.

    Args:
        encoder_layer: the layer, of which the stack gets copies.
        num_layers: how many.
        norm: a normalisation of the result.
        enable_nested_tensor, mask_check: accepted; they change nothing.

    Shape:
        that of the layer.

    Example:
        >>> from lamella import core, nn
        >>> encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)
        >>> encoder(core.rand(5, 3, 8)).shape
        torch.Size([5, 3, 8])
    """

    __constants__ = ["norm"]

    def __init__(
        self,
        encoder_layer: Any,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        self.layers = _get_clones(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm
        self.enable_nested_tensor = enable_nested_tensor
        self.use_nested_tensor = False
        self.mask_check = mask_check

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:
        """Encodes.

        Args:
            src: the sequence.
            mask: hides keys from queries.
            src_key_padding_mask: hides keys.
            is_causal: the mask is the causal one; default: it is looked at.
        """
        mask, padding = canonical_masks(mask, "mask", src_key_padding_mask, "src_key_padding_mask", src.dtype)
        first = next(iter(self.layers), None)
        batch_first = bool(getattr(getattr(first, "self_attn", None), "batch_first", False))
        is_causal = _detect_is_causal_mask(mask, is_causal, _get_seq_len(src, batch_first))
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=is_causal, src_key_padding_mask=padding)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    """A stack of decoder layers.

    Args:
        decoder_layer: the layer, of which the stack gets copies.
        num_layers: how many.
        norm: a normalisation of the result.

    Shape:
        that of the layer.

    Example:
        >>> from lamella import core, nn
        >>> decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2)
        >>> decoder(core.rand(4, 3, 8), core.rand(5, 3, 8)).shape
        torch.Size([4, 3, 8])
    """

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _get_clones(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Decodes.

        Args:
            tgt: the target sequence.
            memory: what the encoder returned.
            tgt_mask, memory_mask: hide keys from queries.
            tgt_key_padding_mask, memory_key_padding_mask: hide keys.
            tgt_is_causal: the target's mask is the causal one; default: it is looked at.
            memory_is_causal: the memory's mask is the causal one.
        """
        first = next(iter(self.layers), None)
        batch_first = bool(getattr(getattr(first, "self_attn", None), "batch_first", False))
        tgt_is_causal = _detect_is_causal_mask(tgt_mask, tgt_is_causal, _get_seq_len(tgt, batch_first))
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
                tgt_is_causal=tgt_is_causal,
                memory_is_causal=memory_is_causal,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder and a decoder.

    Args:
        d_model: features of inputs and output.
        nhead: number of heads.
        num_encoder_layers, num_decoder_layers: how many layers.
        dim_feedforward: width of the feed-forward networks.
        dropout: probability of dropping while training.
        activation: `"relu"`, `"gelu"` or a function.
        custom_encoder, custom_decoder: modules to use instead.
        layer_norm_eps: epsilon of the normalisations.
        batch_first: inputs are (N, L, E), not (L, N, E).
        norm_first: normalise before each part, not after it.
        bias: whether Linear and LayerNorm have biases.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        source (S, N, E) and target (T, N, E) to (T, N, E); all without N too.

    Example:
        >>> from lamella import core, nn
        >>> model = nn.Transformer(8, 2, 1, 1, 16)
        >>> model(core.rand(5, 3, 8), core.rand(4, 3, 8)).shape
        torch.Size([4, 3, 8])
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = F.relu,
        custom_encoder: Any = None,
        custom_decoder: Any = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        where: dict[str, Any] = {"device": device, "dtype": dtype}
        sizes = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        if custom_encoder is not None:
            self.encoder = custom_encoder
        else:
            encoder_layer = TransformerEncoderLayer(*sizes, **where)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm)
        if custom_decoder is not None:
            self.decoder = custom_decoder
        else:
            decoder_layer = TransformerDecoderLayer(*sizes, **where)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **where)
            self.decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm)
        self._reset_parameters()
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Tensor:
        """Encodes `src` and decodes `tgt`; the other arguments are those of encoder and decoder.

        Raises:
            RuntimeError: batch sizes or features that differ.
        """
        if src.dim() == 3:
            at = 0 if self.batch_first else 1
            if src.size(at) != tgt.size(at):
                raise RuntimeError(
                    f"Transformer: the batch number of src and tgt must be equal ({src.size(at)} and {tgt.size(at)})"
                )
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError(
                f"Transformer: the feature number of src and tgt must be equal to d_model "
                f"({src.size(-1)}, {tgt.size(-1)}, d_model={self.d_model})"
            )
        memory = self.encoder(
            src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal
        )
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
            tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """The causal mask: minus infinity above the diagonal, zero elsewhere.

        Args:
            sz: the length of the sequence.
            device: where it is made.
            dtype: its element type.
        """
        return _generate_square_subsequent_mask(sz, device=device, dtype=dtype)

    def _reset_parameters(self) -> None:
        for p in self.parameters():
            if p.dim() > 1:
                init.xavier_uniform_(p)
