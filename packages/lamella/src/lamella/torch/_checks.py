"""Checks that programs make with torch's helpers, numbers that stand for sizes, and names of errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella.core import Tensor

_EXPECTED = "Expected cond to be True, but got False."


def _failed(kind: type[Exception], op: str, message: Any) -> Exception:
    if message is not None and not callable(message):
        raise TypeError(f"{op}: message must be a callable (got {type(message).__name__})")
    return kind(_EXPECTED if message is None else str(message()))


def _check_with(error_type: type[Exception], cond: bool, message: Any = None) -> None:
    """Raise an exception of a given class unless ``cond`` is true.

    Args:
        error_type: the class.
        cond: a bool.
        message: a function that makes the message.

    Raises:
        TypeError: if ``cond`` is no bool.

    Example:
        >>> _check_with(ValueError, 1 > 0)
    """
    if isinstance(cond, Tensor):
        raise TypeError("_check: cond must be a bool, but got a Tensor\nhint: _check_tensor_all looks at all elements")
    if not isinstance(cond, bool):
        raise TypeError(f"_check: cond must be a bool, but got {type(cond)}")
    if not cond:
        raise _failed(error_type, "_check", message)


def _kind(name: str, error: type[Exception]) -> Callable[..., None]:
    def check(cond: bool, message: Any = None) -> None:
        _check_with(error, cond, message)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"Raise {error.__name__} unless ``cond`` is true; ``message()`` makes the text."
    return check


_check = _kind("_check", RuntimeError)
_check_index = _kind("_check_index", IndexError)
_check_value = _kind("_check_value", ValueError)
_check_type = _kind("_check_type", TypeError)
_check_not_implemented = _kind("_check_not_implemented", NotImplementedError)


def _check_is_size(i: int, message: Any = None, *, max: int | None = None) -> None:
    """Raise RuntimeError unless ``i`` is a size: not negative, and no larger than ``max``."""
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all(cond: Tensor, message: Any = None) -> None:
    """Raise RuntimeError unless all elements of a tensor of bools are true."""
    if not isinstance(cond, Tensor) or cond._a.dtype.kind != "b":
        raise TypeError(f"_check_tensor_all: cond must be a Tensor of bools, but got {type(cond)}")
    if not cond._a.all():
        raise _failed(RuntimeError, "_check_tensor_all", message)


def _assert(condition: Any, message: str) -> None:
    """Raise AssertionError with a message unless ``condition`` holds."""
    if not condition:
        raise AssertionError(message)


def _assert_async(input: Tensor, assert_msg: str | None = None) -> None:
    """Raise RuntimeError unless the element of a tensor is not zero."""
    if not bool(input):
        raise RuntimeError(assert_msg or "_assert_async: Expected Tensor with single nonzero value, but got zero")


class SymInt:
    """The type of sizes that are not known yet; here all are, so there are no instances."""


class SymFloat:
    """The type of numbers that depend on sizes that are not known yet; there are no instances."""


class SymBool:
    """The type of conditions on sizes that are not known yet; there are no instances."""


def sym_int(a: Any) -> int:
    """A number cut off to an int.

    Example:
        >>> sym_int(-2.7)
        -2
    """
    return int(a)


def sym_float(a: Any) -> float:
    """A number as a float."""
    return float(a)


def sym_not(a: Any) -> bool:
    """Whether a number is zero or a condition false."""
    return not a


def sym_max(a: Any, b: Any) -> Any:
    """The larger of two numbers, a float if one of them is.

    Example:
        >>> sym_max(1, 2.0), sym_max(3, 2.0)
        (2.0, 3.0)
    """
    return _as_common(max(a, b), a, b)


def sym_min(a: Any, b: Any) -> Any:
    """The smaller of two numbers, a float if one of them is."""
    return _as_common(min(a, b), a, b)


def _as_common(r: Any, a: Any, b: Any) -> Any:
    return float(r) if isinstance(a, float) or isinstance(b, float) else r


def sym_sqrt(a: Any) -> float:
    """The square root of a number."""
    return math.sqrt(a)


def sym_sum(args: Any) -> Any:
    """The sum of a sequence of numbers."""
    return sum(args)


def sym_ite(b: bool, t: Any, f: Any) -> Any:
    """``t`` if ``b`` else ``f``."""
    if not isinstance(b, bool):
        raise TypeError(f"sym_ite: the condition must be a bool, but got {type(b)}")
    return t if b else f


class AcceleratorError(RuntimeError):
    """What a device other than the CPU reports."""
