"""Objects that stand in for tensors: how a library's own functions take part in ``__torch_function__``."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from lamella.dispatch import modes
from lamella.dispatch.errors import message
from lamella.dispatch.modes import TorchFunctionMode
from lamella.dispatch.state import state

from .tensor import TORCH_FUNCTION, Tensor

BaseTorchFunctionMode = TorchFunctionMode


def _handles(value: Any) -> bool:
    if isinstance(value, Tensor):
        return bool(value._ks & TORCH_FUNCTION)
    handler = getattr(type(value), "__torch_function__", None)
    return handler is not None and handler is not modes._disabled_torch_function_impl


def _off() -> bool:
    return bool(state.thread.exclude & TORCH_FUNCTION)


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a call should be offered to ``__torch_function__``: a mode is on, or an argument overrides it.

    Args:
        relevant_args: the arguments that may stand in for tensors.

    Example:
        >>> from lamella.core import ones
        >>> has_torch_function((ones(2), 3))
        False
    """
    if _off():
        return False
    if state.thread.function_modes:
        return True
    return not getattr(state.thread, "no_subclass_function", False) and any(_handles(a) for a in relevant_args)


def has_torch_function_unary(arg: Any) -> bool:
    """`has_torch_function` for one argument."""
    return has_torch_function((arg,))


def has_torch_function_variadic(*args: Any) -> bool:
    """`has_torch_function` for the arguments given."""
    return has_torch_function(args)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], *args: Any, **kwargs: Any
) -> Any:
    """Offer a call to the innermost mode and to the arguments that override ``__torch_function__``.

    Args:
        public_api: the function that was called.
        relevant_args: the arguments that may handle the call.
        args, kwargs: the call.

    Returns:
        What the handler returns.

    Raises:
        TypeError: everybody that was asked returned NotImplemented.

    Example:
        >>> class Scalar:
        ...     @classmethod
        ...     def __torch_function__(cls, func, types, args=(), kwargs=None):
        ...         return "handled"
        >>> handle_torch_function(len, (Scalar(),), Scalar())
        'handled'
    """
    overloaded = _overloaded(relevant_args)
    types = tuple(type(a) for a in overloaded)
    asked: list[Any] = []
    if state.thread.function_modes:
        mode: Any = state.thread.function_modes[-1]
        asked.append(mode)
        with modes._Handling(state.thread.function_modes, mode):
            result = mode.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for arg in overloaded:
        asked.append(arg)
        result = type(arg).__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    who = ", ".join(type(a).__name__ for a in asked)
    raise TypeError(message(resolve_name(public_api) or repr(public_api), "no __torch_function__ handled the call",
                            f"asked: {who}"))


def _overloaded(args: Iterable[Any]) -> list[Any]:
    """One argument per type that handles calls, subclasses before their bases."""
    found: list[Any] = []
    for a in args:
        if not _handles(a) or any(type(f) is type(a) for f in found):
            continue
        at = next((i for i, f in enumerate(found) if issubclass(type(a), type(f))), len(found))
        found.insert(at, a)
    return found


def wrap_torch_function(dispatcher: Callable[..., Iterable[Any]]) -> Callable[..., Any]:
    """Make a function overridable: a decorator.

    Args:
        dispatcher: takes the function's arguments, returns those that may handle the call.

    Example:
        >>> @wrap_torch_function(lambda x: (x,))
        ... def double(x):
        ...     return x * 2
        >>> double(4)
        8
    """

    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return fn(*args, **kwargs)

        return wrapped

    return decorate


def is_tensor_like(inp: Any) -> bool:
    """Whether ``inp`` is a tensor or overrides ``__torch_function__``."""
    return isinstance(inp, Tensor) or hasattr(inp, "__torch_function__")


def is_tensor_method_or_property(func: Callable[..., Any]) -> bool:
    """Whether a function that a handler got is one of Tensor's methods or properties."""
    name = resolve_name(func) or ""
    return name.startswith("torch.Tensor.") or getattr(func, "__name__", "") == "__get__"


def resolve_name(f: Any) -> str | None:
    """The name a program calls a function by (``torch.add``), or None.

    Example:
        >>> from lamella.core import add
        >>> resolve_name(add)
        'torch.add'
    """
    if isinstance(f, modes.registry.OpOverload):
        return str(f)
    from . import functions

    for owner, table in (("torch", functions.FUNCTIONS), ("torch.Tensor", functions.METHODS)):
        for name, each in table.items():
            if each is f:
                return f"{owner}.{name}"
    own = getattr(f, "__name__", None)
    if own is not None and getattr(Tensor, own, None) is f:
        return f"torch.Tensor.{own}"
    return own and getattr(f, "__qualname__", own)


def enable_reentrant_dispatch() -> Any:
    """A block in which a handler may be asked again for the calls it makes; here it always may."""
    return state.masks()


__all__ = ["BaseTorchFunctionMode", "TorchFunctionMode", "enable_reentrant_dispatch", "handle_torch_function",
           "has_torch_function", "has_torch_function_unary", "has_torch_function_variadic", "is_tensor_like",
           "is_tensor_method_or_property", "resolve_name", "wrap_torch_function"]
