"""torch.distributed.optim: optimizers whose state is shared out among ranks."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.optim",), submodules=(
    "post_localSGD_optimizer", "zero_redundancy_optimizer",
))
