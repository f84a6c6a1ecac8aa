"""torch.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.algorithms.ddp_comm_hooks.post_localSGD_hook",))
