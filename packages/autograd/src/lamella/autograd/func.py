"""``torch.func``: functions of functions."""

from __future__ import annotations

from .transforms.api import grad, grad_and_value, jvp, linearize, vjp

__all__ = ["grad", "grad_and_value", "jvp", "linearize", "vjp"]
