"""Whether it matters to a training step that leaves have no gradient yet.

The first call of a loop finds none, all others find that of the call before. Where ``zero_grad()`` comes first that is
no difference, but Python looks at the gradients all the same. So a call that was recorded without gradients is recorded
once more with some in place: if the graph is the same, one program serves both.
"""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor, wrap

from .breaks import Break
from .fakes import stand_in
from .sizes import NoFit, fitted
from .tracing import Capture, trace


def look_again(capture: Capture, fn: Any, args: Any, kwargs: Any, wanted: set[Any]) -> None:
    """Clear ``capture.looks_at_grads`` where gradients that are there already make no difference."""
    leaves = [leaf for leaf, number in capture.grads if isinstance(leaf, Tensor) and number is not None]
    if not leaves or len(leaves) != len(capture.grads) or any(leaf._grad is not None for leaf in leaves):
        return
    try:
        for leaf in leaves:
            leaf._grad = wrap(stand_in(leaf._a))
        other = trace(fn, args, kwargs, wanted=wanted)
        fitted([capture.graph, other.graph], _equal)
        same = [(id(leaf), n) for leaf, n in capture.grads] == [(id(leaf), n) for leaf, n in other.grads]
        capture.looks_at_grads = not same
    except (Break, NoFit):
        return
    finally:
        for leaf in leaves:
            leaf._grad = None


def _equal(numbers: tuple[int, ...], what: str) -> int:
    if len(set(numbers)) != 1:
        raise NoFit(f"{what} differs")
    return numbers[0]
