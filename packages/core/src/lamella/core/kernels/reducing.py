"""What reductions share: the types they compute in, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .pointwise import unsupported

F32, F64, I64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)
#: Up to this many elements a product with ones is quicker than a reduction.
SMALL = 256


def is_low(d: Any) -> bool:
    return d.itemsize == 2 and d.kind not in "iu"


def sum_dtype(self: Any, dtype: Any) -> Any:
    if dtype is not None:
        return dtype.np
    d = self.dtype
    return I64 if d.kind in "biu" else d


def no_flags(op: str, self: Any) -> None:
    """Refuse bool arrays."""
    if self.dtype.kind == "b":
        raise unsupported(op, self.dtype)


def not_empty(op: str, self: Any, axis: Any, error: type[Exception] = RuntimeError) -> None:
    """Reductions without a neutral element need something to reduce."""
    if axis is None:
        if self.size == 0:
            raise error(
                message(
                    op,
                    "Expected reduction dim to be specified for input.numel() == 0. Specify the "
                    "reduction dim with the 'dim' argument.",
                )
            )
        return
    for i in (axis,) if isinstance(axis, int) else axis:
        if self.ndim and self.shape[i] == 0:
            raise IndexError(message(op, f"Expected reduction dim {i} to have non-zero size."))


def no_complex(op: str, self: Any) -> None:
    if self.dtype.kind == "c":
        raise unsupported(op, self.dtype)


def float_only(op: str, self: Any) -> None:
    if self.dtype.kind in "biu":
        raise RuntimeError(message(op, f"only floating point and complex dtypes are supported, got {self.dtype.name}"))
