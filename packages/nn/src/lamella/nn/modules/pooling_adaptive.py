"""Pooling layers whose windows follow from the size of the output."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.utils import _ntuple

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
]  # fmt: skip


class _AdaptiveMaxPoolNd(Module):
    __constants__ = ["output_size", "return_indices"]

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size = output_size
        self.return_indices = return_indices

    def extra_repr(self) -> str:
        """The size of the output."""
        return f"output_size={self.output_size}"


class _AdaptiveAvgPoolNd(Module):
    __constants__ = ["output_size"]

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        """The size of the output."""
        return f"output_size={self.output_size}"


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    """Maxima over as many windows as the output is to have, over the length.

    Args:
        output_size: the length.
        return_indices: also return where the maxima are.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveMaxPool1d(3)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 3])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Means over as many windows as the output is to have, over the length.

    Args:
        output_size: the length.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveAvgPool1d(1)(core.zeros(1, 2, 8)).shape
        torch.Size([1, 2, 1])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    """Maxima over as many windows as the output is to have, over height and width.

    Args:
        output_size: one number or 2; None keeps a dimension's size.
        return_indices: also return where the maxima are.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveMaxPool2d(3)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 3, 3])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Means over as many windows as the output is to have, over height and width.

    Args:
        output_size: one number or 2; None keeps a dimension's size.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveAvgPool2d(1)(core.zeros(1, 2, 8, 8)).shape
        torch.Size([1, 2, 1, 1])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    """Maxima over as many windows as the output is to have, over depth, height and width.

    Args:
        output_size: one number or 3; None keeps a dimension's size.
        return_indices: also return where the maxima are.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveMaxPool3d(3)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 3, 3, 3])
    """

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool3d(_AdaptiveAvgPoolNd):
    """Means over as many windows as the output is to have, over depth, height and width.

    Args:
        output_size: one number or 3; None keeps a dimension's size.

    Example:
        >>> from lamella import core, nn
        >>> nn.AdaptiveAvgPool3d(1)(core.zeros(1, 2, 8, 8, 8)).shape
        torch.Size([1, 2, 1, 1, 1])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Pools `input`."""
        return F.adaptive_avg_pool3d(input, self.output_size)


class _FractionalMaxPoolNd(Module):
    __constants__ = ["kernel_size", "return_indices", "output_size", "output_ratio"]
    _dims: int

    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        spread = _ntuple(self._dims)
        if (isinstance(kernel_size, int) and kernel_size <= 0) or (
            isinstance(kernel_size, (tuple, list)) and not all(k > 0 for k in kernel_size)
        ):
            raise ValueError(f"{name}: kernel_size must be greater than zero (got {kernel_size})")
        self.kernel_size = spread(kernel_size)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = None if output_size is None else spread(output_size)
        self.output_ratio = None if output_ratio is None else spread(output_ratio)
        if (output_size is None) == (output_ratio is None):
            raise ValueError(f"{name}: exactly one of output_size and output_ratio must be given")
        if self.output_ratio is not None and not all(0 < r < 1 for r in self.output_ratio):
            raise ValueError(f"{name}: output_ratio must be between 0 and 1 (got {output_ratio})")

    def _pool(self, fn: Any, input: Tensor) -> Any:
        return fn(
            input,
            self.kernel_size,
            self.output_size,
            self.output_ratio,
            self.return_indices,
            _random_samples=self._random_samples,
        )


class FractionalMaxPool2d(_FractionalMaxPoolNd):
    """Maxima over windows whose places are drawn at random (Graham, 2015), over height and width.

    Args:
        kernel_size: size of the window.
        output_size: size of the output; or
        output_ratio: its ratio to the size of the input, between 0 and 1.
        return_indices: also return where the maxima are.

    Raises:
        ValueError: neither or both of `output_size` and `output_ratio` are given.
    """

    _dims = 2

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return self._pool(F.fractional_max_pool2d, input)


class FractionalMaxPool3d(_FractionalMaxPoolNd):
    """Maxima over windows whose places are drawn at random (Graham, 2015), over depth, height and width.

    Args:
        kernel_size: size of the window.
        output_size: size of the output; or
        output_ratio: its ratio to the size of the input, between 0 and 1.
        return_indices: also return where the maxima are.

    Raises:
        ValueError: neither or both of `output_size` and `output_ratio` are given.
    """

    _dims = 3

    def forward(self, input: Tensor) -> Any:
        """Pools `input`."""
        return self._pool(F.fractional_max_pool3d, input)
