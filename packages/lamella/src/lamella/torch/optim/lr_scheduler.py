"""torch.optim.lr_scheduler."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.optim.lr_scheduler", "lamella.optim"))
