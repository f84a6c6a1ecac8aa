"""torch.distributed.algorithms."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, submodules=("_checkpoint", "ddp_comm_hooks", "join", "model_averaging"))
