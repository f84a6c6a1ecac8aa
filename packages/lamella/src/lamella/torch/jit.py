"""torch.jit: marks for a compiler of Python that is not used here; what they mark runs as Python."""

from __future__ import annotations

from typing import Any, Final, TypeVar

from ._missing import lookup

__all__ = ["Final", "annotate", "export", "ignore", "is_scripting", "is_tracing", "isinstance", "script",
           "script_if_tracing", "script_method", "unused"]

T = TypeVar("T")
_isinstance = isinstance


def is_scripting() -> bool:
    """Whether the code runs compiled: never."""
    return False


def is_tracing() -> bool:
    """Whether calls are being recorded: never."""
    return False


def script(obj: T, *args: Any, **kwargs: Any) -> T:
    """Return a function, class or module as it is: it runs as Python and gives the same results.

    Example:
        >>> @script
        ... def double(x):
        ...     return 2 * x
        >>> double(3)
        6
    """
    return obj


def script_method(fn: T) -> T:
    """Return a method as it is."""
    return fn


def script_if_tracing(fn: T) -> T:
    """Return a function as it is."""
    return fn


def export(fn: T) -> T:
    """Return a method as it is."""
    return fn


def unused(fn: T) -> T:
    """Return a method as it is."""
    return fn


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """Return a method as it is; usable with and without arguments."""
    return drop if callable(drop) else lambda fn: fn


def annotate(the_type: Any, the_value: T) -> T:
    """Return the value; the type is for readers."""
    return the_value


def isinstance(obj: Any, target_type: Any) -> bool:
    """`isinstance`, also for subscripted types, whose parameters are not looked at."""
    targets = target_type if _isinstance(target_type, tuple) else (target_type,)
    return _isinstance(obj, tuple(getattr(t, "__origin__", None) or t for t in targets))


__getattr__, __dir__ = lookup(__name__)
