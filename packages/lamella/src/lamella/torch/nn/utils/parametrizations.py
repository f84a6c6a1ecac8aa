"""torch.nn.utils.parametrizations."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils.parametrizations", "lamella.nn.utils"))
