"""Recurrent layers: `RNN`, `LSTM`, `GRU`."""

from __future__ import annotations

import math
import numbers
import warnings
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import init
from lamella.nn.module import Module
from lamella.nn.modules import _rnn_loop
from lamella.nn.modules.rnn_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase
from lamella.nn.parameter import Parameter
from lamella.nn.utils.rnn import PackedSequence

__all__ = ["GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase"]

_GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}

def _apply_permutation(tensor: Tensor, permutation: Tensor, dim: int = 1) -> Tensor:
    return tensor.index_select(dim, permutation)


def _check_arguments(a: dict[str, Any]) -> None:
    dropout = a["dropout"]
    if not isinstance(dropout, numbers.Number) or isinstance(dropout, bool) or not 0 <= dropout <= 1:  # type: ignore[operator]
        raise ValueError(f"RNN: dropout should be a number in range [0, 1] (got {dropout!r})")
    for name, kind in (("bias", bool), ("batch_first", bool), ("input_size", int), ("hidden_size", int)):
        if not isinstance(a[name], kind):
            raise TypeError(f"RNN: {name} should be of type {kind.__name__}, got: {type(a[name]).__name__}")
    for name in ("input_size", "hidden_size", "num_layers"):
        if a[name] <= 0:
            raise ValueError(f"RNN: {name} must be greater than zero (got {a[name]})")
    if a["proj_size"] < 0:
        raise ValueError(f"RNN: proj_size should be positive, or zero for no projection (got {a['proj_size']})")
    if a["proj_size"] >= a["hidden_size"]:
        raise ValueError(
            f"RNN: proj_size has to be smaller than hidden_size ({a['proj_size']} and {a['hidden_size']})"
        )
    if a["mode"] not in _GATES:
        raise ValueError(f"RNN: Unrecognized RNN mode: {a['mode']}")


class RNNBase(Module):
    """What `RNN`, `LSTM` and `GRU` share: parameters, checks and the order of dimensions.

    Args:
        mode: `"LSTM"`, `"GRU"`, `"RNN_TANH"` or `"RNN_RELU"`.
        input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, device, dtype: as in `RNN`.
        proj_size: as in `LSTM`.

    Raises:
        TypeError, ValueError: arguments that make no sense.
    """

    __constants__ = [
        "mode", "input_size", "hidden_size", "num_layers", "bias", "batch_first", "dropout", "bidirectional",
        "proj_size",
    ]  # fmt: skip
    bias: Any

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        _check_arguments(locals())
        if dropout > 0 and num_layers == 1:
            warnings.warn(
                f"dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={num_layers}",
                stacklevel=3,
            )
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._all_weights: list[list[str]] = []
        self._make_weights(device, dtype)
        self.reset_parameters()

    def _make_weights(self, device: Any, dtype: Any) -> None:
        gates = _GATES[self.mode] * self.hidden_size
        out = self.proj_size or self.hidden_size
        for layer in range(self.num_layers):
            size = self.input_size if layer == 0 else out * self._directions
            for suffix in ("", "_reverse")[: self._directions]:
                shapes: dict[str, Any] = {"weight_ih": (gates, size), "weight_hh": (gates, out)}
                if self.bias:
                    shapes.update(bias_ih=(gates,), bias_hh=(gates,))
                if self.proj_size:
                    shapes["weight_hr"] = (self.proj_size, self.hidden_size)
                for name, shape in shapes.items():
                    p = Parameter(core.empty(shape, device=device, dtype=dtype))
                    setattr(self, f"{name}_l{layer}{suffix}", p)
                self._all_weights.append([f"{name}_l{layer}{suffix}" for name in shapes])

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    @property
    def _flat_weights_names(self) -> list[str]:
        return [name for names in self._all_weights for name in names]

    @property
    def _flat_weights(self) -> list[Any]:
        return [getattr(self, name, None) for name in self._flat_weights_names]

    @property
    def all_weights(self) -> list[list[Any]]:
        """The parameters, one list for each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._all_weights]

    def flatten_parameters(self) -> None:
        """Does nothing: parameters need no common memory here."""

    def reset_parameters(self) -> None:
        """Draws all parameters uniformly from (-k, k) with k = 1/sqrt(hidden_size)."""
        bound = 1.0 / math.sqrt(self.hidden_size)
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    # ------------------------------------------------------------------ checks

    def check_input(self, input: Tensor, batch_sizes: Tensor | None) -> None:
        """Raises where the input does not fit this layer."""
        dtype = getattr(self, self._all_weights[0][0]).dtype
        if input.dtype != dtype:
            raise ValueError(
                f"{type(self).__name__}: input dtype ({input.dtype}) does not match weight dtype ({dtype})\n"
                f"hint: input.to({dtype}), or model.to({input.dtype})"
            )
        expected = 3 if batch_sizes is None else 2
        if input.dim() != expected:
            raise RuntimeError(f"{type(self).__name__}: input must have {expected} dimensions, got {input.dim()}")
        if input.size(-1) != self.input_size:
            raise RuntimeError(
                f"{type(self).__name__}: input.size(-1) must be equal to input_size. "
                f"Expected {self.input_size}, got {input.size(-1)}"
            )

    def get_expected_hidden_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape that the initial hidden state must have."""
        n = int(batch_sizes[0]) if batch_sizes is not None else input.size(0 if self.batch_first else 1)
        return self.num_layers * self._directions, n, self.proj_size or self.hidden_size

    def get_expected_cell_size(self, input: Tensor, batch_sizes: Tensor | None) -> tuple[int, int, int]:
        """The shape that the initial cell state of an LSTM must have."""
        return (*self.get_expected_hidden_size(input, batch_sizes)[:2], self.hidden_size)

    def check_hidden_size(
        self, hx: Tensor, expected_hidden_size: tuple[int, ...], msg: str = "Expected hidden size {}, got {}"
    ) -> None:
        """Raises where a state has another shape."""
        if tuple(hx.shape) != tuple(expected_hidden_size):
            told = msg.format(tuple(expected_hidden_size), list(hx.shape))
            raise RuntimeError(f"{type(self).__name__}: {told}")

    def check_forward_args(self, input: Tensor, hidden: Any, batch_sizes: Tensor | None) -> None:
        """Raises where input or state do not fit this layer."""
        self.check_input(input, batch_sizes)
        expected = self.get_expected_hidden_size(input, batch_sizes)
        if self.mode == "LSTM":
            self.check_hidden_size(hidden[0], expected, "Expected hidden[0] size {}, got {}")
            cell = self.get_expected_cell_size(input, batch_sizes)
            self.check_hidden_size(hidden[1], cell, "Expected hidden[1] size {}, got {}")
        else:
            self.check_hidden_size(hidden, expected)

    def permute_hidden(self, hx: Any, permutation: Tensor | None) -> Any:
        """The state with its batch in another order."""
        if permutation is None:
            return hx
        if isinstance(hx, tuple):
            return tuple(_apply_permutation(h, permutation) for h in hx)
        return _apply_permutation(hx, permutation)

    # ------------------------------------------------------------------ running

    def _zero_states(self, x: Tensor, sizes: Tensor | None) -> Any:
        shapes = [self.get_expected_hidden_size(x, sizes)]
        if self.mode == "LSTM":
            shapes.append(self.get_expected_cell_size(x, sizes))
        states = tuple(core.zeros(s, dtype=x.dtype, device=x.device) for s in shapes)
        return states if self.mode == "LSTM" else states[0]

    def _check_state_dim(self, hx: Any, wanted: int) -> None:
        dims = [h.dim() for h in hx] if self.mode == "LSTM" else [hx.dim()]
        if any(d != wanted for d in dims):
            what = "batched 3-D" if wanted == 3 else "unbatched 2-D"
            got = ", ".join(f"{d}-D" for d in dims)
            names = "hx and cx" if self.mode == "LSTM" else "hx"
            raise RuntimeError(
                f"{type(self).__name__}: For {what} input, {names} should also be {wanted}-D but got {got}"
            )

    def _named_weights(self) -> list[dict[str, Any]]:
        out = []
        for names in self._all_weights:
            row: dict[str, Any] = dict.fromkeys(("ih", "hh", "b_ih", "b_hh", "hr"))
            for name in names:
                kind, which = name.split("_", 2)[:2]
                row[which if kind == "weight" else f"b_{which}"] = getattr(self, name)
            out.append(row)
        return out

    def _run(self, x: Tensor, hx: Any, sizes: list[int] | None) -> tuple[Tensor, Any]:
        states = hx if self.mode == "LSTM" else (hx,)
        out, last = _rnn_loop.run_layers(
            self.mode,
            x,
            states,
            self._named_weights(),
            self.num_layers,
            self._directions,
            self.dropout,
            self.training,
            sizes,
        )
        return out, (last if self.mode == "LSTM" else last[0])

    def _forward_packed(self, input: PackedSequence, hx: Any) -> tuple[PackedSequence, Any]:
        data, batch_sizes, sorted_indices, unsorted_indices = input
        if hx is None:
            hx = self._zero_states(data, batch_sizes)
        else:
            hx = self.permute_hidden(hx, sorted_indices)
        self.check_forward_args(data, hx, batch_sizes)
        out, last = self._run(data, hx, batch_sizes.tolist())
        packed = PackedSequence(out, batch_sizes, sorted_indices, unsorted_indices)
        return packed, self.permute_hidden(last, unsorted_indices)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        """Runs over a sequence.

        Args:
            input: (T, N, I), (N, T, I) with `batch_first`, (T, I), or a PackedSequence.
            hx: the initial state, default zero; for an LSTM the pair (h, c).

        Returns:
            The outputs of the last layer at all times, and the last state of all layers.
        """
        if isinstance(input, PackedSequence):
            return self._forward_packed(input, hx)
        if input.dim() not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.dim()}D instead")
        batched = input.dim() == 3
        at = 0 if self.batch_first else 1
        if hx is not None:
            self._check_state_dim(hx, 3 if batched else 2)
        if not batched:
            input = input.unsqueeze(at)
            if hx is not None:
                hx = tuple(h.unsqueeze(1) for h in hx) if self.mode == "LSTM" else hx.unsqueeze(1)
        if hx is None:
            hx = self._zero_states(input, None)
        self.check_forward_args(input, hx, None)
        out, last = self._run(input.transpose(0, 1) if self.batch_first else input, hx, None)
        if self.batch_first:
            out = out.transpose(0, 1)
        if not batched:
            out = out.squeeze(at)
            last = tuple(h.squeeze(1) for h in last) if self.mode == "LSTM" else last.squeeze(1)
        return out, last

    def extra_repr(self) -> str:
        """Sizes, and the options that differ from their defaults."""
        text = f"{self.input_size}, {self.hidden_size}"
        for name, usual in (
            ("proj_size", 0),
            ("num_layers", 1),
            ("bias", True),
            ("batch_first", False),
            ("dropout", 0),
            ("bidirectional", False),
        ):
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text

    def __setstate__(self, state: dict) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("proj_size", 0)


class RNN(RNNBase):
    """A recurrent network: h' = tanh(W x + b + U h + c) at every time, in layers.

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        num_layers: how many layers feed each other.
        nonlinearity: `"tanh"` or `"relu"`.
        bias: whether there are biases.
        batch_first: input and output are (N, T, *), not (T, N, *).
        dropout: probability of dropping outputs between layers while training.
        bidirectional: also run backwards in time, and give both outputs side by side.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (T, N, I) and state (layers*directions, N, H) to (T, N, directions*H) and state; all without N too.

    Example:
        >>> from lamella import core, nn
        >>> out, h = nn.RNN(10, 20, 2)(core.zeros(5, 3, 10))
        >>> out.shape, h.shape
        (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        if len(args) > 3:
            nonlinearity = args[3]
            args = args[:3] + args[4:]
        else:
            nonlinearity = kwargs.pop("nonlinearity", "tanh")
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"RNN: Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", *args, **kwargs)
        self.nonlinearity = nonlinearity


class LSTM(RNNBase):
    """A long short-term memory network (Hochreiter and Schmidhuber, 1997).

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        num_layers: how many layers feed each other.
        bias: whether there are biases.
        batch_first: input and output are (N, T, *), not (T, N, *).
        dropout: probability of dropping outputs between layers while training.
        bidirectional: also run backwards in time, and give both outputs side by side.
        proj_size: project the hidden state to this size (Sak et al., 2014); 0: no projection.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        (T, N, I) and states h (layers*directions, N, P or H), c (layers*directions, N, H)
        to (T, N, directions*(P or H)) and states; all without N too.

    Example:
        >>> from lamella import core, nn
        >>> out, (h, c) = nn.LSTM(10, 20, 2)(core.zeros(5, 3, 10))
        >>> out.shape, c.shape
        (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)


class GRU(RNNBase):
    """A network of gated recurrent units (Cho et al., 2014); the reset gate acts after the product.

    Args:
        input_size: features of the input.
        hidden_size: features of the state.
        num_layers: how many layers feed each other.
        bias: whether there are biases.
        batch_first: input and output are (N, T, *), not (T, N, *).
        dropout: probability of dropping outputs between layers while training.
        bidirectional: also run backwards in time, and give both outputs side by side.
        device: where the parameters are made.
        dtype: their element type.

    Shape:
        as for `RNN`.

    Example:
        >>> from lamella import core, nn
        >>> out, h = nn.GRU(10, 20, bidirectional=True)(core.zeros(5, 3, 10))
        >>> out.shape, h.shape
        (torch.Size([5, 3, 40]), torch.Size([2, 3, 20]))
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        _no_projection(kwargs)
        super().__init__("GRU", *args, **kwargs)


def _no_projection(kwargs: dict) -> None:
    if "proj_size" in kwargs:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")
