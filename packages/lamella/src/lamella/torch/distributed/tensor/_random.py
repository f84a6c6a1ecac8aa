"""torch.distributed.tensor._random: random numbers of tensors on several ranks."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor._random",))
