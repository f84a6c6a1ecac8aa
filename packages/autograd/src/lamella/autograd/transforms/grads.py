"""The reverse-mode transform: a level whose wrapped tensors carry a history of their own.

An operator runs its ordinary Autograd kernel on the wrappers, with "take the wrappers off and call the operator" as the
layer below. So every level has its own graph, and derivatives of derivatives do not mix up their inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamella.core.tensor import VersionCounter
from lamella.dispatch import registry
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload
from lamella.dispatch.state import state

from .. import engine
from ..graph import Node, counter
from .adoption import adopt
from .levels import Level, Wrapped, alive, base_of, invoke, map_call, map_tensors, written_place


class Input(Node):
    """Where the gradients of a transform's input arrive."""

    __slots__ = ()
    source = True

    def apply(self, *grads: Any) -> Any:
        return ()


class GradTensor(Wrapped):
    """A tensor of a reverse-mode transform."""

    __slots__ = ()

    def _alias(self) -> Any:
        return self._level.wrap(self._value)  # type: ignore[attr-defined]

    def _copy(self) -> Any:
        return self._level.wrap(self._value.clone())  # type: ignore[attr-defined]


class GradLevel(Level):
    """A running reverse-mode transform.

    Attributes:
        nested: whether some value takes part in a graph further out, so that gradients must be recorded too.
        outer_off: whether recording was off when the transform began.
    """

    nested = False
    outer_off = False

    def __init__(self) -> None:
        # What is further out is recorded as the mode was when the transform began; the transform records in any case.
        self.outer_off = bool(state.thread.exclude & AUTOGRAD_MASK)

    def shown(self, t: Any) -> str:
        return f"GradTrackingTensor(lvl={self.depth}, value={t._value!r})"

    def wrap(self, value: Any, base: Wrapped | None = None) -> GradTensor:
        """A wrapper without history around a value."""
        t = object.__new__(GradTensor)
        if value._vc is None:
            value._vc = VersionCounter()
        t._value, t._level = value, self
        t._a, t._vc, t._base, t._ag = value._a, value._vc, base, None
        t._ks = value._ks & BACKEND_MASK | TRANSFORM_MASK
        return t

    result = wrap

    def written(self, t: Any) -> None:
        """A tensor of this level was written to."""

    def track(self, value: Any) -> GradTensor:
        """A wrapper that is an input: gradients are asked for at its node."""
        value = alive(value)
        self.note(value)
        t = self.wrap(value)
        node = t._ag = Input()
        node.edges = ()
        node.seq = next(counter)
        t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
        return t

    def note(self, value: Any) -> None:
        """See whether a value takes part in a graph further out."""
        if value._ks & (AUTOGRAD_MASK | TRANSFORM_MASK):
            self.nested = True

    def lift(self, t: Any) -> Any:
        """Any tensor as one of this level's, its histories further out hidden."""
        t = alive(t)
        return t if isinstance(t, Wrapped) and t._level is self else self.wrap(t)

    def process(self, op: OpOverload, ks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if written_place(op) is not None and ks & AUTOGRAD_MASK:
            self.take_over(op, args, kwargs)
        args, kwargs = map_call(self.lift, args, kwargs)
        bits = registry.keys_in(args)
        if kwargs:
            bits |= registry.keys_in(tuple(kwargs.values()))
        return _recorder(op, bits & ks & ~TRANSFORM_MASK)(*args, **kwargs)

    def take_over(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Make a tensor of further out this level's own where something with a history is written to it."""
        t = alive(args[0])
        if isinstance(t, Wrapped) and t._level is self:
            return
        if registry.keys_in(args[1:]) & AUTOGRAD_MASK or registry.keys_in(tuple(kwargs.values())) & AUTOGRAD_MASK:
            adopt(self, GradTensor, str(op.name), t)

    def run_function(self, cls: Any, args: tuple[Any, ...]) -> Any:
        from .functions import recorded

        return recorded(self, cls, args)


def below(op: OpOverload) -> Callable[..., Any]:
    """The layer under a grad level's Autograd kernel: the operator on the values."""

    def call(*args: Any, **kwargs: Any) -> Any:
        wrappers: list[GradTensor] = []
        note = wrappers.append

        def value_of(t: Any) -> Any:
            note(t)
            return t._value

        inner, named = map_call(value_of, args, kwargs)
        level: Any = wrappers[0]._level
        if level.outer_off and not state.thread.exclude & AUTOGRAD_MASK:
            with state.masks(exclude=AUTOGRAD_MASK):
                out = invoke(op, inner, named)
        else:
            out = invoke(op, inner, named)

        def wrapped(value: Any) -> Any:
            for w in wrappers:
                if w._value is value:
                    w._a = value._a
                    level.written(w)
                    return w
            level.note(value)
            return level.result(value, base_of(value, wrappers))

        return map_tensors(wrapped, out)

    return call


def _recorder(op: OpOverload, ks: int) -> Callable[..., Any]:
    """The operator's Autograd kernel over `below`; `below` alone where nothing is to be recorded."""
    table: Any = op.table  # registrations empty it
    found = table.get(("recorder", ks))
    if found is None:
        found = table["recorder", ks] = _bound(op, ks)
    return found


def _bound(op: OpOverload, ks: int) -> Callable[..., Any]:
    lower = below(op)
    if not ks & AUTOGRAD_MASK:
        return lower
    for _, rung, found in registry.candidates(op, ks):
        if found is not None and found.kind == "bind":
            return found.fn(op, ks, lower)
        if found is not None and found.kind == "fallthrough":
            return lower
        if rung == "fallback":
            break
    if op.differentiable and registry.missing_derivative is not None:
        return registry.missing_derivative(op, ks, lower)
    return lower


def edge_at(level: Level, out: Any) -> Any:
    """Where backward starts at an output; None for what has no history in this level."""
    return out._ag if isinstance(out, Wrapped) and out._level is level else None


def pull_back(level: GradLevel, edges: Sequence[Any], cotangents: Sequence[Any], inputs: Sequence[Any],
              keep: bool = True, create: bool | None = None) -> list[Any]:
    """The gradients at a level's inputs, as values; None where an input was not used.

    Args:
        level: the level, running or ended.
        edges: where to start: `edge_at` of what the function returned.
        cotangents: a gradient for each output.
        inputs: what `GradLevel.track` made.
        keep: keep what the graph saved for another call.
        create: record the gradients further out; by default where something there may be differentiated.
    """
    pairs = [(e, g) for e, g in zip(edges, cotangents, strict=True) if e is not None]
    if not pairs:
        return [None] * len(inputs)
    if create is None:
        create = not state.thread.exclude & AUTOGRAD_MASK and (
            level.nested or any(g._ks & (AUTOGRAD_MASK | TRANSFORM_MASK) for _, g in pairs))
    found = engine.run([e for e, _ in pairs], [g for _, g in pairs], keep, create, [t._ag for t in inputs],
                       into_leaves=False)
    return [None if g is None else unwrap(level, g) for g in found]


def unwrap(level: Level, t: Any) -> Any:
    """A tensor as seen from outside a level."""
    return t._value if isinstance(t, Wrapped) and t._level is level else t
