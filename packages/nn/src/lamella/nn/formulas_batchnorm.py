"""Helpers for the derivatives of batch normalisation; see formulas_normalization.py for the two ways they take."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor

from ._gen import batchnorm as _gen
from .formulas import recorded
from .formulas_normalization import Grads, _wide


def batch_norm_grads(
    grad: Tensor, x: Tensor, weight: Any, mean: Tensor, invstd: Tensor, eps: float, needs: Any
) -> Grads:
    """The gradients with statistics of the batch."""
    if not recorded(grad, x, weight):
        return _gen.op_native_batch_norm_backward(grad, x, weight, None, None, mean, invstd, True, eps, needs)
    dims = (0, *range(2, x.ndim))
    g, wide = _wide(grad), _wide(x)
    xc = wide - wide.mean(dims, True)
    r = F.rsqrt((xc * xc).mean(dims, True) + eps)  # type: ignore[attr-defined]
    xhat = xc * r
    gx = None
    if needs[0]:
        gx = r * (g - g.mean(dims, True) - xhat * (g * xhat).mean(dims, True))
        gx = (gx if weight is None else gx * _column(_wide(weight), x.ndim)).to(x.dtype)
    return gx, *_parameter_grads(g, xhat, x if weight is None else weight, dims, needs)


def batch_norm_fixed_grads(
    grad: Tensor, x: Tensor, weight: Any, mean: Tensor, var: Tensor, eps: float, needs: Any
) -> Grads:
    """The gradients with running statistics, which are constants."""
    if not recorded(grad, x, weight):
        return _gen.op_native_batch_norm_backward(grad, x, weight, mean, var, None, None, False, eps, needs)
    dims = (0, *range(2, x.ndim))
    g, wide = _wide(grad), _wide(x)
    r = _column(F.rsqrt(_wide(var) + eps), x.ndim)  # type: ignore[attr-defined]
    gx = None
    if needs[0]:
        gx = g * r
        gx = (gx if weight is None else gx * _column(_wide(weight), x.ndim)).to(x.dtype)
    xhat = (wide - _column(_wide(mean), x.ndim)) * r if needs[1] else None
    return gx, *_parameter_grads(g, xhat, x if weight is None else weight, dims, needs)


def _parameter_grads(g: Tensor, xhat: Any, like: Tensor, dims: Any, needs: Any) -> tuple[Any, Any]:
    return ((g * xhat).sum(dims).to(like.dtype) if needs[1] else None, g.sum(dims).to(like.dtype) if needs[2] else None)


def _column(v: Tensor, ndim: int) -> Tensor:
    """A value per channel, to broadcast over batch and positions."""
    return v.reshape(-1, *[1] * (ndim - 2))
