"""torch.distributed.tensor.debug: what a block communicates."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor.debug",))
