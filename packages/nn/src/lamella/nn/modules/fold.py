"""Windows to columns and back."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module

__all__ = ["Fold", "Unfold"]


class Fold(Module):
    """Adds up windows that are given as columns into an image, the transpose of `Unfold`.

    Args:
        output_size: size of the image.
        kernel_size: size of the windows.
        dilation: step between the elements of a window.
        padding: how much is cut off on all sides.
        stride: step between windows.

    Shape:
        (N, C*kh*kw, L) or without N to (N, C, H, W).

    Example:
        >>> from lamella import core, nn
        >>> nn.Fold((4, 5), (2, 2))(core.zeros(1, 12, 12)).shape
        torch.Size([1, 3, 4, 5])
    """

    __constants__ = ["output_size", "kernel_size", "dilation", "padding", "stride"]

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.output_size = output_size
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        """Folds `input`."""
        return F.fold(input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"output_size={self.output_size}, kernel_size={self.kernel_size}, dilation={self.dilation}, "
            f"padding={self.padding}, stride={self.stride}"
        )


class Unfold(Module):
    """Gives the windows of an image as columns.

    Args:
        kernel_size: size of the windows.
        dilation: step between the elements of a window.
        padding: how many zeros are added on all sides.
        stride: step between windows.

    Shape:
        (N, C, H, W) or without N to (N, C*kh*kw, L).

    Example:
        >>> from lamella import core, nn
        >>> nn.Unfold((2, 3))(core.zeros(2, 5, 3, 4)).shape
        torch.Size([2, 30, 4])
    """

    __constants__ = ["kernel_size", "dilation", "padding", "stride"]

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.dilation = dilation
        self.padding = padding
        self.stride = stride

    def forward(self, input: Tensor) -> Tensor:
        """Unfolds `input`."""
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """The sizes."""
        return (
            f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"
        )
