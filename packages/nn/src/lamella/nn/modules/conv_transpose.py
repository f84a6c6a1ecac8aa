"""Transposed convolutions: the gradient of a convolution as a layer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.conv_base import _ConvNd
from lamella.nn.modules.utils import _pair, _single, _triple

__all__ = ["ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


class _ConvTransposeNd(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple,
        stride: tuple,
        padding: tuple,
        dilation: tuple,
        transposed: bool,
        output_padding: tuple,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(
                f'{type(self).__name__}: Only "zeros" padding mode is supported for transposed convolutions '
                f"(got {padding_mode!r})"
            )
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(self, input: Tensor, output_size: Sequence[int] | None, n: int) -> tuple[int, ...]:
        """What must be added to one side of the output so that it gets `output_size`."""
        if output_size is None:
            return self.output_padding
        size = list(output_size)
        if len(size) in (n + 1, n + 2):
            size = size[-n:]
        if len(size) != n:
            raise ValueError(
                f"{type(self).__name__}: output_size must have {n} or {input.dim()} elements (got {len(size)})"
            )
        added = []
        for d in range(n):
            extent = self.dilation[d] * (self.kernel_size[d] - 1) + 1
            least = (input.size(d - n) - 1) * self.stride[d] - 2 * int(self.padding[d]) + extent
            if not least <= size[d] < least + self.stride[d]:
                raise ValueError(
                    f"{type(self).__name__}: output_size {size} is not reachable from an input of size "
                    f"{tuple(input.shape[-n:])}; dimension {d} may be {least} to {least + self.stride[d] - 1}"
                )
            added.append(size[d] - least)
        return tuple(added)

    def _transposed(self, fn: Any, n: int, input: Tensor, output_size: Sequence[int] | None) -> Tensor:
        added = self._output_padding(input, output_size, n)
        return fn(input, self.weight, self.bias, self.stride, self.padding, added, self.groups, self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    """Spreads every input element with a learned filter along one dimension, the transpose of `Conv1d`.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: length of the filters.
        stride: step between the places where input elements are spread.
        padding: how much is cut off on both sides of the output.
        output_padding: how much is added to one side of the output.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        dilation: step between the elements of a filter.
        padding_mode: only `"zeros"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, L) to (N, C_out, (L-1)*stride - 2*padding + dilation*(k-1) + output_padding + 1).

    Example:
        >>> from lamella import core, nn
        >>> nn.ConvTranspose1d(2, 3, 4, stride=2)(core.zeros(1, 2, 5)).shape
        torch.Size([1, 3, 12])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _single(kernel_size),
            _single(stride),
            _single(padding),
            _single(dilation),
            True,
            _single(output_padding),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Spreads `input`; `output_size` chooses among the sizes that a stride allows."""
        return self._transposed(F.conv_transpose1d, 1, input, output_size)


class ConvTranspose2d(_ConvTransposeNd):
    """Spreads every input element with a learned filter over two dimensions, the transpose of `Conv2d`.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: size of the filters, one number or (height, width); so also stride, paddings and dilation.
        stride: step between the places where input elements are spread.
        padding: how much is cut off on all sides of the output.
        output_padding: how much is added to one side of the output.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        dilation: step between the elements of a filter.
        padding_mode: only `"zeros"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, H, W) to (N, C_out, H', W'). `weight` is (C_in, C_out/groups, kh, kw).

    Example:
        >>> from lamella import core, nn
        >>> nn.ConvTranspose2d(2, 3, 2, stride=2)(core.zeros(1, 2, 4, 5)).shape
        torch.Size([1, 3, 8, 10])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _pair(kernel_size),
            _pair(stride),
            _pair(padding),
            _pair(dilation),
            True,
            _pair(output_padding),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Spreads `input`; `output_size` chooses among the sizes that a stride allows."""
        return self._transposed(F.conv_transpose2d, 2, input, output_size)


class ConvTranspose3d(_ConvTransposeNd):
    """Spreads every input element with a learned filter over three dimensions, the transpose of `Conv3d`.

    Args:
        in_channels: channels of the input.
        out_channels: channels of the output.
        kernel_size: size of the filters, one number or (depth, height, width); so also stride, paddings and dilation.
        stride: step between the places where input elements are spread.
        padding: how much is cut off on all sides of the output.
        output_padding: how much is added to one side of the output.
        groups: into how many independent parts the channels fall.
        bias: whether each output channel has a bias.
        dilation: step between the elements of a filter.
        padding_mode: only `"zeros"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, C_in, D, H, W) to (N, C_out, D', H', W').

    Example:
        >>> from lamella import core, nn
        >>> nn.ConvTranspose3d(1, 2, 2)(core.zeros(1, 1, 2, 3, 4)).shape
        torch.Size([1, 2, 3, 4, 5])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            in_channels,
            out_channels,
            _triple(kernel_size),
            _triple(stride),
            _triple(padding),
            _triple(dilation),
            True,
            _triple(output_padding),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        """Spreads `input`; `output_size` chooses among the sizes that a stride allows."""
        return self._transposed(F.conv_transpose3d, 3, input, output_size)
