"""Communication hooks that make the steps of a `ZeroRedundancyOptimizer` while gradients travel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.dispatch.errors import message

from ...optim.zero import ZeroRedundancyOptimizer
from ...parallel.buckets import GradBucket, parts
from ...work import Future

__all__ = ["hook_with_zero_step", "hook_with_zero_step_interleaved"]

Hook = Callable[[Any, GradBucket], Future]


def hook_with_zero_step(hook: Hook, ddp: Any, zero: ZeroRedundancyOptimizer, shard_buckets: bool = False) -> Hook:
    """A hook that, with the last bucket of a step, updates the parameters and exchanges them.

    Steps are made from the first one on; torch's leave parameters as they are until buckets were rebuilt.

    Args:
        hook: averages the gradients.
        ddp: the model.
        zero: the optimizer, made with ``overlap_with_ddp=True``.
        shard_buckets: ignored: each rank updates the parameters that `zero` gave it, whatever buckets they are in.

    Returns:
        What ``ddp.register_comm_hook(state, ...)`` takes, with the state that `hook` wants.

    Raises:
        ValueError: `zero` was made without ``overlap_with_ddp``.

    Example:
        >>> from lamella.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
        >>> def overlap(model, zero):
        ...     model.register_comm_hook(None, hook_with_zero_step(allreduce_hook, model, zero))
    """
    return _Steps("hook_with_zero_step", hook, zero, early=False)


def hook_with_zero_step_interleaved(hook: Hook, ddp: Any, zero: ZeroRedundancyOptimizer,
                                    shard_buckets: bool = False) -> Hook:
    """As `hook_with_zero_step`, but a bucket's parameters are updated as soon as its gradients are there.

    Args:
        hook, ddp, zero, shard_buckets: as of `hook_with_zero_step`.
    """
    return _Steps("hook_with_zero_step_interleaved", hook, zero, early=True)


class _Steps:
    """The hook: keeps the buckets of a step until the last one."""

    def __init__(self, name: str, hook: Hook, zero: ZeroRedundancyOptimizer, early: bool) -> None:
        if not zero._overlap_with_ddp:
            raise ValueError(message(name, "ZeroRedundancyOptimizer must be constructed with `overlap_with_ddp=True` "
                                     "to use this hook properly"))
        self.hook = hook
        self.zero = zero
        self.early = early
        self.waiting: list[tuple[GradBucket, Future]] = []

    def __call__(self, state: Any, bucket: GradBucket) -> Future:
        future = self.hook(state, bucket)
        self.waiting.append((bucket, future))
        # Exchanging parameters waits for the last bucket: collectives must come in the same order on all ranks, and
        # when gradients are there differs between them.
        while self.waiting and (bucket.is_last() or (self.early and self.waiting[0][1].done())):
            self._update(*self.waiting.pop(0))
        if bucket.is_last():
            self.zero._sync_params()
            self.zero._step_calls += 1
        return future

    def _update(self, bucket: GradBucket, future: Future) -> None:
        flat = future.wait()
        flat = flat[0] if isinstance(flat, (list, tuple)) else flat
        params = bucket.parameters()
        owner, rank = self.zero._param_to_rank, self.zero.rank
        self.zero._step_with([(p, g) for p, g in zip(params, parts(flat, params), strict=True) if owner.get(p) == rank])
