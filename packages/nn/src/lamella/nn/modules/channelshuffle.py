"""Channels of groups, interleaved."""

from __future__ import annotations

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["ChannelShuffle"]


class ChannelShuffle(Module):
    """Interleaves the channels of groups: (N, g*C, *) is read as (N, g, C, *) and transposed (Zhang et al., 2017).

    Args:
        groups: the g.

    Example:
        >>> from lamella import core, nn
        >>> nn.ChannelShuffle(2)(core.arange(4).reshape(1, 4, 1, 1)).flatten()
        tensor([0, 2, 1, 3])
    """

    __constants__ = ["groups"]

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        """Shuffles `input`."""
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self) -> str:
        """The groups."""
        return f"groups={self.groups}"
