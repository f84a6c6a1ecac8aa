"""torch.distributed._tensor: the old place of torch.distributed.tensor."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor", "lamella.distributed.device_mesh"), submodules=(
    "api", "placement_types",
))
