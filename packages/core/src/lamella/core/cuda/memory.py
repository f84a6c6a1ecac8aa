"""Memory of arrays on a GPU: who owns it, views with other strides, and copies in other orders."""

from __future__ import annotations

import math
from typing import Any

import cupy
import numpy as np

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


def uploaded(raw: Any, index: int | None) -> Any:
    """The bytes of a block of the host on a GPU (the current one where no number is given)."""
    with cupy.cuda.Device(cupy.cuda.runtime.getDevice() if index is None else index):
        return cupy.asarray(raw)


def within(block: Any, shape: Any, d: Any, offset: int, strides: Any) -> Any:
    """An array over part of a block of bytes."""
    return cupy.ndarray(tuple(shape), d, block.data + offset if offset else block.data, tuple(strides))


def downloaded(a: Any, done: dict[Any, Any]) -> Any:
    """A copy of an array on the host with the same steps, inside a copy of all the memory that it shares.

    Args:
        a: the array.
        done: copies that were made, by the address of the memory; those that share memory get the same one.
    """
    root = owner_of(a)
    key = root.data.ptr, root.device.id
    if key not in done:
        done[key] = root, (root if root.flags.c_contiguous else root.T).get()
    host = done[key][1]
    if not a.size:
        return np.empty(a.shape, a.dtype)
    return np.ndarray(a.shape, a.dtype, host.reshape(-1).view(np.uint8), a.data.ptr - root.data.ptr, a.strides)


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
