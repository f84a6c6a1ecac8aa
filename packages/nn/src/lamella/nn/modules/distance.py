"""Distances and similarities of pairs of vectors."""

from __future__ import annotations

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["CosineSimilarity", "PairwiseDistance"]


class PairwiseDistance(Module):
    """The p-norm of the difference along the last dimension.

    Args:
        p: the p of the norm.
        eps: is added to the differences.
        keepdim: keep the last dimension with size 1.

    Example:
        >>> from lamella import core, nn
        >>> nn.PairwiseDistance()(core.zeros(5, 3), core.ones(5, 3)).shape
        torch.Size([5])
    """

    __constants__ = ["norm", "eps", "keepdim"]

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm = p
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The distances."""
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along one dimension.

    Args:
        dim: which dimension.
        eps: the least product of norms to divide by.

    Example:
        >>> from lamella import core, nn
        >>> nn.CosineSimilarity(dim=0)(core.tensor([2.0, 0.0]), core.tensor([3.0, 0.0]))
        tensor(1.)
    """

    __constants__ = ["dim", "eps"]

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        """The cosines."""
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
