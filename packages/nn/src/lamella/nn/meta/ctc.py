"""Shape rules of connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor


def _ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    zero_infinity: bool = False,
) -> Any:
    steps, n, _ = log_probs._a.shape
    return ((n,), log_probs.dtype), ((n, steps, 2 * targets._a.shape[1] + 1), log_probs.dtype)


def _ctc_loss_backward(grad: Tensor, log_probs: Tensor, *_rest: Any, **_more: Any) -> Any:
    return log_probs._a.shape, log_probs.dtype
