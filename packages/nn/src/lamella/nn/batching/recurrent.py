"""Rules of recurrent layers with one weight for all examples: their sequences run side by side.

Row ``n`` of example ``b`` becomes row ``n * batch + b``, so that the rows that are still running stay in front.
"""

from __future__ import annotations

from typing import Any

from lamella.autograd.transforms.batching.fallback import fallback
from lamella.autograd.transforms.batching.level import invoke
from lamella.autograd.transforms.batching.rules import rule
from lamella.core import functions as F
from lamella.core.tensor import Tensor

from ..kernels.recurrent import steps_of


def fold(level: Any, t: Any) -> Any:
    """(rows, features) of every example as (rows * batch, features)."""
    if not isinstance(t, Tensor):
        return t
    value = level.full(t).transpose(0, 1)  # type: ignore[attr-defined]
    return value.reshape(-1, value._a.shape[-1])


def unfold(level: Any, value: Any) -> Any:
    """The reverse, as a value with the batch in front."""
    shape = value._a.shape
    return value.reshape(shape[0] // level.size, level.size, *shape[1:]).transpose(0, 1)


def _sizes(level: Any, args: Any) -> list[Any]:
    """The arguments with the sizes of the folded sequence."""
    return [[n * level.size for n in a] if a.__class__ in (list, tuple) else a for a in args]


@rule("rnn_loop", "lstm_loop", "gru_loop")
def loop(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    first = 3 if op.opname == "lstm_loop" else 2  # gates and states; then weight and bias
    if any(level.has(a) for a in args[first:]) or not level.size:
        return fallback(level, op, args, kwargs)
    values = [fold(level, a) if i < first else a for i, a in enumerate(_sizes(level, args))]
    return tuple([level.wrap(unfold(level, v)) for v in invoke(op, values, kwargs)])


@rule("rnn_loop_backward", "lstm_loop_backward", "gru_loop_backward")
def loop_backward(level: Any, op: Any, args: Any, kwargs: Any) -> Any:
    names = [a.name for a in op.schema.arguments]
    given = dict(zip(names, args, strict=True))
    weight = given["weight"]
    if level.has(weight) or not level.size:
        return fallback(level, op, args, kwargs)
    values = [a if a is weight else fold(level, a) for a in _sizes(level, args)]
    gru = op.opname == "gru_loop_backward"
    results = invoke(op, values, kwargs)
    d_gates, *states, _ = results[:-1] if gru else results
    d_gates = unfold(level, d_gates)
    inner = d_gates
    if gru:
        size = given["h"]._a.shape[-1]
        reset = level.full(given["workspace"])[..., :size]
        inner = F.cat([d_gates[..., : 2 * size], d_gates[..., 2 * size :] * reset], -1)
    before = _previous(level.full(given["output"]), level.full(given["h"]), given["sizes"], given["reverse"])
    found = [d_gates, *[unfold(level, s) for s in states], F.matmul(inner.transpose(1, 2), before)]
    if gru:
        found.append(F.sum(inner, 1))  # type: ignore[attr-defined]
    return tuple([level.wrap(v) for v in found])


def _previous(output: Any, h: Any, sizes: Any, reverse: bool) -> Any:
    """For each row the state before it, with the batch in front."""
    parts = []
    had, rows_had = 0, slice(0, 0)
    for n, rows in steps_of(sizes, reverse):
        m = min(n, had)
        parts.append(F.cat([output[:, rows_had][:, :m], h[:, m:n]], 1) if m < n else output[:, rows_had][:, :m])
        had, rows_had = n, rows
    return F.cat(parts[::-1] if reverse else parts, 1)
