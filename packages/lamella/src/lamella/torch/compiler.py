"""torch.compiler: marks for the compiler."""

from __future__ import annotations

from typing import Any, TypeVar

from ._missing import lookup

__all__ = ["allow_in_graph", "assume_constant_result", "disable", "is_compiling", "is_dynamo_compiling", "is_exporting",
           "reset"]

T = TypeVar("T")


def is_compiling() -> bool:
    """Whether the code runs for the compiler to record it."""
    return False


def is_dynamo_compiling() -> bool:
    """Whether the code runs for the compiler to record it."""
    return False


def is_exporting() -> bool:
    """Whether the code runs to be exported."""
    return False


def reset() -> None:
    """Forget everything that was compiled."""


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """Keep the compiler out of a function; usable with and without arguments."""
    return (lambda f: f) if fn is None else fn


def allow_in_graph(fn: T) -> T:
    """Let the compiler call a function without looking into it."""
    return fn


def assume_constant_result(fn: T) -> T:
    """Let the compiler take a function's result as constant."""
    return fn


def compile(*args: Any, **kwargs: Any) -> Any:
    """`torch.compile`."""
    from ._compile import compile

    return compile(*args, **kwargs)


__getattr__, __dir__ = lookup(__name__)
