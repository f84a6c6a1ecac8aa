"""A line search for the strong Wolfe conditions: bracket a good step, then zoom in by cubic interpolation.

Source: Nocedal and Wright, "Numerical Optimization", 2006, algorithms 3.5 and 3.6.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

DECREASE = 1e-4
CURVATURE = 0.9


@dataclass(slots=True)
class Trial:
    """A step length with the loss there, its gradient, and the gradient's component along the direction."""

    t: float
    loss: float
    grad: Any
    slope: float


def cubic_minimum(a: Trial, b: Trial, low: float, high: float) -> float:
    """Return where the cubic through two points with their slopes is least, kept between ``low`` and ``high``."""
    if a.t > b.t:
        a, b = b, a
    if a.t == b.t:
        return min(max(a.t, low), high)
    d1 = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.t - b.t)
    square = d1 * d1 - a.slope * b.slope
    if not square >= 0:
        return (low + high) / 2.0
    d2 = math.sqrt(square)
    bottom = b.slope - a.slope + 2 * d2
    if bottom == 0:
        return (low + high) / 2.0
    return min(max(b.t - (b.t - a.t) * ((b.slope + d2 - d1) / bottom), low), high)


def strong_wolfe(
    evaluate: Callable[[float], Trial], start: Trial, t: float, reach: float, smallest: float, limit: int
) -> tuple[Trial, int]:
    """Find a step that decreases the loss enough and leaves little slope.

    Args:
        evaluate: gives the trial at a step length.
        start: the trial at 0.
        t: the first step length to try.
        reach: the largest change of a parameter for a step length of 1.
        smallest: a bracket that changes parameters by less than this is final.
        limit: how many trials are allowed.

    Returns:
        The chosen trial, and how many were made.
    """
    bracket, found, trials = _bracket(evaluate, start, t, limit)
    count = trials + 1
    order = (0, 1) if bracket[0].loss <= bracket[-1].loss else (1, 0)
    if found or len(bracket) == 1:
        return bracket[0], count
    stuck = False
    while trials < limit and abs(bracket[1].t - bracket[0].t) * reach >= smallest:
        t, stuck = _trial_step(bracket, stuck)
        new = evaluate(t)
        count += 1
        trials += 1
        low, high = order
        if new.loss > start.loss + DECREASE * t * start.slope or new.loss >= bracket[low].loss:
            bracket[high] = new
            order = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        found = abs(new.slope) <= -CURVATURE * start.slope
        if not found and new.slope * (bracket[high].t - bracket[low].t) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = new
        if found:
            break
    return bracket[order[0]], count


def _bracket(
    evaluate: Callable[[float], Trial], start: Trial, t: float, limit: int
) -> tuple[list[Trial], bool, int]:
    """Walk out until two trials enclose a good step, or one is good itself."""
    before, new = start, evaluate(t)
    trials = 0
    while trials < limit:
        if new.loss > start.loss + DECREASE * new.t * start.slope or trials > 1 and new.loss >= before.loss:
            return [before, new], False, trials
        if abs(new.slope) <= -CURVATURE * start.slope:
            return [new], True, trials
        if new.slope >= 0:
            return [before, new], False, trials
        low, high = new.t + 0.01 * (new.t - before.t), new.t * 10
        before, new = new, evaluate(cubic_minimum(before, new, low, high))
        trials += 1
    return [start, new], False, trials


def _trial_step(bracket: list[Trial], stuck: bool) -> tuple[float, bool]:
    """Interpolate in a bracket; a second step in a row close to an end is moved a tenth of the bracket inwards."""
    low, high = sorted(trial.t for trial in bracket)
    t = cubic_minimum(bracket[0], bracket[1], low, high)
    margin = 0.1 * (high - low)
    if min(high - t, t - low) >= margin:
        return t, False
    if not (stuck or t >= high or t <= low):
        return t, True
    return (high - margin if abs(t - high) < abs(t - low) else low + margin), False
