"""Schedules that a user's function defines."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

from ..optimizer import Optimizer
from .base import TRANSIENT, LRScheduler, check_optimizer, copied, number


class _OfFunctions(LRScheduler):
    """What both have in common: one function for each group, saved where it is an object with state."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        op = type(self).__name__
        check_optimizer(op, optimizer)
        self.optimizer = optimizer
        count = len(optimizer.param_groups)
        functions = list(lr_lambda) if isinstance(lr_lambda, (list, tuple)) else [lr_lambda] * count
        if len(functions) != count:
            raise ValueError(f"{op}: one lr_lambda for each parameter group (got {len(functions)} for {count} groups)")
        for function in functions:
            if not callable(function):
                raise TypeError(f"{op}: lr_lambda should be a function (got {type(function).__name__})")
        self.lr_lambdas: list[Callable[[int], float]] = functions
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        """Return the state; of the functions only callable objects are part of it, as their ``__dict__``."""
        hidden = (*TRANSIENT, "lr_lambdas")
        state = {key: value for key, value in self.__dict__.items() if key not in hidden}
        state["lr_lambdas"] = [saved_function(function) for function in self.lr_lambdas]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state; the functions stay, and callable objects among them get their attributes back."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for function, attributes in zip(self.lr_lambdas, state_dict.get("lr_lambdas", ())):
            if attributes is not None:
                function.__dict__.update(attributes)


def saved_function(function: Any) -> dict[str, Any] | None:
    """Return the attributes of a callable object; None for functions and lambdas, which cannot be saved."""
    if function is None or isinstance(function, (types.FunctionType, types.BuiltinFunctionType)):
        return None
    attributes = getattr(function, "__dict__", None)
    return None if attributes is None else dict(attributes)


class LambdaLR(_OfFunctions):
    """Set the rate to its base value times a function of the epoch.

    Args:
        optimizer: the optimizer to schedule.
        lr_lambda: a function from the epoch to the factor, or a list with one for each parameter group.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: the list's length is not the number of groups.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=0.5)
        >>> scheduler = LambdaLR(optimizer, lambda epoch: 1 / (1 + epoch))
        >>> optimizer.step(); scheduler.step()
        >>> scheduler.get_last_lr()
        [0.25]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ):
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the rates for ``self.last_epoch``."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside():
            return [copied(group["lr"]) for group in groups]
        return [number(base) * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(_OfFunctions):
    """Multiply the rate in every epoch by a function of the epoch.

    Args:
        optimizer: the optimizer to schedule.
        lr_lambda: a function from the epoch to the factor, or a list with one for each parameter group.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: the list's length is not the number of groups.
        TypeError: one is not callable.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | Sequence[Callable[[int], float]],
        last_epoch: int = -1,
    ):
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the rates for ``self.last_epoch``."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside() or self._is_initial and not self._resumes():
            return [copied(group["lr"]) for group in groups]
        if self._resumes():
            return [self._product(number(base), function) for base, function in zip(self.base_lrs, self.lr_lambdas)]
        return [number(group["lr"]) * function(self.last_epoch) for group, function in zip(groups, self.lr_lambdas)]

    def _product(self, rate: float, function: Callable[[int], float]) -> float:
        for epoch in range(1, self.last_epoch + 1):
            rate *= function(epoch)
        return rate
