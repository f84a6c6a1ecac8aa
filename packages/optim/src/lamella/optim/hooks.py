"""Hooks around ``step``, and the wrapper that counts steps and calls them."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from itertools import chain
from typing import Any

from lamella.autograd.hooks import RemovableHandle

before_any: OrderedDict[int, Callable[..., Any]] = OrderedDict()
after_any: OrderedDict[int, Callable[..., Any]] = OrderedDict()


def add(hooks: OrderedDict[int, Callable[..., Any]], hook: Callable[..., Any], first: bool = False) -> RemovableHandle:
    """Put a hook into a dictionary of hooks and return the handle that takes it out."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    if first:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` before each step of every optimizer.

    Args:
        hook: returns None, or new ``(args, kwargs)``; ``args[0]`` is the optimizer.

    Returns:
        A handle; ``handle.remove()`` takes the hook out.
    """
    return add(before_any, hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call ``hook(optimizer, args, kwargs)`` after each step of every optimizer.

    Returns:
        A handle; ``handle.remove()`` takes the hook out.
    """
    return add(after_any, hook)


def counted(step: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an optimizer class's ``step``: count calls for the schedulers, and call hooks.

    A step that calls its parent's ``step`` is one step.
    """

    @functools.wraps(step)
    def wrapper(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self._stepping:
            return step(self, *args, **kwargs)
        self._stepping = True
        try:
            if before_any or after_any or self._optimizer_step_pre_hooks or self._optimizer_step_post_hooks:
                result = _with_hooks(step, self, args, kwargs)
            else:
                result = step(self, *args, **kwargs)
        finally:
            self._stepping = False
        self._step_calls += 1
        return result

    wrapper.hooked = True  # type: ignore[attr-defined]
    return wrapper


def _with_hooks(step: Callable[..., Any], optimizer: Any, given: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args: tuple[Any, ...] = (optimizer, *given)
    for hook in list(chain(before_any.values(), optimizer._optimizer_step_pre_hooks.values())):
        changed = hook(optimizer, args, kwargs)
        if changed is None:
            continue
        if not (isinstance(changed, tuple) and len(changed) == 2):
            raise RuntimeError(
                f"{type(optimizer).__name__}.step: a pre-hook must return None or a tuple of (new_args, new_kwargs), "
                f"but got {changed!r}"
            )
        args, kwargs = changed
    result = step(*args, **kwargs)
    for hook in list(chain(optimizer._optimizer_step_post_hooks.values(), after_any.values())):
        hook(optimizer, args, kwargs)
    return result
