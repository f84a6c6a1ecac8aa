"""Join: training loops in which ranks have different numbers of inputs."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NamedTuple

from lamella.core import ones, zeros
from lamella.dispatch.errors import message

from ..collectives import all_reduce

__all__ = ["Join", "JoinHook", "Joinable"]

_SKEW = 1000


class JoinHook:
    """What a rank does when its inputs are used up and those of others are not."""

    def main_hook(self) -> None:
        """Take part in the communication of one step of the others."""

    def post_hook(self, is_last_joiner: bool) -> None:
        """All ranks are at their end.

        Args:
            is_last_joiner: this rank was among the last.
        """


class _JoinConfig(NamedTuple):
    enable: bool
    throw_on_early_termination: bool
    is_first_joinable: bool

    @staticmethod
    def construct_disabled_join_config() -> _JoinConfig:
        """Outside of a `Join`."""
        return _JoinConfig(False, False, False)


class Joinable(ABC):
    """Base of what takes part in a `Join`: its steps communicate, and its hook mirrors them."""

    @abstractmethod
    def __init__(self) -> None:
        self._join_config = _JoinConfig.construct_disabled_join_config()

    @abstractmethod
    def join_hook(self, **kwargs: Any) -> JoinHook:
        """The hook; `kwargs` are those that `Join` was given."""

    @property
    @abstractmethod
    def join_device(self) -> Any:
        """The device that `Join` communicates from."""

    @property
    @abstractmethod
    def join_process_group(self) -> Any:
        """The ranks that join."""


class Join:
    """A context around a training loop, at whose end ranks without inputs go on communicating until all are there.

    Args:
        joinables: what communicates in a step, in the order in which it does; all of one process group.
        enable: False: do nothing.
        throw_on_early_termination: raise on all ranks as soon as one has no more inputs.
        kwargs: are handed to each `join_hook`.

    Raises:
        ValueError: no joinable, or several process groups.

    Example:
        >>> def train(model, optimizer, batches):
        ...     with Join([model, optimizer]):
        ...         for x in batches:
        ...             model(x).sum().backward()
        ...             optimizer.step()
    """

    def __init__(self, joinables: Sequence[Joinable], enable: bool = True, throw_on_early_termination: bool = False,
                 **kwargs: Any) -> None:
        if not joinables:
            raise ValueError(message("Join", "The join context manager requires at least one joinable"))
        groups = [j.join_process_group for j in joinables]
        if any(g is not groups[0] for g in groups):
            raise ValueError(message("Join", "Using join context manager with multiple process groups",
                                     sorted({g.name for g in groups})))
        self._joinables = list(joinables)
        self._join_hooks = [j.join_hook(**kwargs) for j in self._joinables]
        self._enable = enable
        self._throw_on_early_termination = throw_on_early_termination
        self._process_group = groups[0]
        self._rank = groups[0].rank()
        self._device = self._joinables[0].join_device
        for i, joinable in enumerate(self._joinables):
            joinable._join_config = _JoinConfig(enable, throw_on_early_termination, i == 0)

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        try:
            if self._enable and kind is None:
                self._run()
        finally:
            for joinable in self._joinables:
                joinable._join_config = _JoinConfig.construct_disabled_join_config()
                work = joinable.__dict__.pop("_join_work", None)
                if work is not None and kind is None:
                    work.wait()

    def _run(self) -> None:
        last, steps = True, 0
        while True:
            left = zeros(1, device=self._device)
            all_reduce(left, group=self._process_group)
            if left.item() == 0:
                break
            if self._throw_on_early_termination:
                all_reduce(ones(1, device=self._device), group=self._process_group)
                raise RuntimeError(message("Join", f"Rank {self._rank} exhausted all inputs"))
            for hook in self._join_hooks:
                hook.main_hook()
            last = False
            steps += 1
            if steps == _SKEW + 1:
                warnings.warn(f"Detected uneven input skew of greater than {_SKEW}. This means that rank {self._rank} "
                              f"has at least {_SKEW} fewer inputs than other currently-active ranks.", stacklevel=3)
        for hook in self._join_hooks:
            hook.post_hook(last)

    @staticmethod
    def notify_join_context(joinable: Joinable) -> Any:
        """A joinable's step is about to communicate: tell the ranks without inputs.

        Args:
            joinable: only the first one of a `Join` communicates here.

        Returns:
            The work of the sum over ranks of 1 for those that have inputs; None where nothing was sent.

        Raises:
            RuntimeError: with `throw_on_early_termination`, where a rank has no more inputs.
        """
        config = joinable._join_config
        if not config.enable or not config.is_first_joinable:
            return None
        group, where = joinable.join_process_group, joinable.join_device
        before = joinable.__dict__.get("_join_work")
        if before is not None:  # nobody need have waited for it
            before.wait()
        work = joinable.__dict__["_join_work"] = all_reduce(ones(1, device=where), group=group, async_op=True)
        if config.throw_on_early_termination:
            someone = zeros(1, device=where)
            all_reduce(someone, group=group)
            if someone.item():
                work.wait()  # type: ignore[union-attr]
                raise RuntimeError(message("Join", "Detected at least one rank that exhausted inputs. Throwing across "
                                           "all ranks"))
        return work
