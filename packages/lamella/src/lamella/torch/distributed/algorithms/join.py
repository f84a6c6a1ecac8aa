"""torch.distributed.algorithms.join: ranks with different numbers of batches."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.algorithms.join",))
