"""torch.distributed.distributed_c10d: process groups and collectives."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, (
    "lamella.distributed", "lamella.distributed.group", "lamella.distributed.collectives",
    "lamella.distributed.objects", "lamella.distributed.store", "lamella.distributed.rendezvous",
    "lamella.distributed.monitor.debug",
), listed=True, elsewhere={
    "reduce_op": "lamella.torch.distributed._old",
    **dict.fromkeys(("is_torchelastic_launched", "is_ucc_available", "is_xccl_available"), "lamella.torch.distributed"),
})
