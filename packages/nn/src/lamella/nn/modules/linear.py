"""Layers that multiply by a weight matrix."""

from __future__ import annotations

import math
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.module import Module
from lamella.nn.modules.lazy import LazyModuleMixin
from lamella.nn.parameter import Parameter, UninitializedParameter

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """Returns its input. Any arguments of the constructor are ignored.

    Example:
        >>> from lamella import nn
        >>> nn.Identity()(5)
        5
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Returns `input`."""
        return input


class Linear(Module):
    """Applies y = x A^T + b to the last dimension.

    Args:
        in_features: size of the last dimension of the input.
        out_features: size of the last dimension of the output.
        bias: whether there is a b.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (*, in_features) to (*, out_features). `weight` is (out_features, in_features), `bias` is (out_features).

    Example:
        >>> from lamella import core, nn
        >>> nn.Linear(20, 30)(core.zeros(128, 20)).shape
        torch.Size([128, 30])
    """

    __constants__ = ["in_features", "out_features"]
    in_features: int
    out_features: int
    weight: Tensor
    bias: Tensor | None

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(core.empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(core.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws both parameters uniformly from (-k, k) with k = 1/sqrt(in_features)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """Multiplies `input` by the weight and adds the bias."""
        p = self._parameters
        if "weight" in p and "bias" in p:
            return F.linear(input, p["weight"], p["bias"])
        return F.linear(input, self.weight, self.bias)  # a parametrisation keeps them elsewhere

    def extra_repr(self) -> str:
        """Sizes and whether there is a bias."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of attention; to users it is a Linear."""


class Bilinear(Module):
    """Applies y = x1^T A x2 + b.

    Args:
        in1_features: size of the last dimension of the first input.
        in2_features: size of the last dimension of the second input.
        out_features: size of the last dimension of the output.
        bias: whether there is a b.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (*, in1_features) and (*, in2_features) to (*, out_features).

    Raises:
        ValueError: `in1_features` is not positive.

    Example:
        >>> from lamella import core, nn
        >>> nn.Bilinear(2, 3, 4)(core.zeros(5, 2), core.zeros(5, 3)).shape
        torch.Size([5, 4])
    """

    __constants__ = ["in1_features", "in2_features", "out_features"]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"Bilinear: in1_features must be > 0 (got {in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(core.empty((out_features, in1_features, in2_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(core.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws both parameters uniformly from (-k, k) with k = 1/sqrt(in1_features)."""
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """Combines the two inputs."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Sizes and whether there is a bias."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """A `Linear` whose `in_features` the first input decides.

    Args:
        out_features: size of the last dimension of the output.
        bias: whether there is a bias.
        device: where the parameters are made.
        dtype: their element type.
    """

    cls_to_become = Linear
    weight: UninitializedParameter
    bias: Any

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draws the parameters once their shapes are known."""
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Makes the parameters for inputs like this one."""
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            self.weight.materialize((self.out_features, self.in_features))
            if self.bias is not None:
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if self.in_features == 0:
            self.in_features = input.shape[-1]
