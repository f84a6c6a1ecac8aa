"""torch.nn.utils: helpers for modules and their parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._missing import lookup

if TYPE_CHECKING:
    from lamella.nn.utils import *  # noqa: F403

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils",), submodules=(
    "clip_grad", "convert_parameters", "fusion", "init", "parametrizations", "parametrize", "prune", "rnn",
    "spectral_norm", "stateless", "weight_norm",
))
