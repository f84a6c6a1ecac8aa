"""Recurrent layers as functions at torch's top; weights come as one flat list, layer by layer, biases last."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .functional import linear
from .modules._rnn_loop import gru_gates, lstm_gates, run_layers

__all__ = ["gru", "gru_cell", "lstm", "lstm_cell", "rnn_relu", "rnn_relu_cell", "rnn_tanh", "rnn_tanh_cell"]


def _weights(op: str, params: Any, biases: bool, rows: int, projected: bool) -> list[dict[str, Any]]:
    names = ["ih", "hh", *(["b_ih", "b_hh"] if biases else []), *(["hr"] if projected else [])]
    params = list(params)
    if len(params) != rows * len(names):
        raise RuntimeError(message(op, f"expected {rows * len(names)} weights, but got {len(params)}"))
    empty: dict[str, Any] = dict.fromkeys(("ih", "hh", "b_ih", "b_hh", "hr"))
    return [
        empty | dict(zip(names, params[i : i + len(names)], strict=True)) for i in range(0, len(params), len(names))
    ]


def _run(op: str, mode: str, args: tuple[Any, ...]) -> tuple[Tensor, Any]:
    """Both forms of a call: dense ``(input, hx, params, ...)`` and packed ``(data, batch_sizes, hx, params, ...)``."""
    pair = mode == "LSTM"
    packed = isinstance(args[1 if pair else 2], Tensor)
    if packed:
        data, sizes, hx, params, biases, layers, dropout, train, both = args
        batch_first, lengths = False, sizes.tolist()
    else:
        data, hx, params, biases, layers, dropout, train, both, batch_first = args
        lengths = None
    states = tuple(hx) if pair else (hx,)
    if pair and len(states) != 2:
        raise RuntimeError(message(op, "lstm expects two hidden states", {"given": len(states)}))
    directions = 2 if both else 1
    projected = pair and states[0].shape[-1] != states[1].shape[-1]
    weights = _weights(op, params, biases, layers * directions, projected)
    x = data.transpose(0, 1) if batch_first else data
    out, last = run_layers(mode, x, states, weights, layers, directions, dropout, train, lengths)
    return out.transpose(0, 1) if batch_first else out, last  # type: ignore[attr-defined]


_ARGS = """Args:
        input: ``(T, N, I)``, or ``(N, T, I)`` with ``batch_first``.
        hx: the first state ``(layers * directions, N, H)``{pair}.
        params: for each layer and direction the matrices of input and state and, with ``has_biases``, two biases.
        has_biases, num_layers, dropout, train, bidirectional, batch_first: as for the module.

    The other form of the call is for packed data: ``(data, batch_sizes, hx, params, has_biases, num_layers, dropout,
    train, bidirectional)``.
"""


def lstm(*args: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Layers of LSTMs over a sequence; see `nn.LSTM`."""
    out, (h, c) = _run("lstm", "LSTM", _nine("lstm", args))
    return out, h, c


def _nine(op: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(args) != 9:
        raise TypeError(message(op, f"expected 9 arguments, but got {len(args)}"))
    return args


def _single(op: str, mode: str, what: str) -> Any:
    def function(*args: Any) -> tuple[Tensor, Tensor]:
        out, (h,) = _run(op, mode, _nine(op, args))
        return out, h

    function.__name__ = function.__qualname__ = op
    function.__doc__ = f"{what} over a sequence; see `nn.{mode[:3]}`.\n\n    " + _ARGS.format(pair="")
    return function


lstm.__doc__ = f"{lstm.__doc__}\n\n    " + _ARGS.format(pair=" for hidden and cell state, as a pair")
gru = _single("gru", "GRU", "Layers of GRUs")
rnn_tanh = _single("rnn_tanh", "RNN_TANH", "Recurrent layers with tanh")
rnn_relu = _single("rnn_relu", "RNN_RELU", "Recurrent layers with relu")


def _projections(input: Any, h: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> tuple[Any, Any]:
    return linear(input, w_ih, b_ih), linear(h, w_hh, b_hh)


def lstm_cell(
    input: Tensor, hx: Any, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """One step of an LSTM from the states ``(h, c)``; see `nn.LSTMCell`."""
    if not isinstance(hx, (list, tuple)) or len(hx) != 2:
        raise RuntimeError(message("lstm_cell", "lstm_cell expects two hidden states"))
    x, u = _projections(input, hx[0], w_ih, w_hh, b_ih, b_hh)
    h, c = lstm_gates(x + u, hx[1])
    return h, c


def gru_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """One step of a GRU; see `nn.GRUCell`."""
    return gru_gates(*_projections(input, hx, w_ih, w_hh, b_ih, b_hh), hx)


def rnn_tanh_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """One step of a recurrent layer with tanh; see `nn.RNNCell`."""
    x, u = _projections(input, hx, w_ih, w_hh, b_ih, b_hh)
    return (x + u).tanh()


def rnn_relu_cell(
    input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Tensor | None = None, b_hh: Tensor | None = None
) -> Tensor:
    """One step of a recurrent layer with relu; see `nn.RNNCell`."""
    x, u = _projections(input, hx, w_ih, w_hh, b_ih, b_hh)
    return (x + u).relu()
