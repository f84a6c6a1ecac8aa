"""torch.distributed.algorithms.model_averaging: ranks that train on their own, and the mean of their models."""

from __future__ import annotations

from ...._missing import lookup

__getattr__, __dir__ = lookup(__name__, submodules=("averagers", "utils"))
