"""torch.storage: the memory under tensors, from lamella.core.storage."""

from __future__ import annotations

from lamella.core.storage import UntypedStorage

from ._missing import lookup

__all__ = ["UntypedStorage"]

__getattr__, __dir__ = lookup(__name__, ("lamella.core.storage",))
