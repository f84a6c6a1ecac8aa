"""Post-local SGD: gradients are averaged over all ranks at first, and then within small groups or not at all."""

from __future__ import annotations

from typing import Any

from ...parallel.buckets import GradBucket
from ...subgroups import new_subgroups
from ...work import Future
from .debugging_hooks import noop_hook
from .default_hooks import allreduce_future

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]


class PostLocalSGDState:
    """What `post_localSGD_hook` needs.

    Args:
        process_group: the ranks whose gradients are averaged at first; all by default.
        subgroup: the ranks whose gradients are averaged later; those of the same host by default.
        start_localSGD_iter: how many iterations average over all ranks.
        post_local_gradient_allreduce: whether later ones average within the subgroup.
    """

    __slots__ = ["process_group", "subgroup", "start_localSGD_iter", "post_local_gradient_allreduce", "iter"]

    def __init__(self, process_group: Any, subgroup: Any, start_localSGD_iter: int,
                 post_local_gradient_allreduce: bool = True) -> None:
        self.process_group = process_group
        self.subgroup = subgroup
        self.start_localSGD_iter = start_localSGD_iter
        self.post_local_gradient_allreduce = post_local_gradient_allreduce
        self.iter = 0

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count an iteration with its last bucket."""
        if bucket.is_last():
            self.iter += 1


def post_localSGD_hook(state: PostLocalSGDState, bucket: GradBucket) -> Future:  # noqa: N802 - torch's name
    """The mean over all ranks in the first iterations, then over a subgroup; a `PeriodicModelAverager` goes with it.

    Source: Lin, Stich, Patel, Jaggi: "Don't use large mini-batches, use local SGD" (2020).

    Args:
        state: the hook's state.
        bucket: the gradients.

    Example:
        >>> def local(model, subgroup):
        ...     state = PostLocalSGDState(None, subgroup, start_localSGD_iter=100)
        ...     model.register_comm_hook(state, post_localSGD_hook)
    """
    if state.iter < state.start_localSGD_iter:
        state.maybe_increase_iter(bucket)
        return allreduce_future(state.process_group, bucket.buffer())
    if not state.post_local_gradient_allreduce:
        return noop_hook(state, bucket)
    if state.subgroup is None:
        state.subgroup, _ = new_subgroups()
    return allreduce_future(state.subgroup, bucket.buffer())
