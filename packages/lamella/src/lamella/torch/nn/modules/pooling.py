"""torch.nn.modules.pooling."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.modules.pooling", "lamella.nn"))
