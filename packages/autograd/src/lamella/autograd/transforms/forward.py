"""The level of `forward_ad`: duals that take part in the ordinary graph.

A transform's duals leave recording to their values. Here it is the other way round, as in torch: the dual has the
edge, its value has none, and nodes save duals. So gradients that backward computes carry tangents (forward over
reverse), and tangents are computed from values with their place in the graph, so that they can be differentiated
(reverse over forward).
"""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import alias
from lamella.dispatch import registry
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload

from ..graph import AccumulateGrad, Node, counter
from . import duals_rules as rules
from .adoption import adopt
from .duals import DualLevel, DualTensor, tangent_of
from .grads import _recorder
from .levels import Wrapped, alive, invoke, map_call, written_place


class MakeDualBackward0(Node):
    """The way from a dual tensor back to the tensor that it was made of."""

    __slots__ = ()

    def apply(self, *grads: Any) -> Any:
        return grads[0]


def with_edge(t: Any, edge: Any) -> Any:
    """``t`` with a place in the graph."""
    if edge is not None:
        t._ag = edge
        t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    return t


class ForwardLevel(DualLevel):
    """The level between `enter_dual_level` and `exit_dual_level`."""

    outer_off = False
    pending: Any = None
    taken: Any = ()

    def ask_for_gradients(self, t: Any, on: bool) -> Any:
        if on and t._ag is None and self.alive:
            with_edge(t, AccumulateGrad(t))
        return t

    def note(self, value: Any) -> None:
        """Nothing further out is asked for gradients."""

    def shown(self, t: Any) -> str:
        moving = tangent_of(t)
        text = repr(self.dead_value(t))
        return text if moving is None else f"{text[:-1]}, tangent={moving!r})"

    def dead_value(self, t: Wrapped) -> Any:
        return t._value if t._ag is None else with_edge(alias(t._value), t._ag)

    def settled(self, t: Any) -> Any:
        return self.dead_value(t)

    def make(self, primal: Any, tangent: Any) -> DualTensor:
        """A dual tensor that is a view of ``primal``."""
        primal = alive(primal)
        if primal._ag is None or isinstance(primal, Wrapped):
            return self.wrap(primal, tangent)
        node = MakeDualBackward0()
        node.seq = next(counter)
        node.edges = (primal._ag,)
        base = primal if primal._base is None else primal._base
        return with_edge(self.wrap(alias(primal), tangent, base), node)

    def lift(self, t: Any) -> Any:
        """Any tensor as one of this level."""
        t = alive(t)
        if self.mine(t) or isinstance(t, Wrapped):
            return t
        return self.wrap(t) if t._ag is None else with_edge(self.wrap(alias(t), None, t._base), t._ag)

    def taken_in(self, t: Any) -> None:
        value = t._value
        if not isinstance(value, Wrapped):
            with_edge(t, value._ag)
            value._ag = None
            value._ks &= ~AUTOGRAD_MASK

    def let_go(self, t: Any) -> None:
        with_edge(t._value, t._ag)

    def run_function(self, cls: Any, args: tuple[Any, ...]) -> Any:
        from .functions import forwarded

        return forwarded(self, cls, args)

    def process(self, op: OpOverload, ks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not ks & AUTOGRAD_MASK:
            return super().process(op, ks, args, kwargs)
        if written_place(op) is not None and not self.mine(alive(args[0])):
            adopt(self, DualTensor, str(op.name), alive(args[0]))
        args, kwargs = map_call(self.lift, args, kwargs)
        bits = (registry.keys_in(args) | registry.keys_in(tuple(kwargs.values()))) & ks & ~TRANSFORM_MASK
        moving = any(self.tangent(t) is not None for t in rules.tensors_in([*args, *kwargs.values()]))
        found: Any = None
        if moving and written_place(op) is not None:
            found = [rules.in_place_tangent(_Seen(self), op, args, kwargs)]
        elif moving and op.differentiable and not op.schema.is_mutable:
            _, found = rules.rule_of(op)(_Seen(self), op, args, kwargs)
        if found is not None:
            self.taken = [t for t in map(self.tangent, rules.tensors_in([*args, *kwargs.values()])) if t is not None]
        before, self.pending = self.pending, None if found is None else iter(found)
        try:
            return _recorder(op, bits)(*args, **kwargs)
        finally:
            self.pending = before

    def result(self, value: Any, base: Any) -> DualTensor:
        """A result as soon as it is there: nodes that save it save its tangent too."""
        t = None if self.pending is None else next(self.pending, None)
        if t is None or value._a.dtype.kind in "biu":
            return self.wrap(value, None, base)
        return self.wrap(value, rules.fitted(value, t, () if base is not None else self.taken), base)

    def written(self, t: Any) -> None:
        """A tensor was written to: so is its tangent."""
        if self.pending is not None and t._a.dtype.kind not in "biu":
            self.set_tangent(t, next(self.pending, None), self.taken)


class _Seen:
    """A level as the rules for tangents see it: primals are plain tensors with their place in the graph."""

    def __init__(self, level: ForwardLevel) -> None:
        self.level = level
        self.mine, self.tangent, self.wrap = level.mine, level.tangent, level.wrap

    def primal(self, t: Any) -> Any:
        """The plain tensor."""
        t = alive(t)
        return self.level.dead_value(t) if self.mine(t) else t

    def call(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The operator on the primals."""
        return invoke(op, *map_call(self.primal, args, kwargs))

