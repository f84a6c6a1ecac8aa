"""torch.distributed._tensor.placement_types."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor.placement_types", "lamella.distributed.tensor"))
