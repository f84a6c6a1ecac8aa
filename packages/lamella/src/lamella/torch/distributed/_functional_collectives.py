"""torch.distributed._functional_collectives: collectives that return their results."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.functional_collectives",))
