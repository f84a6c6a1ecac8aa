"""DistributedOptimizer, which torch has for parameters that live in other processes."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message


class DistributedOptimizer:
    """torch's optimizer for parameters that other processes own (RRefs). There are no remote calls here.

    Raises:
        RuntimeError: always; the text says what to use.
    """

    def __init__(self, optimizer_class: Any = None, params_rref: Any = None, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(message(
            "DistributedOptimizer", "it needs torch.distributed.rpc, which is not here",
            hint="ZeroRedundancyOptimizer or fully_shard spread an optimizer's state over the ranks",
        ))
