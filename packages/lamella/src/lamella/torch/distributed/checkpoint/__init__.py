"""torch.distributed.checkpoint: each rank saves its shards."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.checkpoint",), submodules=(
    "api", "default_planner", "filesystem", "metadata", "planner", "state_dict", "state_dict_loader",
    "state_dict_saver", "stateful", "storage",
))
