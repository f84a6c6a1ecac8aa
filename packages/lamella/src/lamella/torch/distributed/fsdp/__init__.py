"""torch.distributed.fsdp: parameters, gradients and optimizer state in shards."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.fsdp",), submodules=(
    "_fully_shard", "api", "fully_sharded_data_parallel", "sharded_grad_scaler", "wrap",
))
