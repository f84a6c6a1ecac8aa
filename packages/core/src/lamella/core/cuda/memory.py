"""Memory of arrays on a GPU: who owns it, and views with other strides."""

from __future__ import annotations

from typing import Any

import cupy


def owner_of(a: Any) -> Any:
    """The array that owns the memory ``a`` looks at; bytes over all of it where no array is left that does."""
    owner = a
    while isinstance(owner.base, cupy.ndarray):
        owner = owner.base
    at = owner.data
    if at.ptr == at.mem.ptr and owner.flags.forc:
        return owner
    return cupy.ndarray((at.mem.size,), "uint8", cupy.cuda.MemoryPointer(at.mem, 0))


def strided(a: Any, shape: Any, strides: Any, shift: int = 0) -> Any:
    """An array over ``a``'s memory with other sizes and steps, ``shift`` bytes from ``a``'s first element."""
    at = a.data
    place = at if not shift else cupy.cuda.MemoryPointer(at.mem, at.ptr - at.mem.ptr + shift)
    return cupy.ndarray(tuple(shape), a.dtype, place, tuple(strides))
