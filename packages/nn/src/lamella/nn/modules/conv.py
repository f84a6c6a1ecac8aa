"""Convolutions. What they compute is in `torch.nn.functional`; here are parameters, padding and sizes."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.conv_base import _ConvNd
from lamella.nn.modules.conv_transpose import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, _ConvTransposeNd
from lamella.nn.modules.utils import _pair, _single, _triple

__all__ = ["Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d", "_ConvNd",
           "_ConvTransposeNd"]  # fmt: skip


class Conv1d(_ConvNd):
    """Slides learned filters along one dimension (a cross-correlation).

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output, one filter each.
        kernel_size: length of the filters.
        stride: step between their places.
        padding: how much is added on both sides; or `"valid"` (none) or `"same"` (the length stays).
        dilation: step between the elements of a filter.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        padding_mode: what is added: `"zeros"`, `"reflect"`, `"replicate"`, `"circular"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, L) or (C_in, L) to (N, C_out, L') or (C_out, L'). `weight` is (C_out, C_in/groups, k).

    Raises:
        ValueError: arguments that do not fit together.

    Example:
        >>> from lamella import core, nn
        >>> nn.Conv1d(16, 33, 3, stride=2)(core.zeros(20, 16, 50)).shape
        torch.Size([20, 33, 24])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _single(kernel_size),
            _single(stride),
            padding if isinstance(padding, str) else _single(padding),
            _single(dilation),
            False,
            _single(0),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._forward_with(F.conv1d, (0,), input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        """Convolves `input`."""
        return self._conv_forward(input, self.weight, self.bias)


class Conv2d(_ConvNd):
    """Slides learned filters over two dimensions (a cross-correlation).

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output, one filter each.
        kernel_size: size of the filters, one number or (height, width); so also the next three.
        stride: step between their places.
        padding: how much is added on all sides; or `"valid"` (none) or `"same"` (the size stays).
        dilation: step between the elements of a filter.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        padding_mode: what is added: `"zeros"`, `"reflect"`, `"replicate"`, `"circular"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, H, W) or (C_in, H, W) to (N, C_out, H', W') or (C_out, H', W').
        `weight` is (C_out, C_in/groups, kh, kw).

    Raises:
        ValueError: arguments that do not fit together.

    Example:
        >>> from lamella import core, nn
        >>> nn.Conv2d(3, 8, 3, padding=1)(core.zeros(2, 3, 16, 16)).shape
        torch.Size([2, 8, 16, 16])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _pair(kernel_size),
            _pair(stride),
            padding if isinstance(padding, str) else _pair(padding),
            _pair(dilation),
            False,
            _pair(0),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._forward_with(F.conv2d, (0, 0), input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        """Convolves `input`."""
        return self._conv_forward(input, self.weight, self.bias)


class Conv3d(_ConvNd):
    """Slides learned filters over three dimensions (a cross-correlation).

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output, one filter each.
        kernel_size: size of the filters, one number or (depth, height, width); so also the next three.
        stride: step between their places.
        padding: how much is added on all sides; or `"valid"` (none) or `"same"` (the size stays).
        dilation: step between the elements of a filter.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        padding_mode: what is added: `"zeros"`, `"reflect"`, `"replicate"`, `"circular"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, D, H, W) or (C_in, D, H, W) to (N, C_out, D', H', W') or (C_out, D', H', W').

    Raises:
        ValueError: arguments that do not fit together.

    Example:
        >>> from lamella import core, nn
        >>> nn.Conv3d(1, 2, 3)(core.zeros(1, 1, 5, 6, 7)).shape
        torch.Size([1, 2, 3, 4, 5])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _triple(kernel_size),
            _triple(stride),
            padding if isinstance(padding, str) else _triple(padding),
            _triple(dilation),
            False,
            _triple(0),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        return self._forward_with(F.conv3d, (0, 0, 0), input, weight, bias)

    def forward(self, input: Tensor) -> Tensor:
        """Convolves `input`."""
        return self._conv_forward(input, self.weight, self.bias)


def __getattr__(name: str) -> Any:
    if name.startswith("LazyConv"):
        from lamella.nn.modules import lazy_conv  # it builds on this module

        return getattr(lazy_conv, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
