"""Running a recorded body again, over other index expressions: how a loop moves into a kernel's variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..loops.index import Expr, Var, substitute
from ..loops.record import Op, Recorded

Values = dict[Any, Any]


def replay(recorded: Recorded, at: dict[Var, Any], variables: tuple[Var, ...]) -> Callable[[Any, tuple[Any, ...]], Any]:
    """A body that does what was recorded, with the recorded variables replaced.

    Args:
        recorded: the operations, over variables of their own.
        at: each of those variables in terms of ``variables``.
        variables: what the new body's index stands for, in order.

    Returns:
        ``body(ops, index) -> value``.
    """

    def body(ops: Any, index: tuple[Any, ...]) -> Any:
        moved = dict(at)
        given = {v: i for v, i in zip(variables, index, strict=True) if not _is_variable(i, v)}
        if given:
            moved = {k: substitute(e, given) for k, e in moved.items()}
        return _Player(ops, recorded, moved).run()

    return body


def replay_index(recorded: Recorded, at: dict[Var, Any], variables: tuple[Var, ...]
                 ) -> Callable[[Any, tuple[Any, ...]], Any]:
    """The same for the flat index that the loop stores to."""
    fixed = substitute(recorded.store, at)
    read = [recorded.indirects[v] for v in fixed.vars() if v in recorded.indirects] if isinstance(fixed, Expr) else []

    def store(ops: Any, index: tuple[Any, ...]) -> Any:
        given = {v: i for v, i in zip(variables, index, strict=True) if not _is_variable(i, v)}
        if not read:
            return substitute(fixed, given) if given else fixed
        player = _Player(ops, recorded, {k: substitute(e, given) for k, e in at.items()} if given else dict(at))
        return player.place(read)

    return store


def _is_variable(index: Any, var: Var) -> bool:
    if isinstance(index, Expr) and len(index.terms) == 1:
        [(m, c)] = index.terms.items()
        return c == 1 and len(m) == 1 and m[0] == var and isinstance(m[0], Var) and m[0].size == var.size
    return False


class _Player:
    """One run: operations outside masked regions in order, those inside when the handler asks for them."""

    def __init__(self, ops: Any, recorded: Recorded, at: dict[Var, Any]) -> None:
        self.ops, self.recorded, self.at = ops, recorded, at
        self.values: Values = {}

    def run(self) -> Any:
        for op in self.recorded.ops:
            if op.region is None:
                self.values[op] = self.do(op)
        return self.values[self.recorded.result]

    def place(self, read: list[Op]) -> Any:
        """Where to store, after the values that it depends on are there."""
        for result in read:
            for op in _needed(result, self.values, self.recorded):
                self.values[op] = self.do(op)
        return substitute(self.recorded.store, self.at)

    def do(self, op: Op) -> Any:
        ops, name = self.ops, op.name
        if name == "load":
            return ops.load(op.buffer, substitute(op.index, self.at))
        if name == "constant":
            return ops.constant(op.value, op.dtype)
        if name == "index":
            return ops.index_value(substitute(op.index, self.at), op.dtype)
        if name == "scalar":
            return ops.scalar(op.value, op.dtype)
        if name == "masked":
            return ops.masked(self.values[op.args[0]], lambda: self.inside(op.args[1]), op.value)
        args = [self.values[a] for a in op.args]
        if name == "to":
            return ops.to(args[0], op.value)
        if name == "indirect" and op.var is not None:
            self.at = {**self.at, op.var: ops.indirect(args[0], op.value, op.index is not False)}
            return None
        return getattr(ops, name)(*args)

    def inside(self, result: Op) -> Any:
        """The body of a masked operation: what its result needs and does not exist yet."""
        outer, at = self.values, self.at
        self.values = dict(outer)
        try:
            for op in _needed(result, self.values, self.recorded):
                self.values[op] = self.do(op)
            return self.values[result]
        finally:
            self.values, self.at = outer, at


def _needed(result: Op, known: Values, recorded: Recorded) -> list[Op]:
    found: dict[Op, None] = {}
    stack = [result]
    while stack:
        op = stack.pop()
        if op in known or op in found:
            continue
        found[op] = None
        stack.extend(op.args[:1] if op.name == "masked" else op.args)
        if recorded.indirects and isinstance(op.index, Expr):
            stack.extend(recorded.indirects[v] for v in op.index.vars() if v in recorded.indirects)
    return sorted(found, key=lambda op: op.number)
