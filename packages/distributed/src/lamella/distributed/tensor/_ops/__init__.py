"""How parts of tensors are computed with, operator by operator.

A rule says, for one dimension of the mesh, which placements of the operands let every rank compute its part of the
result alone. The cheapest one from where the operands lie is taken. Operators without a rule run on the whole tensors.
"""

from __future__ import annotations

from . import cross_entropy, images, layers, matmul, pointwise, reductions, views  # noqa: F401  (they register rules)
from .handlers import HANDLERS
from .rule import RULES

__all__ = ["HANDLERS", "RULES"]
