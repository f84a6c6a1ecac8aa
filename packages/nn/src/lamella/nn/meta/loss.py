"""Shape rules of losses."""

from __future__ import annotations

from typing import Any

from lamella.core.promotion import promote_types
from lamella.core.tensor import Tensor


def _rule(shape: Any, self: Tensor, reduction: int) -> Any:
    return tuple(shape) if reduction == 0 else (), self.dtype


def _cross_entropy(
    self: Tensor, target: Tensor, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    shape = self._a.shape
    count = shape[1] if len(shape) > 1 else shape[0]
    return _rule(target._a.shape, self, reduction), ((self._a.size // count if count else 0, count), self.dtype)


def _cross_entropy_backward(
    grad_output: Tensor,
    probs: Tensor,
    target: Tensor,
    weight: Any,
    reduction: int,
    ignore_index: int,
    label_smoothing: float,
    shape: Any,
) -> Any:
    return tuple(shape), probs.dtype


def nll_loss(self: Tensor, target: Tensor, weight: Any = None, reduction: int = 1, ignore_index: int = -100) -> Any:
    return _rule(target._a.shape, self, reduction)


def _nll_loss_backward(
    grad_output: Tensor, target: Tensor, weight: Any, reduction: int, ignore_index: int, shape: Any
) -> Any:
    return tuple(shape), grad_output.dtype


def mse_loss(self: Tensor, target: Tensor, reduction: int = 1) -> Any:
    return _rule(self._a.shape, self, reduction)


def mse_loss_backward(grad_output: Tensor, self: Tensor, target: Tensor, reduction: int) -> Any:
    return self._a.shape, promote_types(self.dtype, target.dtype)


def _limited_difference(
    self: Tensor, target: Tensor, grad_output: Tensor, reduction: int, bound: float, scale: float
) -> Any:
    return self._a.shape, promote_types(self.dtype, target.dtype)


def smooth_l1_loss(self: Tensor, target: Tensor, reduction: int = 1, beta: float = 1.0) -> Any:
    return _rule(self._a.shape, self, reduction)


huber_loss = soft_margin_loss = smooth_l1_loss


def binary_cross_entropy(self: Tensor, target: Tensor, weight: Any = None, reduction: int = 1) -> Any:
    return _rule(self._a.shape, self, reduction)


def binary_cross_entropy_with_logits(
    self: Tensor, target: Tensor, weight: Any = None, pos_weight: Any = None, reduction: int = 1
) -> Any:
    return _rule(self._a.shape, self, reduction)
