"""Recurrent layers over whole sequences, and their gradients: `recurrent.h`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..loops.ir import Buffer, Native
from ..lower.registry import Unsupported, lowering
from ..lower.values import Value
from .common import NULL, narrowed, real, widened


def _times(lo: Any, h: Value, sizes: Any, reverse: bool) -> list[Any]:
    """The arguments that all loops start with: steps, rows, size of the state, rows of each time, direction."""
    rows, size = h.shape
    if not isinstance(size, int) or not sizes or size == 0 or rows == 0:
        raise Unsupported("a size that is symbolic, or an empty sequence")
    given: Any = NULL
    if any(n != rows for n in sizes):
        if not all(isinstance(n, int) for n in sizes):
            raise Unsupported("a size that is symbolic")
        data = np.asarray(sizes, np.int64)
        given = Buffer(lo.new_buffer("int64", data.shape).name, "int64", data.shape, kind="constant", data=data)
    return [len(sizes), rows, size, given, bool(reverse)]


def _call(lo: Any, function: str, first: list[Any], outs: list[Buffer], values: list[Value | None], flops: Any) -> None:
    ins = [None if v is None else lo.dense(v) for v in values]
    given = [b for b in [*first, *ins] if isinstance(b, Buffer)]
    arguments = [*first, *outs, *(NULL if b is None else b for b in ins)]
    lo.add_step(Native(list(outs), given, function, arguments, "recurrent.h", flops=flops))


def _run(lo: Any, node: Any, function: str, extra: list[Any], h: Value, sizes: Any, reverse: bool,
         shapes: list[tuple[Any, ...]], values: list[Value | None], flops: Any) -> tuple[Any, ...]:
    """Add a call whose results have ``shapes``; halves are computed in float32."""
    low = h.dtype
    wide = [widened(lo, v) for v in values]
    dtype = real(*wide)
    first = _times(lo, h, sizes, reverse)
    outs = [lo.new_buffer(dtype, shape) for shape in shapes]
    _call(lo, function, [*first, *extra], outs, wide, flops)
    return tuple(narrowed(lo, out, low) for out in outs)


def _work(rows: Any, weight: Value) -> Any:
    return 2 * rows * weight.shape[0] * weight.shape[1]


@lowering("aten::rnn_loop", target="cpp")
def rnn_loop(lo: Any, node: Any, gates: Value, h: Value, weight: Value, nonlinearity: str, sizes: Any,
             reverse: bool) -> Any:
    shapes = [gates.shape, h.shape]
    return _run(lo, node, "rnn_loop", [nonlinearity == "relu"], h, sizes, reverse, shapes, [gates, h, weight],
                _work(gates.shape[0], weight))


@lowering("aten::rnn_loop_backward", target="cpp")
def rnn_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, h: Value, weight: Value, nonlinearity: str,
                      sizes: Any, reverse: bool, output: Value) -> Any:
    shapes = [output.shape, h.shape, weight.shape]
    return _run(lo, node, "rnn_loop_backward", [nonlinearity == "relu"], h, sizes, reverse, shapes,
                [grad_output, grad_h, h, weight, output], 2 * _work(output.shape[0], weight))


@lowering("aten::lstm_loop", target="cpp")
def lstm_loop(lo: Any, node: Any, gates: Value, h: Value, c: Value, weight: Value, sizes: Any, reverse: bool) -> Any:
    rows = (gates.shape[0], h.shape[1])
    shapes = [rows, h.shape, h.shape, rows, gates.shape]
    return _run(lo, node, "lstm_loop", [], h, sizes, reverse, shapes, [gates, h, c, weight],
                _work(gates.shape[0], weight))


@lowering("aten::lstm_loop_backward", target="cpp")
def lstm_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, grad_c: Any, h: Value, c: Value,
                       weight: Value, sizes: Any, reverse: bool, output: Value, cells: Value, workspace: Value) -> Any:
    shapes = [workspace.shape, h.shape, h.shape, weight.shape]
    return _run(lo, node, "lstm_loop_backward", [], h, sizes, reverse, shapes,
                [grad_output, grad_h, grad_c, h, c, weight, output, cells, workspace],
                2 * _work(output.shape[0], weight))


@lowering("aten::gru_loop", target="cpp")
def gru_loop(lo: Any, node: Any, gates: Value, h: Value, weight: Value, bias: Any, sizes: Any, reverse: bool) -> Any:
    rows = (gates.shape[0], h.shape[1])
    shapes = [rows, h.shape, rows, gates.shape]
    return _run(lo, node, "gru_loop", [], h, sizes, reverse, shapes, [gates, h, weight, bias],
                _work(gates.shape[0], weight))


@lowering("aten::gru_loop_backward", target="cpp")
def gru_loop_backward(lo: Any, node: Any, grad_output: Any, grad_h: Any, h: Value, weight: Value, sizes: Any,
                      reverse: bool, output: Value, hidden: Value, workspace: Value) -> Any:
    shapes = [workspace.shape, h.shape, weight.shape, (weight.shape[0],)]
    return _run(lo, node, "gru_loop_backward", [], h, sizes, reverse, shapes,
                [grad_output, grad_h, h, weight, output, hidden, workspace], 2 * _work(output.shape[0], weight))
