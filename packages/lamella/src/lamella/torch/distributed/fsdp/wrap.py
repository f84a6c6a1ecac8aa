"""torch.distributed.fsdp.wrap: which modules become units of their own."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.fsdp.wrap", "lamella.distributed.fsdp"))
