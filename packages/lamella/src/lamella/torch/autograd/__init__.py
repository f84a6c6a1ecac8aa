"""torch.autograd: gradients, from lamella.autograd."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from .._missing import lookup

if TYPE_CHECKING:
    from lamella.autograd import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.autograd",), submodules=(
    "anomaly_mode", "forward_ad", "function", "functional", "grad_mode", "graph", "variable",
))

# Importing the file of such a name later would put the file in the function's place, so it is imported first.
for _name in ("gradcheck",):
    import_module(f"{__name__}.{_name}")
    globals()[_name] = getattr(import_module("lamella.autograd"), _name)
