"""Running recurrent layers.

All input projections of a layer are one matrix product; the loop over time is one operator (`ops/recurrent.yaml`). The
same loops over plain operators are here too: for projected LSTMs, and for gradients of gradients.

Data is flat: time by time, `sizes[t]` rows at time t, which is the layout of packed sequences, and that of a dense
(T, N, *) tensor with its first two dimensions merged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F

State = tuple[Tensor, ...]
Step = Callable[[Any, State], State]


def lstm_gates(gates: Tensor, c: Tensor, project: Tensor | None = None) -> State:
    """The new (h, c) from the pre-activations of the four gates."""
    i, f, g, o = gates.chunk(4, 1)
    c = core.addcmul(f.sigmoid() * c, i.sigmoid(), g.tanh())
    h = o.sigmoid() * c.tanh()
    return (h if project is None else h.matmul(project)), c


def gru_gates(x: Tensor, u: Tensor, h: Tensor) -> Tensor:
    """The new h from the projections of input and hidden state."""
    n = h.size(1)
    r, z = (x[:, : 2 * n] + u[:, : 2 * n]).sigmoid().chunk(2, 1)
    new = core.addcmul(x[:, 2 * n :], r, u[:, 2 * n :]).tanh()
    return core.lerp(new, h, z)


def run_steps(projected: Tensor, sizes: list[int], step: Step, state: State, reverse: bool) -> tuple[Tensor, State]:
    """Runs `step` over flat data; the first element of the state is the output of a step."""
    outputs: list[Tensor] = []
    if not len(sizes):
        return state[0].new_zeros((0, state[0].size(1))), state
    inputs = projected.split(list(sizes), 0)
    if reverse:
        first = state
        state = tuple(s[: sizes[-1]] for s in first)
        for xt, n in zip(reversed(inputs), reversed(sizes), strict=True):
            had = state[0].size(0)
            if n > had:
                state = tuple(core.cat([s, f[had:n]], 0) for s, f in zip(state, first, strict=True))
            state = step(xt, state)
            outputs.append(state[0])
        outputs.reverse()
        return core.cat(outputs, 0), state
    ended: list[State] = []
    for xt, n in zip(inputs, sizes, strict=True):
        if n < state[0].size(0):
            ended.append(tuple(s[n:] for s in state))
            state = tuple(s[:n] for s in state)
        state = step(xt, state)
        outputs.append(state[0])
    ended.append(state)
    last = tuple(core.cat(list(parts), 0) for parts in zip(*reversed(ended), strict=True))
    return core.cat(outputs, 0), last


def flat_rnn(x: Tensor, h: Tensor, w: Tensor, nonlinearity: str, sizes: list[int], reverse: bool) -> State:
    """What the operator `rnn_loop` does, over plain operators."""
    u = w.t()
    fn = core.tanh if nonlinearity == "tanh" else core.relu
    out, last = run_steps(x, sizes, lambda xt, s: (fn(core.addmm(xt, s[0], u)),), (h,), reverse)
    return out, *last


def flat_lstm(
    x: Tensor, h: Tensor, c: Tensor, w: Tensor, sizes: list[int], reverse: bool, w_hr: Tensor | None = None
) -> State:
    """What the operator `lstm_loop` does, over plain operators; `w_hr` projects the hidden state."""
    u = w.t()
    project = None if w_hr is None else w_hr.t()

    def step(xt: Tensor, state: State) -> State:
        return lstm_gates(core.addmm(xt, state[0], u), state[1], project)

    out, last = run_steps(x, sizes, step, (h, c), reverse)
    return out, *last


def flat_gru(x: Tensor, h: Tensor, w: Tensor, b: Tensor | None, sizes: list[int], reverse: bool) -> State:
    """What the operator `gru_loop` does, over plain operators."""
    u = w.t()

    def step(xt: Tensor, state: State) -> State:
        s = state[0]
        return (gru_gates(xt, s.matmul(u) if b is None else core.addmm(b, s, u), s),)

    out, last = run_steps(x, sizes, step, (h,), reverse)
    return out, *last


def _run_direction(mode: str, x: Tensor, states: State, w: dict[str, Any], sizes: list[int], reverse: bool) -> State:
    """One layer in one direction; the biases of both projections act together except in a GRU."""
    from lamella.nn._gen.recurrent import op_gru_loop, op_lstm_loop, op_rnn_loop

    if mode == "GRU":
        gates = F.linear(x, w["ih"], w["b_ih"])
    else:
        gates = F.linear(x, w["ih"], None if w["b_ih"] is None else w["b_ih"] + w["b_hh"])
    gates = gates.reshape(-1, gates.size(-1)) if gates.dim() == 3 else gates
    h = states[0]
    if mode == "GRU":
        return op_gru_loop(gates, h, w["hh"], w["b_hh"], sizes, reverse)[:2]
    if mode != "LSTM":
        return op_rnn_loop(gates, h, w["hh"], mode[4:].lower(), sizes, reverse)
    c = states[1]
    if w["hr"] is not None:
        return flat_lstm(gates, h, c, w["hh"], sizes, reverse, w["hr"])
    return op_lstm_loop(gates, h, c, w["hh"], sizes, reverse)[:3]


def run_layers(
    mode: str,
    x: Tensor,
    states: State,
    weights: list[dict[str, Any]],
    num_layers: int,
    directions: int,
    dropout: float,
    training: bool,
    sizes: list[int] | None,
) -> tuple[Tensor, State]:
    """Runs a stack of layers.

    Args:
        mode: `"LSTM"`, `"GRU"`, `"RNN_TANH"` or `"RNN_RELU"`.
        x: (T, N, I), or packed data.
        states: the initial states, each (layers*directions, N, H).
        weights: one dict for each layer and direction.
        num_layers, directions, dropout, training: what they say; dropout acts between layers.
        sizes: the batch sizes of packed data.

    Returns:
        The output of the last layer, and the last states, stacked like the initial ones.
    """
    dense = None if sizes is not None else tuple(x.shape[:2])
    if dense is not None:
        sizes = [dense[1]] * dense[0]
    initial = list(zip(*(s.unbind(0) for s in states), strict=True))
    final: list[State] = []
    for layer in range(num_layers):
        outs = []
        for direction in range(directions):
            at = layer * directions + direction
            out, *last = _run_direction(mode, x, initial[at], weights[at], sizes or [], direction == 1)
            outs.append(out if dense is None else out.reshape(*dense, out.size(-1)))
            final.append(tuple(last))
        x = outs[0] if directions == 1 else core.cat(outs, -1)
        if dropout and layer < num_layers - 1:
            x = F.dropout(x, dropout, training)
    return x, tuple(core.stack(list(parts), 0) for parts in zip(*final, strict=True))
