"""Distances of the rows of one matrix."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from .types import F32, F64, is_low

_METRICS = {1.0: "cityblock", 2.0: "euclidean", math.inf: "chebyshev"}
#: Up to so many differences at once; more are left to SciPy's loops, which need no memory for them.
_FEW = 1 << 13


@lru_cache(32)
def _pairs(n: int) -> Any:
    """The rows and columns right of the diagonal."""
    return np.triu_indices(n, 1)


@lru_cache(8)
def _upper(n: int) -> Any:
    """Where a matrix lies right of its diagonal."""
    return np.triu(np.ones((n, n), bool), 1)


def _norms(xp: Any, d: Any, p: float) -> Any:
    size = xp.abs(d)
    if p == 0:
        return (d != 0).sum(1).astype(d.dtype)
    if p == 1:
        return size.sum(1)
    if math.isinf(p):
        return size.max(1) if size.shape[1] else xp.zeros(len(size), size.dtype)
    return xp.sqrt(xp.einsum("ij,ij->i", d, d)) if p == 2 else (size**p).sum(1) ** (1 / p)


def _pdist_forward(xp: Any, self: Any, p: float) -> Any:
    x = self.astype(F32) if is_low(self.dtype) else self
    n, width = x.shape
    usual = p in _METRICS or p > 0
    special = math.isinf(p) and xp.isnan(x).any()  # SciPy's maximum passes over nan
    if n * (n - 1) // 2 * width <= _FEW or not usual or special or x.dtype not in (F32, F64):
        first, second = (xp.asarray(i) for i in _pairs(n))
        return _norms(xp, x[first] - x[second], p).astype(self.dtype, copy=False)
    from scipy.spatial.distance import pdist

    r = pdist(x, _METRICS[p]) if p in _METRICS else pdist(x, "minkowski", p=p)
    return r.astype(self.dtype)


def _pdist_backward(xp: Any, grad: Any, self: Any, pdist: Any) -> Any:
    # The sum over j of w_ij (x_i - x_j), with w the gradient by the distance, from one product in double precision.
    n = self.shape[0]
    w = xp.zeros((n, n), F64)
    part = pdist.astype(F64)
    part[part == 0] = math.inf  # equal rows have no direction
    xp.divide(grad, part, out=part)
    w[xp.asarray(_upper(n))] = part
    x = self.astype(F64)
    if n:
        x -= x.mean(0)
    # Only the upper half is filled in; the lower is its transpose.
    r = (w.sum(0) + w.sum(1))[:, None] * x
    r -= w.dot(x)
    r -= w.T.dot(x)
    return r.astype(self.dtype)
