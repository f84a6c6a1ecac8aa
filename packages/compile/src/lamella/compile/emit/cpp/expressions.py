"""Loop bodies as C++: what is C++ alone in them."""

from __future__ import annotations

from .. import expressions
from ..expressions import HALF, MEMORY, REGISTER, literal
from ..ssa import Access, Piece, Value

__all__ = ["HALF", "MEMORY", "REGISTER", "RESERVED", "Function", "literal"]

RESERVED = expressions.RESERVED | set(
    "first last symbols bufs lanes columns share Sum Product Max Min ArgMax ArgMin Any All steady stream drain VECTOR "
    "KERNEL".split())


class Function(expressions.Function):
    """A C++ function under construction."""

    reserved = RESERVED

    def place(self, wrap: bool, index: Value, size: Access) -> list[Piece]:
        self.checks = True
        return ["place(" if wrap else "place_from_start(", index, ", ", size, f", report, {self.title})"]

    def steady(self, condition: Value) -> Value:
        """A condition, hidden from the compiler where the innermost loop does not change it: g++ 12 merges such ones
        into the masks of vector loads, and some of those masks are wrong."""
        loop = max((s.depth for s in self.scopes if not s.guard), default=0)
        if condition.scope is None or condition.scope.depth >= loop:
            return condition
        return self.value("bool", ["steady(", condition, ")"], hint="holds", pinned=True)

