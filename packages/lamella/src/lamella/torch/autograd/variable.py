"""torch.autograd.variable: the old name of a tensor."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.torch.autograd",))
