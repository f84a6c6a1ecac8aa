"""Seeing what distributed tensors communicate."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lamella.dispatch.modes import TorchDispatchMode

from .._dtensor import DTensor

__all__ = ["CommDebugMode"]


class CommDebugMode(TorchDispatchMode):
    """Counts the collectives that are called within the block.

    Attributes:
        comm_counts: operator -> how often.

    Example:
        >>> import lamella.distributed as dist
        >>> from lamella import core
        >>> dist.init_process_group(rank=0, world_size=1)
        >>> with CommDebugMode() as comm:
        ...     dist.all_reduce(core.ones(2))
        >>> comm.get_total_counts()
        1
        >>> dist.destroy_process_group()
    """

    def __init__(self) -> None:
        super().__init__()
        self.comm_counts: Counter[Any] = Counter()

    def __enter__(self) -> Any:
        self.comm_counts.clear()
        return super().__enter__()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if any(issubclass(t, DTensor) for t in types):
            return NotImplemented  # what runs on the parts is seen
        if func.namespace == "c10d":
            self.comm_counts[func.overloadpacket] += 1
        return func(*args, **(kwargs or {}))

    def get_comm_counts(self) -> dict[Any, int]:
        """Operator -> how often it was called."""
        return dict(self.comm_counts)

    def get_total_counts(self) -> int:
        """How many collectives were called."""
        return sum(self.comm_counts.values())
