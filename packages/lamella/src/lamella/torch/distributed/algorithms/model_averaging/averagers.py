"""torch.distributed.algorithms.model_averaging.averagers."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.algorithms.model_averaging.averagers",))
