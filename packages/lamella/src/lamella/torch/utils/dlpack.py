"""torch.utils.dlpack: sharing memory with other libraries."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.core.interop", "lamella.core"), listed=True)
