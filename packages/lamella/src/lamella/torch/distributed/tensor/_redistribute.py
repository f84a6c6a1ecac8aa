"""torch.distributed.tensor._redistribute: from placements to placements."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor._redistribute",))
