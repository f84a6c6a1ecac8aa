"""Dropout: elements or channels are set to zero at random while training."""

from __future__ import annotations

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["AlphaDropout", "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "FeatureAlphaDropout"]


class _DropoutNd(Module):
    __constants__ = ["p", "inplace"]
    p: float
    inplace: bool

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(
                f"{type(self).__name__}: dropout probability has to be between 0 and 1, but got {p}"
            )
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The probability."""
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_DropoutNd):
    """Sets each element to zero with probability p and scales the others by 1/(1-p); the identity in evaluation.

    Args:
        p: the probability.
        inplace: change the input itself.

    Raises:
        ValueError: `p` is not between 0 and 1.

    Example:
        >>> from lamella import core, nn
        >>> nn.Dropout(0.2).eval()(core.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops elements of `input`."""
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_DropoutNd):
    """Sets whole channels of a (N, C, L) input to zero with probability p.

    Args:
        p: the probability.
        inplace: change the input itself.

    Example:
        >>> from lamella import core, nn
        >>> nn.Dropout1d()(core.ones(2, 3, 4)).shape
        torch.Size([2, 3, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops channels of `input`."""
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_DropoutNd):
    """Sets whole channels of a (N, C, H, W) input to zero with probability p.

    Args:
        p: the probability.
        inplace: change the input itself.

    Example:
        >>> from lamella import core, nn
        >>> nn.Dropout2d()(core.ones(2, 3, 4, 4)).shape
        torch.Size([2, 3, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops channels of `input`."""
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_DropoutNd):
    """Sets whole channels of a (N, C, D, H, W) input to zero with probability p.

    Args:
        p: the probability.
        inplace: change the input itself.

    Example:
        >>> from lamella import core, nn
        >>> nn.Dropout3d()(core.ones(2, 3, 4, 4, 4)).shape
        torch.Size([2, 3, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops channels of `input`."""
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_DropoutNd):
    """Dropout that keeps mean and variance of normalised activations (for SELU; Klambauer et al., 2017).

    Args:
        p: the probability.
        inplace: change the input itself.

    Example:
        >>> from lamella import core, nn
        >>> nn.AlphaDropout(0.2).eval()(core.ones(2))
        tensor([1., 1.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops elements of `input`."""
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(_DropoutNd):
    """`AlphaDropout` of whole channels.

    Args:
        p: the probability.
        inplace: change the input itself.

    Example:
        >>> from lamella import core, nn
        >>> nn.FeatureAlphaDropout(0.2).eval()(core.ones(1, 1, 2))
        tensor([[[1., 1.]]])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Drops channels of `input`."""
        return F.feature_alpha_dropout(input, self.p, self.training)
