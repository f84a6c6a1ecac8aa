"""torch.distributed._composable.fsdp: the old place of fully_shard."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.fsdp",))
