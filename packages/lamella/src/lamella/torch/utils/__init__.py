"""torch.utils: helpers around tensors."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(
    __name__, ("lamella.core",), listed=True, submodules=("data", "checkpoint", "dlpack", "_pytree")
)
