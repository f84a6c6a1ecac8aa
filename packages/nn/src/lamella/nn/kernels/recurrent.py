"""Recurrent layers over a whole sequence: the loop holds one matrix product and a few passes over small arrays.

Everything that does not depend on the step before is done for all times at once: the input projections (by the caller),
the factors of the backward pass, and the gradient of the weight. Sigmoids are tanh of half the argument, so that one
call serves all gates; halving is exact, and is done once to projections and weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .types import floating

Step = tuple[int, slice]
#: Numbers of a gate that are computed at once, so that they stay in cache.
_PART = 1 << 15


def steps_of(sizes: Sequence[int], reverse: bool) -> list[Step]:
    """The rows of each time, in the order in which times are run."""
    steps = []
    at = 0
    for n in sizes:
        steps.append((n, slice(at, at + n)))
        at += n
    return steps[::-1] if reverse else steps


def _previous(xp: Any, states: Any, first: Any, steps: list[Step]) -> Any:
    """For each row the state before it."""
    before = xp.empty_like(states)
    had, rows_had = 0, slice(0, 0)
    for n, rows in steps:
        m = min(n, had)
        target = before[rows]
        target[:m] = states[rows_had][:m]
        target[m:] = first[m:n]
        had, rows_had = n, rows
    return before


def _start(xp: Any, grad: Any, like: Any) -> Any:
    return xp.zeros_like(like) if grad is None else grad.copy()


@floating
def rnn_loop(xp: Any, gates: Any, h: Any, weight: Any, nonlinearity: str, sizes: Any, reverse: bool) -> Any:
    output = gates.copy()
    h = h.copy()
    wt = xp.ascontiguousarray(weight.T)
    buffer = xp.empty((h.shape[0], wt.shape[1]), gates.dtype)
    for n, rows in steps_of(sizes, reverse):
        a, part = output[rows], buffer[:n]
        xp.matmul(h[:n], wt, out=part)
        a += part
        if nonlinearity == "tanh":
            xp.tanh(a, out=a)
        else:
            xp.maximum(a, 0, out=a)
        h[:n] = a
    return output, h


@floating
def _rnn_backward(xp: Any, output: Any, grad_output: Any, grad_h: Any, h: Any, weight: Any, nonlinearity: str,
                  sizes: Any, reverse: bool) -> Any:
    steps = steps_of(sizes, reverse)
    factor = 1 - output * output if nonlinearity == "tanh" else (output > 0).astype(output.dtype)
    d_gates = xp.empty_like(output)
    dh = _start(xp, grad_h, h)
    for n, rows in reversed(steps):
        part, d = dh[:n], d_gates[rows]
        if grad_output is not None:
            part += grad_output[rows]
        xp.multiply(factor[rows], part, out=d)
        xp.matmul(d, weight, out=part)
    return d_gates, dh, d_gates.T @ _previous(xp, output, h, steps)


def rnn_loop_backward(xp: Any, grad_output: Any, grad_h: Any, h: Any, weight: Any, nonlinearity: str, sizes: Any,
                      reverse: bool, output: Any) -> Any:
    return _rnn_backward(xp, output, grad_output, grad_h, h, weight, nonlinearity, sizes, reverse)


def _gate_factors(xp: Any, size: int, rows: int, cell: float, d: Any) -> Any:
    """1 / 2 for the columns of input, forget and output gate, another number for those of the cell, in each row."""
    r = xp.full((rows, 4 * size), 0.5, d)
    r[:, 2 * size : 3 * size] = cell
    return r


@floating
def lstm_loop(xp: Any, gates: Any, h: Any, c: Any, weight: Any, sizes: Any, reverse: bool) -> Any:
    size, d = h.shape[1], gates.dtype
    scale, shift = (_gate_factors(xp, size, h.shape[0], cell, d) for cell in (1, 0))
    half = scale[:1] if len(scale) else _gate_factors(xp, size, 1, 1, d)
    work = gates * half
    # In rows, as the products of each step want it.
    wt = xp.ascontiguousarray(weight.T)
    wt = wt * half
    h, c = h.copy(), c.copy()
    output = xp.empty((gates.shape[0], size), d)
    cells = xp.empty_like(output)
    buffer = xp.empty((h.shape[0], 4 * size), d)
    small = xp.empty_like(h)
    for n, rows in steps_of(sizes, reverse):
        a, part, hn, cn, m = work[rows], buffer[:n], h[:n], c[:n], small[:n]
        xp.matmul(hn, wt, out=part)
        a += part
        xp.tanh(a, out=a)
        a *= scale[:n]
        a += shift[:n]
        cn *= a[:, size : 2 * size]
        xp.multiply(a[:, :size], a[:, 2 * size : 3 * size], out=m)
        cn += m
        cells[rows] = cn
        xp.tanh(cn, out=m)
        xp.multiply(m, a[:, 3 * size :], out=hn)
        output[rows] = hn
    return output, h, c, cells, work


def _lstm_factors(xp: Any, work: Any, cells: Any, before: Any) -> tuple[Any, Any]:
    """What the gradients of cells and states are multiplied by: for each gate, and for the way from state to cell."""
    rows, size = cells.shape
    factor, through = xp.empty((rows, 4, size), work.dtype), xp.empty_like(cells)
    step = max(_PART // max(size, 1), 1)
    room = xp.empty((5, min(step, rows), size), work.dtype)
    for at in range(0, rows, step):
        part = slice(at, at + step)
        to, t = factor[part], xp.tanh(cells[part], out=through[part])
        # Each gate by itself: passes over short rows would cost several times as much.
        here = room[:, : len(t)]
        here[:4] = work[part].reshape(-1, 4, size).swapaxes(0, 1)
        i, f, g, o, slope = here
        for place, gate, other in ((0, i, g), (1, f, before[part]), (3, o, t)):
            xp.subtract(1, gate, out=slope)
            slope *= gate
            xp.multiply(slope, other, out=to[:, place])
        g *= g
        xp.subtract(1, g, out=g)
        xp.multiply(g, i, out=to[:, 2])
        t *= t
        xp.subtract(1, t, out=t)
        t *= o
    return factor, through


@floating
def _lstm_backward(xp: Any, work: Any, grad_output: Any, grad_h: Any, grad_c: Any, h: Any, c: Any, weight: Any,
                   sizes: Any, reverse: bool, output: Any, cells: Any) -> Any:
    size = h.shape[1]
    steps = steps_of(sizes, reverse)
    factor, through = _lstm_factors(xp, work, cells, _previous(xp, cells, c, steps))
    f = work[:, size : 2 * size]
    weight = xp.ascontiguousarray(weight)
    dh, dc = _start(xp, grad_h, h), _start(xp, grad_c, c)
    small = xp.empty_like(dc)
    d_gates = factor.reshape(work.shape)
    for n, rows in reversed(steps):
        hn, cn, m, d = dh[:n], dc[:n], small[:n], factor[rows]
        if grad_output is not None:
            hn += grad_output[rows]
        cn += xp.multiply(hn, through[rows], out=m)
        # The factors are needed once: the gradients take their places.
        d[:, :3] *= cn[:, None]
        d[:, 3] *= hn
        cn *= f[rows]
        xp.matmul(d_gates[rows], weight, out=hn)
    return d_gates, dh, dc, d_gates.T @ _previous(xp, output, h, steps)


def lstm_loop_backward(xp: Any, grad_output: Any, grad_h: Any, grad_c: Any, h: Any, c: Any, weight: Any, sizes: Any,
                       reverse: bool, output: Any, cells: Any, workspace: Any) -> Any:
    return _lstm_backward(xp, workspace, grad_output, grad_h, grad_c, h, c, weight, sizes, reverse, output, cells)


@floating
def gru_loop(xp: Any, gates: Any, h: Any, weight: Any, bias: Any, sizes: Any, reverse: bool) -> Any:
    size = h.shape[1]
    work = gates.copy()
    work[:, : 2 * size] *= 0.5
    wt = weight.T.copy()
    wt[:, : 2 * size] *= 0.5
    if bias is not None:
        bias = bias.copy()
        bias[: 2 * size] *= 0.5
    h = h.copy()
    output = xp.empty((gates.shape[0], size), gates.dtype)
    hidden = xp.empty_like(output)
    buffer = xp.empty((h.shape[0], 3 * size), gates.dtype)
    small = xp.empty_like(h)
    for n, rows in steps_of(sizes, reverse):
        a, part, hn, m = work[rows], buffer[:n], h[:n], small[:n]
        xp.matmul(hn, wt, out=part)
        if bias is not None:
            part += bias
        hidden[rows] = part[:, 2 * size :]
        s, new = a[:, : 2 * size], a[:, 2 * size :]
        s += part[:, : 2 * size]
        xp.tanh(s, out=s)
        s *= 0.5
        s += 0.5
        xp.multiply(s[:, :size], part[:, 2 * size :], out=m)
        new += m
        xp.tanh(new, out=new)
        hn -= new
        hn *= s[:, size:]
        hn += new
        output[rows] = hn
    return output, h, hidden, work


@floating
def _gru_backward(xp: Any, work: Any, grad_output: Any, grad_h: Any, h: Any, weight: Any, sizes: Any, reverse: bool,
                  output: Any, hidden: Any) -> Any:
    size = h.shape[1]
    steps = steps_of(sizes, reverse)
    before = _previous(xp, output, h, steps)
    r, z, new = (work[:, k * size : (k + 1) * size] for k in range(3))
    # reset, update, new seen by the hidden projection, new seen by the input projection: all are dh times a factor
    factor = xp.empty((work.shape[0], 4, size), work.dtype)
    factor[:, 3] = (1 - z) * (1 - new * new)
    factor[:, 2] = factor[:, 3] * r
    factor[:, 1] = (before - new) * z * (1 - z)
    factor[:, 0] = factor[:, 2] * hidden * (1 - r)
    d = xp.empty_like(factor)
    by_hidden = d.reshape(work.shape[0], 4 * size)[:, : 3 * size]
    dh = _start(xp, grad_h, h)
    for n, rows in reversed(steps):
        hn = dh[:n]
        if grad_output is not None:
            hn += grad_output[rows]
        xp.multiply(factor[rows], hn[:, None], out=d[rows])
        hn *= z[rows]
        hn += by_hidden[rows] @ weight
    d_gates = xp.empty_like(work)
    d_gates[:, : 2 * size] = by_hidden[:, : 2 * size]
    d_gates[:, 2 * size :] = d[:, 3]
    return d_gates, dh, by_hidden.T @ before, by_hidden.sum(0)


def gru_loop_backward(xp: Any, grad_output: Any, grad_h: Any, h: Any, weight: Any, sizes: Any, reverse: bool,
                      output: Any, hidden: Any, workspace: Any) -> Any:
    return _gru_backward(xp, workspace, grad_output, grad_h, h, weight, sizes, reverse, output, hidden)
