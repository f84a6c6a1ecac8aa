"""torch.nn.modules.upsampling."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.modules.upsampling", "lamella.nn"))
