"""Arrays over another array's memory with other strides, and the question whether an array may be written to."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..storage import address, is_overlapping, lowest, owner_of
from ..xp import NUMPY

ndarray = np.ndarray


def strided(xp: Any, a: Any, shape: Any, strides: Any, shift: int = 0) -> Any:
    """An array over ``a``'s memory.

    Args:
        xp: the array module.
        a: an array.
        shape: sizes of the result.
        strides: its steps, in bytes.
        shift: where its first element is, in bytes from ``a``'s.
    """
    if xp is NUMPY:
        try:
            return ndarray(shape, a.dtype, a, shift, strides)
        except (ValueError, TypeError, BufferError):
            pass  # not one block of memory in order, or outside it: see from the owner's start
        root = owner_of(a)
        try:
            block = root if root.flags.c_contiguous else root.T
            return ndarray(shape, a.dtype, block, shift + address(a) - lowest(root), strides)
        except (ValueError, TypeError, BufferError):
            pass  # types that buffers do not know, and memory that is not one block
    if shift:
        a = _shifted(xp, a, shift)
    return xp.lib.stride_tricks.as_strided(a, shape, strides)


def _shifted(xp: Any, a: Any, shift: int) -> Any:
    """A one-element array ``shift`` bytes from ``a``'s first element, in the same memory."""
    root = owner_of(a)
    flat = xp.lib.stride_tricks.as_strided(root, (max(root.nbytes // root.itemsize, 1),), (root.itemsize,))
    start = (address(a) - lowest(root) + shift) // a.itemsize
    return flat.view(a.dtype)[start : start + 1]


def in_order(xp: Any, a: Any) -> Any:
    """``a``, copied if its elements do not lie in memory in the order of its dimensions.

    NumPy's results take the order of its operands. Torch's do so where it works element by element; where it works
    along a dimension they lie in order, and programs look at them with other shapes (`Tensor.view`).
    """
    return a if a.flags.c_contiguous else xp.ascontiguousarray(a)


def fixed(a: Any) -> Any:
    """``a``, marked read-only where elements share memory, so that NumPy itself refuses to write to it."""
    if is_overlapping(a):
        a.setflags(write=False)
    return a


def one_place(op: str, values: dict[str, Any]) -> RuntimeError:
    """The error for writing to an array whose elements share memory."""
    rule = "unsupported operation: more than one element of the written-to tensor refers to a single memory location"
    return RuntimeError(message(op, rule, values, hint="call .clone() on it first"))


def writable(op: str, a: Any) -> Any:
    """``a`` if each of its elements has memory of its own, else torch's error.

    Parts of an expanded array are marked read-only as the whole is; where they do not overlap the mark is taken off.
    """
    if a.size and is_overlapping(a):
        raise one_place(op, {"shape": list(a.shape)})
    if not a.flags.writeable:
        try:
            a.setflags(write=True)
        except ValueError:
            raise RuntimeError(
                message(op, "the memory is read-only", {"shape": list(a.shape)}, hint="call .clone() on it first")
            ) from None
    return a
