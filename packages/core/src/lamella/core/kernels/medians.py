"""Middle and most frequent elements."""

from __future__ import annotations

import math
from typing import Any

from ..checks import wrap_dim
from .reducing import SMALL, no_complex, no_flags, not_empty
from .sums import steps


def _middle(xp: Any, a: Any, skip_nan: bool) -> tuple[Any, Any]:
    """Lower median along the last dimension with its index."""
    if a.dtype.kind == "V":  # bfloat16, whose nan NumPy does not sort to the end
        values, index = _middle(xp, a.astype(xp.float32), skip_nan)
        return values.astype(a.dtype), index
    n = a.shape[-1]
    if a.size > SMALL and (a.dtype.kind in "iu" or a.dtype.kind == "f" and not xp.isnan(a).any()):
        values = xp.partition(a, (n - 1) // 2, -1)[..., (n - 1) // 2]
        return values, (a == values[..., None]).argmax(-1)
    order = a.argsort(-1, "stable")  # nan sorts last
    if a.ndim == 2 and a.dtype.kind == "f" and a.itemsize > 2:
        flat = a.reshape(-1)
        index = order[:, (n - 1) // 2]
        if not math.isnan(flat.dot(flat)):
            return flat.take(index + steps(xp, a.size, n)), index.copy()
    if a.dtype.kind in "biu":
        k = xp.full(a.shape[:-1], (n - 1) // 2)
    else:
        bad = xp.isnan(a).sum(-1)
        k = xp.maximum((n - bad - 1) // 2, 0) if skip_nan else xp.where(bad > 0, n - bad, (n - 1) // 2)
    index = xp.take_along_axis(order, k[..., None], -1)
    return xp.take_along_axis(a, index, -1)[..., 0], index[..., 0]


def _median(op: str, skip_nan: bool) -> tuple[Any, Any]:
    def full(xp: Any, self: Any) -> Any:
        no_complex(op, self)
        no_flags(op, self)
        if self.size == 0:
            return xp.asarray(math.nan, self.dtype) if self.dtype.kind == "f" else xp.asarray(0, self.dtype)
        return _middle(xp, self.reshape(-1), skip_nan)[0]

    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        no_complex(op, self)
        no_flags(op, self)
        axis = wrap_dim(op, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        not_empty(op, self, axis)
        last = axis == self.ndim - 1
        values, index = _middle(xp, self if last else xp.moveaxis(self, axis, -1), skip_nan)
        return (xp.expand_dims(values, axis), xp.expand_dims(index, axis)) if keepdim else (values, index)

    return full, along


median, median_dim = _median("median", False)
nanmedian, nanmedian_dim = _median("nanmedian", True)


def mode(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
    no_complex("mode", self)
    axis = wrap_dim("mode", dim, self.ndim)
    if self.ndim == 0:
        return self.copy(), xp.zeros((), xp.int64)
    not_empty("mode", self, axis)
    a = xp.moveaxis(self, axis, -1)
    order = xp.argsort(a.astype(xp.float32) if a.dtype.kind == "V" else a, -1, kind="stable")
    s = xp.take_along_axis(a, order, -1)
    # Runs of equal elements in sorted order; the first longest run is the smallest most frequent value.
    start = xp.concatenate([xp.ones((*s.shape[:-1], 1), bool), s[..., 1:] != s[..., :-1]], -1)
    place = xp.arange(s.shape[-1])
    length = place - xp.maximum.accumulate(xp.where(start, place, 0), -1)
    last = xp.expand_dims(xp.argmax(length, -1), -1)
    values, index = xp.take_along_axis(s, last, -1), xp.take_along_axis(order, last, -1)
    if not keepdim:
        return values[..., 0], index[..., 0]
    return xp.moveaxis(values, -1, axis), xp.moveaxis(index, -1, axis)
