"""Memory of programs: arrays that begin on a cache line."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..loops.index import contiguous

LINE = 64
SMALL = 4096  # bytes; smaller arrays need no cache line of their own
MANY = 1 << 20  # bytes; larger arrays are not kept in numbers


@cache
def numpy_dtype(name: str) -> Any:
    """NumPy's element type of a name (``bfloat16`` too)."""
    from lamella.core.dtypes import BY_NAME

    return BY_NAME[name].np


def block(size: int) -> Any:
    """``size`` bytes that begin on a cache line, as an array of uint8."""
    memory = np.empty(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + size]


def maker(dtype: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Callable[[], Any]:
    """A function that makes an array of this layout (strides in elements)."""
    kind = numpy_dtype(dtype)
    steps = tuple(step * kind.itemsize for step in stride)
    plain = all(n == 1 or a == b for n, a, b in zip(shape, stride, contiguous(shape), strict=True))
    size = kind.itemsize * (1 + sum((n - 1) * step for n, step in zip(shape, stride, strict=True)))
    if 0 in shape or (plain and size < SMALL):
        return lambda: np.empty(shape, kind)
    raw = ctypes.c_char * size
    # The raw bytes stand between the array and its block: the array itself then counts as the owner of its memory.
    return lambda: np.ndarray(shape, kind, raw.from_buffer(block(size)), 0, steps)


def kept(dtype: str, shape: tuple[int, ...]) -> int:
    """How many arrays of this size are kept for later calls: many small ones, few large ones."""
    size = numpy_dtype(dtype).itemsize
    for n in shape:
        size *= n
    return 2 if size > MANY else 8


def within(memory: Any, start: int, dtype: str, shape: tuple[int, ...], stride: tuple[int, ...]) -> Any:
    """The array that lies in ``memory`` (uint8) from byte ``start`` on; strides in elements."""
    kind = numpy_dtype(dtype)
    if 0 in shape:
        return np.empty(shape, kind)
    return np.ndarray(shape, kind, memory, start, tuple(step * kind.itemsize for step in stride))
