"""One hook for the gradients of several tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from lamella.dispatch.errors import message

from .engine import current_task, queue_callback
from .graph import node_of
from .hooks import check_callable


class MultiHandle:
    """Takes the hook out of all its tensors."""

    def __init__(self, handles: Sequence[Any]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        """Remove the hook."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Any], fn: Callable[..., None], *, mode: str = "all") -> MultiHandle:
    """Call ``fn`` when the gradients of several tensors have been computed.

    Args:
        tensors: tensors that require grad.
        fn: with ``mode="all"``, gets a list of all gradients when the last one is there (None for tensors that the
            backward pass does not reach); with ``mode="any"``, gets the first gradient.
        mode: "all" or "any".

    Returns:
        A handle; ``handle.remove()`` takes the hook out.

    Errors:
        ValueError: another mode.

    Example:
        >>> from lamella.core import tensor
        >>> a, b = tensor(1.0, requires_grad=True), tensor(2.0, requires_grad=True)
        >>> handle = register_multi_grad_hook((a, b), lambda grads: print([g.item() for g in grads]))
        >>> (a * b).backward()
        [2.0, 1.0]
    """
    if mode not in ("all", "any"):
        raise ValueError(message("register_multi_grad_hook", f"mode must be 'all' or 'any', but got {mode!r}"))
    check_callable("register_multi_grad_hook", fn)
    lock = threading.Lock()
    passes: dict[int, list[Any]] = {}

    def forget(key: int) -> None:
        passes.pop(key, None)

    def make(place: int) -> Callable[[Any], None]:
        def hook(grad: Any) -> None:
            task = current_task()
            key = id(task)
            with lock:
                state = passes.get(key)
                if state is None:
                    state = passes[key] = [None] * len(tensors) + [_expected(task, tensors)]
                    queue_callback(lambda: forget(key))
                first = all(g is None for g in state[:-1])
                state[place] = grad
                state[-1] -= 1
                last = state[-1] == 0
            if mode == "any" and first:
                fn(grad)
            elif mode == "all" and last:
                fn(state[:-1])

        return hook

    return MultiHandle([t.register_hook(make(i)) for i, t in enumerate(tensors)])


def _expected(task: Any, tensors: Sequence[Any]) -> int:
    """How many of the tensors this backward pass reaches."""
    reached = task.reached()
    return sum(1 for t in tensors if t._ag is not None and node_of(t._ag) in reached)
