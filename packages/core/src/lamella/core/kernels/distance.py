"""Distances between all pairs of vectors: by matrix products, by SciPy's loops, or by broadcasting small ones."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from ..dtypes import from_numpy_dtype
from .strides import in_order

_METRICS = {1.0: "cityblock", 2.0: "euclidean", math.inf: "chebyshev"}
#: Up to so many products at once; beyond, one batch after the other.
_SMALL = 1 << 14
#: Sizes beyond which torch takes Euclidean distances from a matrix product, unless told otherwise.
MANY = 25


def checked(x1: Any, x2: Any, p: float) -> tuple[int, ...]:
    """The shape of the result, after refusing arrays and orders that do not fit."""
    for name, a in (("X1", x1), ("X2", x2)):
        if a.ndim < 2:
            raise RuntimeError(message("cdist", f"{name} must have at least 2 dimensions, got: {a.ndim}D"))
    for name, a in (("X1", x1), ("X2", x2)):
        d = from_numpy_dtype(a.dtype)
        if d.category != 2:
            raise RuntimeError(message("cdist", f"only floating-point dtypes are supported, {name} is {d.name}"))
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(
            message("cdist", "X1 and X2 must have the same number of columns", {"X1": x1.shape[-1], "X2": x2.shape[-1]})
        )
    if not p >= 0:
        raise RuntimeError(message("cdist", "the order p must not be negative", {"p": p}))
    if x1.dtype != x2.dtype:
        a, b = from_numpy_dtype(x1.dtype).name, from_numpy_dtype(x2.dtype).name
        raise RuntimeError(message("cdist", f"X1 and X2 must have one dtype, but they have {a} and {b}"))
    if x1.dtype.itemsize < 4:
        raise NotImplementedError(message("cdist", f"it is not implemented for {from_numpy_dtype(x1.dtype).name}"))
    return (*_batch(x1, x2), x1.shape[-2], x2.shape[-2])


def _batch(x1: Any, x2: Any) -> tuple[int, ...]:
    import numpy as np

    try:
        return np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    except ValueError:
        raise RuntimeError(
            message("cdist", "the batches do not broadcast", {"X1": list(x1.shape[:-2]), "X2": list(x2.shape[:-2])})
        ) from None


def by_product(n: int, m: int, p: float, mode: int | None) -> bool:
    """Whether distances come from a matrix product: fast, but differences of near vectors lose digits, as in torch."""
    return p == 2 and (mode == 1 or (not mode and (n > MANY or m > MANY)))


def _cdist_forward(xp: Any, x1: Any, x2: Any, p: float, compute_mode: Any) -> Any:
    shape = checked(x1, x2, p)
    n, m, d = shape[-2], shape[-1], x1.shape[-1]
    if 0 in shape or not d:
        return xp.zeros(shape, x1.dtype)
    if by_product(n, m, p, compute_mode):
        return _product(xp, x1, x2)
    if math.prod(shape) * d <= _SMALL:
        return in_order(xp, _norm(xp, x1[..., :, None, :] - x2[..., None, :, :], p))
    out = xp.empty(shape, x1.dtype)
    pairs = out.reshape(-1, n, m)
    left = xp.broadcast_to(x1, (*shape[:-2], n, d)).reshape(-1, n, d)
    right = xp.broadcast_to(x2, (*shape[:-2], m, d)).reshape(-1, m, d)
    for i in range(len(pairs)):
        pairs[i] = _matrix(xp, left[i], right[i], p)
    return out


def _product(xp: Any, a: Any, b: Any) -> Any:
    r = xp.matmul(a, b.swapaxes(-1, -2))
    r *= -2
    r += xp.einsum("...i,...i->...", a, a)[..., :, None]
    r += xp.einsum("...i,...i->...", b, b)[..., None, :]
    xp.maximum(r, 0, out=r)
    return xp.sqrt(r, out=r)


def _matrix(xp: Any, a: Any, b: Any, p: float) -> Any:
    from scipy.spatial.distance import cdist

    if p == 0:
        return cdist(a, b, "hamming") * a.shape[1]
    if p not in _METRICS:
        return cdist(a, b, "minkowski", p=p)
    r = cdist(a, b, _METRICS[p])
    if math.isinf(p):  # SciPy's maximum passes over NaN
        r[xp.isnan(a).any(1)] = xp.nan
        r[:, xp.isnan(b).any(1)] = xp.nan
    return r


def _norm(xp: Any, diff: Any, p: float) -> Any:
    if p == 0:
        return (diff != 0).sum(-1).astype(diff.dtype)
    if p == 2:
        return xp.sqrt(xp.einsum("...i,...i->...", diff, diff))
    size = xp.abs(diff)
    if p == 1:
        return size.sum(-1)
    if math.isinf(p):
        return size.max(-1)
    return (size**p).sum(-1) ** (1 / p)
