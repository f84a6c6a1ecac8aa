"""Shape rules: what an operator's result looks like, without computing it.

A rule has the operator's name and signature, gets tensors, and returns ``(shape, dtype)`` (one pair per result where
there are several). Meta kernels call the rules; nothing else needs to know them.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..dtypes import bool_, dtype, from_numpy_dtype
from ..promotion import can_cast, result_dtype
from ..runtime import compute_dtype, describe, unsupported
from ..tensor import META, Tensor, contiguous_strides, wrap

_page: Any = None
_RESERVED = 1 << 40


def zero_page() -> Any:
    """Address space that reads as zeros and holds no memory: what meta arrays look at."""
    global _page
    if _page is None:
        flags = (
            getattr(mmap, "MAP_NORESERVE", 0x4000) | getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
        )
        try:
            _page = mmap.mmap(-1, _RESERVED, flags=flags)
        except (OSError, TypeError, ValueError):
            _page = b""
    return _page


def meta_array(shape: tuple[int, ...], d: dtype, strides: tuple[int, ...] | None = None) -> np.ndarray:
    """An array with true shape and strides (in elements) and no memory behind it."""
    step = d.itemsize
    strides = contiguous_strides(shape) if strides is None else strides
    by = tuple(s * step for s in strides)
    page = zero_page()
    if sum(max(n - 1, 0) * s for n, s in zip(shape, by, strict=True)) + step <= len(page):
        return np.ndarray(shape, d.np, page, 0, by)
    return np.lib.stride_tricks.as_strided(np.zeros((), d.np), shape, by)


def meta_result(rule: tuple[Any, ...] | None) -> Any:
    """The meta tensor that a rule's ``(shape, dtype)`` or ``(shape, dtype, strides)`` describes; None for None."""
    return None if rule is None else wrap(meta_array(tuple(rule[0]), *rule[1:]), META)


def shapes_of(op: str, operands: tuple[Any, ...]) -> tuple[int, ...]:
    """The broadcast shape of tensor operands."""
    shapes = [x._a.shape for x in operands if isinstance(x, Tensor)]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise RuntimeError(
            message(
                op, "the shapes cannot be broadcast together", [describe(x) for x in operands if isinstance(x, Tensor)]
            )
        ) from None


def meta_elementwise(
    op: str, promote: str, operands: tuple[Any, ...], refuse: str = ""
) -> tuple[tuple[int, ...], dtype]:
    """The rule of elementwise operators."""
    shape = shapes_of(op, operands)
    if refuse:
        low = result_dtype(*operands)
        if low.np.kind in refuse:
            raise unsupported(op, low)
    if promote == "compare":
        return shape, bool_
    if promote == "none":
        return shape, next(from_numpy_dtype(x._a.dtype) for x in operands if isinstance(x, Tensor))
    return shape, compute_dtype(promote, operands)


def meta_inplace(op: str, target: Tensor, rule: tuple[Any, ...]) -> None:
    """Refuse an in-place result that does not fit its target."""
    shape, d = tuple(rule[0]), rule[1]
    if shape != target._a.shape:
        raise RuntimeError(
            message(op, f"output with shape {list(target._a.shape)} doesn't match the broadcast shape {list(shape)}")
        )
    if not can_cast(d, target.dtype):
        raise RuntimeError(
            message(op, f"result type {d.name} can't be cast to the desired output type {target.dtype.name}")
        )


def same(self: Tensor, *_args: Any, **_kwargs: Any) -> tuple[tuple[int, ...], dtype]:
    """The rule of operators whose result looks like their first argument."""
    return self._a.shape, self.dtype
