"""torch.distributed.checkpoint.planner_helpers."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(
    __name__, ("lamella.distributed.checkpoint.planner_helpers", "lamella.distributed.checkpoint"))
