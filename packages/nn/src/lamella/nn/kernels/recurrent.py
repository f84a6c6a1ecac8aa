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
    wt = weight.T
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


def _reordered(xp: Any, gates: Any, half: float) -> Any:
    """Columns input, forget, cell, output as input, forget, output, cell; the sigmoid ones times `half`."""
    size = gates.shape[1] // 4
    r = xp.empty(gates.shape, gates.dtype)
    xp.multiply(gates[:, : 2 * size], half, out=r[:, : 2 * size])
    xp.multiply(gates[:, 3 * size :], half, out=r[:, 2 * size : 3 * size])
    r[:, 3 * size :] = gates[:, 2 * size : 3 * size]
    return r


def _restored(xp: Any, inner: Any) -> Any:
    """The reverse of `_reordered`, without factors."""
    size = inner.shape[1] // 4
    r = xp.empty(inner.shape, inner.dtype)
    r[:, : 2 * size] = inner[:, : 2 * size]
    r[:, 2 * size : 3 * size] = inner[:, 3 * size :]
    r[:, 3 * size :] = inner[:, 2 * size : 3 * size]
    return r


@floating
def lstm_loop(xp: Any, gates: Any, h: Any, c: Any, weight: Any, sizes: Any, reverse: bool) -> Any:
    size = h.shape[1]
    work = _reordered(xp, gates, 0.5)
    wt = _reordered(xp, weight.T, 0.5)
    h, c = h.copy(), c.copy()
    output = xp.empty((gates.shape[0], size), gates.dtype)
    cells = xp.empty_like(output)
    buffer = xp.empty((h.shape[0], 4 * size), gates.dtype)
    small = xp.empty_like(h)
    for n, rows in steps_of(sizes, reverse):
        a, part, hn, cn, m = work[rows], buffer[:n], h[:n], c[:n], small[:n]
        xp.matmul(hn, wt, out=part)
        a += part
        xp.tanh(a, out=a)
        s = a[:, : 3 * size]
        s *= 0.5
        s += 0.5
        cn *= a[:, size : 2 * size]
        xp.multiply(a[:, :size], a[:, 3 * size :], out=m)
        cn += m
        cells[rows] = cn
        xp.tanh(cn, out=m)
        xp.multiply(m, a[:, 2 * size : 3 * size], out=hn)
        output[rows] = hn
    return output, h, c, cells, work


@floating
def _lstm_backward(xp: Any, work: Any, grad_output: Any, grad_h: Any, grad_c: Any, h: Any, c: Any, weight: Any,
                   sizes: Any, reverse: bool, output: Any, cells: Any) -> Any:
    size = h.shape[1]
    steps = steps_of(sizes, reverse)
    i, f, o, g = (work[:, k * size : (k + 1) * size] for k in range(4))
    t = xp.tanh(cells)
    factor = xp.empty((work.shape[0], 4, size), work.dtype)
    factor[:, 0] = g * i * (1 - i)
    factor[:, 1] = _previous(xp, cells, c, steps) * f * (1 - f)
    factor[:, 2] = t * o * (1 - o)
    factor[:, 3] = i * (1 - g * g)
    t *= t
    through = o * (1 - t)
    inner = _restored_rows(xp, weight)
    d_inner = xp.empty_like(factor)
    flat = d_inner.reshape(work.shape)
    dh, dc = _start(xp, grad_h, h), _start(xp, grad_c, c)
    for n, rows in reversed(steps):
        hn, cn, d, k = dh[:n], dc[:n], d_inner[rows], factor[rows]
        if grad_output is not None:
            hn += grad_output[rows]
        cn += hn * through[rows]
        xp.multiply(k, cn[:, None], out=d)
        xp.multiply(k[:, 2], hn, out=d[:, 2])
        cn *= f[rows]
        xp.matmul(flat[rows], inner, out=hn)
    d_gates = _restored(xp, flat)
    return d_gates, dh, dc, d_gates.T @ _previous(xp, output, h, steps)


def _restored_rows(xp: Any, weight: Any) -> Any:
    """The rows of the weight in the order input, forget, output, cell."""
    size = weight.shape[0] // 4
    return xp.concatenate([weight[: 2 * size], weight[3 * size :], weight[2 * size : 3 * size]])


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
