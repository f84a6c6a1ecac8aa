"""Channels to pixels and back."""

from __future__ import annotations

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["PixelShuffle", "PixelUnshuffle"]


class PixelShuffle(Module):
    """Turns channels into pixels: (*, C*r*r, H, W) to (*, C, H*r, W*r) (Shi et al., 2016).

    Args:
        upscale_factor: the r.

    Example:
        >>> from lamella import core, nn
        >>> nn.PixelShuffle(3)(core.zeros(1, 9, 4, 4)).shape
        torch.Size([1, 1, 12, 12])
    """

    __constants__ = ["upscale_factor"]

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Shuffles `input`."""
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"upscale_factor={self.upscale_factor}"


class PixelUnshuffle(Module):
    """Turns pixels into channels: (*, C, H*r, W*r) to (*, C*r*r, H, W).

    Args:
        downscale_factor: the r.

    Example:
        >>> from lamella import core, nn
        >>> nn.PixelUnshuffle(3)(core.zeros(1, 1, 12, 12)).shape
        torch.Size([1, 9, 4, 4])
    """

    __constants__ = ["downscale_factor"]

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        """Unshuffles `input`."""
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self) -> str:
        """The factor."""
        return f"downscale_factor={self.downscale_factor}"
