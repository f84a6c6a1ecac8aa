"""torch.distributed._tensor.device_mesh: ranks in a grid."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.device_mesh",))
