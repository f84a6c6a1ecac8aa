"""Reductions that keep every step: running sums, products, extremes and logarithms of sums."""

from __future__ import annotations

import math
from typing import Any

from ..checks import wrap_dim
from .pointwise import logaddexp, unsupported
from .reducing import F32, F64, SMALL, is_low, no_complex, sum_dtype
from .scan import scan
from .strides import in_order
from .sums import steps


def cumsum(xp: Any, self: Any, dim: int, dtype: Any) -> Any:
    return _scan(xp, xp.add, "cumsum", self, dim, dtype)


def cumprod(xp: Any, self: Any, dim: int, dtype: Any) -> Any:
    return _scan(xp, xp.multiply, "cumprod", self, dim, dtype)


def _scan(xp: Any, ufunc: Any, op: str, self: Any, dim: int, dtype: Any) -> Any:
    axis = wrap_dim(op, dim, self.ndim)
    d, self = self.dtype, in_order(xp, self)
    if dtype is None and (d is F32 or d is F64) and 0 < self.size <= SMALL and self.ndim:
        return ufunc.accumulate(self, axis)
    d = sum_dtype(self, dtype)
    if self.ndim == 0:
        return self.astype(d)
    if is_low(d):
        return scan(xp, ufunc, self.astype(F32), axis, F32).astype(d)
    return scan(xp, ufunc, self, axis, d)


def logcumsumexp(xp: Any, self: Any, dim: int) -> Any:
    axis = wrap_dim("logcumsumexp", dim, self.ndim)
    if self.ndim == 0:
        return self.copy()
    if self.dtype.kind in "biu":
        raise unsupported("logcumsumexp", self.dtype)
    if self.dtype.kind == "c":
        return _complex_scan(xp, xp.moveaxis(self, axis, 0), axis)
    if is_low(self.dtype):
        return xp.logaddexp.accumulate(in_order(xp, self).astype(F32), axis).astype(self.dtype)
    return xp.logaddexp.accumulate(in_order(xp, self), axis)


def _complex_scan(xp: Any, a: Any, axis: int) -> Any:
    """logcumsumexp of complex numbers along the first dimension; each step adds to the larger of the two."""
    r = xp.empty_like(a)
    if a.shape[0]:
        r[0] = a[0]
    for i in range(1, a.shape[0]):
        r[i] = logaddexp(xp, r[i - 1], a[i])
    return xp.moveaxis(r, 0, axis)


def _cum_extreme(op: str, ufunc: str) -> Any:
    def cum(xp: Any, self: Any, dim: int) -> Any:
        no_complex(op, self)
        axis = wrap_dim(op, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        best, self = getattr(xp, ufunc), in_order(xp, self)
        if 0 < self.size <= SMALL and self.dtype.kind == "f" and self.itemsize > 2:
            values = best.accumulate(self, axis)
            hit, flat = self == values, values.ravel()
            if math.isnan(flat.dot(flat)):
                hit |= xp.isnan(self)
            place = steps(xp, self.shape[axis], 1)
            if axis < self.ndim - 1:
                place = place.reshape((-1,) + (1,) * (self.ndim - 1 - axis))
            return values, xp.maximum.accumulate(hit * place, axis)
        values = scan(xp, best, self, axis, self.dtype)
        if not self.size:
            return values, xp.zeros(self.shape, xp.int64)
        # An element starts a new run where it is as good as all before it; nan is as good as nan.
        hit = self == values
        if self.dtype.kind not in "biu" and xp.isnan(values.take(-1, axis)).any():
            hit |= xp.isnan(self)
        n = self.shape[axis]
        if axis == self.ndim - 1:
            starts = xp.flatnonzero(hit)
            return values, xp.repeat(starts % n, xp.diff(starts, append=hit.size)).reshape(self.shape)
        where = hit * xp.arange(n).reshape([n if k == axis else 1 for k in range(self.ndim)])
        if where.size < 128 * n:
            return values, xp.maximum.accumulate(where, axis, None, where)
        rows = xp.moveaxis(where, axis, 0)
        for i in range(1, n):  # in place: touching new memory costs more than the comparison
            xp.maximum(rows[i - 1], rows[i], out=rows[i])
        return values, where

    return cum


cummax, cummin = _cum_extreme("cummax", "maximum"), _cum_extreme("cummin", "minimum")
