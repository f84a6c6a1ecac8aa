"""torch.nn.grad: gradients of convolutions on their own, from lamella.nn.grad."""

from __future__ import annotations

from .._missing import lookup

__getattr__, __dir__ = lookup(__name__, ("lamella.nn.grad",))
