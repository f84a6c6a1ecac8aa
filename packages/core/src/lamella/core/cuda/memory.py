"""Memory of arrays on a GPU: who owns it, views with other strides, and copies in other orders."""

from __future__ import annotations

import math
from typing import Any

import cupy

from ..tensor import contiguous_strides


def owner_of(a: Any) -> Any:
    """The array that owns the memory ``a`` looks at; bytes over all of it where no array is left that does."""
    owner = a
    while isinstance(owner.base, cupy.ndarray):
        owner = owner.base
    at = owner.data
    if at.ptr == at.mem.ptr and (owner.flags.c_contiguous or owner.flags.f_contiguous):
        return owner
    return cupy.ndarray((at.mem.size,), "uint8", cupy.cuda.MemoryPointer(at.mem, 0))


def strided(a: Any, shape: Any, strides: Any, shift: int = 0) -> Any:
    """An array over ``a``'s memory with other sizes and steps, ``shift`` bytes from ``a``'s first element."""
    return cupy.ndarray(tuple(shape), a.dtype, a.data + shift if shift else a.data, tuple(strides))


def arranged(a: Any, d: Any, memory_format: Any = None) -> Any:
    """A copy of an array in a type and a memory format, on the array's device."""
    from .twins import twin

    with cupy.cuda.Device(a.device.id):
        return twin("lamella.core.layouts").arrange("to", cupy, a, d, memory_format)


def resized(a: Any, shape: tuple[int, ...]) -> Any:
    """The memory under another contiguous shape; more memory with the old elements first where it does not suffice."""
    n = math.prod(shape)
    root = owner_of(a)
    start = a.data.ptr - root.data.ptr
    if n and start + n * a.itemsize > root.nbytes:
        with cupy.cuda.Device(a.device.id):
            wider = cupy.empty(n, a.dtype)
            kept = max((root.nbytes - start) // a.itemsize, 0)
            if kept:
                wider[:kept] = strided(a, (kept,), (a.itemsize,))
        return wider.reshape(shape)
    return strided(a, shape, [s * a.itemsize for s in contiguous_strides(shape)])
