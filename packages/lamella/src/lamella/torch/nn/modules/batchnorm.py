"""torch.nn.modules.batchnorm."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.modules.batchnorm", "lamella.nn"),
                                 elsewhere={"SyncBatchNorm": "lamella.distributed.sync_batch_norm"})
