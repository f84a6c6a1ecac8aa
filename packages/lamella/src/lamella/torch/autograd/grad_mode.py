"""torch.autograd.grad_mode."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.autograd.grad_mode", "lamella.autograd"))
