"""torch.nn.utils.weight_norm."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils.weight_norm_hook", "lamella.nn.utils"))
