"""The recurrences behind `RNN`, `LSTM` and `GRU`.

All input projections of a layer are one matrix product before the loop, so a step holds only what depends on the step
before. The state is a tuple whose first element is the output of the step.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella import core
from lamella.core import Tensor
from lamella.nn import functional as F

State = tuple[Tensor, ...]
Step = Callable[[Any, State], State]


def _bias_sum(b_ih: Tensor | None, b_hh: Tensor | None) -> Tensor | None:
    return None if b_ih is None or b_hh is None else b_ih + b_hh


def _multiply_add(x: Tensor, h: Tensor, w_t: Tensor) -> Tensor:
    return core.addmm(x, h, w_t)


def simple_steps(x: Tensor, w: dict[str, Any], fn: Callable[[Tensor], Tensor]) -> tuple[Tensor, Step]:
    """A plain recurrent layer: h' = fn(W x + U h + b)."""
    projected = F.linear(x, w["ih"], _bias_sum(w["b_ih"], w["b_hh"]))
    u = w["hh"].t()

    def step(xt: Tensor, state: State) -> State:
        return (fn(_multiply_add(xt, state[0], u)),)

    return projected, step


def lstm_steps(x: Tensor, w: dict[str, Any]) -> tuple[Tensor, Step]:
    """An LSTM layer with gates input, forget, cell, output; `w["hr"]` projects the hidden state."""
    projected = F.linear(x, w["ih"], _bias_sum(w["b_ih"], w["b_hh"]))
    u = w["hh"].t()
    project = None if w["hr"] is None else w["hr"].t()

    def step(xt: Tensor, state: State) -> State:
        return lstm_gates(_multiply_add(xt, state[0], u), state[1], project)

    return projected, step


def lstm_gates(gates: Tensor, c: Tensor, project: Tensor | None = None) -> State:
    """The new (h, c) from the pre-activations of the four gates."""
    i, f, g, o = gates.chunk(4, 1)
    c = core.addcmul(f.sigmoid() * c, i.sigmoid(), g.tanh())
    h = o.sigmoid() * c.tanh()
    return (h if project is None else h.matmul(project)), c


def gru_steps(x: Tensor, w: dict[str, Any]) -> tuple[Tensor, Step]:
    """A GRU layer with gates reset, update, new; the reset gate acts after the product with the hidden state."""
    projected = F.linear(x, w["ih"], w["b_ih"])
    u, b = w["hh"].t(), w["b_hh"]

    def step(xt: Tensor, state: State) -> State:
        h = state[0]
        return (gru_gates(xt, h.matmul(u) if b is None else core.addmm(b, h, u), h),)

    return projected, step


def gru_gates(x: Tensor, u: Tensor, h: Tensor) -> Tensor:
    """The new h from the projections of input and hidden state."""
    n = h.size(1)
    r, z = (x[:, : 2 * n] + u[:, : 2 * n]).sigmoid().chunk(2, 1)
    new = core.addcmul(x[:, 2 * n :], r, u[:, 2 * n :]).tanh()
    return core.lerp(new, h, z)


def run_dense(projected: Tensor, step: Step, state: State, reverse: bool) -> tuple[Tensor, State]:
    """Runs over a (T, N, G) projection; returns the (T, N, H) outputs and the last state."""
    inputs = projected.unbind(0)
    outputs = []
    for xt in reversed(inputs) if reverse else inputs:
        state = step(xt, state)
        outputs.append(state[0])
    if reverse:
        outputs.reverse()
    if not outputs:
        return projected.new_zeros((0, *state[0].shape)), state
    return core.stack(outputs, 0), state


def run_packed(
    projected: Tensor, sizes: list[int], step: Step, state: State, reverse: bool
) -> tuple[Tensor, State]:
    """Runs over packed sequences, whose batch at each time is given by `sizes`, never growing."""
    inputs = projected.split(sizes, 0)
    outputs: list[Tensor] = []
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


def run_layers(
    make_steps: Callable[[Tensor, dict[str, Any]], tuple[Tensor, Step]],
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
        make_steps: gives the input projection and the step of one layer in one direction.
        x: (T, N, I), or packed data.
        states: the initial states, each (layers*directions, N, H).
        weights: one dict for each layer and direction.
        num_layers, directions, dropout, training: what they say; dropout acts between layers.
        sizes: the batch sizes of packed data.

    Returns:
        The output of the last layer, and the last states, stacked like the initial ones.
    """
    initial = list(zip(*(s.unbind(0) for s in states), strict=True))
    final: list[State] = []
    for layer in range(num_layers):
        outs = []
        for direction in range(directions):
            at = layer * directions + direction
            projected, step = make_steps(x, weights[at])
            if sizes is None:
                out, last = run_dense(projected, step, initial[at], direction == 1)
            else:
                out, last = run_packed(projected, sizes, step, initial[at], direction == 1)
            outs.append(out)
            final.append(last)
        x = outs[0] if directions == 1 else core.cat(outs, -1)
        if dropout and layer < num_layers - 1:
            x = F.dropout(x, dropout, training)
    return x, tuple(core.stack(list(parts), 0) for parts in zip(*final, strict=True))
