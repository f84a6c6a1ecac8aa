"""Places that may count from the end."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ...kernels.indexing import index_key as _key
from ..checks import checking
from ..xp import CUPY, ndarray
from .accumulate import extent


def _places(op: str, n: int, index: Any, negative: bool = True) -> Any:
    """Places along a dimension of ``n`` elements, none negative; IndexError for those out of range where they are
    checked.
    """
    if not index.size:
        return index
    if checking():
        low, high = extent(index)
        if high >= n or low < (-n if negative else 0):
            bad = int(high if high >= n else low)
            raise IndexError(message(op, f"index {bad} is out of bounds for dimension 0 with size {n}"))
    return CUPY.where(index < 0, index + n, index)


def index_key(op: str, a: Any, indices: Any) -> tuple[tuple[Any, ...], int]:
    """Index arrays as CuPy takes them, and how many are integer arrays; those on the host are copied to the GPU."""
    moved = [i if i is None or isinstance(i, ndarray) else CUPY.asarray(i) for i in indices]
    key, whole = _key(op, a, moved)
    if checking():
        _check(op, a, key)
    return key, whole


def _check(op: str, a: Any, key: tuple[Any, ...]) -> None:
    dim = 0
    for i in key:
        if i.__class__ is not slice and i.dtype.kind != "b" and i.size:
            low, high = int(i.min()), int(i.max())
            n = a.shape[dim]
            if low < -n or high >= n:
                bad = low if low < -n else high
                raise IndexError(message(op, f"index {bad} is out of bounds for dimension {dim} with size {n}"))
        dim += i.ndim if i.__class__ is not slice and i.dtype.kind == "b" else 1
