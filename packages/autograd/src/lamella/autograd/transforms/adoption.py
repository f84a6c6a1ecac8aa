"""In-place writes of a transform's tensors into tensors that are not its own.

A function under a transform may fill a buffer: ``out = zeros(3); out[0] = x * 2``. The buffer is plain, because calls
without wrapped arguments do not meet the transform; from the first write on it must carry a history or a tangent. So
it *becomes* a wrapper: the tensor object stays, its class and value change, and likewise for the other views of its
memory. When the level ends they turn back into what they wrap.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

from lamella.core.tensor import Tensor, VersionCounter, describe
from lamella.dispatch.errors import message
from lamella.dispatch.keys import BACKEND_MASK, TRANSFORM_MASK

from .levels import Level, Wrapped

_SLOTS = ("_a", "_ks", "_ag", "_vc", "_base")
_new = object.__new__


def adopt(level: Level, kind: type[Wrapped], op: str, t: Any) -> None:
    """Make ``t``, its base and the other views of that base wrappers of a level.

    Args:
        level: the level that writes.
        kind: the class of its wrappers.
        op: the operator, for messages.
        t: a tensor that is not the level's.

    Errors:
        RuntimeError: a leaf that requires grad, or a tensor whose class cannot change.
    """
    root = t if t._base is None else t._base
    if root._vc is None:
        root._vc = VersionCounter()
    members = [root]
    if sys.getrefcount(root._vc) > 2:
        members += [v for v in gc.get_referrers(root._vc) if isinstance(v, Tensor) and v._base is root]
    if t is not root and not any(m is t for m in members):
        members.append(t)
    if level.adopted is None:
        level.adopted = []
    for m in members:
        if isinstance(m, Wrapped) and m._level is level:
            continue
        if m._ag is not None and m._twin is not None:
            raise _captured(op, m)
        try:
            _enter(level, kind, m)
        except TypeError:
            raise _captured(op, m) from None
        level.adopted.append(weakref.ref(m))
    if isinstance(root, Wrapped):
        for m in members[1:]:
            m._value._base = root._value  # type: ignore[attr-defined]


def _captured(op: str, t: Tensor) -> RuntimeError:
    return RuntimeError(message(
        op, "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call in-place operation "
        f"({op}) that would mutate a captured Tensor", [describe(t)],
        hint="take the tensor that is written to as an argument of the function"))


def _enter(level: Level, kind: type[Wrapped], t: Any) -> None:
    value = _new(t.__class__)
    for slot in _SLOTS:
        setattr(value, slot, getattr(t, slot))
    attributes = dict(t.__dict__)
    t.__class__ = kind
    value.__dict__.update(attributes)
    t.__dict__.clear()
    t._value, t._level = value, level
    t._ag = None
    t._ks = value._ks & BACKEND_MASK | TRANSFORM_MASK
    level.taken_in(t)


def give_back(level: Level) -> None:
    """Turn what a level adopted back into plain tensors with the values that were written."""
    for ref in level.adopted or ():
        t = ref()
        if t is None or not isinstance(t, Wrapped) or t._level is not level:
            continue
        level.let_go(t)
        value, base = t._value, t._base
        t.__dict__.clear()
        t.__class__ = value.__class__
        t.__dict__.update(value.__dict__)
        for slot in _SLOTS:
            setattr(t, slot, getattr(value, slot))
        t._base = base
    level.adopted = None
