"""Operands of elementwise kernels on a GPU."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from ..runtime import as_operand as _as_array
from ..tensor import Tensor


def as_operand(x: Any, d: dt.dtype) -> Any:
    """A tensor's array in the computing type, or a number as a NumPy scalar, which CuPy passes to a kernel by value."""
    if isinstance(x, Tensor):
        a = x._a
        return a if a.dtype == d.np else a.astype(d.np)
    return None if x is None else _as_array(x, d)[()]
