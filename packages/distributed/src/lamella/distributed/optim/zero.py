"""ZeroRedundancyOptimizer: each rank keeps the optimizer's state of its share of the parameters."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from lamella.autograd.pytree import tree_map_only
from lamella.core import Tensor
from lamella.dispatch.errors import message

from ..algorithms.join import Join, Joinable, JoinHook
from ..group import get_global_rank, resolve
from ..layers import Optimizer
from ..objects import gather_object
from ..work import Work
from .partition import given, make_buckets, partition, send_from

__all__ = ["ZeroRedundancyOptimizer"]

logger = logging.getLogger(__name__)


class _ZeROJoinHook(JoinHook):
    """What a rank without inputs does when the others make a step: one with the gradients that they gave it."""

    def __init__(self, zero: ZeroRedundancyOptimizer) -> None:
        self.zero = zero

    def main_hook(self) -> None:
        """Make a step."""
        self.zero.step()


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """An optimizer whose state is spread over the ranks.

    Each rank updates about 1/n of the parameters, with an optimizer of its own that keeps state only for them, and
    sends them to the others. The ranks' gradients must be the same, as `DistributedDataParallel` leaves them.

    Source: Rajbhandari, Rasley, Ruwase, He: "ZeRO: memory optimizations toward training trillion parameter models"
    (2020), stage 1.

    Args:
        params: tensors, or dicts with ``"params"`` and options; the same on all ranks.
        optimizer_class: the class of the ranks' own optimizers.
        process_group: the ranks; all where None.
        parameters_as_bucket_view: keep each rank's parameters in one tensor, of which they are views, so that they
            are sent without being copied.
        overlap_with_ddp: make the steps while the gradients of a `DistributedDataParallel` travel; its communication
            hook must be made by `hook_with_zero_step`, and `step` does nothing.
        **defaults: options of the ranks' own optimizers.

    Attributes:
        optim: this rank's own optimizer.

    Raises:
        TypeError, ValueError: no parameters, or something that is none.

    Example:
        >>> from lamella import distributed as dist
        >>> from lamella.core import ones
        >>> from lamella.distributed.layers import optim
        >>> dist.init_process_group()
        >>> w = ones(2, requires_grad=True)
        >>> optimizer = ZeroRedundancyOptimizer([w], optim.SGD, lr=0.5)
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> w.tolist()
        [0.5, 0.5]
        >>> optimizer.consolidate_state_dict()
        >>> optimizer.state_dict()["param_groups"][0]["lr"]
        0.5
        >>> dist.destroy_process_group()
    """

    def __init__(
        self,
        params: Iterable[Any],
        optimizer_class: type[Optimizer],
        process_group: Any = None,
        parameters_as_bucket_view: bool = False,
        overlap_with_ddp: bool = False,
        **defaults: Any,
    ) -> None:
        self.initialized = False
        Optimizer.__init__(self, given(params), defaults)
        Joinable.__init__(self)
        self.process_group = resolve(process_group, "ZeroRedundancyOptimizer")
        self.world_size: int = self.process_group.size()
        self.rank: int = self.process_group.rank()
        self.global_rank: int = get_global_rank(self.process_group, self.rank)
        self.parameters_as_bucket_view = parameters_as_bucket_view
        self._overlap_with_ddp = overlap_with_ddp
        self._all_state_dicts: list[dict[Any, Any]] = []
        self._buckets: list[list[Tensor | None]] = []
        self._divide()
        self._default_device = next(iter(self._owner)).device
        self.optim: Any = optimizer_class(self._partition[self.rank], **defaults)
        self.state = self.optim.state
        self._sync_param_groups(self.optim.param_groups, self.param_groups)
        self._is_trainable_mask = self._trainable()
        self._build_param_buckets()
        self.initialized = True

    # -- who has what ------------------------------------------------------------------------------------------------

    def _divide(self) -> None:
        """Give each parameter to a rank."""
        self._partition = partition(self.param_groups, self.world_size)
        self._owner = {p: rank for rank, groups in enumerate(self._partition) for g in groups for p in g["params"]}
        if not self._owner:
            raise ValueError(message("ZeroRedundancyOptimizer", "got an empty parameter list"))

    def _partition_parameters(self, params_per_rank: Any = None) -> list[list[dict[str, Any]]]:
        """Each rank's part of the parameter groups."""
        return self._partition

    @property
    def _param_to_rank(self) -> dict[Tensor, int]:
        return self._owner

    @property
    def _index_to_param(self) -> list[Tensor]:
        return list(chain.from_iterable(g["params"] for g in self.param_groups))

    @property
    def _param_to_index(self) -> dict[Tensor, int]:
        return {p: i for i, p in enumerate(self._index_to_param)}

    def _trainable(self) -> list[bool]:
        return [p.requires_grad for p in self._index_to_param]

    def _build_param_buckets(self) -> None:
        if self.parameters_as_bucket_view:
            self._buckets = make_buckets(self._partition)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters, on all ranks.

        Args:
            param_group: as for any optimizer. Parameters of groups before stay with their ranks.
        """
        super().add_param_group(param_group)
        if not self.initialized:
            return
        self._divide()
        self.optim.add_param_group(self._partition[self.rank][-1])
        self._sync_param_groups(self.optim.param_groups, self.param_groups)
        self._is_trainable_mask = self._trainable()
        self._build_param_buckets()

    @staticmethod
    def _sync_param_groups(src_param_groups: list[dict[Any, Any]], dst_param_groups: list[dict[Any, Any]]) -> None:
        """Copy all options of groups, but not the parameters."""
        for source, target in zip(src_param_groups, dst_param_groups, strict=True):
            target.update((k, v) for k, v in source.items() if k != "params")

    # -- steps -------------------------------------------------------------------------------------------------------

    def step(self, closure: Callable[[], Any] | None = None, **kwargs: Any) -> Any:
        """Update this rank's parameters, and exchange all.

        Args:
            closure: computes the loss again and returns it.
            **kwargs: go to the rank's own optimizer.

        Returns:
            What the closure returned.
        """
        if self._overlap_with_ddp:
            logger.warning("`step()` should not be included in the training loop when `overlap_with_ddp=True`")
            return None
        loss = self._local_step(closure, **kwargs)
        self._sync_params()
        return loss

    def _local_step(self, closure: Callable[[], Any] | None = None, **kwargs: Any) -> Any:
        Join.notify_join_context(self)
        trainable = self._trainable()
        if trainable != self._is_trainable_mask:
            if self.parameters_as_bucket_view:
                logger.warning("ZeroRedundancyOptimizer detected that the trainable parameters changed; rebuilding the "
                               "parameter buckets")
            self._build_param_buckets()
            self._is_trainable_mask = trainable
        self._sync_param_groups(self.param_groups, self.optim.param_groups)
        loss = self.optim.step(**kwargs) if closure is None else self.optim.step(closure=closure, **kwargs)
        self._sync_param_groups(self.optim.param_groups, self.param_groups)
        return loss

    def _step_with(self, pairs: list[tuple[Tensor, Tensor]]) -> None:
        """Update some of this rank's parameters, with these gradients."""
        if not pairs:
            return
        groups, gradients = self.optim.param_groups, [p.grad for p, _ in pairs]
        whole = [g["params"] for g in groups]
        self._sync_param_groups(self.param_groups, groups)
        some = {p for p, _ in pairs}
        try:
            for p, grad in pairs:
                p.grad = grad.to(p.dtype)
            for g in groups:
                g["params"] = [p for p in g["params"] if p in some]
            self.optim.step()
        finally:
            for g, params in zip(groups, whole, strict=True):
                g["params"] = params
            for (p, _), grad in zip(pairs, gradients, strict=True):
                p.grad = grad
        self._sync_param_groups(groups, self.param_groups)

    def _broadcast_params_from_rank(self, rank: int) -> list[Work]:
        """Begin to copy a rank's parameters to all."""
        if self.parameters_as_bucket_view:
            rows = [bucket for row in self._buckets if (bucket := row[rank]) is not None]
        else:
            rows = [p for group in self._partition[rank] for p in group["params"] if p.requires_grad]
        return send_from(self.process_group, rank, rows)

    def _sync_params(self) -> None:
        if self.world_size == 1:
            return
        works = [work for rank in range(self.world_size) for work in self._broadcast_params_from_rank(rank)]
        for work in works:
            work.wait()

    # -- uneven inputs -----------------------------------------------------------------------------------------------

    def join_hook(self, **kwargs: Any) -> JoinHook:
        """What `Join` lets a rank without inputs do; the hook of the model must come first, to set gradients."""
        return _ZeROJoinHook(self)

    @property
    def join_device(self) -> Any:
        """The parameters' device."""
        return self._default_device

    @property
    def join_process_group(self) -> Any:
        """The ranks."""
        return self.process_group

    # -- state -------------------------------------------------------------------------------------------------------

    def local_state_dict(self) -> dict[str, Any]:
        """The groups, and the state of this rank's parameters only, under the numbers that they have among all.

        All ranks' together are a whole state dict; `lamella.distributed.checkpoint` saves them as one.
        """
        self._sync_param_groups(self.param_groups, self.optim.param_groups)
        return super().state_dict()

    def consolidate_state_dict(self, to: int = 0) -> None:
        """Bring all ranks' states to one rank, whose `state_dict` then works; all ranks call it.

        Args:
            to: the rank in the group.
        """
        mine = tree_map_only(Tensor, lambda t: t.detach().cpu(), self.local_state_dict()["state"])
        every: list[Any] | None = [None] * self.world_size if self.rank == to else None
        gather_object(mine, every, group=self.process_group, group_dst=to)
        self._all_state_dicts = every or []

    def state_dict(self) -> dict[str, Any]:
        """The whole state, as an optimizer of all parameters would give it, as it was when it was brought here.

        Raises:
            RuntimeError: `consolidate_state_dict` has not been called with this rank as its target.
        """
        if not self._all_state_dicts:
            raise RuntimeError(message(
                "ZeroRedundancyOptimizer.state_dict", "Optimizer state has not been consolidated on this rank",
                hint=f"Please call `consolidate_state_dict(to={self.rank})` on all ranks beforehand if you meant to "
                "save the global state."))
        found = self.local_state_dict()
        merged = {i: state for part in self._all_state_dicts for i, state in part.items()}
        found["state"] = dict(sorted(merged.items()))
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state; of it, this rank keeps what belongs to its parameters.

        Args:
            state_dict: what `state_dict` of this class or of any optimizer of the same parameters gives, from any
                number of ranks, or what this rank needs of it. It is not changed.
        """
        params = self._index_to_param
        mine = {i: s for i, s in state_dict.get("state", {}).items()
                if s is not None and (not isinstance(i, int) or self._owner.get(params[i]) == self.rank)}
        super().load_state_dict({**state_dict, "state": mine})
        self.optim.state = self.state
        self._sync_param_groups(self.param_groups, self.optim.param_groups)
