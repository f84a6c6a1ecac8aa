"""One step of a recurrent layer: `RNNCell`, `LSTMCell`, `GRUCell`."""

from __future__ import annotations

import math
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F, init
from lamella.nn.module import Module
from lamella.nn.modules._rnn_loop import gru_gates, lstm_gates
from lamella.nn.parameter import Parameter

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(Module):
    """What the cells share.

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        bias: whether there are biases.
        num_chunks: how many gates there are.
        device: where the parameters are made.
        dtype: their element type.
    """

    __constants__ = ["input_size", "hidden_size", "bias"]
    weight_ih: Tensor
    weight_hh: Tensor
    bias_ih: Any
    bias_hh: Any

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        self.weight_ih = Parameter(core.empty((gates, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(core.empty((gates, hidden_size), device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(core.empty(gates, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draws all parameters uniformly from (-k, k) with k = 1/sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def _check(self, input: Tensor, states: tuple | None) -> None:
        name = type(self).__name__
        if input.dim() not in (1, 2):
            raise ValueError(f"{name}: Expected input to be 1D or 2D, got {input.dim()}D instead")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"{name}: input has inconsistent input_size: got {input.size(-1)} expected {self.input_size}"
            )
        for i, h in enumerate(states or ()):
            if h.dim() not in (1, 2):
                raise ValueError(f"{name}: Expected hx[{i}] to be 1D or 2D, got {h.dim()}D instead")
            if h.size(-1) != self.hidden_size:
                raise RuntimeError(
                    f"{name}: hidden{i} has inconsistent hidden_size: got {h.size(-1)}, expected {self.hidden_size}"
                )
            if input.dim() == 2 and h.dim() == 2 and h.size(0) != input.size(0):
                raise RuntimeError(
                    f"{name}: Input batch size {input.size(0)} doesn't match hidden{i} batch size {h.size(0)}"
                )

    def _prepared(self, input: Tensor, states: tuple | None, n: int) -> tuple[Tensor, tuple]:
        """Input and states with a batch dimension; missing states are zero."""
        self._check(input, states)
        batched = input.dim() == 2
        x = input if batched else input.unsqueeze(0)
        if states is None:
            zero = core.zeros((x.size(0), self.hidden_size), dtype=x.dtype, device=x.device)
            return x, (zero,) * n
        return x, states if batched else tuple(h.unsqueeze(0) for h in states)

    def extra_repr(self) -> str:
        """Sizes, and the options that differ from their defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        if getattr(self, "nonlinearity", "tanh") != "tanh":
            text += f", nonlinearity={self.nonlinearity}"
        return text


class RNNCell(RNNCellBase):
    """h' = tanh(W x + b + U h + c).

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        bias: whether there are biases.
        nonlinearity: `"tanh"` or `"relu"`.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, I) and (N, H) to (N, H); all without N too.

    Example:
        >>> from lamella import core, nn
        >>> nn.RNNCell(10, 20)(core.zeros(3, 10)).shape
        torch.Size([3, 20])
    """

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """One step."""
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"RNNCell: Unknown nonlinearity: {self.nonlinearity}")
        x, (h,) = self._prepared(input, None if hx is None else (hx,), 1)
        total = F.linear(x, self.weight_ih, self.bias_ih) + F.linear(h, self.weight_hh, self.bias_hh)
        out = total.tanh() if self.nonlinearity == "tanh" else total.relu()
        return out if input.dim() == 2 else out.squeeze(0)


class LSTMCell(RNNCellBase):
    """One step of an LSTM.

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        bias: whether there are biases.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, I) and (h, c), each (N, H), to (h, c); all without N too.

    Example:
        >>> from lamella import core, nn
        >>> h, c = nn.LSTMCell(10, 20)(core.zeros(3, 10))
        >>> h.shape, c.shape
        (torch.Size([3, 20]), torch.Size([3, 20]))
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """One step."""
        x, (h, c) = self._prepared(input, None if hx is None else tuple(hx), 2)
        gates = F.linear(x, self.weight_ih, self.bias_ih) + F.linear(h, self.weight_hh, self.bias_hh)
        h, c = lstm_gates(gates, c)
        return (h, c) if input.dim() == 2 else (h.squeeze(0), c.squeeze(0))


class GRUCell(RNNCellBase):
    """One step of a GRU.

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        bias: whether there are biases.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (N, I) and (N, H) to (N, H); all without N too.

    Example:
        >>> from lamella import core, nn
        >>> nn.GRUCell(10, 20)(core.zeros(3, 10)).shape
        torch.Size([3, 20])
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """One step."""
        x, (h,) = self._prepared(input, None if hx is None else (hx,), 1)
        xs = F.linear(x, self.weight_ih, self.bias_ih)
        out = gru_gates(xs, F.linear(h, self.weight_hh, self.bias_hh), h)
        return out if input.dim() == 2 else out.squeeze(0)
