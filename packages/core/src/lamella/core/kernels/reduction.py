"""Reductions over arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import reduce_dims

_ONE_STEP = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64))


def sum(xp: Any, self: Any, dtype: Any) -> Any:
    return sum_dim_IntList(xp, self, None, False, dtype)


def sum_dim_IntList(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    axis = reduce_dims("sum", dim, self.ndim)
    d = self.dtype if dtype is None else dtype.np
    if dtype is None and d not in _ONE_STEP and d.kind in "biu":
        d = np.dtype(np.int64)
    if self.ndim == 0:
        return self.astype(d)
    return xp.add.reduce(self, axis, d, None, keepdim)
