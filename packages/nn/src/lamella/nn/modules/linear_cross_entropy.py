"""Linear and cross entropy in one layer."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.linear import Linear
from lamella.nn.modules.loss_base import _WeightedLoss

__all__ = ["LinearCrossEntropyLoss", "LinearCrossEntropyOptions"]


@dataclasses.dataclass(slots=True, frozen=True)
class LinearCrossEntropyOptions:
    """How torch splits the work into chunks; accepted here, where it changes nothing.

    Attributes:
        allow_retain_graph: backward may run twice (it always may here).
        batch_chunk_size: rows of a chunk.
        chunking_method: how the size of a chunk is found.
        acc_policy: in which precision sums are kept.
        acc_dtype: the element type of sums.
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: str = "auto"
    acc_dtype: Any = None


class LinearCrossEntropyLoss(_WeightedLoss):
    """The cross entropy of the logits that a Linear of its own makes.

    Args:
        in_features: features of the input.
        num_classes: how many classes there are.
        out_features: further dimensions of the logits.
        bias: whether the Linear has a bias.
        device: where its parameters are made.
        dtype: their element type.
        reduction: how the elements are combined.
        weight: a factor for each class.
        ignore_index: a class that counts for nothing.
        label_smoothing: how much of the target is spread evenly over all classes.
        options: accepted; it changes nothing.

    Shape:
        (N, in_features) or (in_features) and targets as for `CrossEntropyLoss`.

    Raises:
        RuntimeError: a weight of another shape, or smoothing outside [0, 1].

    Example:
        >>> from lamella import core, nn
        >>> nn.LinearCrossEntropyLoss(5, 10)(core.zeros(2, 5), core.tensor([1, 2]))
        tensor(2.3026, grad_fn=<NllLossBackward0>)
    """

    __constants__ = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device: Any = None,
        dtype: Any = None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(
                f"LinearCrossEntropyLoss: expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}"
            )
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(
                f"LinearCrossEntropyLoss: expected label_smoothing to be in range [0, 1], got {label_smoothing}"
            )
        super().__init__(weight=weight, reduction=reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        size = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, size, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        logits = self.linear(input)
        logits = logits.reshape((*logits.shape[:-1], self.num_classes, *self.out_features))
        return F.cross_entropy(
            logits,
            target,
            weight=self.weight,
            ignore_index=-100 if self.ignore_index is None else self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )

    def extra_repr(self) -> str:
        """Sizes and options."""
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={self.linear.bias is not None}, reduction={self.reduction}, "
            f"ignore_index={self.ignore_index}, label_smoothing={self.label_smoothing}, options={self.options}"
        )
