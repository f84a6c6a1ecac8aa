"""Views with other strides over CuPy's arrays, which know no marks against writing."""

from __future__ import annotations

from typing import Any

from ...kernels.strides import one_place
from ...storage import is_overlapping
from ..memory import strided as _over


def strided(xp: Any, a: Any, shape: Any, strides: Any, shift: int = 0) -> Any:
    """An array over ``a``'s memory; ``shift`` and ``strides`` in bytes."""
    return _over(a, shape, strides, shift)


def fixed(a: Any) -> Any:
    """``a``: CuPy has no read-only arrays."""
    return a


def writable(op: str, a: Any) -> Any:
    """``a`` if each of its elements has memory of its own, else torch's error."""
    if a.size and is_overlapping(a):
        raise one_place(op, {"shape": list(a.shape)})
    return a
