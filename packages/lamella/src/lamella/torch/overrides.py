"""torch.overrides: objects that stand in for tensors."""

from __future__ import annotations

from ._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.core.overrides", "lamella.core"), listed=True)
