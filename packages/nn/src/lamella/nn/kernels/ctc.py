"""Connectionist temporal classification (Graves et al., 2006): the probability of a label sequence over all alignments.

Labels alternate with blanks: l' = (blank, l1, blank, l2, ..., blank). Forward and backward variables are computed in
logarithms, one step in time for all sequences and places at once.
"""

from __future__ import annotations

import math
from typing import Any


def _places(xp: Any, targets: Any, blank: int) -> tuple[Any, Any]:
    """l' of each sequence, and where two steps at once are allowed (onto a label unlike the one before)."""
    n, s = targets.shape
    labels = xp.full((n, 2 * s + 1), blank, xp.int64)
    labels[:, 1::2] = targets
    jump = xp.zeros(labels.shape, bool)
    jump[:, 3::2] = labels[:, 3::2] != labels[:, 1:-2:2]
    return labels, jump


def _shifted(xp: Any, a: Any, by: int) -> Any:
    """``a`` moved along its rows; -inf comes in."""
    r = xp.full_like(a, -math.inf)
    if by > 0:
        r[:, by:] = a[:, :-by]
    else:
        r[:, :by] = a[:, -by:]
    return r


def _ctc_loss(
    xp: Any, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int, zero_infinity: bool
) -> Any:
    steps, n, _ = log_probs.shape
    labels, jump = _places(xp, targets, blank)
    ends = xp.asarray(target_lengths, xp.int64)
    lengths = xp.asarray(input_lengths, xp.int64)
    rows = xp.arange(n)
    alpha = xp.full((n, steps, labels.shape[1]), -math.inf, log_probs.dtype)
    a = xp.full((n, labels.shape[1]), -math.inf, log_probs.dtype)
    for t in range(steps):
        now = log_probs[t][rows[:, None], labels]
        if t == 0:
            a[:, 0] = now[:, 0]
            a[ends > 0, 1:2] = now[ends > 0, 1:2]
        else:
            two = xp.where(jump, _shifted(xp, a, 2), -math.inf) if a.shape[1] > 2 else a - math.inf
            one = _shifted(xp, a, 1) if a.shape[1] > 1 else a - math.inf
            a = xp.logaddexp(xp.logaddexp(a, one), two) + now
        alpha[:, t] = a
    last = alpha[rows, xp.maximum(lengths - 1, 0)] if steps else a
    total = last[rows, 2 * ends]
    before = xp.where(ends > 0, last[rows, xp.maximum(2 * ends - 1, 0)], -math.inf)
    total = xp.logaddexp(total, before)
    total = xp.where(lengths > 0, total, xp.where(ends == 0, 0, -math.inf))
    return -total.astype(log_probs.dtype), alpha


def _ctc_loss_backward(
    xp: Any,
    grad: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    neg_log_likelihood: Any,
    log_alpha: Any,
    blank: int,
    zero_infinity: bool,
) -> Any:
    steps, n, classes = log_probs.shape
    labels, jump = _places(xp, targets, blank)
    ends = xp.asarray(target_lengths, xp.int64)
    lengths = xp.asarray(input_lengths, xp.int64)
    rows = xp.arange(n)
    one_hot = xp.zeros((n, labels.shape[1], classes), log_probs.dtype)
    one_hot[rows[:, None], xp.arange(labels.shape[1]), labels] = 1
    out = xp.zeros_like(log_probs)
    jump_out = xp.zeros_like(jump)
    jump_out[:, :-2] = jump[:, 2:]
    b = xp.full(labels.shape, -math.inf, log_probs.dtype)
    for t in range(steps - 1, -1, -1):
        now = log_probs[t][rows[:, None], labels]
        two = xp.where(jump_out, _shifted(xp, b, -2), -math.inf) if b.shape[1] > 2 else b - math.inf
        one = _shifted(xp, b, -1) if b.shape[1] > 1 else b - math.inf
        b = xp.logaddexp(xp.logaddexp(b, one), two) + now
        start = lengths == t + 1
        if start.any():
            first = xp.full_like(b, -math.inf)
            first[rows, 2 * ends] = now[rows, 2 * ends]
            some = ends > 0
            first[rows[some], 2 * ends[some] - 1] = now[rows[some], 2 * ends[some] - 1]
            b = xp.where(start[:, None], first, b)
        out[t] = _at_step(xp, log_alpha[:, t] + b, one_hot, log_probs[t], neg_log_likelihood)
    out *= grad[:, None]
    out[xp.arange(steps)[:, None] >= lengths[None, :]] = 0
    if zero_infinity:
        out[:, neg_log_likelihood == math.inf] = 0
    return out


def _at_step(xp: Any, both: Any, one_hot: Any, now: Any, nll: Any) -> Any:
    """exp(log_probs) minus the posterior of each class, as torch has it: the gradient below a log_softmax."""
    top = xp.maximum.reduce(both, 1, None, None, True)
    top[top == -math.inf] = 0
    share = xp.matmul(xp.exp(both - top)[:, None, :], one_hot)[:, 0]
    posterior = xp.where(share > 0, share * xp.exp(top + nll[:, None] - now), 0)
    r = xp.exp(now) - posterior
    r[nll == math.inf] = math.nan
    return r
