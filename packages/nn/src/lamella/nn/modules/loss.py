"""Loss functions as layers. All take `reduction`: `"mean"`, `"sum"` or `"none"`."""

from __future__ import annotations

from typing import Any

from lamella.core import Tensor
from lamella.nn import functional as F
from lamella.nn.modules.loss_base import _Loss, _WeightedLoss
from lamella.nn.modules.loss_margin import (
    CosineEmbeddingLoss,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    MultiLabelMarginLoss,
    MultiLabelSoftMarginLoss,
    MultiMarginLoss,
    SoftMarginLoss,
    TripletMarginLoss,
    TripletMarginWithDistanceLoss,
)

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss", "GaussianNLLLoss",
    "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "MarginRankingLoss", "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "NLLLoss2d", "PoissonNLLLoss", "SmoothL1Loss",
    "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


class L1Loss(_Loss):
    """The absolute difference of input and target.

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.L1Loss()(core.tensor([1.0, 2.0]), core.tensor([0.0, 0.0]))
        tensor(1.5000)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """The squared difference of input and target.

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.MSELoss()(core.tensor([1.0, 2.0]), core.tensor([0.0, 0.0]))
        tensor(2.5000)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Squared where the difference is below beta, absolute beyond (Girshick, 2015).

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.
        beta: where the two parts meet.

    Example:
        >>> from lamella import core, nn
        >>> nn.SmoothL1Loss()(core.tensor([0.5, 2.0]), core.tensor([0.0, 0.0]))
        tensor(0.8125)
    """

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Squared where the difference is below delta, delta times the absolute one beyond (Huber, 1964).

    Args:
        reduction: how the elements are combined.
        delta: where the two parts meet.

    Example:
        >>> from lamella import core, nn
        >>> nn.HuberLoss()(core.tensor([0.5, 2.0]), core.tensor([0.0, 0.0]))
        tensor(0.8125)
    """

    __constants__ = ["reduction", "delta"]

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        if not isinstance(delta, (float, int)):
            raise TypeError(f"HuberLoss: delta must be a float or int, got: {type(delta)}")
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy between logits and classes, or between logits and probabilities of classes.

    Args:
        weight: a factor for each class.
        size_average, reduce: older forms of `reduction`.
        ignore_index: a class that counts for nothing.
        reduction: how the elements are combined; the mean is weighted.
        label_smoothing: how much of the target is spread evenly over all classes.

    Shape:
        logits (N, C, *) or (C) and classes (N, *) or (), or probabilities shaped like the logits.

    Example:
        >>> from lamella import core, nn
        >>> nn.CrossEntropyLoss()(core.zeros(2, 4), core.tensor([1, 3]))
        tensor(1.3863)
    """

    __constants__ = ["ignore_index", "reduction", "label_smoothing"]

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class NLLLoss(_WeightedLoss):
    """Minus the log-probability of the target class.

    Args:
        weight: a factor for each class.
        size_average, reduce: older forms of `reduction`.
        ignore_index: a class that counts for nothing.
        reduction: how the elements are combined; the mean is weighted.

    Shape:
        log-probabilities (N, C, *) or (C) and classes (N, *) or ().

    Example:
        >>> from lamella import core, nn
        >>> nn.NLLLoss()(nn.LogSoftmax(1)(core.zeros(2, 4)), core.tensor([1, 3]))
        tensor(1.3863)
    """

    __constants__ = ["ignore_index", "reduction"]

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        ignore_index: int = -100,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.nll_loss(
            input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class NLLLoss2d(NLLLoss):
    """The older name of `NLLLoss`."""


class BCELoss(_WeightedLoss):
    """The binary cross entropy between probabilities and targets.

    Args:
        weight: a factor for each element, broadcast.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.BCELoss()(core.tensor([0.5, 0.5]), core.tensor([0.0, 1.0]))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """The binary cross entropy between logits and targets, stable for large logits.

    Args:
        weight: a factor for each element, broadcast.
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined.
        pos_weight: a factor for the positive part, broadcast.

    Example:
        >>> from lamella import core, nn
        >>> nn.BCEWithLogitsLoss()(core.zeros(2), core.tensor([0.0, 1.0]))
        tensor(0.6931)
    """

    weight: Any
    pos_weight: Any

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence of the target from log-probabilities.

    Args:
        size_average, reduce: older forms of `reduction`.
        reduction: how the elements are combined; also `"batchmean"`, the sum divided by the batch size.
        log_target: the target is log-probabilities too.

    Example:
        >>> from lamella import core, nn
        >>> p = core.tensor([[0.5, 0.5]])
        >>> nn.KLDivLoss(reduction="batchmean")(p.log(), p)
        tensor(0.)
    """

    def __init__(
        self,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
        log_target: bool = False,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class PoissonNLLLoss(_Loss):
    """Minus the log-likelihood of counts under a Poisson distribution.

    Args:
        log_input: the input is the logarithm of the rate.
        full: add Stirling's approximation of the constant term.
        size_average, reduce: older forms of `reduction`.
        eps: is added to the rate before its logarithm is taken.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.PoissonNLLLoss()(core.zeros(2), core.ones(2))
        tensor(1.)
    """

    __constants__ = ["log_input", "full", "eps", "reduction"]

    def __init__(
        self,
        log_input: bool = True,
        full: bool = False,
        size_average: bool | None = None,
        eps: float = 1e-8,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.log_input = log_input
        self.full = full
        self.eps = eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps, reduction=self.reduction
        )


class GaussianNLLLoss(_Loss):
    """Minus the log-likelihood of the target under normal distributions (Nix and Weigend, 1994).

    Args:
        full: add the constant term.
        eps: the least variance.
        reduction: how the elements are combined.

    Example:
        >>> from lamella import core, nn
        >>> nn.GaussianNLLLoss()(core.zeros(2), core.ones(2), core.ones(2))
        tensor(0.5000)
    """

    __constants__ = ["full", "eps", "reduction"]

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean") -> None:
        super().__init__(None, None, reduction)
        self.full = full
        self.eps = eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor | float) -> Tensor:
        """The loss; `input` holds the means, `var` the variances."""
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class CTCLoss(_Loss):
    """The connectionist temporal classification loss: a labelling without alignment (Graves et al., 2006).

    Args:
        blank: the class of "no label".
        reduction: how the elements are combined; the mean divides by the length of each target first.
        zero_infinity: targets that do not fit count as zero.

    Example:
        >>> from lamella import core, nn
        >>> log_probs = nn.LogSoftmax(2)(core.zeros(4, 1, 3))
        >>> nn.CTCLoss()(log_probs, core.tensor([[1, 2]]), (4,), (2,)).shape
        torch.Size([])
    """

    __constants__ = ["blank", "reduction"]

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any) -> Tensor:
        """The loss.

        Args:
            log_probs: (T, N, C), log-probabilities.
            targets: (N, S), or all targets in one row.
            input_lengths: of each sequence, N of them.
            target_lengths: of each target, N of them.
        """
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )
