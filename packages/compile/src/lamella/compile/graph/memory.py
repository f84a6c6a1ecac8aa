"""Arrays that lie in the memory of others."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.kernels.strides import fixed
from lamella.core.serialization.memory import Memory
from lamella.core.storage import address, lowest, owner_of


def lying_in(array: Any, dtype: Any, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Any:
    """A view of the memory that an array lies in.

    Args:
        array: any array of that memory. dtype: NumPy's, of the view. shape: of the view.
        stride, offset: in elements of ``dtype``; the offset counts from the array's first element.

    Example:
        >>> lying_in(np.arange(6), np.dtype("int64"), (2, 2), (1, 3), 1).tolist()
        [[1, 4], [2, 5]]
    """
    owner = owner_of(array)
    if 0 in shape or not owner.nbytes:
        return array.reshape(-1)[:0].view(dtype).reshape(shape)
    start = address(array) - lowest(owner) + offset * dtype.itemsize
    return fixed(np.ndarray(shape, dtype, Memory(owner).raw(), start, [s * dtype.itemsize for s in stride]))  # type: ignore
