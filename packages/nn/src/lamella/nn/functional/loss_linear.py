"""Cross entropy of logits that a linear map makes."""

from __future__ import annotations

import math
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .linear import linear
from .loss import cross_entropy

__all__ = ["linear_cross_entropy"]


def linear_cross_entropy(
    input: Tensor,
    linear_weight: Tensor,
    target: Tensor,
    *,
    linear_bias: Tensor | None = None,
    weight: Tensor | None = None,
    reduction: str = "mean",
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    options: Any = None,
) -> Tensor:
    """``cross_entropy(linear(input, linear_weight, linear_bias), target)``.

    Args:
        input: ``(N, I)`` or ``(I,)``.
        linear_weight: ``(C, I)``, or ``(C, *d, I)`` for logits with further dimensions.
        target: classes or their probabilities, as for `cross_entropy`.
        linear_bias: ``(C,)`` or ``(C, *d)``.
        weight: a factor for each class.
        reduction: ``"mean"``, ``"sum"`` or ``"none"``.
        ignore_index: a class that counts for nothing.
        label_smoothing: how much of the target is spread evenly over all classes.
        options: how torch splits the work into chunks; accepted, it changes nothing.

    Raises:
        RuntimeError: if shapes do not fit, or smoothing is outside [0, 1].

    Example:
        >>> from lamella import core
        >>> linear_cross_entropy(core.zeros(2, 5), core.zeros(10, 5), core.tensor([1, 2]))
        tensor(2.3026)
    """
    w: Any = linear_weight
    if w.ndim < 2:
        raise RuntimeError(message("linear_cross_entropy", f"expected a matrix of weights, got {w.ndim} dimensions"))
    shape = w.shape[:-1]
    bias = None if linear_bias is None else linear_bias.reshape(math.prod(shape))  # type: ignore[attr-defined]
    logits: Any = linear(input, w.reshape(-1, w.shape[-1]), bias)
    return cross_entropy(
        logits.reshape((*logits.shape[:-1], *shape)),
        target,
        weight=weight,
        ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction,
        label_smoothing=label_smoothing,
    )
