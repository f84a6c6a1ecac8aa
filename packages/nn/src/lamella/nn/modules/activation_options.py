"""Elementwise non-linear functions with constants or parameters, as layers."""

from __future__ import annotations

import warnings
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init as initialisers
from lamella.nn.module import Module
from lamella.nn.parameter import Parameter

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardtanh", "LeakyReLU", "PReLU", "RReLU", "ReLU6", "Softplus",
    "Softshrink", "Threshold",
]  # fmt: skip


def _mark(module: Any) -> str:
    return ", inplace=True" if module.inplace else ""


class Threshold(Module):
    """x where x > threshold, else a value.

    Args:
        threshold: the bound.
        value: what smaller elements become.
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.Threshold(0.1, 20.0)(core.tensor([0.0, 2.0]))
        tensor([20.,  2.])
    """

    __constants__ = ["threshold", "value", "inplace"]

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """The bound and the value."""
        return f"threshold={self.threshold}, value={self.value}{_mark(self)}"


class RReLU(Module):
    """Leaky ReLU with a slope drawn for each element while training, and the mean slope in evaluation.

    Args:
        lower: the smallest slope.
        upper: the largest slope.
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.RReLU(0.1, 0.3).eval()(core.tensor([-1.0, 2.0]))
        tensor([-0.2000,  2.0000])
    """

    __constants__ = ["lower", "upper", "inplace"]

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower = lower
        self.upper = upper
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """The slopes."""
        return f"lower={self.lower}, upper={self.upper}{_mark(self)}"


class Hardtanh(Module):
    """x, limited to [min_val, max_val].

    Args:
        min_val: the lower bound.
        max_val: the upper bound.
        inplace: overwrite the input.
        min_value, max_value: older names of the bounds.

    Raises:
        ValueError: the upper bound is not above the lower one.

    Example:
        >>> from lamella import core, nn
        >>> nn.Hardtanh(-2, 2)(core.tensor([-3.0, 1.0]))
        tensor([-2.,  1.])
    """

    __constants__ = ["min_val", "max_val", "inplace"]

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        super().__init__()
        for old, value in (("min_value", min_value), ("max_value", max_value)):
            if value is not None:
                new = old.replace("value", "val")
                warnings.warn(
                    f"keyword argument `{old}` is deprecated and rename to `{new}`", FutureWarning, stacklevel=2
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        self.inplace = inplace
        if self.max_val <= self.min_val:
            raise ValueError(f"Hardtanh: max_val must be above min_val ({self.max_val} and {self.min_val})")

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """The bounds."""
        return f"min_val={self.min_val}, max_val={self.max_val}{_mark(self)}"


class ReLU6(Hardtanh):
    """x, limited to [0, 6].

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.ReLU6()(core.tensor([-3.0, 7.0]))
        tensor([0., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """Whether it overwrites its input."""
        return "inplace=True" if self.inplace else ""


class _Alpha(Module):
    __constants__ = ["alpha", "inplace"]

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha = alpha
        self.inplace = inplace

    def extra_repr(self) -> str:
        """The constant."""
        return f"alpha={self.alpha}{_mark(self)}"


class ELU(_Alpha):
    """x where x > 0, else alpha * (exp(x) - 1) (Clevert et al., 2015).

    Args:
        alpha: the factor.
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.ELU()(core.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Alpha):
    """max(0, x) + min(0, alpha * (exp(x/alpha) - 1)) (Barron, 2017).

    Args:
        alpha: the constant.
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.CELU()(core.tensor([-1.0, 2.0]))
        tensor([-0.6321,  2.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.celu(input, self.alpha, self.inplace)


class LeakyReLU(Module):
    """x where x > 0, else negative_slope * x.

    Args:
        negative_slope: the slope for negative elements.
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.LeakyReLU(0.1)(core.tensor([-1.0, 2.0]))
        tensor([-0.1000,  2.0000])
    """

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope = negative_slope
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """The slope."""
        return f"negative_slope={self.negative_slope}{_mark(self)}"


class GLU(Module):
    """Splits a dimension in halves a, b and returns a * sigmoid(b) (Dauphin et al., 2016).

    Args:
        dim: which dimension.

    Example:
        >>> from lamella import core, nn
        >>> nn.GLU()(core.zeros(4, 6)).shape
        torch.Size([4, 3])
    """

    __constants__ = ["dim"]

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Gates `input`."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """The dimension."""
        return f"dim={self.dim}"


class GELU(Module):
    """x * Phi(x) with the normal distribution function Phi (Hendrycks and Gimpel, 2016).

    Args:
        approximate: `"none"`, or `"tanh"` for a quicker formula.

    Example:
        >>> from lamella import core, nn
        >>> nn.GELU()(core.tensor([-1.0, 2.0]))
        tensor([-0.1587,  1.9545])
    """

    __constants__ = ["approximate"]

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """The formula."""
        return f"approximate={self.approximate!r}"


class _Shrink(Module):
    __constants__ = ["lambd"]

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """The bound."""
        return str(self.lambd)


class Hardshrink(_Shrink):
    """x where |x| > lambd, else 0.

    Args:
        lambd: the bound.

    Example:
        >>> from lamella import core, nn
        >>> nn.Hardshrink()(core.tensor([-1.0, 0.25]))
        tensor([-1.,  0.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """x brought closer to 0 by lambd, and 0 where |x| <= lambd.

    Args:
        lambd: the bound.

    Example:
        >>> from lamella import core, nn
        >>> nn.Softshrink()(core.tensor([-1.0, 0.25]))
        tensor([-0.5000,  0.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.softshrink(input, self.lambd)


class Softplus(Module):
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x > threshold.

    Args:
        beta: the sharpness.
        threshold: where the function counts as linear.

    Example:
        >>> from lamella import core, nn
        >>> nn.Softplus()(core.tensor([-1.0, 2.0]))
        tensor([0.3133, 2.1269])
    """

    __constants__ = ["beta", "threshold"]

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """The constants."""
        return f"beta={self.beta}, threshold={self.threshold}"


class PReLU(Module):
    """Leaky ReLU with a learned slope (He et al., 2015).

    Args:
        num_parameters: 1 slope for all, or one for each channel (dimension 1).
        init: the initial slope.
        device: where the slopes are made.
        dtype: their element type.

    Example:
        >>> from lamella import core, nn
        >>> nn.PReLU()(core.zeros(2, 3)).shape
        torch.Size([2, 3])
    """

    __constants__ = ["num_parameters"]

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = Parameter(core.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Sets all slopes to the initial one."""
        initialisers.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """The number of slopes."""
        return f"num_parameters={self.num_parameters}"
