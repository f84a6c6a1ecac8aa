"""torch.distributed.tensor: tensors that lie on several ranks."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor", "lamella.distributed.device_mesh"), submodules=(
    "device_mesh", "experimental", "parallel", "placement_types",
))
