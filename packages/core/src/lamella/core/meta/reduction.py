"""Shape rules of reductions."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from ..checks import reduce_dims
from ..tensor import Tensor


def reduced(op: str, self: Tensor, dim: Any, keepdim: bool) -> tuple[int, ...]:
    """The shape after reducing ``dim`` (None: all)."""
    axis = reduce_dims(op, dim, self._a.ndim)
    shape = self._a.shape
    if axis is None:
        return (1,) * len(shape) if keepdim else ()
    if keepdim:
        return tuple(1 if i in axis else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axis)


def _sum_dtype(self: Tensor, dtype: Any) -> dt.dtype:
    return dtype or (dt.int64 if self.dtype.category < 2 else self.dtype)


def sum(self: Tensor, *, dtype: Any = None) -> Any:
    return (), _sum_dtype(self, dtype)


def sum_dim_IntList(self: Tensor, dim: Any, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("sum", self, dim, keepdim), _sum_dtype(self, dtype)
