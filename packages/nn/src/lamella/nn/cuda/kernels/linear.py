"""Linear maps of 16-bit numbers: cuBLAS takes them as they are and adds up in 32 bits."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda.products import narrow_product
from lamella.core.cuda.xp import CUPY

from ...kernels.linear import _bias_error, _mismatch, _types, _unusual as _refused
from ...kernels.types import F32, is_low

__all__ = ["_unusual", "column_sums", "linear_backward"]


def _unusual(xp: Any, input: Any, weight: Any, bias: Any) -> Any:
    d = input.dtype
    if not is_low(d) or input.ndim == 0 or weight.ndim not in (1, 2) or d != weight.dtype:
        return _refused(xp, input, weight, bias)  # raises
    shape = input.shape[:-1] + weight.shape[:-1]
    if input.shape[-1] != weight.shape[-1]:
        raise _mismatch(input, weight)
    if bias is not None and bias.dtype != d:
        raise _types(d, bias.dtype)
    if bias is not None and (bias.ndim > 1 or bias.size not in (1, *shape[-1:])):
        raise _bias_error(CUPY.empty(shape, d), bias)
    rows = weight if weight.ndim == 2 else weight[None]
    return narrow_product(input.reshape(-1, input.shape[-1]), rows.T, bias).reshape(shape)


def linear_backward(xp: Any, self: Any, grad_output: Any, weight: Any, output_mask: Any) -> Any:
    """The gradients of input, weight and bias, those that the mask asks for."""
    flat = weight.ndim == 1
    g = grad_output[..., None] if flat else grad_output
    w = weight.reshape(1, -1) if flat else weight
    rows, inputs = g.reshape(-1, g.shape[-1]), self.reshape(-1, self.shape[-1])
    if g.dtype.kind == "c":
        inputs, w = inputs.conj(), w.conj()
    gi = _product(rows, w).reshape(self.shape) if output_mask[0] else None
    gw = _product(rows.T, inputs).reshape(weight.shape) if output_mask[1] else None
    gb = column_sums(xp, rows) if output_mask[2] else None
    return gi, gw, gb.reshape(()) if flat and gb is not None else gb


def _product(a: Any, b: Any) -> Any:
    return narrow_product(a, b) if is_low(a.dtype) else CUPY.matmul(a, b)


def column_sums(xp: Any, a: Any) -> Any:
    """Sums over the rows of a matrix."""
    return a.astype(F32).sum(0).astype(a.dtype) if is_low(a.dtype) else a.sum(0)
