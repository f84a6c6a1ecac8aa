"""torch.nn: building blocks of networks, from lamella.nn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.nn import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.nn", "lamella.torch.nn.parallel"), submodules=(
    "attention", "functional", "grad", "init", "modules", "parallel", "parameter", "utils",
), elsewhere={"SyncBatchNorm": "lamella.distributed.sync_batch_norm"})
