"""In-place operations and views: what is refused, and whose history changes.

Generated in-place kernels call `check_inplace` first, then compute, then `rebase_history`. For a tensor that is no
view the latter just sets its edge. For a view, the base gets a `CopySlices` node, which runs the operation's node on
the part of the gradient that the view covers, and the view's own history becomes "a view of the new base". Other
living views of the base are renewed at once: they share the base's version counter, and whether there are any shows
in how often it is referred to.
"""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any

from lamella.core.tensor import Tensor, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK, TRANSFORM_MASK
from lamella.dispatch.state import state

from .geometry import (
    Geometry,
    copy_in_layout,
    geometry_of,
    is_plain,
    is_recording,
    part_of,
    plain_copy,
    scatter,
    strided_part,
)
from .graph import SAVES, AccumulateGrad, Node, counter, node_of, output_of
from .hooks import Watch

_refcount = sys.getrefcount


def check_inplace(op: str, t: Tensor) -> None:
    """Refuse an in-place operation that would break a gradient.

    Args:
        op: what to call the operation in the message.
        t: the tensor that it writes to.
    """
    edge = t._ag
    base = t._base
    if base is None:
        if edge is not None and edge.__class__ is AccumulateGrad:
            raise RuntimeError(message(
                op, "a leaf Variable that requires grad is being used in an in-place operation", [describe(t)],
                hint="write to it under torch.no_grad(), or to a clone of it"))
        return
    root = base._ag
    if root is not None and root.__class__ is AccumulateGrad:
        raise RuntimeError(message(
            op, "a view of a leaf Variable that requires grad is being used in an in-place operation",
            {"view": describe(t), "leaf": describe(base)}, hint="write to it under torch.no_grad(), or to a clone of "
                                                                "the leaf"))
    if edge is None:
        if root is not None:
            raise RuntimeError(message(
                op, "a view was created in no_grad mode and is being modified inplace with grad mode enabled",
                {"view": describe(t), "base": describe(base)},
                hint="make the view under grad mode, or clone() it, or write to it under no_grad"))
        return
    node = node_of(edge)
    if node.custom:
        raise RuntimeError(message(
            op, f"Output {output_of(edge)} of {node.name()} is a view and is being modified inplace; this view was "
                "created inside a custom Function (or because an input was returned as-is), whose backward the write "
                "would override",
            {"view": describe(t)}, hint="clone() the output of the custom Function before writing to it"))
    if node.num_outputs > 1:
        raise RuntimeError(message(
            op, f"Output {output_of(edge)} of {node.name()} is a view and is being modified inplace; it is one of "
                f"several views that {node.operator()} returned, which may not be written "
                "to", {"view": describe(t), "base": describe(base)},
            hint=f"clone() it first ({node.operator()}(...)[{output_of(edge)}].clone()), or use the out-of-place "
                 f"{op.rstrip('_')}"))


def original(t: Tensor) -> Tensor:
    """What ``t`` holds before an in-place operation writes to it, with ``t``'s place in the graph."""
    if t._ks & TRANSFORM_MASK:  # a transform's wrapper: graphs further out see the copy made
        copy = t._copy()  # type: ignore[attr-defined]
    else:
        with state.masks(exclude=AUTOGRAD_MASK):
            copy = t.clone()  # type: ignore[attr-defined]
    if t._ag is not None:
        copy._ag = t._ag
        copy._ks |= t._ks & AUTOGRAD_MASK
    return copy


def rebase_history(t: Tensor, node: Node, bits: int, place: int = 0) -> None:
    """Make ``node`` the history of ``t``, which was just written to.

    Args:
        t: the tensor that was written to.
        node: the operation's node.
        bits: the Autograd bits that ``t`` gets.
        place: which of the node's edges is the one of ``t`` before the write.
    """
    base = t._base
    if base is None:
        old = t._ag
        t._ag = node
        t._ks |= bits
        if old is not None and node_of(old).watch is not None:
            _move_retained(t, old)
        vc = t._vc
        if vc is not None and _refcount(vc) > 3:
            _renew_views(t, t, old is not None)
        return
    old, before = t._ag, base._ag
    copy = CopySlices(base, t, node, place)
    base._ag = copy
    base._ks |= bits
    renew(t, copy.base, copy.view)
    if old is not None and node_of(old).watch is not None:
        _move_retained(t, old)
    if _refcount(t._vc) > 3:
        _renew_views(base, t, before is not None)


def _move_retained(t: Tensor, old: tuple[Node, int]) -> None:
    """``retain_grad`` follows the tensor to its new history."""
    watch = node_of(old).watch
    ref = watch.retain.get(output_of(old)) if watch is not None else None
    if ref is not None and ref() is t:
        del watch.retain[output_of(old)]  # type: ignore[union-attr]
        new: Watch = node_of(t._ag).watched()
        new.retain[output_of(t._ag)] = weakref.ref(t)


def renew(view: Tensor, base_place: Geometry | None = None, view_place: Geometry | None = None) -> None:
    """Give a view the history "a view of its base as it is now"."""
    base: Any = view._base
    node = StridedView()
    node.seq = next(counter)
    node.edges = (base._ag,)
    node.base = base_place or geometry_of(base, base)
    node.view = view_place or geometry_of(base, view)
    view._ag = node
    view._ks |= (view._ks & BACKEND_MASK) << AUTOGRAD_SHIFT


def _renew_views(base: Tensor, done: Tensor, had_history: bool) -> None:
    """Renew the other views of ``base``, except those made under no_grad while it had a history."""
    for other in _sharers(base, done):
        if other._base is base and (other._ag is not None or not had_history):
            renew(other)


def _sharers(base: Tensor, done: Tensor) -> list[Tensor]:
    """All other tensors with the version counter of ``base``.

    Asking the interpreter who refers to the counter takes milliseconds, so the answer is kept, and good for as long as
    it explains all references there are.
    """
    vc = base._vc
    found: list[Tensor] = []
    for ref in base.__dict__.get("_sharers", ()):
        other = ref()
        if other is not None and other is not done and other._vc is vc:
            found.append(other)
    want = _refcount(vc) - (3 if done is base else 4)
    if len(found) != want:
        # Views are mostly young, and there are few young objects; all objects are many.
        for generation in (0, 1):
            young = gc.get_objects(generation)
            found = [t for t in young if isinstance(t, Tensor) and getattr(t, "_vc", None) is vc]
            found = [t for t in found if t is not base and t is not done]
            if len(found) == want:
                break
        else:
            found = [t for t in gc.get_referrers(vc) if isinstance(t, Tensor) and t is not base and t is not done]
        base.__dict__["_sharers"] = [weakref.ref(t) for t in found]
    return found


class StridedView(Node):
    """A view that is described by its strides in the base's memory."""

    __slots__ = ("base", "view")
    base: Geometry
    view: Geometry

    def name(self) -> str:
        return "AsStridedBackward0"

    def apply(self, *grads: Any) -> Any:
        return None if grads[0] is None else scatter(grads[0], self.base, self.view)


class CopySlices(Node):
    """The history of a base one of whose views was written to by ``fn``."""

    __slots__ = ("base", "view", "fn", "place")
    kind = SAVES
    base: Geometry
    view: Geometry
    fn: Node
    place: int

    def __init__(self, base: Tensor, view: Tensor, fn: Node, place: int) -> None:
        self.seq = next(counter)
        self.edges = (base._ag, *fn.edges[:place], *fn.edges[place + 1 :])
        self.base = geometry_of(base, base)
        self.view = geometry_of(base, view)
        self.fn = fn
        self.place = place

    def apply(self, *grads: Any) -> Any:
        g = grads[0]
        if g is None:
            return (None,) * len(self.edges)
        plain = is_plain(g) and not is_recording()
        if plain:
            whole, part = plain_copy(g, self.base, self.view)
            found = self.fn.apply(wrap(part.copy()))
        else:
            whole = copy_in_layout(g, self.base)
            if whole._ks & TRANSFORM_MASK:
                part = strided_part(whole, self.view)
            else:
                part = part_of(whole, self.view)
                if whole._ag is not None:
                    renew(part)
            found = self.fn.apply(part.clone())
        if found.__class__ is not tuple:
            found = (found,)
        own = found[self.place]
        others = (*found[: self.place], *found[self.place + 1 :])
        if self.edges[0] is None:
            return (None, *others)
        if plain:
            part[...] = 0 if own is None else own._a
        elif own is None:
            part.zero_()
        else:
            part.copy_(own)
        return (whole, *others)

    def release(self) -> None:
        if self.fn.kind & SAVES:
            self.fn.release()
