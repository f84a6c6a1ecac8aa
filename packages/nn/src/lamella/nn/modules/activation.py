"""Elementwise non-linear functions as layers."""

from __future__ import annotations

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.module import Module
from lamella.nn.modules.activation_options import (
    CELU,
    ELU,
    GELU,
    GLU,
    Hardshrink,
    Hardtanh,
    LeakyReLU,
    PReLU,
    ReLU6,
    RReLU,
    Softplus,
    Softshrink,
    Threshold,
)
from lamella.nn.modules.attention import MultiheadAttention
from lamella.nn.modules.softmax import LogSoftmax, Softmax, Softmax2d, Softmin

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "MultiheadAttention", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid",
    "Softmax", "Softmax2d", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold",
]  # fmt: skip


class _Inplace(Module):
    """A function whose only option is whether it overwrites its input."""

    __constants__ = ["inplace"]
    inplace: bool

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """Whether it overwrites its input."""
        return "inplace=True" if self.inplace else ""


class ReLU(_Inplace):
    """max(0, x).

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.ReLU()(core.tensor([-1.0, 2.0]))
        tensor([0., 2.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.relu(input, inplace=self.inplace)


class SiLU(_Inplace):
    """x * sigmoid(x), also called swish.

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.SiLU()(core.tensor([-1.0, 2.0]))
        tensor([-0.2689,  1.7616])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.silu(input, inplace=self.inplace)


class Mish(_Inplace):
    """x * tanh(softplus(x)) (Misra, 2019).

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.Mish()(core.tensor([-1.0, 2.0]))
        tensor([-0.3034,  1.9440])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.mish(input, inplace=self.inplace)


class SELU(_Inplace):
    """scale * elu(x, alpha) with the constants that keep mean 0 and variance 1 (Klambauer et al., 2017).

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.SELU()(core.tensor([-1.0, 2.0]))
        tensor([-1.1113,  2.1014])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.selu(input, self.inplace)


class Hardswish(_Inplace):
    """x * relu6(x + 3) / 6 (Howard et al., 2019).

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.Hardswish()(core.tensor([-1.0, 2.0]))
        tensor([-0.3333,  1.6667])
    """

    def extra_repr(self) -> str:
        return ""

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.hardswish(input, self.inplace)


class Hardsigmoid(_Inplace):
    """relu6(x + 3) / 6.

    Args:
        inplace: overwrite the input.

    Example:
        >>> from lamella import core, nn
        >>> nn.Hardsigmoid()(core.tensor([-1.0, 2.0]))
        tensor([0.3333, 0.8333])
    """

    def extra_repr(self) -> str:
        return ""

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.hardsigmoid(input, self.inplace)


class Sigmoid(Module):
    """1 / (1 + exp(-x)).

    Example:
        >>> from lamella import core, nn
        >>> nn.Sigmoid()(core.tensor([0.0, 2.0]))
        tensor([0.5000, 0.8808])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return core.sigmoid(input)


class Tanh(Module):
    """The hyperbolic tangent.

    Example:
        >>> from lamella import core, nn
        >>> nn.Tanh()(core.tensor([0.0, 2.0]))
        tensor([0.0000, 0.9640])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return core.tanh(input)


class LogSigmoid(Module):
    """log(sigmoid(x)).

    Example:
        >>> from lamella import core, nn
        >>> nn.LogSigmoid()(core.tensor([0.0, 2.0]))
        tensor([-0.6931, -0.1269])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.logsigmoid(input)


class Softsign(Module):
    """x / (1 + |x|).

    Example:
        >>> from lamella import core, nn
        >>> nn.Softsign()(core.tensor([-1.0, 2.0]))
        tensor([-0.5000,  0.6667])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x).

    Example:
        >>> from lamella import core, nn
        >>> nn.Tanhshrink()(core.tensor([-1.0, 2.0]))
        tensor([-0.2384,  1.0360])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Applies the function elementwise."""
        return F.tanhshrink(input)
