"""Decomposition: operators rewritten into a small set of primitives (see docs/compile_primitives.md)."""

from .driver import decompose
from .table import RULES, Keep, rule

__all__ = ["RULES", "Keep", "decompose", "rule"]
