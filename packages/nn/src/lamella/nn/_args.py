"""Arguments that functions of this package share."""

from __future__ import annotations

from typing import Any

from lamella.core.faults import as_ints
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message


def spread(op: str, name: str, value: Any, n: int) -> tuple[int, ...]:
    """One whole number for all spatial dimensions, or one for each.

    Raises:
        TypeError: for anything but whole numbers.
        RuntimeError: for another count.
    """
    if value.__class__ is int:
        return (value,) * n
    found: tuple[int, ...]
    found = as_ints(op, name, value, True)
    if len(found) == 1:
        return found * n
    if len(found) != n:
        raise RuntimeError(
            message(op, f"{name} must either be a single int, or a tuple of {n} ints", {name: list(found)})
        )
    return found


def need_tensor(op: str, **tensors: Any) -> None:
    """Refuse arguments that are no tensors with a TypeError."""
    for name, t in tensors.items():
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"argument '{name}' must be Tensor, not {type(t).__name__}"))
