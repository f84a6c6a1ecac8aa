"""Lookup tables: `Embedding` and `EmbeddingBag`."""

from __future__ import annotations

from typing import Any

from lamella import core
from lamella.autograd import no_grad
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.module import Module
from lamella.nn.parameter import Parameter

__all__ = ["Embedding", "EmbeddingBag"]


def _checked_padding(name: str, padding_idx: int | None, n: int) -> int | None:
    if padding_idx is None:
        return None
    if not -n <= padding_idx < n:
        raise ValueError(f"{name}: padding_idx must be within num_embeddings (got {padding_idx}, of {n})")
    return padding_idx + n if padding_idx < 0 else padding_idx


def _checked_weight(name: str, weight: Tensor, n: int, dim: int) -> None:
    if list(weight.shape) != [n, dim]:
        raise ValueError(f"{name}: the weight must have shape {[n, dim]} (got {list(weight.shape)})")


class Embedding(Module):
    """A table of vectors, looked up by integer.

    Args:
        num_embeddings: how many vectors there are.
        embedding_dim: the length of each.
        padding_idx: the row that stays without gradient; it starts as zeros.
        max_norm: rows that are looked up and longer than this are shortened to it, in place.
        norm_type: the p of that norm.
        scale_grad_by_freq: divide gradients by how often the row occurs in the batch.
        sparse: accepted; gradients are dense.
        device: where the table is made.
        dtype: its element type.

    Shape:
        integers of any shape (*) to (*, embedding_dim).

    Example:
        >>> from lamella import core, nn
        >>> nn.Embedding(10, 3)(core.tensor([[1, 2], [4, 5]])).shape
        torch.Size([2, 2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "padding_idx", "max_norm", "norm_type", "scale_grad_by_freq", "sparse",
    ]  # fmt: skip
    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = _checked_padding("Embedding", padding_idx, num_embeddings)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        if _weight is None:
            table = core.empty((num_embeddings, embedding_dim), device=device, dtype=dtype)
            self.weight = Parameter(table, requires_grad=not _freeze)
            self.reset_parameters()
        else:
            _checked_weight("Embedding", _weight, num_embeddings, embedding_dim)
            self.weight = Parameter(_weight, requires_grad=not _freeze)
        self.sparse = sparse

    def reset_parameters(self) -> None:
        """Draws the table from N(0, 1); the padding row becomes zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        """Looks the rows up."""
        weight: Any = self._parameters.get("weight")
        if weight is None:  # a parametrisation keeps it elsewhere
            weight = self.weight
        return F.embedding(
            input, weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        """Sizes, and the options that differ from their defaults."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        if self.sparse is not False:
            text += ", sparse=True"
        return text

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """Makes an Embedding from a table of shape (num_embeddings, embedding_dim).

        Args:
            embeddings: the table, whose memory is shared.
            freeze: do not train it.
            padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse: as in the constructor.

        Raises:
            ValueError: the table does not have 2 dimensions.
        """
        if embeddings.dim() != 2:
            raise ValueError(f"Embedding.from_pretrained: the table must have 2 dimensions (got {embeddings.dim()})")
        rows, cols = embeddings.shape
        return cls(
            rows, cols, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, _weight=embeddings, _freeze=freeze
        )


class EmbeddingBag(Module):
    """Sums, means or maxima over bags of rows of a table, without making the rows.

    Args:
        num_embeddings: how many vectors there are.
        embedding_dim: the length of each.
        max_norm: rows that are looked up and longer than this are shortened to it, in place.
        norm_type: the p of that norm.
        scale_grad_by_freq: divide gradients by how often the row occurs in the batch.
        mode: `"sum"`, `"mean"` or `"max"`.
        sparse: accepted; gradients are dense.
        include_last_offset: `offsets` ends with the number of indices.
        padding_idx: the row that is left out of the bags.
        device: where the table is made.
        dtype: its element type.

    Shape:
        indices (B, N), or indices (N) with offsets (B), to (B, embedding_dim).

    Example:
        >>> from lamella import core, nn
        >>> bag = nn.EmbeddingBag(10, 3, mode="sum")
        >>> bag(core.tensor([1, 2, 4, 5]), core.tensor([0, 2])).shape
        torch.Size([2, 3])
    """

    __constants__ = [
        "num_embeddings", "embedding_dim", "max_norm", "norm_type", "scale_grad_by_freq", "mode", "sparse",
        "include_last_offset", "padding_idx",
    ]  # fmt: skip
    weight: Tensor

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = _checked_padding("EmbeddingBag", padding_idx, num_embeddings)
        if _weight is None:
            self.weight = Parameter(core.empty((num_embeddings, embedding_dim), device=device, dtype=dtype))
            self.reset_parameters()
        else:
            _checked_weight("EmbeddingBag", _weight, num_embeddings, embedding_dim)
            self.weight = Parameter(_weight)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset

    def reset_parameters(self) -> None:
        """Draws the table from N(0, 1); the padding row becomes zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """Combines the rows of each bag.

        Args:
            input: indices, (B, N) or (N).
            offsets: where each bag begins, for 1-D indices.
            per_sample_weights: factors of the rows, shaped like `input`; for `mode="sum"`.
        """
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """Sizes, and the options that differ from their defaults."""
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        if self.norm_type != 2:
            text += f", norm_type={self.norm_type}"
        if self.scale_grad_by_freq is not False:
            text += f", scale_grad_by_freq={self.scale_grad_by_freq}"
        text += f", mode={self.mode!r}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        return text

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """Makes an EmbeddingBag from a table of shape (num_embeddings, embedding_dim); `freeze`: do not train it."""
        if embeddings.dim() != 2:
            raise ValueError(f"EmbeddingBag.from_pretrained: the table must have 2 dimensions (got {embeddings.dim()})")
        rows, cols = embeddings.shape
        bag = cls(
            rows,
            cols,
            max_norm,
            norm_type,
            scale_grad_by_freq,
            mode,
            sparse,
            _weight=embeddings,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )
        bag.weight.requires_grad = not freeze
        return bag
