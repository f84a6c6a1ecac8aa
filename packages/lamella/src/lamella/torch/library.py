"""torch.library: operators of your own."""

from __future__ import annotations

from ._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.dispatch.library", "lamella.dispatch"), listed=True)
