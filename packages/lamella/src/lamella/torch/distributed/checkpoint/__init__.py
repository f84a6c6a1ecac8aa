"""torch.distributed.checkpoint: each rank saves its shards."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.checkpoint",), submodules=(
    "api", "default_planner", "filesystem", "format_utils", "hf_storage", "metadata", "planner", "planner_helpers",
    "staging", "state_dict", "state_dict_loader", "state_dict_saver", "stateful", "storage",
))
