"""Helpers for the derivatives of recurrent layers.

A first backward pass runs the fused kernel; one that is itself differentiated runs the loop over plain operators.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._gen import recurrent as _gen
from .formulas import recorded


def through_operators(run: Callable[..., tuple], inputs: tuple, grads: Any, needs: Any) -> tuple:
    """The gradients of `run(*inputs)`, as a differentiable computation."""
    from lamella.autograd.func import vjp

    given = [i for i, g in enumerate(grads) if g is not None]
    wanted = [t for t, need in zip(inputs, needs, strict=True) if need]

    def some(*own: Any) -> tuple:
        taken = iter(own)
        outs = run(*(next(taken) if need else t for t, need in zip(inputs, needs, strict=True)))
        return tuple(outs[i] for i in given)

    _, pull = vjp(some, *wanted)
    found = iter(pull(tuple(grads[i] for i in given)))
    return tuple(next(found) if need else None for need in needs)


def rnn_loop_grads(grads: Any, gates: Any, h: Any, weight: Any, nonlinearity: str, sizes: Any, reverse: bool,
                   output: Any, needs: Any) -> tuple:
    """Gradients of projections, first state and weight."""
    if recorded(*grads, gates, h, weight):
        from .modules._rnn_loop import flat_rnn

        def run(x: Any, state: Any, w: Any) -> tuple:
            return flat_rnn(x, state, w, nonlinearity, sizes, reverse)

        return through_operators(run, (gates, h, weight), grads[:2], needs)
    return _gen.op_rnn_loop_backward(grads[0], grads[1], h, weight, nonlinearity, sizes, reverse, output)


def lstm_loop_grads(grads: Any, gates: Any, h: Any, c: Any, weight: Any, sizes: Any, reverse: bool, output: Any,
                    cells: Any, workspace: Any, needs: Any) -> tuple:
    """Gradients of projections, first states and weight."""
    if recorded(*grads, gates, h, c, weight):
        from .modules._rnn_loop import flat_lstm

        def run(x: Any, h0: Any, c0: Any, w: Any) -> tuple:
            return flat_lstm(x, h0, c0, w, sizes, reverse)

        return through_operators(run, (gates, h, c, weight), grads[:3], needs)
    return _gen.op_lstm_loop_backward(grads[0], grads[1], grads[2], h, c, weight, sizes, reverse, output, cells,
                                       workspace)


def gru_loop_grads(grads: Any, gates: Any, h: Any, weight: Any, bias: Any, sizes: Any, reverse: bool, output: Any,
                   hidden: Any, workspace: Any, needs: Any) -> tuple:
    """Gradients of projections, first state, weight and bias."""
    if recorded(*grads, gates, h, weight, bias):
        from .modules._rnn_loop import flat_gru

        def run(x: Any, state: Any, w: Any, b: Any) -> tuple:
            return flat_gru(x, state, w, b, sizes, reverse)

        return through_operators(run, (gates, h, weight, bias), grads[:2], needs)
    return _gen.op_gru_loop_backward(grads[0], grads[1], h, weight, sizes, reverse, output, hidden, workspace)
