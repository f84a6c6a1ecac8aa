"""Operands of elementwise kernels on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes as dt
from ..tensor import Tensor

_TOO_BIG = "int too big to convert"


def as_operand(x: Any, d: dt.dtype) -> Any:
    """A tensor's array in the computing type, or a number as a NumPy scalar, which CuPy passes to a kernel by value."""
    if isinstance(x, Tensor):
        a = x._a
        return a if a.dtype == d.np else a.astype(d.np)
    if x is None:
        return None
    if isinstance(x, (np.generic, np.ndarray)):
        x = x.item()
    if d.category == 1 and isinstance(x, int):
        if x.bit_length() > 64:
            raise OverflowError(_TOO_BIG)
        bits = d.itemsize * 8
        x = int(x) & ((1 << bits) - 1)
        if d.is_signed and x >> (bits - 1):
            x -= 1 << bits
    return np.asarray(x, d.np)[()]
