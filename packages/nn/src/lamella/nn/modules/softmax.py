"""Softmax layers."""

from __future__ import annotations

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["LogSoftmax", "Softmax", "Softmax2d", "Softmin"]


class _Softmax(Module):
    __constants__ = ["dim"]
    dim: int | None

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class Softmax(_Softmax):
    """exp(x) divided by its sum over one dimension.

    Args:
        dim: which dimension.

    Example:
        >>> from lamella import core, nn
        >>> nn.Softmax(dim=0)(core.zeros(4))
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies softmax."""
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_Softmax):
    """The logarithm of softmax over one dimension.

    Args:
        dim: which dimension.

    Example:
        >>> from lamella import core, nn
        >>> nn.LogSoftmax(dim=0)(core.zeros(2))
        tensor([-0.6931, -0.6931])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies log-softmax."""
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_Softmax):
    """The softmax of -x over one dimension.

    Args:
        dim: which dimension.

    Example:
        >>> from lamella import core, nn
        >>> nn.Softmin(dim=0)(core.zeros(2))
        tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies softmin."""
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Softmax over the channels of a (N, C, H, W) or (C, H, W) input.

    Raises:
        ValueError: the input has another number of dimensions.

    Example:
        >>> from lamella import core, nn
        >>> nn.Softmax2d()(core.zeros(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies softmax to the channels."""
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3, _stacklevel=5)
