"""Schedules with a closed form: steps, ramps, exponentials, powers and cosines."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable

from ..optimizer import Optimizer
from .base import ClosedForm


class StepLR(ClosedForm):
    """Multiply the rate by ``gamma`` every ``step_size`` epochs.

    Args:
        optimizer: the optimizer to schedule.
        step_size: epochs between two changes.
        gamma: the factor of each change.
        last_epoch: see LRScheduler.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=1.0)
        >>> scheduler = StepLR(optimizer, step_size=2, gamma=0.5)
        >>> for _ in range(4):
        ...     optimizer.step(); scheduler.step()
        >>> scheduler.get_last_lr()
        [0.25]
    """

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        return base * self.gamma ** (epoch // self.step_size)


class MultiStepLR(ClosedForm):
    """Multiply the rate by ``gamma`` at each of the epochs ``milestones`` (twice, where one is listed twice).

    Args:
        optimizer: the optimizer to schedule.
        milestones: epochs, in any order.
        gamma: the factor of each change.
        last_epoch: see LRScheduler.
    """

    def __init__(self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1):
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        return base * self.gamma ** bisect_right(sorted(self.milestones.elements()), epoch)


class ConstantLR(ClosedForm):
    """Multiply the rate by ``factor`` for the first ``total_iters`` epochs.

    Args:
        optimizer: the optimizer to schedule.
        factor: between 0 and 1.
        total_iters: epochs until the full rate returns.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: ``factor`` is not between 0 and 1.
    """

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1):
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"ConstantLR: factor must be between 0 and 1 (got {factor})")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        return base if epoch >= self.total_iters else base * self.factor


class LinearLR(ClosedForm):
    """Move the rate in a straight line from ``start_factor`` to ``end_factor`` times its base value.

    Args:
        optimizer: the optimizer to schedule.
        start_factor: above 0, at most 1.
        end_factor: between 0 and 1.
        total_iters: epochs from start to end.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: a factor is out of its range.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ):
        if not 0.0 < start_factor <= 1.0:
            raise ValueError(f"LinearLR: start_factor must be greater than 0 and at most 1 (got {start_factor})")
        if not 0.0 <= end_factor <= 1.0:
            raise ValueError(f"LinearLR: end_factor must be between 0 and 1 (got {end_factor})")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        if epoch <= 0:
            return base * self.start_factor
        done = min(self.total_iters, epoch) / self.total_iters if self.total_iters else 1.0
        return base * (self.start_factor + (self.end_factor - self.start_factor) * done)


class ExponentialLR(ClosedForm):
    """Multiply the rate by ``gamma`` every epoch.

    Args:
        optimizer: the optimizer to schedule.
        gamma: the factor of each epoch.
        last_epoch: see LRScheduler.
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        return base * self.gamma**epoch


class PolynomialLR(ClosedForm):
    """Let the rate fall to zero within ``total_iters`` epochs as a power of the share that is left.

    Args:
        optimizer: the optimizer to schedule.
        total_iters: epochs until zero.
        power: the exponent; 1.0 is a straight line.
        last_epoch: see LRScheduler.
    """

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _rate(self, base: float, epoch: float) -> float:
        left = 1.0 - min(self.total_iters, epoch) / self.total_iters if self.total_iters else 0.0
        return base * left**self.power


class CosineAnnealingLR(ClosedForm):
    """Move the rate along a cosine from its base value to ``eta_min`` in ``T_max`` epochs, and back.

    Source: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2017 (without restarts).

    Args:
        optimizer: the optimizer to schedule.
        T_max: epochs from the highest to the lowest rate.
        eta_min: the lowest rate.
        last_epoch: see LRScheduler.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=1.0)
        >>> scheduler = CosineAnnealingLR(optimizer, T_max=2)
        >>> for _ in range(2):
        ...     optimizer.step(); scheduler.step()
        >>> scheduler.get_last_lr()
        [0.0]
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1):
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def _floor(self) -> float:
        return self.eta_min

    def _rate(self, base: float, epoch: float) -> float:
        if epoch == 0:
            return base
        return self.eta_min + (base - self.eta_min) * (1 + math.cos(math.pi * epoch / self.T_max)) / 2
