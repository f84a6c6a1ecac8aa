"""torch.nn.attention: choosing how attention is computed."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.attention",))
