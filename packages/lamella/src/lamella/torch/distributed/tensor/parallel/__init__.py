"""torch.distributed.tensor.parallel: modules whose weights lie on several ranks."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.distributed.tensor.parallel",), submodules=("api", "loss", "style"))
