"""Helpers for the derivatives of normalisation.

A first gradient comes from one fused operator. Where the backward pass is itself recorded, the same gradient is made of
plain operators over the input, so that it can be differentiated as often as wanted.
"""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor

from ._gen import normalization as _gen
from .formulas import recorded

Grads = tuple[Any, Any, Any]


def _wide(t: Any) -> Any:
    """16-bit types are computed in float32."""
    return t.float() if t is not None and t._a.dtype.itemsize == 2 else t


def layer_norm_grads(
    grad: Tensor, x: Tensor, shape: Any, mean: Tensor, rstd: Tensor, weight: Any, bias: Any, eps: float, needs: Any
) -> Grads:
    """The gradients of a layer norm in its input, weight and bias."""
    if not recorded(grad, x, weight):
        return _gen.op_native_layer_norm_backward(grad, x, shape, mean, rstd, weight, bias, needs)
    dims = tuple(range(x.ndim - len(shape), x.ndim))
    g, wide, w = _wide(grad), _wide(x), _wide(weight)
    xc = wide - wide.mean(dims, True)
    r = F.rsqrt((xc * xc).mean(dims, True) + eps)  # type: ignore[attr-defined]
    xhat = xc * r
    gx = None
    if needs[0]:
        gw = g if w is None else g * w
        gx = (r * (gw - gw.mean(dims, True) - xhat * (gw * xhat).mean(dims, True))).to(x.dtype)
    return gx, _summed(g * xhat, shape, weight) if needs[1] else None, _summed(g, shape, bias) if needs[2] else None


def _summed(t: Tensor, shape: Any, like: Tensor) -> Any:
    """The sum over all dimensions before the normalised ones."""
    lead = t.ndim - len(shape)
    return (t.sum(tuple(range(lead))) if lead else t).to(like.dtype)


def rms_norm_grads(
    grad: Tensor, x: Tensor, shape: Any, rstd: Tensor, weight: Any, eps: Any, needs: Any
) -> tuple[Any, Any]:
    """The gradients of an rms norm in its input and weight."""
    if not recorded(grad, x, weight):
        return _gen.op__fused_rms_norm_backward(grad, x, shape, rstd, weight, needs)
    from .kernels.normalization import default_eps

    dims = tuple(range(x.ndim - len(shape), x.ndim))
    g, wide, w = _wide(grad), _wide(x), _wide(weight)
    eps = default_eps(wide._a.dtype) if eps is None else eps
    r = F.rsqrt((wide * wide).mean(dims, True) + eps)  # type: ignore[attr-defined]
    xhat = wide * r
    gx = None
    if needs[0]:
        gw = g if w is None else g * w
        gx = (r * (gw - xhat * (gw * xhat).mean(dims, True))).to(x.dtype)
    return gx, _summed(g * xhat, shape, weight) if needs[1] else None


def group_norm_grads(
    grad: Tensor,
    x: Tensor,
    mean: Tensor,
    rstd: Tensor,
    weight: Any,
    n: int,
    c: int,
    positions: int,
    group: int,
    eps: float,
    needs: Any,
) -> Grads:
    """The gradients of a group norm in its input, weight and bias."""
    if not recorded(grad, x, weight):
        return _gen.op_native_group_norm_backward(grad, x, mean, rstd, weight, n, c, positions, group, needs)
    shape = (n, group, c // group, positions)
    g, wide = _wide(grad).reshape(shape), _wide(x).reshape(shape)
    w = None if weight is None else _wide(weight).reshape(1, group, c // group, 1)
    xc = wide - wide.mean((2, 3), True)
    r = F.rsqrt((xc * xc).mean((2, 3), True) + eps)  # type: ignore[attr-defined]
    xhat = xc * r
    gx = None
    if needs[0]:
        gw = g if w is None else g * w
        gx = (r * (gw - gw.mean((2, 3), True) - xhat * (gw * xhat).mean((2, 3), True))).reshape(x.shape).to(x.dtype)
    # A bias comes with a weight of the same type, or alone with the input's.
    like = x if weight is None else weight
    gw = (g * xhat).sum((0, 3)).reshape(c).to(like.dtype) if needs[1] else None
    return gx, gw, g.sum((0, 3)).reshape(c).to(like.dtype) if needs[2] else None
