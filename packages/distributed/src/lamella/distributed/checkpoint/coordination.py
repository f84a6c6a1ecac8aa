"""Steps that all ranks take together: what fails on one is raised on all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..group import get_rank, get_world_size, is_initialized
from ..objects import all_gather_object, broadcast_object_list, gather_object, scatter_object_list
from .api import CheckpointException, Failure, failures_in, wrap

T = TypeVar("T")
R = TypeVar("R")


class Coordinator:
    """A group's ranks, or this process alone.

    Args:
        op: what is being done, for errors.
        group: the ranks; all where None.
        alone: this process does it without the others.
    """

    def __init__(self, op: str, group: Any = None, alone: bool = False) -> None:
        self.op = op
        self.group = group
        self.alone = alone or not is_initialized()
        self.rank = 0 if self.alone else get_rank(group)
        self.size = 1 if self.alone else get_world_size(group)
        self.is_coordinator = self.rank == 0
        self._own: BaseException | None = None  # what went wrong here

    def divide(self, local: Callable[[], T], total: Callable[[list[T]], list[R]]) -> R:
        """Each rank's `local()`, of all of which one rank makes a result for each."""
        mine = self._try(local)
        every = self._gather(mine)
        results: list[Any] = []
        if self.is_coordinator:
            made = self._total(every, total)
            results = [made] * self.size if isinstance(made, CheckpointException) else made
        return self._answer(self._scatter(results))

    def collect(self, local: Callable[[], T], total: Callable[[list[T]], R]) -> R:
        """Each rank's `local()`, of all of which one rank makes a result for all."""
        mine = self._try(local)
        every = self._gather(mine)
        return self._answer(self._broadcast(self._total(every, total) if self.is_coordinator else None))

    def together(self, local: Callable[[], T]) -> list[T]:
        """All ranks' `local()` on all ranks."""
        mine = self._try(local)
        every = [mine]
        if not self.alone:
            every = [None] * self.size
            all_gather_object(every, mine, group=self.group)
        failed = failures_in(every)
        if failed:
            self._answer(CheckpointException(self.op, failed))
        return every

    def _try(self, fn: Callable[[], Any]) -> Any:
        try:
            return fn()
        except BaseException as e:
            self._own = e
            return wrap(e)

    def _total(self, every: list[Any], total: Callable[[list[Any]], Any]) -> Any:
        failed: dict[int, Failure] = failures_in(every)
        if not failed:
            try:
                return total(every)
            except BaseException as e:
                self._own = e
                failed = {self.rank: wrap(e)}
        return CheckpointException(self.op, failed)

    def _answer(self, result: Any) -> Any:
        if isinstance(result, CheckpointException):
            raise result from self._own
        return result

    def _gather(self, mine: Any) -> list[Any]:
        if self.alone:
            return [mine]
        every: list[Any] | None = [None] * self.size if self.is_coordinator else None
        gather_object(mine, every, group=self.group, group_dst=0)
        return every or []

    def _scatter(self, results: list[Any]) -> Any:
        if self.alone:
            return results[0]
        out: list[Any] = [None]
        scatter_object_list(out, results if self.is_coordinator else None, group=self.group, group_src=0)
        return out[0]

    def _broadcast(self, result: Any) -> Any:
        if self.alone:
            return result
        out = [result]
        broadcast_object_list(out, group=self.group, group_src=0)
        return out[0]
