"""torch.nn.utils.spectral_norm."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils.spectral_norm_hook", "lamella.nn.utils"))
