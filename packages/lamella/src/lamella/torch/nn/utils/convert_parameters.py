"""torch.nn.utils.convert_parameters."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils.convert_parameters", "lamella.nn.utils"))
