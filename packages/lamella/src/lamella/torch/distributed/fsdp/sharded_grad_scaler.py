"""torch.distributed.fsdp.sharded_grad_scaler: a GradScaler for gradients in shards."""

from __future__ import annotations

from typing import Any

from lamella import torch

from ..._missing import lookup
from ...amp import GradScaler

__all__ = ["ShardedGradScaler"]


class ShardedGradScaler(GradScaler):
    """A `GradScaler` for ranks that have different gradients: what is not finite on one rank ends the step on all.

    Args:
        device, init_scale, backoff_factor, growth_factor, growth_interval, enabled: as of `GradScaler`.
        process_group: the ranks; all by default.

    Example:
        >>> scaler = ShardedGradScaler("cpu", init_scale=4.0)
        >>> scaler.get_scale()
        4.0
    """

    def __init__(self, device: str = "cuda", init_scale: float = 2.0**16, backoff_factor: float = 0.5,
                 growth_factor: float = 2.0, growth_interval: int = 2000, enabled: bool = True,
                 process_group: Any = None) -> None:
        super().__init__(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled)
        self.process_group = process_group

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, and ask all ranks whether theirs are finite.

        All ranks call this, or `step`, equally often.
        """
        super().unscale_(optimizer)
        dist = torch.distributed
        if not self._enabled or not dist.is_initialized() or dist.get_world_size(self.process_group) < 2:
            return
        found = torch.tensor([float(self._found[id(optimizer)])], device=self._device)
        dist.all_reduce(found, dist.ReduceOp.MAX, group=self.process_group)
        self._found[id(optimizer)] = bool(found.item())


__getattr__, __dir__ = lookup(__name__)
