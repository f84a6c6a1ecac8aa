"""torch.distributed.pipelining: a model's parts on different ranks."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.pipelining",), submodules=(
    "microbatch", "schedules", "stage",
))
