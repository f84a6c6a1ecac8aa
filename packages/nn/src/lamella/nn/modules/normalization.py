"""Normalisation over features of one sample: `LayerNorm`, `RMSNorm`, `GroupNorm`, `LocalResponseNorm`."""

from __future__ import annotations

import numbers
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.module import Module
from lamella.nn.parameter import Parameter

__all__ = ["CrossMapLRN2d", "GroupNorm", "LayerNorm", "LocalResponseNorm", "RMSNorm"]


def _shape(normalized_shape: Any) -> tuple[int, ...]:
    if isinstance(normalized_shape, numbers.Integral):
        return (int(normalized_shape),)
    return tuple(normalized_shape)


class LayerNorm(Module):
    """Normalises the last dimensions to mean 0 and variance 1, then scales and shifts them (Ba et al., 2016).

    Args:
        normalized_shape: the sizes of these dimensions, or the size of the last one.
        eps: is added to the variance.
        elementwise_affine: whether there is a scale (and a shift).
        bias: whether there is a shift.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (*, normalized_shape) to the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.LayerNorm(10)(core.zeros(20, 5, 10)).shape
        torch.Size([20, 5, 10])
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    normalized_shape: tuple[int, ...]
    eps: float
    elementwise_affine: bool
    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        _add_affine(self, self.normalized_shape, elementwise_affine, bias, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Sets the scale to one and the shift to zero."""
        _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`."""
        p = self._parameters
        if "weight" in p and "bias" in p:
            return F.layer_norm(input, self.normalized_shape, p["weight"], p["bias"], self.eps)
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
            f"bias={self.bias is not None}"
        )


def _add_affine(module: Module, shape: Any, affine: bool, bias: bool, device: Any, dtype: Any) -> None:
    for name, wanted in (("weight", affine), ("bias", affine and bias)):
        p = Parameter(core.empty(shape, device=device, dtype=dtype)) if wanted else None
        module.register_parameter(name, p)


def _reset_affine(module: Any) -> None:
    if module.weight is not None:
        init.ones_(module.weight)
    if getattr(module, "bias", None) is not None:
        init.zeros_(module.bias)


class RMSNorm(Module):
    """Divides the last dimensions by their root mean square, then scales them (Zhang and Sennrich, 2019).

    Args:
        normalized_shape: the sizes of these dimensions, or the size of the last one.
        eps: is added to the mean square; default: the machine epsilon of the input.
        elementwise_affine: whether there is a scale.
        device: where the scale is made.
        dtype: its element type.

    Shape:
        (*, normalized_shape) to the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.RMSNorm([2, 3])(core.zeros(2, 2, 3)).shape
        torch.Size([2, 2, 3])
    """

    __constants__ = ["normalized_shape", "eps", "elementwise_affine"]
    normalized_shape: tuple[int, ...]
    eps: float | None
    elementwise_affine: bool
    weight: Tensor | None

    def __init__(
        self,
        normalized_shape: Any,
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.normalized_shape = _shape(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(core.empty(self.normalized_shape, device=device, dtype=dtype))
        else:
            self.register_parameter("weight", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Sets the scale to one."""
        _reset_affine(self)

    def forward(self, x: Tensor) -> Tensor:
        """Normalises `x`."""
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        """The shape and the options."""
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Normalises groups of channels to mean 0 and variance 1, then scales and shifts them (Wu and He, 2018).

    Args:
        num_groups: into how many groups the channels fall.
        num_channels: how many channels there are.
        eps: is added to the variance.
        affine: whether there is a scale (and a shift) for each channel.
        device: where the parameters are made.
        dtype: their element type.
        bias: whether there is a shift.

    Shape:
        (N, C, *) to the same.

    Raises:
        ValueError: the channels do not split into the groups.

    Example:
        >>> from lamella import core, nn
        >>> nn.GroupNorm(3, 6)(core.zeros(20, 6, 10, 10)).shape
        torch.Size([20, 6, 10, 10])
    """

    __constants__ = ["num_groups", "num_channels", "eps", "affine"]
    num_groups: int
    num_channels: int
    eps: float
    affine: bool
    weight: Tensor | None
    bias: Tensor | None

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"GroupNorm: num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        _add_affine(self, num_channels, affine, bias, device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Sets the scale to one and the shift to zero."""
        _reset_affine(self)

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """The groups and the options."""
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Module):
    """Divides each element by a power of the mean square of neighbouring channels (Krizhevsky et al., 2012).

    Args:
        size: how many channels count as neighbours.
        alpha: the factor of the mean square.
        beta: the power.
        k: what is added before.

    Shape:
        (N, C, *) to the same.

    Example:
        >>> from lamella import core, nn
        >>> nn.LocalResponseNorm(2)(core.zeros(1, 5, 24, 24)).shape
        torch.Size([1, 5, 24, 24])
    """

    __constants__ = ["size", "alpha", "beta", "k"]

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`."""
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        """The constants."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class CrossMapLRN2d(Module):
    """`LocalResponseNorm` for (N, C, H, W) inputs, by its older name.

    Args:
        size: how many channels count as neighbours.
        alpha: the factor of the mean square.
        beta: the power.
        k: what is added before.
    """

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Tensor:
        """Normalises `input`."""
        if input.dim() != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        side = (self.size - 1) // 2
        squares = F.pad(input * input, (0, 0, 0, 0, side, side))
        total = squares.unfold(1, 2 * side + 1, 1).sum(-1)
        return input / (self.k + self.alpha / self.size * total) ** self.beta

    def extra_repr(self) -> str:
        """The constants."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
