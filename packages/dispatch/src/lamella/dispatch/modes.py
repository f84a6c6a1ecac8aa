"""Python code that sees calls: modes (context managers) and tensor subclasses, by torch's names.

``__torch_dispatch__`` runs under the ``Python`` key, below autograd: it sees what would have reached a backend.
``__torch_function__`` runs under ``TorchFunction``, above everything: it sees the call as the user wrote it. While a
handler runs its own mode is off, so that it may call the operator again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from . import adapter, registry
from .errors import message
from .keys import BACKEND_MASK, DispatchKey, below, bit, keys_of
from .state import state

_PYTHON = bit(DispatchKey.Python)
_CALL = bit(DispatchKey.PythonDispatcher)
_FUNCTION = bit(DispatchKey.TorchFunction)
#: What a `__torch_dispatch__` handler must not meet again: every layer between Python and TorchFunction.
_PASSED = below(DispatchKey.TorchFunction) & ~below(DispatchKey.AutogradCPU)


def set_public_function(fn: Callable[[registry.OpOverload], Any]) -> None:
    """Tell which function `__torch_function__` handlers are given for an operator overload."""
    registry.install(public_function=fn)


class TorchDispatchMode:
    """A context manager whose `__torch_dispatch__` sees every operator call of this thread.

    Override ``__torch_dispatch__(self, func, types, args=(), kwargs=None)``; ``func`` is the operator overload and can
    be called. The mode is off inside the handler; outer modes stay on. Modes nest, the innermost is asked first.

    Example:
        >>> class Count(TorchDispatchMode):
        ...     calls = 0
        ...     def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        ...         self.calls += 1
        ...         return func(*args, **(kwargs or {}))
        >>> with Count() as count:
        ...     pass
        >>> count.calls
        0
    """

    _key = DispatchKey.Python

    def __torch_dispatch__(
        self, func: Any, types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Handle one call; the default refuses."""
        name = type(self).__name__
        raise NotImplementedError(message(name, "a mode must define __torch_dispatch__(func, types, args, kwargs)"))

    def __enter__(self) -> Any:
        state.thread.modes.append(self)
        _sync()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _leave(self, state.thread.modes)
        _sync()


class CallMode(TorchDispatchMode):
    """As `TorchDispatchMode`, but above autograd and every other layer: it sees operators as they were called.

    Composite operators are seen whole, and what the handler calls is differentiated as usual.
    """

    _key = DispatchKey.PythonDispatcher


class TorchFunctionMode:
    """A context manager whose `__torch_function__` sees every public function called on this thread.

    Override ``__torch_function__(self, func, types, args=(), kwargs=None)``.

    Example:
        >>> class Quiet(TorchFunctionMode):
        ...     def __torch_function__(self, func, types, args=(), kwargs=None):
        ...         return func(*args, **(kwargs or {}))
        >>> with Quiet():
        ...     pass
    """

    def __torch_function__(
        self, func: Any, types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Handle one call; the default refuses."""
        name = type(self).__name__
        raise NotImplementedError(message(name, "a mode must define __torch_function__(func, types, args, kwargs)"))

    def __enter__(self) -> Any:
        state.thread.function_modes.append(self)
        _sync()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _leave(self, state.thread.function_modes)
        _sync()


def _leave(mode: object, stack: list[Any]) -> None:
    if stack and stack[-1] is mode:
        stack.pop()
        return
    name = type(mode).__name__
    if any(each is mode for each in stack):
        del stack[max(i for i, each in enumerate(stack) if each is mode)]
        _sync()
        top = type(stack[-1]).__name__
        raise RuntimeError(message(name, "a mode is left before the ones entered after it", f"innermost: {top}"))
    raise RuntimeError(message(name, "a mode is left that is not on", hint="enter it with `with`"))


def _wanted(t: Any, include: int) -> int:
    """An include mask with the bits of the mode stacks that are not empty."""
    include &= ~(_PYTHON | _CALL | _FUNCTION)
    if t.function_modes:
        include |= _FUNCTION
    for mode in t.modes:
        include |= bit(mode._key)
    return include


def _sync() -> None:
    """Make the include mask say which mode stacks are not empty."""
    t = state.thread
    include = _wanted(t, t.include)
    if include != t.include:
        state.set_masks(include, t.exclude)


# -- subclasses ------------------------------------------------------------------------------------------------------


def subclass_keys(cls: type, base: type) -> int:
    """The key bits of a tensor subclass: what it overrides of ``base`` (the plain tensor class).

    A class switches interception off by ``__torch_function__ = _disabled_torch_function_impl`` (the same for
    ``__torch_dispatch__``).
    """
    ks = 0
    own = _function(cls, "__torch_dispatch__")
    if own is not None and own is not _function(base, "__torch_dispatch__") and own is not _disabled:
        ks |= _PYTHON
    own = _function(cls, "__torch_function__")
    if own is not None and own is not _function(base, "__torch_function__") and own is not _disabled:
        ks |= _FUNCTION
    return ks


def _function(cls: type, name: str) -> Any:
    for each in cls.__mro__:
        if name in each.__dict__:
            found = each.__dict__[name]
            return getattr(found, "__func__", found)
    return None


def _disabled_torch_function_impl(
    func: Any, types: tuple[type, ...], args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
) -> Any:
    """Call ``func`` without asking `__torch_function__`."""
    with DisableTorchFunctionSubclass():
        return func(*args, **(kwargs or {}))


_disabled = _disabled_torch_function_impl
_disabled_torch_dispatch_impl = _disabled_torch_function_impl


def _overloaded(args: Iterable[Any], kwargs: dict[str, Any], name: str, wanted: int) -> list[Any]:
    """The arguments whose type handles calls, one per type, subclasses before their bases, else left to right."""
    found: list[Any] = []
    for value in adapter.tensors_in([list(args), kwargs]):
        kind = type(value)
        if not adapter.current.keyset(value) & wanted or any(type(each) is kind for each in found):
            continue
        at = next((i for i, each in enumerate(found) if issubclass(kind, type(each))), len(found))
        found.insert(at, value)
    return found


def _ask(
    candidates: list[Any], name: str, func: Any, types: tuple[type, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    for each in candidates:
        result = getattr(type(each), name)(func, types, args, kwargs)
        if result is not NotImplemented:
            return result
    return NotImplemented


def _nobody(op: registry.OpOverload, name: str, asked: Iterable[Any]) -> TypeError:
    who = ", ".join(type(each).__name__ for each in asked)
    return TypeError(message(op.name, f"no {name} handled the call", f"asked: {who}"))


# -- the kernels of the three keys -----------------------------------------------------------------------------------


def _dispatch_kernel(op: registry.OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
    """Bound for the ``Python`` key: a mode, then subclasses, then the layer below."""
    if _is_composite(op, ks):
        return lower  # its body calls operators, and those are seen

    def python(*args: Any, **kwargs: Any) -> Any:
        t = state.thread
        mode = _top(t.modes, DispatchKey.Python)
        subclasses = _overloaded(args, kwargs, "__torch_dispatch__", _PYTHON)
        types = tuple(type(each) for each in subclasses)
        if mode is not None:
            with _Handling(t.modes, mode, _PASSED):
                result = mode.__torch_dispatch__(op, types, args, kwargs)
            if result is not NotImplemented:
                return result
        elif not subclasses:
            return lower(*args, **kwargs)
        with _Handling(t.modes, None, _PASSED):
            result = _ask(subclasses, "__torch_dispatch__", op, types, args, kwargs)
        if result is NotImplemented:
            raise _nobody(op, "__torch_dispatch__", [*([mode] if mode else []), *subclasses])
        return result

    return python


def _call_kernel(op: registry.OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
    """Bound for ``PythonDispatcher``: `CallMode` handlers."""

    def python_dispatcher(*args: Any, **kwargs: Any) -> Any:
        t = state.thread
        mode = _top(t.modes, DispatchKey.PythonDispatcher)
        if mode is None:
            return lower(*args, **kwargs)
        types = tuple(type(each) for each in _overloaded(args, kwargs, "__torch_dispatch__", _PYTHON))
        with _Handling(t.modes, mode):
            result = mode.__torch_dispatch__(op, types, args, kwargs)
        if result is NotImplemented:
            raise _nobody(op, "__torch_dispatch__", [mode])
        return result

    return python_dispatcher


def _function_kernel(op: registry.OpOverload, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
    """Bound for ``TorchFunction``: a mode, then subclasses, then the layer below."""

    def torch_function(*args: Any, **kwargs: Any) -> Any:
        public = op if registry.public_function is None else registry.public_function(op)
        handled, result = handle_torch_function(public, args, kwargs, op=op)
        return result if handled else lower(*args, **kwargs)

    return torch_function


def handle_torch_function(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, op: registry.OpOverload | None = None
) -> tuple[bool, Any]:
    """Offer a call to the innermost `TorchFunctionMode` and to subclasses.

    Args:
        func: what handlers get as ``func``.
        args, kwargs: the call as the user wrote it.
        op: the overload, for the message.

    Returns:
        ``(handled, result)``; ``handled`` is False where there was nobody to ask.

    Raises:
        TypeError: everybody that was asked returned NotImplemented.
    """
    t = state.thread
    asked: list[Any] = []
    subclasses: list[Any] = []
    if not getattr(t, "no_subclass_function", False):
        subclasses = _overloaded(args, kwargs, "__torch_function__", _FUNCTION)
    types = tuple(type(each) for each in subclasses)
    result: Any = NotImplemented
    if t.function_modes:
        mode: Any = t.function_modes[-1]
        asked.append(mode)
        with _Handling(t.function_modes, mode):
            result = mode.__torch_function__(func, types, args, kwargs)
    if result is NotImplemented:
        asked += subclasses
        result = _ask(subclasses, "__torch_function__", func, types, args, kwargs)
    if result is NotImplemented and asked:
        name = op.name if op is not None else getattr(func, "__name__", repr(func))
        who = ", ".join(type(each).__name__ for each in asked)
        raise TypeError(message(name, "no __torch_function__ handled the call", f"asked: {who}"))
    return bool(asked), result


def _is_composite(op: registry.OpOverload, ks: int) -> bool:
    backends = keys_of(ks & BACKEND_MASK)
    return (
        op.kernel(DispatchKey.CompositeImplicitAutograd) is not None
        and op.kernel(DispatchKey.CompositeExplicitAutograd) is None
        and op.kernel(DispatchKey.Python) is None
        and not any(op.kernel(key) for key in backends)
    )


def _top(stack: list[Any], key: DispatchKey) -> Any:
    for mode in reversed(stack):
        if mode._key is key:
            return mode
    return None


class _Handling:
    """The state of the thread while a handler runs: its mode is off, and so are the layers the call has passed.

    A class, not a generator: it is entered for every call under a mode.
    """

    __slots__ = ("stack", "mode", "passed", "before", "include", "exclude")

    def __init__(self, stack: list[Any], mode: Any, passed: int = 0) -> None:
        self.stack, self.mode, self.passed = stack, mode, passed

    def __enter__(self) -> None:
        t, stack = state.thread, self.stack
        self.before, self.include, self.exclude = stack[:], t.include, t.exclude
        if self.mode is not None:
            del stack[max(i for i, each in enumerate(stack) if each is self.mode)]
        state.set_masks(_wanted(t, t.include), t.exclude | self.passed)

    def __exit__(self, *_: object) -> None:
        self.stack[:] = self.before
        state.set_masks(self.include, self.exclude)


# -- switching off ---------------------------------------------------------------------------------------------------


@contextmanager
def DisableTorchFunctionSubclass() -> Iterator[None]:  # noqa: N802 - torch's name
    """Within the block no subclass's `__torch_function__` is asked; modes still are."""
    t = state.thread
    before = getattr(t, "no_subclass_function", False)
    t.no_subclass_function = True  # type: ignore[attr-defined]
    try:
        if t.function_modes:
            yield
        else:
            with state.masks(exclude=_FUNCTION):
                yield
    finally:
        t.no_subclass_function = before  # type: ignore[attr-defined]


@contextmanager
def DisableTorchFunction() -> Iterator[None]:  # noqa: N802 - torch's name
    """Within the block neither modes nor subclasses are asked by `__torch_function__`."""
    with state.masks(exclude=_FUNCTION):
        yield


@contextmanager
def _disable_current_modes() -> Iterator[list[Any]]:
    """Within the block no `TorchDispatchMode` is on; yields the modes that were."""
    t = state.thread
    before = list(t.modes)
    t.modes.clear()
    _sync()
    try:
        yield before
    finally:
        t.modes[:] = before
        _sync()


def recorder() -> Any:
    """The mode of this thread that writes calls down, or None.

    Such a mode has a true ``records``: the calls will be repeated without the Python code around them. That code may
    keep what it needs until the end of the recording in the mode's dictionary ``notes``, say by ``refuse(reason,
    hint)`` that it cannot be left out, and put into ``unfinished`` (key -> reason) what refuses if it is still there at
    the end.
    """
    for mode in state.thread.modes:
        if getattr(mode, "records", False):
            return mode
    return None


def current_modes() -> list[Any]:
    """The dispatch modes of this thread, outermost first."""
    return list(state.thread.modes)


registry.set_fallback(DispatchKey.Python, _dispatch_kernel, kind="bind")
registry.set_fallback(DispatchKey.PythonDispatcher, _call_kernel, kind="bind")
registry.set_fallback(DispatchKey.TorchFunction, _function_kernel, kind="bind")
