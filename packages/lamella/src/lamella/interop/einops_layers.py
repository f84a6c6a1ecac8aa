"""einops' layers as lamella modules, with the arguments, names and state of those in `einops.layers.torch`."""

from __future__ import annotations

from typing import Any

from einops.layers import RearrangeMixin, ReduceMixin
from einops.layers._einmix import _EinmixMixin

from lamella import core, nn
from lamella.core import Tensor

__all__ = ["EinMix", "Rearrange", "Reduce"]


class Rearrange(RearrangeMixin, nn.Module):
    """`einops.rearrange` as a module.

    Args:
        pattern: for example ``"b c h w -> b (c h w)"``.
        **axes_lengths: sizes of axes that the input's shape does not tell.

    Example:
        >>> from lamella import torch
        >>> Rearrange("b (h w) -> b w h", h=2)(torch.zeros(5, 6)).shape
        torch.Size([5, 3, 2])
    """

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        """The rearranged input; a view where the pattern allows."""
        return self._apply_recipe(input)


class Reduce(ReduceMixin, nn.Module):
    """`einops.reduce` as a module.

    Args:
        pattern: axes that are missing on its right side are reduced.
        reduction: ``"min"``, ``"max"``, ``"sum"``, ``"mean"``, ``"prod"``, ``"any"``, ``"all"``, or a function of a
            tensor and the reduced dimensions.
        **axes_lengths: sizes of axes that the input's shape does not tell.

    Example:
        >>> from lamella import torch
        >>> Reduce("b c (h 2) (w 2) -> b c h w", "max")(torch.zeros(1, 3, 8, 8)).shape
        torch.Size([1, 3, 4, 4])
    """

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        """The reduced input."""
        return self._apply_recipe(input)


class EinMix(_EinmixMixin, nn.Module):
    """A learned linear map along named axes.

    Args:
        pattern: axes of the input ``->`` axes of the output.
        weight_shape: axes of the weight.
        bias_shape: axes of the bias, or None for no bias.
        **axes_lengths: sizes of the weight's and the bias's axes.

    Attributes:
        weight, bias: parameters; uniform within ``sqrt(3 / fan_in)`` and ``sqrt(1 / fan_in)``.

    Example:
        >>> from lamella import torch
        >>> mix = EinMix("b t i -> b t o", weight_shape="i o", bias_shape="o", i=3, o=7)
        >>> mix(torch.zeros(2, 5, 3)).shape, mix.weight.shape
        (torch.Size([2, 5, 7]), torch.Size([3, 7]))
    """

    def _create_parameters(self, weight_shape: Any, weight_bound: float, bias_shape: Any, bias_bound: float) -> None:
        self.weight = nn.Parameter(core.zeros(tuple(weight_shape)).uniform_(-weight_bound, weight_bound))
        self.bias = None
        if bias_shape is not None:
            self.bias = nn.Parameter(core.zeros(tuple(bias_shape)).uniform_(-bias_bound, bias_bound))

    def _create_rearrange_layers(self, pre_reshape_pattern: str | None, pre_reshape_lengths: dict[str, int] | None,
                                 post_reshape_pattern: str | None, post_reshape_lengths: dict[str, int] | None) -> None:
        self.pre_rearrange = self.post_rearrange = None
        if pre_reshape_pattern is not None:
            self.pre_rearrange = Rearrange(pre_reshape_pattern, **(pre_reshape_lengths or {}))
        if post_reshape_pattern is not None:
            self.post_rearrange = Rearrange(post_reshape_pattern, **(post_reshape_lengths or {}))

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        """The input contracted with the weight, plus the bias."""
        if self.pre_rearrange is not None:
            input = self.pre_rearrange(input)  # noqa: A001
        result = core.einsum(self.einsum_pattern, input, self.weight)
        if self.bias is not None:
            result = result + self.bias
        return result if self.post_rearrange is None else self.post_rearrange(result)
