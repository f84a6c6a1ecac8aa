"""Running compiled programs: memory, calls, operators between native segments."""

from __future__ import annotations

from .facts import Facts, facts_of
from .program import Program

__all__ = ["Facts", "Program", "facts_of"]
