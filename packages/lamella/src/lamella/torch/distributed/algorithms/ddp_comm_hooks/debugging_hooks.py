"""torch.distributed.algorithms.ddp_comm_hooks.debugging_hooks."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.algorithms.ddp_comm_hooks.debugging_hooks",))
