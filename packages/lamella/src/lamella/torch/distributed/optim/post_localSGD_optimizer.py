"""torch.distributed.optim.post_localSGD_optimizer."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.optim",))
