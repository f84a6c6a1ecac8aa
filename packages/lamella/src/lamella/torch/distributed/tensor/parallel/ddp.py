"""torch.distributed.tensor.parallel.ddp: tensor parallelism inside of DistributedDataParallel."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor.parallel.ddp",))
