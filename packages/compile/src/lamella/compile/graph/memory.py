"""Arrays that lie in the memory of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.kernels.strides import fixed
from lamella.core.overlap import may_share as may_overlap
from lamella.core.serialization.memory import Memory
from lamella.core.storage import address, is_cupy, lowest, owner_of
from lamella.core.tensor import CPU, CUDA

__all__ = ["key_of", "lying_in", "may_overlap", "on_gpu", "span"]


def lying_in(array: Any, dtype: Any, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """A view of the memory that an array lies in.

    Args:
        array: any array of that memory. dtype: NumPy's, of the view. shape: of the view.
        stride, offset: in elements of ``dtype``; the offset counts from the array's first element.

    Example:
        >>> lying_in(np.arange(6), np.dtype("int64"), (2, 2), (1, 3), 1).tolist()
        [[1, 4], [2, 5]]
    """
    if on_gpu(array):
        from lamella.core.cuda.memory import strided

        steps, shift = [s * dtype.itemsize for s in stride], offset * dtype.itemsize
        return strided(array if array.dtype == dtype else array.reshape(-1)[:1].view(dtype), shape, steps, shift)
    owner = owner_of(array)
    if 0 in shape or not owner.nbytes:
        return array.reshape(-1)[:0].view(dtype).reshape(shape)
    start = address(array) - lowest(owner) + offset * dtype.itemsize
    return fixed(np.ndarray(shape, dtype, Memory(owner).raw(), start, [s * dtype.itemsize for s in stride]))  # type: ignore


def on_gpu(array: Any) -> bool:
    """Whether an array lies in a GPU's memory."""
    return array.__class__ is not np.ndarray and is_cupy(array)


def span(a: Any) -> tuple[int, int]:
    """The first address of an array's elements and the one behind the last."""
    low = high = address(a)
    for n, s in zip(a.shape, a.strides, strict=True):
        if s < 0:
            low += (n - 1) * s
        else:
            high += (n - 1) * s
    return low, high + a.itemsize


def key_of(array: Any) -> int:
    """The key set of a tensor over an array that has memory."""
    return CUDA if on_gpu(array) else CPU
