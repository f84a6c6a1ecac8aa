"""What all loss layers share."""

from __future__ import annotations

import warnings
from typing import Any

from lamella.core import Tensor
from lamella.nn.module import Module


def _legacy_reduction(size_average: bool | None, reduce: bool | None) -> str:
    """What the two older arguments mean, with the warning that they are older."""
    mean = True if size_average is None else size_average
    found = "none" if reduce is not None and not reduce else "mean" if mean else "sum"
    warnings.warn(
        f"size_average and reduce args will be deprecated, please use reduction='{found}' instead.", stacklevel=4
    )
    return found


class _Loss(Module):
    """A loss; `size_average` and `reduce` are older forms of `reduction`."""

    __constants__ = ["reduction"]
    reduction: str

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        if size_average is not None or reduce is not None:
            self.reduction = _legacy_reduction(size_average, reduce)
        else:
            self.reduction = reduction


class _WeightedLoss(_Loss):
    weight: Any

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
