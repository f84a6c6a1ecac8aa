"""torch.func: functions of functions."""

from __future__ import annotations

from ._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.autograd.func", "lamella.nn.func"), listed=True)
