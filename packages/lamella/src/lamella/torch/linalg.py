"""torch.linalg: linear algebra."""

from __future__ import annotations

from lamella.core import matmul

from ._missing import lookup

__all__ = ["matmul"]

__getattr__, __dir__ = lookup(__name__, ("lamella.core:linalg_",), listed=True)
