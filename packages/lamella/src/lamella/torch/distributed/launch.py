"""torch.distributed.launch: the old name of torch.distributed.run."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.torch.distributed.run",))
