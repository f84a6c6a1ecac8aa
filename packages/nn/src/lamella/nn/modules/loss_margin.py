"""Loss functions with a margin: rankings, pairs and triplets."""

from __future__ import annotations

from collections.abc import Callable

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.distance import PairwiseDistance
from lamella.nn.modules.loss_base import _Loss, _WeightedLoss

__all__ = [
    "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss", "MultiMarginLoss", "SoftMarginLoss", "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]  # fmt: skip


class _MarginLoss(_Loss):
    __constants__ = ["margin", "reduction"]

    def __init__(
        self,
        margin: float = 0.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.margin = margin


class HingeEmbeddingLoss(_MarginLoss):
    """x where the target is 1, max(0, margin - x) where it is -1.

    Args:
        margin: the margin.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.HingeEmbeddingLoss()(core.tensor([0.5, 0.25]), core.tensor([1.0, -1.0]))
        tensor(0.6250)
    """

    def __init__(
        self,
        margin: float = 1.0,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(margin, size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class MarginRankingLoss(_MarginLoss):
    """max(0, -y * (x1 - x2) + margin): x1 should be larger where y is 1, smaller where it is -1.

    Args:
        margin: the margin.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.MarginRankingLoss()(core.zeros(2), core.ones(2), core.ones(2))
        tensor(1.)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.margin_ranking_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_MarginLoss):
    """1 - cos(x1, x2) where the target is 1, max(0, cos(x1, x2) - margin) where it is -1.

    Args:
        margin: the margin, between -1 and 1.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.CosineEmbeddingLoss()(core.ones(2, 3), core.ones(2, 3), core.tensor([1, -1]))
        tensor(0.5000)
    """

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.cosine_embedding_loss(input1, input2, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-y * x)) with targets y of 1 and -1.

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.SoftMarginLoss()(core.zeros(2), core.tensor([1.0, -1.0]))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """Every class that is a target should beat every class that is none by 1.

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Shape:
        scores (N, C) or (C) and targets of the same shape: classes, ended by -1.

    Example:
        >>> from lamella import core, nn
        >>> nn.MultiLabelMarginLoss()(core.tensor([[0.1, 0.2, 0.4, 0.8]]), core.tensor([[3, 0, -1, 1]]))
        tensor(0.8500)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean binary cross entropy over classes, from logits.

    Args:
        weight: a factor for each class.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Shape:
        logits (N, C) and targets of 0 and 1 of the same shape.

    Example:
        >>> from lamella import core, nn
        >>> nn.MultiLabelSoftMarginLoss()(core.zeros(1, 2), core.tensor([[0.0, 1.0]]))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_soft_margin_loss(input, target, weight=self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """The target class should beat every other class by a margin.

    Args:
        p: the power of the violations, 1 or 2.
        margin: the margin.
        weight: a factor for each class.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Shape:
        scores (N, C) or (C) and classes (N) or ().

    Raises:
        ValueError: `p` is another, or `weight` does not have 1 dimension.

    Example:
        >>> from lamella import core, nn
        >>> nn.MultiMarginLoss()(core.tensor([[0.1, 0.2, 0.4, 0.8]]), core.tensor([3]))
        tensor(0.3250)
    """

    __constants__ = ["p", "margin", "reduction"]

    def __init__(
        self,
        p: int = 1,
        margin: float = 1.0,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError(f"MultiMarginLoss: only p == 1 and p == 2 supported (got {p})")
        if weight is not None and weight.dim() != 1:
            raise ValueError(
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got {weight.dim()}D instead"
            )
        self.p = p
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight, reduction=self.reduction
        )


def _check_margin(name: str, margin: float) -> None:
    if margin <= 0:
        raise ValueError(f"{name}: expected margin to be greater than 0, got {margin} instead")


class TripletMarginLoss(_Loss):
    """The positive should be nearer to the anchor than the negative by a margin, in the p-norm.

    Args:
        margin: the margin.
        p: the p of the norm.
        eps: is added to the differences.
        swap: the distance of positive and negative counts if it is the smaller one.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Shape:
        three inputs (N, D) or (D).

    Raises:
        ValueError: the margin is not positive.

    Example:
        >>> from lamella import core, nn
        >>> nn.TripletMarginLoss()(core.zeros(2, 3), core.zeros(2, 3), core.ones(2, 3))
        tensor(0.)
    """

    __constants__ = ["margin", "p", "eps", "swap", "reduction"]

    def __init__(
        self,
        margin: float = 1.0,
        p: float = 2.0,
        eps: float = 1e-6,
        swap: bool = False,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        _check_margin("TripletMarginLoss", margin)
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_loss(
            anchor,
            positive,
            negative,
            margin=self.margin,
            p=self.p,
            eps=self.eps,
            swap=self.swap,
            reduction=self.reduction,
        )


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with any distance.

    Args:
        distance_function: takes two batches and returns their distances; default: `PairwiseDistance()`.
        margin: the margin.
        swap: the distance of positive and negative counts if it is the smaller one.
        reduction: how the elements are combined.

    Raises:
        ValueError: the margin is not positive.

    Example:
        >>> from lamella import core, nn
        >>> loss = nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(-1))
        >>> loss(core.zeros(2, 3), core.zeros(2, 3), core.ones(2, 3))
        tensor(0.)
    """

    __constants__ = ["margin", "swap", "reduction"]

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average=None, reduce=None, reduction=reduction)
        _check_margin("TripletMarginWithDistanceLoss", margin)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )
