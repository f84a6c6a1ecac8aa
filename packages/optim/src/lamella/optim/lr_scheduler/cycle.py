"""Schedules that rise and fall: cycles, one cycle, and a cosine with warm restarts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..optimizer import Optimizer
from .base import LRScheduler, check_optimizer, copied, number, per_group, write
from .functions import saved_function


class _WithMomentum(LRScheduler):
    """A schedule that may move the momentum against the rate.

    ``_setup`` holds for every group what the schedule writes into it when it begins.
    """

    cycle_momentum: bool

    def _momentum_setup(self, base_momentum: Any, max_momentum: Any) -> None:
        op, optimizer = type(self).__name__, self.optimizer
        self.use_beta1 = "betas" in optimizer.defaults
        if not self.use_beta1 and "momentum" not in optimizer.defaults:
            raise ValueError(
                f"{op}: optimizer must support momentum or beta1 with `cycle_momentum` option enabled "
                f"(got {type(optimizer).__name__})\nhint: pass cycle_momentum=False."
            )
        lows = per_group(op, "base_momentum", optimizer, base_momentum)
        highs = per_group(op, "max_momentum", optimizer, max_momentum)
        for setup, low, high in zip(self._setup, lows, highs):
            setup["max_momentum"] = high
            setup["base_momentum"] = low

    def _enter(self) -> None:
        for group, setup in zip(self.optimizer.param_groups, self._setup):
            for key, value in setup.items():
                if key == "lr":
                    write(group, key, value)
                else:
                    group[key] = copied(value)
            if self.cycle_momentum:
                self._set_momentum(group, setup["max_momentum"])

    def _set_momentum(self, group: dict[str, Any], value: Any) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_WithMomentum):
    """Move the rate up and down between two values in straight lines, and the momentum the other way round.

    Source: Smith, "Cyclical Learning Rates for Training Neural Networks", 2017.

    Args:
        optimizer: the optimizer to schedule; step the scheduler after every batch.
        base_lr: the lowest rate, or one for each parameter group.
        max_lr: the highest rate of the first cycle, or one for each parameter group.
        step_size_up: batches of the rising half.
        step_size_down: batches of the falling half; as many as up where None.
        mode: "triangular" (all cycles alike), "triangular2" (half the height each cycle), "exp_range" (the height
            shrinks by ``gamma`` each batch).
        gamma: for "exp_range".
        scale_fn: a function that gives the height, in place of ``mode``.
        scale_mode: what ``scale_fn`` is called with: the "cycle" (from 1) or the "iterations" (from 0).
        cycle_momentum: move the momentum (or Adam's beta1) too.
        base_momentum: the lowest momentum.
        max_momentum: the highest momentum, where each cycle begins.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: an unknown mode without ``scale_fn``, lists of a wrong length, an optimizer without momentum.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.8,
        max_momentum: float | list[float] = 0.9,
        last_epoch: int = -1,
    ):
        check_optimizer("CyclicLR", optimizer)
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError(
                f"CyclicLR: mode is invalid and scale_fn is None (mode={mode!r})\n"
                "hint: use 'triangular', 'triangular2' or 'exp_range'."
            )
        self.optimizer = optimizer
        lows = per_group("CyclicLR", "base_lr", optimizer, base_lr)
        self.max_lrs = per_group("CyclicLR", "max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        self._setup = [{"lr": low} for low in lows]
        self._remember()
        if cycle_momentum:
            self._momentum_setup(base_momentum, max_momentum)
            self.base_momentums = [setup["base_momentum"] for setup in self._setup]
            self.max_momentums = [setup["max_momentum"] for setup in self._setup]
        if last_epoch == -1:
            self._enter()
        super().__init__(optimizer, last_epoch)

    def _bases(self) -> list[Any]:
        return [copied(setup["lr"]) for setup in self._setup]

    def scale_fn(self, x: float) -> float:
        """Return the height of the cycle (or batch) ``x`` as a share of the first one's."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular2":
            return 1 / (2.0 ** (x - 1))
        return self.gamma**x if self.mode == "exp_range" else 1.0

    def get_lr(self) -> list[Any]:
        """Return the rates for ``self.last_epoch`` and move the momentum."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside():
            return [copied(group["lr"]) for group in groups]
        position = self.last_epoch / self.total_size
        cycle = math.floor(1 + position)
        x = 1.0 + position - cycle
        rise = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        height = rise * self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            for group, low, high in zip(groups, self.base_momentums, self.max_momentums):
                self._set_momentum(group, high - (high - low) * height)
        return [number(low) + (number(high) - number(low)) * height for low, high in zip(self.base_lrs, self.max_lrs)]

    def state_dict(self) -> dict[str, Any]:
        """Return the state; ``scale_fn`` is part of it only where it is a callable object, as its ``__dict__``."""
        state = super().state_dict()
        state["_scale_fn_custom"] = saved_function(self._scale_fn_custom)
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state; the function given at construction stays."""
        super().load_state_dict({k: v for k, v in state_dict.items() if k != "_scale_fn_custom"})
        attributes = state_dict.get("_scale_fn_custom")
        if attributes is not None and self._scale_fn_custom is not None:
            self._scale_fn_custom.__dict__.update(attributes)


class OneCycleLR(_WithMomentum):
    """Raise the rate to ``max_lr`` and let it fall far below its start, once over the whole training.

    Source: Smith and Topin, "Super-Convergence: Very Fast Training of Neural Networks Using Large Learning Rates",
    2018.

    Args:
        optimizer: the optimizer to schedule; step the scheduler after every batch.
        max_lr: the highest rate, or one for each parameter group.
        total_steps: batches of the whole training; or give the next two.
        epochs: passes over the data.
        steps_per_epoch: batches of a pass.
        pct_start: share of the steps that rise.
        anneal_strategy: "cos" or "linear".
        cycle_momentum: move the momentum (or Adam's beta1) the other way round.
        base_momentum: the lowest momentum.
        max_momentum: the highest momentum.
        div_factor: the first rate is ``max_lr / div_factor``.
        final_div_factor: the last rate is the first one divided by this.
        three_phase: fall to the first rate as slowly as it rose, then to the last one.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: an argument out of its range, or more steps than ``total_steps``.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.optim import SGD
        >>> optimizer = SGD([ones(2)], lr=1.0, momentum=0.9)
        >>> scheduler = OneCycleLR(optimizer, max_lr=25.0, total_steps=10)
        >>> scheduler.get_last_lr(), optimizer.param_groups[0]["momentum"]
        ([1.0], 0.95)
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ):
        check_optimizer("OneCycleLR", optimizer)
        self.optimizer = optimizer
        self.total_steps = _steps(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, (int, float)) or not 0 <= pct_start <= 1:
            raise ValueError(f"OneCycleLR: pct_start must be a number between 0 and 1 (got {pct_start!r})")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"OneCycleLR: anneal_strategy must be 'cos' or 'linear' (got {anneal_strategy!r})")
        self._schedule_phases = _phases(self.total_steps, float(pct_start), three_phase)
        self._anneal_func_type = anneal_strategy
        self.cycle_momentum = cycle_momentum
        self._remember()
        self._setup = []
        for high in per_group("OneCycleLR", "max_lr", optimizer, max_lr):
            first = high / div_factor
            self._setup.append({"initial_lr": first, "max_lr": high, "min_lr": first / final_div_factor})
        if cycle_momentum:
            self._momentum_setup(base_momentum, max_momentum)
        if last_epoch == -1:
            self._enter()
        super().__init__(optimizer, last_epoch)

    def _anneal(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "cos":
            return end + (start - end) / 2.0 * (1 + math.cos(math.pi * share))
        return start + (end - start) * share

    def _phase(self) -> tuple[dict[str, Any], float]:
        """Return the phase of ``self.last_epoch`` and the share of it that is done."""
        start = 0.0
        for phase in self._schedule_phases[:-1]:
            if self.last_epoch <= phase["end_step"]:
                break
            start = phase["end_step"]
        else:
            phase = self._schedule_phases[-1]
        length = phase["end_step"] - start
        return phase, (self.last_epoch - start) / length if length else 1.0

    def get_lr(self) -> list[Any]:
        """Return the rates for ``self.last_epoch`` and move the momentum."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside():
            return [copied(group["lr"]) for group in groups]
        if self.last_epoch > self.total_steps:
            raise ValueError(
                f"OneCycleLR: Tried to step {self.last_epoch} times. The specified number of total steps is "
                f"{self.total_steps}\nhint: total_steps counts batches: epochs times the length of the loader."
            )
        phase, share = self._phase()
        rates = []
        for group in groups:
            rates.append(self._anneal(number(group[phase["start_lr"]]), number(group[phase["end_lr"]]), share))
            if self.cycle_momentum:
                momentum = self._anneal(group[phase["start_momentum"]], group[phase["end_momentum"]], share)
                self._set_momentum(group, momentum)
        return rates


def _steps(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    if total_steps is None and (epochs is None or steps_per_epoch is None):
        raise ValueError("OneCycleLR: You must define either total_steps OR (epochs AND steps_per_epoch)")
    named = {"total_steps": total_steps}
    if total_steps is None:
        named = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    for name, value in named.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"OneCycleLR: Expected positive integer {name}, but got {value}")
    return math.prod(named.values())  # type: ignore[arg-type]


def _phases(steps: int, rise: float, three: bool) -> list[dict[str, Any]]:
    def phase(end: float, lrs: tuple[str, str], momenta: tuple[str, str]) -> dict[str, Any]:
        keys = ("end_step", "start_lr", "end_lr", "start_momentum", "end_momentum")
        return dict(zip(keys, (end, *lrs, *momenta)))

    high, low = "max_momentum", "base_momentum"
    up = phase(float(rise * steps) - 1, ("initial_lr", "max_lr"), (high, low))
    if not three:
        return [up, phase(steps - 1, ("max_lr", "min_lr"), (low, high))]
    down = phase(float(2 * rise * steps) - 2, ("max_lr", "initial_lr"), (low, high))
    return [up, down, phase(steps - 1, ("initial_lr", "min_lr"), (high, high))]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Let the rate fall along half a cosine, then jump back, with periods that may grow.

    Source: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2017.

    Args:
        optimizer: the optimizer to schedule.
        T_0: epochs of the first period.
        T_mult: each period is this many times as long as the one before.
        eta_min: the rate at the end of a period.
        last_epoch: see LRScheduler.

    Raises:
        ValueError: ``T_0`` or ``T_mult`` is not a positive integer, ``eta_min`` not a number, or a negative epoch.
    """

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                raise ValueError(f"CosineAnnealingWarmRestarts: Expected positive integer {name}, but got {value}")
        if not isinstance(eta_min, (int, float)):
            raise ValueError(f"CosineAnnealingWarmRestarts: Expected a number for eta_min, but got {eta_min!r}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """Return the rates for the present place in the period."""
        groups = self._groups(len(self.base_lrs))
        if self._warn_outside():
            return [copied(group["lr"]) for group in groups]
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (number(base) - self.eta_min) * share for base in self.base_lrs]

    def step(self, epoch: float | None = None) -> None:
        """Go on by one epoch, or to ``epoch``, which may be a fraction: ``step(epoch + batch / batches)``."""
        if epoch is None and not self._is_initial and self.last_epoch >= 0:
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
            self.last_epoch += 1
        else:
            self._place(self.last_epoch + 1 if epoch is None else epoch)
        self._write()

    def _place(self, epoch: float) -> None:
        if epoch < 0:
            raise ValueError(f"CosineAnnealingWarmRestarts: Expected non-negative epoch, but got {epoch}")
        self.last_epoch = math.floor(epoch)
        self.T_i = self.T_0
        if self.T_mult == 1:
            self.T_cur = epoch % self.T_0
            return
        while epoch >= self.T_i:
            epoch -= self.T_i
            self.T_i *= self.T_mult
        self.T_cur = epoch

    def _write(self) -> None:
        self._get_lr_called_within_step = True
        try:
            rates = self.get_lr()
        finally:
            self._get_lr_called_within_step = False
        for group, rate in zip(self.optimizer.param_groups, rates):
            write(group, "lr", rate)
        self._read_back()

    def _restart(self) -> None:
        self._place(0)
        self._write()
