"""What is to be done when a backward pass is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.autograd.engine import current_task


def when_over(owner: Any, fn: Callable[[], None]) -> None:
    """Call a function when the outermost of the backward passes that go on is over; once for each owner."""
    task: Any = current_task()
    while task.outer is not None:
        task = task.outer
    owners = task.__dict__.setdefault("owners", set())
    if owner not in owners:
        owners.add(owner)
        task.callbacks = [*(task.callbacks or ()), fn]
