"""torch.distributed.algorithms.ddp_comm_hooks: what DistributedDataParallel does with a bucket of gradients."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.algorithms.ddp_comm_hooks.kinds",), submodules=(
    "ddp_zero_hook", "debugging_hooks", "default_hooks", "post_localSGD_hook", "powerSGD_hook",
))
