"""Switching the recording of graphs on and off: masks on the thread, not flags inside kernels."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state

F = TypeVar("F", bound=Callable[..., Any])


class _Inference(threading.local):
    """Inference mode keeps recording off whatever the grad mode says; the mode asked for meanwhile is kept here."""

    on = False
    grad = False


_inference = _Inference()


def is_grad_enabled() -> bool:
    """Whether operations on this thread are recorded.

    Example:
        >>> with no_grad():
        ...     is_grad_enabled()
        False
    """
    return _inference.grad if _inference.on else not state.thread.exclude & AUTOGRAD_MASK


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode."""
    return _inference.on


def _set_grad_enabled(on: bool) -> None:
    if _inference.on:
        _inference.grad = on
        return
    exclude = state.thread.exclude
    state.swap_exclude(exclude & ~AUTOGRAD_MASK if on else exclude | AUTOGRAD_MASK)


class _Mode:
    """A context manager that is also a decorator, of functions and of generators."""

    def __init__(self) -> None:
        self._before: list[Any] = []

    def clone(self) -> _Mode:
        """A fresh manager of the same kind and arguments."""
        return self.__class__()

    def __enter__(self) -> None:
        raise NotImplementedError

    def __exit__(self, *_exc: object) -> None:
        _set_grad_enabled(self._before.pop())

    def __call__(self, func: F) -> F:
        return _decorate(self.clone, func)


def _decorate(make: Callable[[], Any], func: Any) -> Any:
    if isinstance(func, type):
        raise TypeError(message("grad mode", "cannot decorate a class", {"class": func.__name__},
                                hint="decorate its methods, for example __init__ or forward"))
    if inspect.isgeneratorfunction(func):
        return _decorate_generator(make, func)

    @functools.wraps(func)
    def within(*args: Any, **kwargs: Any) -> Any:
        with make():
            return func(*args, **kwargs)

    return within


def _decorate_generator(make: Callable[[], Any], func: Any) -> Any:
    @functools.wraps(func)
    def within(*args: Any, **kwargs: Any) -> Any:
        # The mode holds while the generator runs, and the caller's own mode while it is suspended.
        with make():
            gen = func(*args, **kwargs)
        send: Callable[[Any], Any] = gen.send
        value: Any = None
        try:
            while True:
                try:
                    with make():
                        out = send(value)
                except StopIteration as stop:
                    return stop.value
                try:
                    send, value = gen.send, (yield out)
                except GeneratorExit:
                    raise
                except BaseException as error:
                    send, value = gen.throw, error
        finally:
            with make():
                gen.close()

    return within


class _Bare(_Mode):
    """A mode without arguments: also usable as a decorator without parentheses."""

    def __new__(cls, orig_func: Any = None) -> Any:
        if orig_func is None:
            return super().__new__(cls)
        return _decorate(cls, orig_func)

    def __init__(self, orig_func: Any = None) -> None:
        super().__init__()


class no_grad(_Bare):
    """Nothing is recorded within the block: results do not require grad.

    Also a decorator, with or without parentheses, of functions and generators.

    Example:
        >>> from lamella.core import ones
        >>> x = ones(2, requires_grad=True)
        >>> with no_grad():
        ...     y = x + x
        >>> y.requires_grad
        False
    """

    def __enter__(self) -> None:
        self._before.append(is_grad_enabled())
        _set_grad_enabled(False)


class enable_grad(_Bare):
    """Operations are recorded again, within a `no_grad` block.

    Example:
        >>> with no_grad(), enable_grad():
        ...     is_grad_enabled()
        True
    """

    def __enter__(self) -> None:
        self._before.append(is_grad_enabled())
        _set_grad_enabled(True)


class set_grad_enabled(_Mode):
    """Record or do not record: at once as a plain call, for a block as a context manager, for calls as a decorator.

    Args:
        mode: whether to record.

    Example:
        >>> with set_grad_enabled(False):
        ...     is_grad_enabled()
        False
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.prev = is_grad_enabled()
        self.mode = mode
        _set_grad_enabled(mode)

    def __call__(self, func: F) -> F:
        _set_grad_enabled(self.prev)
        return super().__call__(func)

    def clone(self) -> set_grad_enabled:
        return self.__class__(self.mode)

    def __enter__(self) -> None:
        _set_grad_enabled(self.mode)

    def __exit__(self, *_exc: object) -> None:
        _set_grad_enabled(self.prev)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mode={self.mode})"


class inference_mode(_Mode):
    """Nothing is recorded within the block, not even under `enable_grad`.

    Args:
        mode: False leaves inference mode again within the block.

    Example:
        >>> with inference_mode():
        ...     is_inference_mode_enabled()
        True
    """

    def __new__(cls, mode: Any = True) -> Any:
        if isinstance(mode, bool):
            return super().__new__(cls)
        return _decorate(cls, mode)

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self.mode = mode

    def clone(self) -> inference_mode:
        return self.__class__(self.mode)

    def __enter__(self) -> None:
        before = (_inference.on, is_grad_enabled(), _inference.grad)
        self._before.append(before)
        if self.mode:
            if not before[0]:
                _set_grad_enabled(False)
            _inference.on, _inference.grad = True, False
        elif before[0]:
            _inference.on = False
            _set_grad_enabled(True)

    def __exit__(self, *_exc: object) -> None:
        was_on, grad, inner = self._before.pop()
        _inference.on = False
        _set_grad_enabled(False if was_on else grad)
        _inference.on, _inference.grad = was_on, inner


class set_multithreading_enabled(_Mode):
    """Accepted for torch's sake: backward passes run on the thread that calls them."""

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self.mode = mode

    def clone(self) -> set_multithreading_enabled:
        return self.__class__(self.mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_exc: object) -> None:
        pass
