"""Shape rules of table look-ups."""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message


def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    if weight._a.ndim != 2:
        raise RuntimeError(message("embedding", "'weight' must be 2-D", {"weight": list(weight._a.shape)}))
    return indices._a.shape + weight._a.shape[1:], weight.dtype


def embedding_dense_backward(
    grad_output: Tensor, indices: Tensor, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    return (num_weights, grad_output._a.shape[-1]), grad_output.dtype


def one_hot(self: Tensor, num_classes: int = -1) -> Any:
    if num_classes == -1:
        raise RuntimeError(
            message("one_hot", "the number of classes cannot be found without data", hint="pass num_classes")
        )
    return (*self._a.shape, num_classes), dt.int64
