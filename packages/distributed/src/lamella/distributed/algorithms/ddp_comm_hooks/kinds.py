"""The communication hooks by names."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from .debugging_hooks import noop_hook
from .default_hooks import allreduce_hook, bf16_compress_hook, fp16_compress_hook
from .powerSGD_hook import PowerSGDState, batched_powerSGD_hook, powerSGD_hook

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


class _Plain:
    """Registers a hook whose state is a process group."""

    def __init__(self, hook: Callable[..., Any]) -> None:
        self.hook = hook

    def __call__(self, model: Any, state: Any = None) -> None:
        model.register_comm_hook(state, self.hook)


class _PowerSGD(_Plain):
    """Registers a hook of PowerSGD for a process group."""

    def __init__(self, hook: Callable[..., Any], rank: int) -> None:
        super().__init__(hook)
        self.rank = rank

    def __call__(self, model: Any, state: Any = None) -> None:
        made = PowerSGDState(process_group=state, matrix_approximation_rank=self.rank)
        model.register_comm_hook(made, self.hook)


class DDPCommHookType(enum.Enum):
    """Communication hooks; ``DDPCommHookType.ALLREDUCE.value(model=model, state=process_group)`` registers one."""

    ALLREDUCE = _Plain(allreduce_hook)
    FP16_COMPRESS = _Plain(fp16_compress_hook)
    BF16_COMPRESS = _Plain(bf16_compress_hook)
    POWER_SGD = _PowerSGD(powerSGD_hook, 1)
    POWER_SGD_RANK2 = _PowerSGD(powerSGD_hook, 2)
    BATCHED_POWER_SGD = _PowerSGD(batched_powerSGD_hook, 1)
    BATCHED_POWER_SGD_RANK2 = _PowerSGD(batched_powerSGD_hook, 2)
    NOOP = _Plain(noop_hook)


def register_ddp_comm_hook(comm_hook_type: DDPCommHookType, model: Any, state: Any = None) -> None:
    """Register a hook with a DistributedDataParallel model.

    Args:
        comm_hook_type: which one.
        model: the model.
        state: the process group; the default one where None.

    Example:
        >>> def compress(model):
        ...     register_ddp_comm_hook(DDPCommHookType.FP16_COMPRESS, model)
    """
    comm_hook_type.value(model=model, state=state)
