"""torch.distributed.checkpoint.default_planner."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(
    __name__, ("lamella.distributed.checkpoint.default_planner", "lamella.distributed.checkpoint"))
