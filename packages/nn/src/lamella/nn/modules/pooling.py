"""Pooling layers: maxima, means and norms over windows."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.pooling_adaptive import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AdaptiveAvgPool3d,
    AdaptiveMaxPool1d,
    AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
    FractionalMaxPool2d,
    FractionalMaxPool3d,
)
from lamella.nn.modules.utils import _single

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
    "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d",
]  # fmt: skip


class _MaxPoolNd(Module):
    __constants__ = ["kernel_size", "stride", "padding", "dilation", "return_indices", "ceil_mode"]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def _pool(self, fn: Any, input: Tensor) -> Any:
        return fn(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        """The window and how it moves."""
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window over the length.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how much of minus infinity is added on both sides.
        dilation: step between the elements of a window.
        return_indices: also return where the maxima are, for `MaxUnpool1d`.
        ceil_mode: windows may hang over the end.

    Shape:
        (N, C, L), or without N, to the same with pooled sizes.

    Example:
        >>> from lamella import core, nn
        >>> nn.MaxPool1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 4])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return self._pool(F.max_pool1d, input)


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window over height and width.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how much of minus infinity is added on both sides.
        dilation: step between the elements of a window.
        return_indices: also return where the maxima are, for `MaxUnpool2d`.
        ceil_mode: windows may hang over the end.

    Shape:
        (N, C, H, W), or without N, to the same with pooled sizes.

    Example:
        >>> from lamella import core, nn
        >>> nn.MaxPool2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 4, 4])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return self._pool(F.max_pool2d, input)


class MaxPool3d(_MaxPoolNd):
    """The largest element of each window over depth, height and width.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how much of minus infinity is added on both sides.
        dilation: step between the elements of a window.
        return_indices: also return where the maxima are, for `MaxUnpool3d`.
        ceil_mode: windows may hang over the end.

    Shape:
        (N, C, D, H, W), or without N, to the same with pooled sizes.

    Example:
        >>> from lamella import core, nn
        >>> nn.MaxPool3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return self._pool(F.max_pool3d, input)


class _MaxUnpoolNd(Module):
    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__()
        n = self._dims
        self.kernel_size = _tuple(kernel_size, n)
        self.stride = _tuple(kernel_size if stride is None else stride, n)
        self.padding = _tuple(padding, n)

    _dims: int

    def extra_repr(self) -> str:
        """The window and how it moved."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


def _tuple(value: Any, n: int) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class MaxUnpool1d(_MaxUnpoolNd):
    """Puts pooled maxima back where `MaxPool1d` found them, with zeros elsewhere.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: the padding of the pooling.

    Example:
        >>> from lamella import core, nn
        >>> values, where = nn.MaxPool1d(2, return_indices=True)(core.zeros(1, 2, 8))
        >>> nn.MaxUnpool1d(2)(values, where).shape
        torch.Size([1, 2, 8])
    """

    _dims = 1

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Unpools; `output_size` chooses where several sizes pool to the same."""
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    """Puts pooled maxima back where `MaxPool2d` found them, with zeros elsewhere.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: the padding of the pooling.

    Example:
        >>> from lamella import core, nn
        >>> values, where = nn.MaxPool2d(2, return_indices=True)(core.zeros(1, 2, 8, 8))
        >>> nn.MaxUnpool2d(2)(values, where).shape
        torch.Size([1, 2, 8, 8])
    """

    _dims = 2

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Unpools; `output_size` chooses where several sizes pool to the same."""
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    """Puts pooled maxima back where `MaxPool3d` found them, with zeros elsewhere.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: the padding of the pooling.

    Example:
        >>> from lamella import core, nn
        >>> values, where = nn.MaxPool3d(2, return_indices=True)(core.zeros(1, 2, 8, 8, 8))
        >>> nn.MaxUnpool3d(2)(values, where).shape
        torch.Size([1, 2, 8, 8, 8])
    """

    _dims = 3

    def forward(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:
        """Unpools; `output_size` chooses where several sizes pool to the same."""
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class _AvgPoolNd(Module):
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]

    def extra_repr(self) -> str:
        """The window and how it moves."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window over the length.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how many zeros are added on both sides.
        ceil_mode: windows may hang over the end.
        count_include_pad: the added zeros count.

    Example:
        >>> from lamella import core, nn
        >>> nn.AvgPool1d(2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 4])
    """

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        self.kernel_size = _single(kernel_size)
        self.stride = _single(kernel_size if stride is None else stride)
        self.padding = _single(padding)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad
        )


class _AvgPoolDivisor(_AvgPoolNd):
    __constants__ = [*_AvgPoolNd.__constants__, "divisor_override"]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def _pool(self, fn: Any, input: Tensor) -> Tensor:
        return fn(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )


class AvgPool2d(_AvgPoolDivisor):
    """The mean of each window over height and width.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how many zeros are added on all sides.
        ceil_mode: windows may hang over the end.
        count_include_pad: the added zeros count.
        divisor_override: divide by this and not by the size of the window.

    Example:
        >>> from lamella import core, nn
        >>> nn.AvgPool2d(2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return self._pool(F.avg_pool2d, input)


class AvgPool3d(_AvgPoolDivisor):
    """The mean of each window over depth, height and width.

    Args:
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        padding: how many zeros are added on all sides.
        ceil_mode: windows may hang over the end.
        count_include_pad: the added zeros count.
        divisor_override: divide by this and not by the size of the window.

    Example:
        >>> from lamella import core, nn
        >>> nn.AvgPool3d(2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return self._pool(F.avg_pool3d, input)


class _LPPoolNd(Module):
    __constants__ = ["norm_type", "kernel_size", "stride", "ceil_mode"]

    def __init__(self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        """The norm, the window and how it moves."""
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPoolNd):
    """The p-norm of each window over the length.

    Args:
        norm_type: the p.
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        ceil_mode: windows may hang over the end.

    Example:
        >>> from lamella import core, nn
        >>> nn.LPPool1d(2, 2)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool2d(_LPPoolNd):
    """The p-norm of each window over height and width.

    Args:
        norm_type: the p.
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        ceil_mode: windows may hang over the end.

    Example:
        >>> from lamella import core, nn
        >>> nn.LPPool2d(2, 2)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class LPPool3d(_LPPoolNd):
    """The p-norm of each window over depth, height and width.

    Args:
        norm_type: the p.
        kernel_size: size of the window.
        stride: step between windows; default: `kernel_size`.
        ceil_mode: windows may hang over the end.

    Example:
        >>> from lamella import core, nn
        >>> nn.LPPool3d(2, 2)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 4, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.lp_pool3d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)
