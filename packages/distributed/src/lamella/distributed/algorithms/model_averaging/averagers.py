"""When the models of ranks that train on their own are averaged."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from lamella.dispatch.errors import message

from ...group import group
from .utils import average_parameters_or_parameter_groups

__all__ = ["ModelAverager", "PeriodicModelAverager"]


class ModelAverager(ABC):
    """Averages parameters over ranks when it is time.

    Args:
        process_group: the ranks; all by default.

    Attributes:
        step: how often it was asked.
    """

    def __init__(self, process_group: Any = None) -> None:
        self.process_group = process_group if process_group is not None else group.WORLD
        self.step = 0

    @abstractmethod
    def average_parameters(self, params: Iterable[Any]) -> None:
        """Count a step, and average if it is time.

        Args:
            params: parameters, or an optimizer's groups.
        """


class PeriodicModelAverager(ModelAverager):
    """Averages parameters every few steps (post-local SGD).

    Source: Lin, Stich, Patel, Jaggi: "Don't use large mini-batches, use local SGD" (2020).

    Args:
        period: steps from one mean to the next.
        warmup_steps: steps before the first one.
        process_group: the ranks; all by default.

    Raises:
        ValueError: `period` is not positive, or `warmup_steps` negative.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.distributed.threads import spawn
        >>> from lamella import distributed as dist
        >>> def train():
        ...     w = ones(1, requires_grad=True)
        ...     averager = PeriodicModelAverager(period=2, warmup_steps=1)
        ...     seen = []
        ...     for _ in range(2):
        ...         w.grad = ones(1)
        ...         w.data.add_(dist.get_rank())
        ...         averager.average_parameters([w])
        ...         seen.append(w.item())
        ...     return seen
        >>> spawn(train, 2)
        [[1.0, 2.0], [2.0, 2.0]]
    """

    def __init__(self, period: int, warmup_steps: int = 0, process_group: Any = None) -> None:
        super().__init__(process_group)
        if warmup_steps < 0:
            raise ValueError(message("PeriodicModelAverager", "warmup_steps must not be negative", str(warmup_steps)))
        if period < 1:
            raise ValueError(message("PeriodicModelAverager", "period must be positive", str(period)))
        if period == 1:
            warnings.warn("PeriodicModelAverager: with period=1 parameters travel at each step, as gradients do in "
                          "DistributedDataParallel, which does it while backward goes on", stacklevel=2)
        self.period = period
        self.warmup_steps = warmup_steps

    def average_parameters(self, params: Iterable[Any]) -> None:
        """Count a step, and average the parameters that have gradients if it is time.

        Args:
            params: parameters, or an optimizer's groups.
        """
        if self.step >= self.warmup_steps and (self.step - self.warmup_steps) % self.period == 0:
            average_parameters_or_parameter_groups(params, self.process_group)
        self.step += 1
