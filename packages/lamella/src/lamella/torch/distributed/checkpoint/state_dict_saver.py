"""torch.distributed.checkpoint.state_dict_saver."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(
    __name__, ("lamella.distributed.checkpoint.state_dict_saver", "lamella.distributed.checkpoint"))
