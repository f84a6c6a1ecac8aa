"""Shape rules and checks of recurrent layers."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message


def _check(op: str, gates: Any, h: Any, weight: Any, sizes: Any, chunks: int) -> tuple[tuple, tuple, Any]:
    rows, size = gates._a.shape[0], h._a.shape[1]
    shown = {"gates": list(gates._a.shape), "h": list(h._a.shape), "weight": list(weight._a.shape), "sizes": [*sizes]}
    if gates._a.shape[1] != chunks * size or weight._a.shape != (chunks * size, size):
        raise RuntimeError(message(op, f"gates and weight need {chunks} blocks of the state's size", shown))
    if sum(sizes) != rows or any(n > h._a.shape[0] for n in sizes):
        raise RuntimeError(message(op, "the sizes of all times must add up to the rows of gates", shown))
    return (rows, size), tuple(h._a.shape), gates.dtype


def rnn_loop(gates: Any, h: Any, weight: Any, nonlinearity: str, sizes: Any, reverse: bool) -> Any:
    out, state, d = _check("rnn_loop", gates, h, weight, sizes, 1)
    return (out, d), (state, d)


def lstm_loop(gates: Any, h: Any, c: Any, weight: Any, sizes: Any, reverse: bool) -> Any:
    out, state, d = _check("lstm_loop", gates, h, weight, sizes, 4)
    return (out, d), (state, d), (state, d), (out, d), (gates._a.shape, d)


def gru_loop(gates: Any, h: Any, weight: Any, bias: Any, sizes: Any, reverse: bool) -> Any:
    out, state, d = _check("gru_loop", gates, h, weight, sizes, 3)
    return (out, d), (state, d), (out, d), (gates._a.shape, d)


def _same(*tensors: Any) -> Any:
    return tuple((tuple(t._a.shape), t.dtype) for t in tensors)


def rnn_loop_backward(grad_output: Any, grad_h: Any, h: Any, weight: Any, nonlinearity: str, sizes: Any, reverse: bool,
                      output: Any) -> Any:
    return _same(output, h, weight)


def lstm_loop_backward(grad_output: Any, grad_h: Any, grad_c: Any, h: Any, c: Any, weight: Any, sizes: Any,
                       reverse: bool, output: Any, cells: Any, workspace: Any) -> Any:
    return _same(workspace, h, c, weight)


def gru_loop_backward(grad_output: Any, grad_h: Any, h: Any, weight: Any, sizes: Any, reverse: bool, output: Any,
                      hidden: Any, workspace: Any) -> Any:
    return (*_same(workspace, h, weight), ((weight._a.shape[0],), weight.dtype))
