"""Memory of arrays on a GPU: who owns it, views with other strides, and copies in other orders."""

from __future__ import annotations

import math
from typing import Any

import cupy
import numpy as np

from ..layouts import dense_order
from ..tensor import contiguous_strides


def owner_of(a: Any) -> Any:
    """The array that ``a`` is a view of; ``a`` itself where CuPy keeps none (after `as_strided`)."""
    while isinstance(a.base, cupy.ndarray):
        a = a.base
    return a


def whole(a: Any) -> Any:
    """The memory ``a`` looks at, as an array of bytes: a pool hands it out in pieces of 512."""
    memory = a.data.mem
    return cupy.ndarray((memory.size,), "uint8", cupy.cuda.MemoryPointer(memory, 0))


def extent_of(a: Any) -> int:
    """How many bytes from the start of its memory on an array reaches."""
    end = a.itemsize + sum((n - 1) * max(s, 0) for n, s in zip(a.shape, a.strides, strict=True)) if a.size else 0
    return a.data.ptr - a.data.mem.ptr + end


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
    root = whole(a)
    key = root.data.ptr, root.device.id
    if key not in done:
        done[key] = root, root.get()
    host = done[key][1]
    if not a.size:
        return np.empty(a.shape, a.dtype)
    return np.ndarray(a.shape, a.dtype, host.reshape(-1).view(np.uint8), a.data.ptr - root.data.ptr, a.strides)


def pinned(a: np.ndarray) -> np.ndarray:
    """A copy of an array of the host in page-locked memory."""
    import cupyx

    order = dense_order(a) or list(range(a.ndim))
    shape = tuple(a.shape[k] for k in order)
    raw = cupyx.empty_pinned((max(a.nbytes, 1),), np.uint8)[: a.nbytes]
    r = raw.view(a.dtype).reshape(shape).transpose([order.index(k) for k in range(a.ndim)])
    np.copyto(r, a)
    return r


def is_pinned(a: np.ndarray) -> bool:
    """Whether an array of the host lies in page-locked memory."""
    host = 1  # cudaMemoryTypeHost
    return cupy.cuda.runtime.pointerGetAttributes(a.__array_interface__["data"][0]).type == host


def arranged(a: Any, d: Any, memory_format: Any = None) -> Any:
    """A copy of an array in a type and a memory format, on the array's device."""
    from .twins import twin

    with cupy.cuda.Device(a.device.id):
        return twin("lamella.core.layouts").arrange("to", cupy, a, d, memory_format)


def resized(a: Any, shape: tuple[int, ...]) -> Any:
    """The memory under another contiguous shape; more memory with the old elements first where it does not suffice."""
    n = math.prod(shape)
    root = whole(a)
    start = a.data.ptr - root.data.ptr
    if n and start + n * a.itemsize > root.nbytes:
        with cupy.cuda.Device(a.device.id):
            wider = cupy.empty(n, a.dtype)
            kept = max((root.nbytes - start) // a.itemsize, 0)
            if kept:
                wider[:kept] = strided(a, (kept,), (a.itemsize,))
        return wider.reshape(shape)
    return strided(a, shape, [s * a.itemsize for s in contiguous_strides(shape)])
