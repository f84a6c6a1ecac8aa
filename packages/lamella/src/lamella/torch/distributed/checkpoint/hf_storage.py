"""torch.distributed.checkpoint.hf_storage."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(
    __name__, ("lamella.distributed.checkpoint.hf_storage", "lamella.distributed.checkpoint"))
