"""torch.masked: reductions and normalizations that leave elements out."""

from __future__ import annotations

from ._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.core:masked_",), listed=True)
