"""Views with other strides over CuPy's arrays, which know no marks against writing."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ..memory import strided as _over


def strided(xp: Any, a: Any, shape: Any, strides: Any, shift: int = 0) -> Any:
    """An array over ``a``'s memory; ``shift`` and ``strides`` in bytes."""
    return _over(a, shape, strides, shift)


def fixed(a: Any) -> Any:
    """``a``: CuPy has no read-only arrays."""
    return a


def writable(op: str, a: Any) -> Any:
    """``a`` if each of its elements has memory of its own, else torch's error."""
    if a.size and any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)):
        raise RuntimeError(
            message(
                op,
                "unsupported operation: more than one element of the written-to tensor refers to "
                "a single memory location",
                {"shape": list(a.shape)},
                hint="call .clone() on it first",
            )
        )
    return a
