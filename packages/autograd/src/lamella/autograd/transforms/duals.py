"""The forward-mode transform: a level whose wrapped tensors carry a tangent beside their value.

How the tangents of a result follow from those of the arguments is in `duals_rules`.
"""

from __future__ import annotations

import gc
import sys
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import VersionCounter
from lamella.dispatch.keys import BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.registry import OpOverload

from ..geometry import empty_in_layout, geometry_of
from . import duals_rules as rules
from .adoption import adopt
from .batching.level import BatchedTensor
from .levels import Level, Wrapped, alive, base_of, invoke, map_call, map_tensors, unwrapped, written_place


class DualTensor(Wrapped):
    """A tensor with a tangent; None stands for zero."""

    __slots__ = ()
    _tangent: Any = None

    def _alias(self) -> Any:
        return self._level.wrap(self._value, self._tangent)  # type: ignore[attr-defined]

    def _settled(self) -> Any:
        return self._level.settled(self)  # type: ignore[attr-defined]

    def _copy(self) -> Any:
        t = tangent_of(self)
        value = self._value.clone()
        return self._level.wrap(value, None if t is None else t.clone())  # type: ignore[attr-defined]


def tangent_of(d: Any) -> Any:
    """A dual tensor's tangent: its own, or the part of its base's that it is a view of."""
    t = d._tangent
    if t is None:
        base = d._base
        if isinstance(base, DualTensor) and base._tangent is not None and base._level is d._level:
            t = d._tangent = _part(base._tangent, base, d)
    return t


def _part(tangent: Any, base: Any, view: Any) -> Any:
    """The part of a base's tangent that belongs to a view; the tangent is laid out as the base is."""
    place = geometry_of(base, view)
    if place.real_of_complex:
        tangent = F.view_as_real(tangent)
    return tangent.as_strided(place.shape, place.strides, place.offset)


class DualLevel(Level):
    """A running forward-mode transform."""

    def wrap(self, value: Any, tangent: Any = None, base: Any = None) -> DualTensor:
        """A value with a tangent as a tensor of this level."""
        t = object.__new__(DualTensor)
        if value._vc is None:
            value._vc = VersionCounter()
        t._value, t._tangent, t._level = value, tangent, self
        t._a, t._vc, t._base, t._ag = value._a, value._vc, base, None
        t._ks = value._ks & BACKEND_MASK | TRANSFORM_MASK
        return t

    def shown(self, t: Any) -> str:
        """How a tensor of this level prints."""
        return f"DualTensor(lvl={self.depth}, value={t._value!r}, tangent={tangent_of(t)!r})"

    def settled(self, t: Any) -> Any:
        """A gradient of this level as a leaf keeps it."""
        return t

    def mine(self, t: Any) -> bool:
        """Whether a tensor is one of this level's."""
        return isinstance(t, DualTensor) and t._level is self

    def primal(self, t: Any) -> Any:
        """A tensor as this level's operators compute with it: without the wrapper."""
        return unwrapped(self, t)

    def tangent(self, t: Any) -> Any:
        """The tangent of any tensor; None for constants."""
        t = alive(t)
        return tangent_of(t) if self.mine(t) else None

    def process(self, op: OpOverload, ks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        duals: list[Any] = []
        moving = False

        def note(t: Any) -> Any:
            nonlocal moving
            t = alive(t)
            if self.mine(t):
                duals.append(t)
                if tangent_of(t) is not None:
                    moving = True
            return t

        args, kwargs = map_call(note, args, kwargs)
        if not moving:
            return self.results(self.call(op, args, kwargs), [], duals)
        if written_place(op) is not None:
            return self.in_place(op, args, kwargs, duals)
        if not op.differentiable or op.schema.is_mutable:
            return self.results(self.call(op, args, kwargs), [], duals)
        outs, tangents = rules.rule_of(op)(self, op, args, kwargs)
        return self.results(outs, tangents, duals)

    def call(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The operator on the primals."""
        return invoke(op, *map_call(self.primal, args, kwargs))

    def results(self, outs: Any, tangents: list[Any], duals: list[Any]) -> Any:
        """What an operator returned, as tensors of this level."""
        given = iter(tangents)
        taken = [t for t in map(tangent_of, duals) if t is not None] if tangents else []

        def wrapped(value: Any) -> Any:
            t = next(given, None)
            for d in duals:
                if d._value is value:
                    d._a = value._a
                    return d
            if value._a.dtype.kind in "biu":
                return value
            base = base_of(value, duals)
            return self.wrap(value, None if t is None else rules.fitted(value, t, () if base is not None else taken),
                             base)

        return map_tensors(wrapped, outs)

    def run_function(self, cls: Any, args: tuple[Any, ...]) -> Any:
        from .functions import pushed

        return pushed(self, cls, args)

    def in_place(self, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], duals: list[Any]) -> Any:
        """Write to the primal, and the tangent of the result to the tangent."""
        target = args[0]
        if not self.mine(target):
            adopt(self, DualTensor, str(op.name), target)
            duals = [target, *duals]
        tangent = rules.in_place_tangent(self, op, args, kwargs)
        self.call(op, args, kwargs)
        target._a = target._value._a
        if target._a.dtype.kind in "biu":
            return target
        self.set_tangent(target, tangent, [t for t in map(tangent_of, duals) if t is not None])
        return target

    def set_tangent(self, target: Any, tangent: Any, taken: Any = ()) -> None:
        """Give a tensor another tangent (None: zeros), and all views of its memory with it.

        Args:
            target: what was written to.
            tangent: its tangent now.
            taken: tangents of other tensors; no memory may be shared with them.
        """
        if tangent is not None and _is_alone(target):  # graphs may have saved the old one
            target._tangent = rules.fitted(target._value, tangent, taken)
            return
        own = tangent_of(target)
        if tangent is not None and (own is None or batches(tangent) - batches(own)):
            own = self.give_tangent(target, tangent)
        if own is not None:
            if tangent is None:
                own.zero_()
            else:
                own.copy_(rules.fitted(target._value, tangent, ()))

    def give_tangent(self, d: Any, like: Any) -> Any:
        """A tangent to write ``like`` to, laid out as the base is, so that views see what is written.

        It starts as the old tangent or zeros, and is batched where ``like`` is.
        """
        base = d._base if self.mine(d._base) else d
        old = base._tangent
        base._tangent = _zeros_in_layout(base._value, like)
        if old is not None:
            base._tangent.copy_(old)
            for view in gc.get_referrers(base._vc):
                if self.mine(view) and view._base is base:
                    view._tangent = None
        return tangent_of(d)


def _is_alone(d: Any) -> bool:
    """Whether no other tensor shares a dual tensor's memory, as far as its version counter shows."""
    if d._base is not None:
        return False
    own, t = 1, d._value
    while isinstance(t, Wrapped):
        own, t = own + 1, t._value
    return t._base is None and sys.getrefcount(d._vc) <= own + 2


def _zeros_in_layout(value: Any, like: Any) -> Any:
    """Zeros with the shape and strides of a value."""
    if like.dtype is not value.dtype:
        like = like.to(value.dtype)
    return empty_in_layout(like.detach(), geometry_of(value, value)).zero_()


def batches(t: Any) -> set[Any]:
    """The `vmap` levels that a tensor is batched at."""
    found = set()
    while isinstance(t, Wrapped):
        if isinstance(t, BatchedTensor):
            found.add(t._level)
        t = t._value
    return found


__all__ = ["DualLevel", "DualTensor", "tangent_of"]
