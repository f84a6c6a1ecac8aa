"""Schedules made of schedules: one after the other, or all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from ..optimizer import Optimizer
from .base import TRANSIENT, LRScheduler
from .plateau import ReduceLROnPlateau


def check_parts(op: str, optimizer: Any, schedulers: Sequence[LRScheduler]) -> None:
    """Raise ValueError or TypeError unless all parts are schedulers of ``optimizer`` that step without a metric."""
    for i, part in enumerate(schedulers):
        name = type(part).__name__
        if not isinstance(part, LRScheduler):
            raise TypeError(
                f"{op}: schedulers[{i}] should have `optimizer` as its attribute and be a scheduler (got {name})"
            )
        if isinstance(part, ReduceLROnPlateau):
            raise ValueError(
                f"{op}: does not support `ReduceLROnPlateau`, whose step() takes a metric (schedulers[{i}])\n"
                "hint: step it on its own after the others."
            )
        if part.optimizer is not optimizer:
            raise ValueError(
                f"{op}: expects all schedulers to belong to the same optimizer (schedulers[{i}], a {name}, has another)"
            )


def take_back(schedulers: Sequence[LRScheduler]) -> None:
    """Undo the constructions of all parts, the latest first: none may act before its time."""
    parts = [part for scheduler in schedulers for part in scheduler._parts()]
    for part in sorted(parts, key=lambda p: p._before[0], reverse=True):
        part._take_back()


class _Composite(LRScheduler):
    """What both have in common: parts, and a state made of the parts' states."""

    _schedulers: list[LRScheduler]

    def _parts(self) -> list[LRScheduler]:
        return [part for scheduler in self._schedulers for part in scheduler._parts()]

    def state_dict(self) -> dict[str, Any]:
        """Return the state, with the states of the parts in ``_schedulers``."""
        hidden = (*TRANSIENT, "_schedulers")
        state = {key: value for key, value in self.__dict__.items() if key not in hidden}
        state["_schedulers"] = [part.state_dict() for part in self._schedulers]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state of as many parts.

        Raises:
            ValueError: the number of parts differs.
        """
        states = state_dict.get("_schedulers", [])
        if len(states) != len(self._schedulers):
            raise ValueError(
                f"{type(self).__name__}.load_state_dict: the state must have as many schedulers "
                f"({len(states)} in the state, {len(self._schedulers)} here)"
            )
        self.__dict__.update({key: value for key, value in state_dict.items() if key != "_schedulers"})
        for part, state in zip(self._schedulers, states):
            part.load_state_dict(state)


class SequentialLR(_Composite):
    """Use one scheduler after the other, and change at the given epochs.

    The parts act on the optimizer only when their time comes: what their construction wrote is taken back first.

    Args:
        optimizer: the optimizer of all parts.
        schedulers: the parts in order.
        milestones: the epochs where the next part begins, one fewer than parts.
        last_epoch: -1 for a new schedule; with ``k >= 0`` it goes on where a new one would be after ``k + 1`` steps.

    Raises:
        ValueError: no part, a part of another optimizer, a ReduceLROnPlateau, or a wrong number of milestones.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> from lamella.optim.lr_scheduler import ConstantLR, ExponentialLR
        >>> optimizer = SGD([ones(2)], lr=1.0)
        >>> parts = [ConstantLR(optimizer, factor=0.5, total_iters=9), ExponentialLR(optimizer, gamma=0.1)]
        >>> scheduler = SequentialLR(optimizer, parts, milestones=[2])
        >>> for _ in range(3):
        ...     optimizer.step(); scheduler.step(); print(scheduler.get_last_lr())
        [0.5]
        [1.0]
        [0.1]
    """

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ):
        if len(schedulers) < 1:
            raise ValueError("SequentialLR: expects at least one scheduler (got none)")
        check_parts("SequentialLR", optimizer, schedulers)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "SequentialLR: expects number of schedulers provided to be one more than the number of milestone "
                f"points ({len(schedulers)} schedulers, {len(milestones)} milestones)"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.optimizer = optimizer
        self._start()
        if last_epoch >= 0:
            # The steps of the optimizer that belong to these were made elsewhere.
            optimizer._opt_called = True
            for _ in range(last_epoch + 1):
                self.step()

    def _start(self) -> None:
        take_back(self._schedulers)
        self.last_epoch = 0
        active = self._schedulers[bisect_right(self._milestones, 0)]
        active._begin()
        self._last_lr = active.get_last_lr()

    def step(self, epoch: int | None = None) -> None:  # noqa: ARG002
        """Go on by one epoch."""
        self.last_epoch += 1
        i = bisect_right(self._milestones, self.last_epoch)
        active = self._schedulers[i]
        if i > 0 and self._milestones[i - 1] == self.last_epoch:
            active._restart()
        else:
            active.step()
        self._last_lr = active.get_last_lr()

    def _begin(self) -> None:
        self._start()

    def _restart(self) -> None:
        self._start()


class ChainedScheduler(_Composite):
    """Step several schedulers together; each one changes the rate that the one before it left.

    Args:
        schedulers: the parts in order.
        optimizer: their optimizer; the first part's where None.

    Raises:
        ValueError: no part, a part of another optimizer, or a ReduceLROnPlateau.
    """

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None):
        if len(schedulers) < 1:
            raise ValueError("ChainedScheduler: expects at least one scheduler to be chained (got none)")
        optimizer = optimizer or getattr(schedulers[0], "optimizer", None)
        check_parts("ChainedScheduler", optimizer, schedulers)
        self._schedulers = list(schedulers)
        self.optimizer = optimizer  # type: ignore[assignment]
        self._read_back()

    @property
    def last_epoch(self) -> int:  # type: ignore[override]
        """The epoch that the parts are at."""
        return max(part.last_epoch for part in self._schedulers)

    def step(self, epoch: int | None = None) -> None:  # noqa: ARG002
        """Step every part."""
        for part in self._schedulers:
            part.step()
        self._read_back()

    def _begin(self) -> None:
        for part in self._schedulers:
            part._begin()
        self._read_back()

    def _restart(self) -> None:
        take_back(self._schedulers)
        self._begin()
