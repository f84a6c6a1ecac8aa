"""torch.nn.modules.rnn."""

from __future__ import annotations

from ..._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.modules.rnn", "lamella.nn"))
