"""A schedule that watches a metric."""

from __future__ import annotations

import math
import warnings
from typing import Any, SupportsFloat

from ..optimizer import Optimizer
from .base import EPOCH_GIVEN, LRScheduler, check_optimizer, write


class ReduceLROnPlateau(LRScheduler):
    """Multiply the rate by ``factor`` when a metric has not improved for more than ``patience`` epochs.

    Args:
        optimizer: the optimizer to schedule.
        mode: "min" if a smaller metric is better, "max" if a larger one is.
        factor: the factor of each reduction, below 1.
        patience: epochs without improvement that are borne; the next one reduces the rate.
        threshold: how much better counts as better.
        threshold_mode: "rel" (a share of the best value) or "abs".
        cooldown: epochs after a reduction in which no bad epoch is counted.
        min_lr: a lower bound, or one for each parameter group.
        eps: changes smaller than this are left out.

    Raises:
        ValueError: ``factor`` not below 1, unknown modes, or a list ``min_lr`` of a wrong length.
        TypeError: ``optimizer`` is not an Optimizer.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=1.0)
        >>> scheduler = ReduceLROnPlateau(optimizer, patience=1)
        >>> for loss in (3.0, 2.0, 2.0, 2.0):
        ...     scheduler.step(loss)
        >>> scheduler.get_last_lr()
        [0.1]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ):
        if factor >= 1.0:
            raise ValueError(f"ReduceLROnPlateau: Factor should be < 1.0 (got {factor})")
        check_optimizer("ReduceLROnPlateau", optimizer)
        count = len(optimizer.param_groups)
        if isinstance(min_lr, (list, tuple)) and len(min_lr) != count:
            raise ValueError(f"ReduceLROnPlateau: expected {count} min_lrs, got {len(min_lr)}")
        several = isinstance(min_lr, (list, tuple))
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if several else min_lr
        self.min_lrs: list[Any] = list(min_lr) if several else [min_lr] * count  # type: ignore[arg-type]
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._read_back()
        self._set_mode(mode, threshold, threshold_mode)
        self._reset()

    def _set_mode(self, mode: str, threshold: float, threshold_mode: str) -> None:
        if mode not in ("min", "max"):
            raise ValueError(f"ReduceLROnPlateau: mode {mode!r} is unknown; it is 'min' or 'max'")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"ReduceLROnPlateau: threshold mode {threshold_mode!r} is unknown; it is 'rel' or 'abs'")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode

    def _reset(self) -> None:
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:  # type: ignore[override]
        """Take the metric of an epoch into account.

        Args:
            metrics: a number or a tensor with one element.
            epoch: deprecated.
        """
        current = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._read_back()

    def _reduce_lr(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    "ReduceLROnPlateau: The number of param groups in the `optimizer` differs from when the scheduler "
                    f"was made ({len(groups)} now, {len(self.min_lrs)} then)\nhint: give `min_lrs` a value for each."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, low in zip(groups, self.min_lrs):
            old = float(group["lr"])
            new = max(old * self.factor, low)
            if old - new > self.eps:
                write(group, "lr", new)

    @property
    def in_cooldown(self) -> bool:
        """Whether bad epochs are not counted at present."""
        return self.cooldown_counter > 0

    def _is_better(self, a: float, best: float) -> bool:
        if math.isinf(best):
            return a < best if self.mode == "min" else a > best
        by = -self.threshold if self.mode == "min" else self.threshold
        bar = best * (1.0 + by) if self.threshold_mode == "rel" else best + by
        return a < bar if self.mode == "min" else a > bar

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        self.__dict__.update(state_dict)
        self._set_mode(self.mode, self.threshold, self.threshold_mode)
