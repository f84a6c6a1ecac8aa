"""torch.nn.utils: helpers for modules and their parameters."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ..._missing import lookup

if TYPE_CHECKING:
    from lamella.nn.utils import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils",), submodules=(
    "clip_grad", "convert_parameters", "fusion", "init", "parametrizations", "parametrize", "prune", "rnn",
    "spectral_norm", "stateless", "weight_norm",
))

# Importing the file of such a name later would put the file in the function's place, so it is imported first.
for _name in ("spectral_norm", "weight_norm"):
    import_module(f"{__name__}.{_name}")
    globals()[_name] = getattr(import_module("lamella.nn.utils"), _name)
