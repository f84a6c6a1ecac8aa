"""torch.nn.modules.padding."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.modules.padding", "lamella.nn"))
