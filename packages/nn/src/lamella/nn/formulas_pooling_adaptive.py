"""Helpers for the derivatives of pooling to a given size."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor

from ._gen import pooling_adaptive as _gen


def adaptive_avg_again(grad: Tensor, shape: Any, spatial: int) -> Any:
    """Averages are linear: the gradient of their gradient takes averages."""
    op = (_gen.op_adaptive_avg_pool1d, _gen.op__adaptive_avg_pool2d, _gen.op__adaptive_avg_pool3d)[spatial - 1]
    return op(grad, tuple(shape)[-spatial:])


def at_indices(grad: Tensor, indices: Tensor, shape: Any, spatial: int) -> Any:
    """Zeros with the gradient added where the maxima were found; the places are flat over the spatial dimensions."""
    shape = tuple(shape)
    lead, n = shape[:-spatial], 1
    for m in shape[-spatial:]:
        n *= m
    zeros = F.zeros((*lead, n), dtype=grad.dtype, device=grad.device)
    flat = (*lead, -1)
    if not grad._a.size:
        return zeros.reshape(shape)
    return F.scatter_add(zeros, -1, indices.reshape(flat), grad.reshape(flat)).reshape(shape)  # type: ignore[attr-defined]
