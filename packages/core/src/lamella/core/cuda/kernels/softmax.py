"""Exponentials over their sums on a GPU: the shift by the maximum costs less than to ask whether it is needed."""

from __future__ import annotations

from typing import Any

from ...kernels.reducing import is_low
from ..xp import CUPY

__all__ = ["_exp_rows", "_log_softmax_backward_data", "_softmax_backward_data"]


def _exp_rows(xp: Any, a: Any) -> tuple[Any, Any, Any]:
    """exp along the last dimension, its sums (kept), and the maximum it was shifted by."""
    top = a.max(-1, keepdims=True)
    top = CUPY.where(CUPY.isinf(top) & (top < 0), 0, top)  # rows of -inf alone: nan comes from their sums
    e = CUPY.exp(a - top)
    return e, e.sum(-1, keepdims=True), top


def _softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return _softmax_backward_data(xp, grad_output.reshape(1), output.reshape(1), 0, input_dtype).reshape(())
    d = output.dtype
    g, y = (x.astype(CUPY.float32) if is_low(d) else x for x in (grad_output, output))
    r = g * y
    r -= y * r.sum(dim, keepdims=True)
    return r.astype(d, copy=False)


def _log_softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return _log_softmax_backward_data(xp, grad_output.reshape(1), output.reshape(1), 0, input_dtype).reshape(())
    d = output.dtype
    g, y = (x.astype(CUPY.float32) if is_low(d) else x for x in (grad_output, output))
    r = CUPY.exp(y)
    r *= g.sum(dim, keepdims=True)
    return CUPY.subtract(g, r, r).astype(d, copy=False)
