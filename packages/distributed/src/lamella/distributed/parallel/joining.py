"""Data-parallel training with uneven inputs: what a rank does when its own are used up."""

from __future__ import annotations

from typing import Any

from lamella.core import tensor

from ..algorithms.join import Join, JoinHook
from ..collectives import all_reduce
from ..reduce_op import ReduceOp
from .coalesced import sync_states


class _DDPJoinHook(JoinHook):
    """Mirrors the communication of the others' forward and backward."""

    def __init__(self, ddp: Any, divide_by_initial_world_size: bool) -> None:
        self.ddp = ddp
        ddp._divide_by_initial_world_size = divide_by_initial_world_size
        super().__init__()

    def main_hook(self) -> None:
        """One step of the others."""
        ddp = self.ddp
        ddp.reducer.rebuild()
        ddp._check_and_sync_module_buffers()
        sync = ddp._check_global_requires_backward_grad_sync(is_joined_rank=True)
        ddp.require_forward_param_sync = sync
        if sync:
            ddp.reducer.shadow()

    def post_hook(self, is_last_joiner: bool) -> None:
        """All are at their end: take the model of one that was last."""
        self.ddp._sync_final_model(is_last_joiner)


class JoiningMixin:
    """`join` of DistributedDataParallel."""

    def join(self: Any, divide_by_initial_world_size: bool = True, enable: bool = True,
             throw_on_early_termination: bool = False) -> Join:
        """A context for a training loop in which ranks may have different numbers of batches.

        A rank that has no more inputs takes part in the others' communication with zeros; at the end all take the model
        of a rank that was last. Other communication of the model (as in SyncBatchNorm) is not mirrored: use
        `throw_on_early_termination` with it.

        Args:
            divide_by_initial_world_size: divide sums of gradients by the number of ranks; else by the number of those
                that have inputs still.
            enable: False: do nothing, for inputs that are known to be even.
            throw_on_early_termination: raise on all ranks as soon as one has no more inputs.

        Example:
            >>> def train(model, batches):
            ...     with model.join():
            ...         for x in batches:
            ...             model(x).sum().backward()
        """
        return Join([self], enable, throw_on_early_termination,
                    divide_by_initial_world_size=divide_by_initial_world_size)

    def join_hook(self: Any, **kwargs: Any) -> JoinHook:
        """What `Join` calls on a rank without inputs."""
        return _DDPJoinHook(self, kwargs.get("divide_by_initial_world_size", True))

    @property
    def join_device(self: Any) -> Any:
        """Where `Join` communicates."""
        return self.device

    @property
    def join_process_group(self: Any) -> Any:
        """Among whom `Join` communicates."""
        return self.process_group

    def _find_common_rank(self: Any, input_rank: int, rank_cond: bool) -> int:
        """The greatest rank for which a condition holds."""
        found = tensor([input_rank if rank_cond else -1], device=self.device)
        all_reduce(found, op=ReduceOp.MAX, group=self.process_group)
        return int(found.item())

    def _check_and_sync_module_buffers(self: Any) -> None:
        if self._check_sync_bufs_pre_fwd():
            self._sync_module_buffers(self._find_common_rank(self._distributed_rank, False))

    def _sync_final_model(self: Any, is_last_joiner: bool) -> None:
        self._authoritative_rank = self._find_common_rank(self._distributed_rank, is_last_joiner)
        sync_states(self.process_group, self.module, self.parameters_to_ignore, self._authoritative_rank,
                    self.forward_sync_buffers)
