"""torch.autograd: gradients, from lamella.autograd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.autograd import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.autograd",), submodules=(
    "anomaly_mode", "forward_ad", "function", "functional", "grad_mode", "gradcheck", "graph", "variable",
))
