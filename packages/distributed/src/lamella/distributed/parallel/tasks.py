"""What is to be done when a backward pass is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.autograd.engine import current_task


def outermost() -> Any:
    """The backward pass that goes on in no other one; None where none goes on."""
    task = current_task()
    while task is not None and task.outer is not None:
        task = task.outer
    return task


def at_end(task: Any, fn: Callable[[], None]) -> None:
    """Call a function when a backward pass is over; also where its functions of this kind are being called."""
    if task.callbacks is None:
        task.callbacks = []
    task.callbacks.append(fn)


def when_over(owner: Any, fn: Callable[[], None]) -> None:
    """Call a function when the outermost of the backward passes that go on is over; once for each owner."""
    task = outermost()
    owners = task.__dict__.setdefault("owners", set())
    if owner not in owners:
        owners.add(owner)
        at_end(task, fn)
