"""The scheduler protocol: counting, checking, writing rates back, and schedules that have a closed form."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

from ..optimizer import Optimizer

STEP_ORDER = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. The first learning rate of the schedule is "
    "skipped that way.\nhint: call `optimizer.step()` first, then `lr_scheduler.step()`."
)
EPOCH_GIVEN = (
    "lr_scheduler.step: the argument `epoch` is deprecated; the rate is computed in closed form where there is one.\n"
    "hint: call `scheduler.step()` once per epoch, or build the scheduler with `last_epoch=`."
)
NOT_IN_STEP = (
    "get_lr: called outside of `step()`.\n"
    "hint: to get the last learning rate computed by the scheduler, please use `get_last_lr()`."
)
# Attributes that belong to the running object and not to its state.
TRANSIENT = ("optimizer", "_before", "_setup")
_serial = itertools.count()


def is_tensor(value: Any) -> bool:
    """Tell a rate held in a tensor (rewritten in place) from a plain number."""
    return hasattr(value, "fill_")


def number(value: Any) -> Any:
    """Return ``value`` as a Python number where it is a tensor."""
    return float(value) if is_tensor(value) else value


def copied(value: Any) -> Any:
    """Return ``value``, or a copy that shares no memory with it where it is a tensor."""
    return value.clone() if is_tensor(value) else value


def write(group: dict[str, Any], key: str, value: Any) -> None:
    """Set ``group[key]``, in place where it is a tensor."""
    old = group[key]
    if is_tensor(old):
        old.fill_(number(value))
    else:
        group[key] = value


def per_group(op: str, name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """Return ``value`` once for every parameter group.

    Args:
        op: name of the scheduler, for the error.
        name: name of the argument, for the error.
        optimizer: the optimizer whose groups are meant.
        value: one value for all groups, or a list or tuple with one for each.

    Raises:
        ValueError: the list's length is not the number of groups.
    """
    count = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [copied(value) for _ in range(count)]
    if len(value) != count:
        raise ValueError(f"{op}: {name} needs one value for each parameter group ({len(value)} values, {count} groups)")
    return [copied(v) for v in value]


def check_optimizer(op: str, optimizer: Any) -> None:
    """Raise TypeError unless ``optimizer`` is an Optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{op}: {type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """Base class of the schedulers: changes the learning rates of an optimizer step by step.

    A subclass defines :meth:`get_lr`, which returns one rate for each parameter group for the epoch
    ``self.last_epoch``; ``self.base_lrs`` holds the rates that the groups began with.

    Args:
        optimizer: the optimizer whose ``param_groups[i]["lr"]`` is scheduled.
        last_epoch: index of the last epoch that is done; -1 begins a new schedule. With ``k >= 0`` the schedule
            goes on where a new one would be after ``k + 1`` steps; every group must then hold ``initial_lr``.

    Raises:
        TypeError: ``optimizer`` is not an Optimizer.
        KeyError: ``last_epoch`` is not -1 and a group has no ``initial_lr``.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> class Halve(LRScheduler):
        ...     def get_lr(self):
        ...         return [base * 0.5**self.last_epoch for base in self.base_lrs]
        >>> optimizer = SGD([ones(2)], lr=0.8)
        >>> scheduler = Halve(optimizer)
        >>> optimizer.step(); scheduler.step()
        >>> scheduler.get_last_lr()
        [0.4]
    """

    _get_lr_called_within_step: bool = False
    _is_initial: bool = False

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        check_optimizer(type(self).__name__, optimizer)
        self.optimizer = optimizer
        self._remember()
        if last_epoch == -1:
            for group in optimizer.param_groups:
                group.setdefault("initial_lr", copied(group["lr"]))
        else:
            for i, group in enumerate(optimizer.param_groups):
                if "initial_lr" not in group:
                    raise KeyError(
                        f"{type(self).__name__}: param 'initial_lr' is not specified in param_groups[{i}], "
                        f"which last_epoch={last_epoch} needs; hint: load the optimizer's state first, "
                        "or leave last_epoch at -1 for a new schedule."
                    )
        self.base_lrs = self._bases()
        self.last_epoch = last_epoch
        self._initial_step()

    def _bases(self) -> list[Any]:
        return [copied(group["initial_lr"]) for group in self.optimizer.param_groups]

    def _remember(self) -> None:
        """Keep what the groups hold before this scheduler writes to them: a composite takes the writing back."""
        if "_before" not in self.__dict__:
            keys = ("lr", "initial_lr", "momentum", "betas")
            groups = self.optimizer.param_groups
            self._before = (next(_serial), [{k: copied(g[k]) for k in keys if k in g} for g in groups])

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """Return all of the scheduler's attributes except the optimizer, as a dict that can be saved."""
        return {key: value for key, value in self.__dict__.items() if key not in TRANSIENT}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned. The rates themselves are part of the optimizer's state."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """Return the rates that the last step set, one for each parameter group (copies, where they are tensors)."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """Compute the rates for the epoch ``self.last_epoch``; a subclass defines it. For reading, see get_last_lr."""
        raise NotImplementedError(f"{type(self).__name__}: a scheduler must define get_lr()")

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch (or to ``epoch``, deprecated) and write the new rates into the optimizer.

        Call it after ``optimizer.step()``.
        """
        if self._step_count == 1 and not self._is_initial:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_GIVEN, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _check_order(self) -> None:
        optimizer = self.optimizer
        stepped = getattr(optimizer, "_step_calls", 0) or getattr(optimizer, "_opt_called", False)
        # A step put on the instance may never reach ours, and a schedule that goes on has seen steps elsewhere.
        if not stepped and "step" not in optimizer.__dict__ and self.last_epoch == 0:
            warnings.warn(STEP_ORDER, UserWarning, stacklevel=3)

    def _update_lr(self, epoch: int | None = None) -> None:
        self._get_lr_called_within_step = True
        try:
            if epoch is None:
                self.last_epoch += 1
                rates = self.get_lr()
            else:
                self.last_epoch = epoch
                closed = getattr(self, "_get_closed_form_lr", None)
                rates = self.get_lr() if closed is None else closed()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self._groups(len(rates)), rates):
            write(group, "lr", rate)
        self._read_back()

    def _read_back(self) -> None:
        self._last_lr = [copied(group["lr"]) for group in self.optimizer.param_groups]

    def _groups(self, count: int) -> list[dict[str, Any]]:
        groups = self.optimizer.param_groups
        if len(groups) != count:
            raise ValueError(
                f"{type(self).__name__}: one rate for each parameter group is needed ({count} rates, {len(groups)} "
                "groups)\nhint: build the scheduler after the last add_param_group()."
            )
        return groups

    def _warn_outside(self) -> bool:
        """Warn if get_lr() is called by a user, and say so."""
        outside = not self._get_lr_called_within_step
        if outside:
            warnings.warn(NOT_IN_STEP, UserWarning, stacklevel=3)
        return outside

    def _resumes(self) -> bool:
        """Say whether this is the first step of a schedule that goes on in the middle."""
        return self._is_initial and self.last_epoch > 0

    # What SequentialLR and ChainedScheduler ask of their parts.

    def _parts(self) -> list[LRScheduler]:
        return [self]

    def _take_back(self) -> None:
        """Undo what the construction wrote into the optimizer, and stand before the first epoch."""
        for group, before in zip(self.optimizer.param_groups, self._before[1]):
            rate = before.get("initial_lr", before["lr"])
            write(group, "lr", rate)
            write(group, "initial_lr", rate)
            group.update({key: value for key, value in before.items() if key in ("momentum", "betas")})
        self.last_epoch = -1

    def _enter(self) -> None:
        """Write the settings of the groups that the schedule needs when its time comes."""

    def _begin(self) -> None:
        """Enter epoch 0 from the rates that the optimizer holds."""
        self._enter()
        self.last_epoch = -1
        self._initial_step()

    def _restart(self) -> None:
        """Enter epoch 0 in the middle of a sequence."""
        self._enter()
        self._update_lr(0)


class _LRScheduler(LRScheduler):
    """The base class under its old name."""


class ClosedForm(LRScheduler):
    """A schedule given by a formula of the epoch.

    A subclass defines ``_rate(base, epoch)`` and, where the rate tends to something other than zero, ``_floor()``.
    As long as nobody else writes the rate it is computed from the formula, so rounding does not add up. When somebody
    does (by hand, or another scheduler chained with this one), the formula's ratio is applied to what is there.
    """

    def _rate(self, base: float, epoch: float) -> float:
        raise NotImplementedError

    def _floor(self) -> float:
        return 0.0

    def get_lr(self) -> list[Any]:
        """Return the rates for ``self.last_epoch``; outside of ``step()`` the present ones, with a warning."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside():
            return [copied(group["lr"]) for group in groups]
        if self._resumes():
            return self._get_closed_form_lr()
        if self._is_initial:
            return [self._rate(number(group["lr"]), 0) for group in groups]
        return [self._next(group["lr"], number(base)) for group, base in zip(groups, self.base_lrs)]

    def _next(self, held: Any, base: float) -> float:
        now, epoch = number(held), self.last_epoch
        old, new = self._rate(base, epoch - 1), self._rate(base, epoch)
        # A float32 tensor holds the rounded rate.
        if now == old or is_tensor(held) and math.isclose(now, old, rel_tol=1e-6):
            return new
        floor = self._floor()
        if abs(old - floor) <= 1e-14 * abs(base - floor):
            return now + (new - old)
        return floor + (now - floor) * ((new - floor) / (old - floor))

    def _get_closed_form_lr(self) -> list[Any]:
        return [self._rate(number(base), self.last_epoch) for base in self.base_lrs]
