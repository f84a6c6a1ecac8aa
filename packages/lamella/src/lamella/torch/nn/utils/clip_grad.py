"""torch.nn.utils.clip_grad."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.utils.clip_grad", "lamella.nn.utils"))
