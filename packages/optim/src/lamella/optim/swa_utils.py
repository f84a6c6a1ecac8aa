"""Averages of parameters over training: the averaging rules, and a schedule that moves to a constant rate."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from lamella.core.tensor import Tensor

from .lr_scheduler.base import LRScheduler, number, per_group
from .optimizer import Optimizer

__all__ = ["SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "get_swa_avg_fn", "get_swa_multi_avg_fn"]


def _decay(op: str, decay: float) -> float:
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"{op}: Invalid decay value {decay} provided; it must be in the range [0, 1].")
    return decay


def get_ema_avg_fn(decay: float = 0.999) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A rule for exponential moving averages: ``decay * averaged + (1 - decay) * current``.

    Args:
        decay: the share of the old average, in [0, 1].

    Raises:
        ValueError: for a decay outside [0, 1].

    Example:
        >>> from lamella.core import tensor
        >>> get_ema_avg_fn(0.75)(tensor([4.0]), tensor([0.0]), 3)
        tensor([3.])
    """
    _decay("get_ema_avg_fn", decay)

    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Tensor:
        return ema_param * decay + current_param * (1 - decay)

    return ema_update


def get_swa_avg_fn() -> Callable[[Tensor, Tensor, Any], Tensor]:
    """A rule for plain averages: every set of parameters counts the same.

    Example:
        >>> from lamella.core import tensor
        >>> get_swa_avg_fn()(tensor([4.0]), tensor([0.0]), 3)
        tensor([3.])
    """

    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Tensor:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[[Any, Any, Any], None]:
    """As `get_ema_avg_fn`, for lists of tensors, which it updates.

    Args:
        decay: the share of the old average, in [0, 1].

    Raises:
        ValueError: for a decay outside [0, 1].
    """
    return _for_lists(get_ema_avg_fn(_decay("get_ema_multi_avg_fn", decay)))


def get_swa_multi_avg_fn() -> Callable[[Any, Any, Any], None]:
    """As `get_swa_avg_fn`, for lists of tensors, which it updates."""
    return _for_lists(get_swa_avg_fn())


def _for_lists(rule: Callable[[Tensor, Tensor, Any], Tensor]) -> Callable[[Any, Any, Any], None]:
    def update(averaged_param_list: Any, current_param_list: Any, num_averaged: Any) -> None:
        for averaged, current in zip(averaged_param_list, current_param_list, strict=True):
            averaged.copy_(rule(averaged, current, num_averaged))

    return update


class SWALR(LRScheduler):
    """Move the rate to a constant one over some epochs, and keep it there.

    Args:
        optimizer: the optimizer to schedule.
        swa_lr: the rate at the end, or a list with one for each parameter group.
        anneal_epochs: how many epochs the way takes.
        anneal_strategy: ``"cos"`` (along a cosine) or ``"linear"``.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: for another strategy, a negative number of epochs, or a list of another length.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=1.0)
        >>> scheduler = SWALR(optimizer, swa_lr=0.5, anneal_epochs=2, anneal_strategy="linear")
        >>> optimizer.step(); scheduler.step()
        >>> scheduler.get_last_lr()
        [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: Any,
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"SWALR: anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"SWALR: anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        for group, rate in zip(optimizer.param_groups, per_group("SWALR", "swa_lr", optimizer, swa_lr), strict=True):
            group["swa_lr"] = rate
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _share(self, step: int) -> float:
        """How much of the final rate there is after so many steps."""
        t = max(0.0, min(1.0, step / max(1, self.anneal_epochs)))
        return t if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * t)) / 2

    def get_lr(self) -> list[Any]:
        """The rates of this epoch, from those that the groups have now: other schedules may act in between."""
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._share(max(0, step - 1)), self._share(step)
        rates = []
        for group in self.optimizer.param_groups:
            rate, final = number(group["lr"]), number(group["swa_lr"])
            start = final if before == 1 else (rate - before * final) / (1 - before)
            rates.append(final * now + start * (1 - now))
        return rates
