"""torch.distributed.fsdp.sharded_grad_scaler."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.fsdp.sharded_grad_scaler", "lamella.distributed.fsdp"))
