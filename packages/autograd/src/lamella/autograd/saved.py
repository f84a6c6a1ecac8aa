"""Tensors that nodes keep for backward.

For generated code (everything is inline; only the unusual calls a function). A node class names what it keeps:
``saved = ("self_", "other_")``; the version at that time is kept in the same name with ``v`` behind it.

Saving an input ``t`` (a Tensor, not a number):

    node.self_ = t if t._twin is None else t._twin
    node.self_v = 0 if t._vc is None else t._vc.n
    if packers: pack(node)                          # once, after everything is saved

Saving an own output, after its edge is set (``nr``: which output):

    save_output(node, "result_", out)

Reading in ``apply``:

    t = node.self_
    if t.__class__ is not Tensor or (t._vc is not None and t._vc.n != node.self_v): t = unpack(node, "self_")

and an own output: ``t = unpack_output(node, "result_", nr)``.

An optional tensor that was None is saved as None and read through ``unpack``, which gives None back. Plain values
(shapes, numbers) are plain attributes; they are not named in ``saved``. The class sets ``kind = SAVES``;
``Node.release`` puts FREED in place of every saved tensor, so a generated ``release`` needs only ``self.self_ =
self.other_ = FREED``.

Why a twin: a leaf holds its gradient, and with ``create_graph`` the gradient holds a graph. If that graph held the
leaf, the three would only be freed by the cycle collector. So graphs save a leaf's twin: a second tensor object over
the same memory, version counter and edge. `variable` makes it when a leaf starts to require grad.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from lamella.core.tensor import Tensor, alias, describe
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK
from lamella.dispatch.state import state

from .graph import node_of, output_of

Pack = Callable[[Any], Any]


class _Freed:
    """What stands in a node for a saved tensor that was given up."""

    def __repr__(self) -> str:
        return "<freed>"


FREED = _Freed()


def explain_freed(node: Any) -> str:
    """The text for a second backward."""
    where = node.__dict__.get("_metadata", {}).get("created")
    return message(
        node.name(), "Trying to backward through the graph a second time (or directly access saved tensors after "
                     "they have already been freed)",
        details=[f"its saved tensors were freed by the first backward; created at: {where.strip()}" if where else
                 "its saved tensors were freed by the first backward"],
        hint="pass retain_graph=True to the first backward, or compute the loss anew each time: nearly always a tensor "
        "that this node is part of is computed once, outside the loop"
        + ("" if where else "; autograd.detect_anomaly() shows where"))


class Packed:
    """A saved tensor that went through `saved_tensors_hooks`."""

    __slots__ = ("value", "unpack")

    def __init__(self, value: Any, unpack: Pack) -> None:
        self.value = value
        self.unpack = unpack


class _Hooks(threading.local):
    def __init__(self) -> None:
        self.stack: list[tuple[Pack, Pack]] = []
        self.disabled: str | None = None


_thread = _Hooks()
#: True-ish while any thread has hooks for saved tensors: one entry per active block.
packers: list[object] = []
#: Set by anomaly mode: called with each new node.
recorder: Callable[..., None] | None = None


def pack(node: Any) -> None:
    """For a node that has just saved everything: anomaly mode's notes, and this thread's innermost hooks if it has
    any."""
    if recorder is not None:
        recorder(node)
    if _thread.stack:
        for name in node.saved:
            t = getattr(node, name, None)
            if isinstance(t, Tensor):
                setattr(node, name, pack_one(t))


def pack_one(t: Tensor) -> Any:
    """A tensor to save, through this thread's innermost hooks if it has any."""
    if not _thread.stack:
        return t
    do_pack, do_unpack = _thread.stack[-1]
    with state.masks(exclude=AUTOGRAD_MASK):
        return Packed(do_pack(t), do_unpack)


def save(node: Any, name: str, t: Any) -> None:
    """Save an input (or None) the long way; the recipe at the top of this file does the same inline."""
    if t is None:
        setattr(node, name, None)
        return
    setattr(node, name, t if t._twin is None else t._twin)
    setattr(node, name + "v", 0 if t._vc is None else t._vc.n)


def save_output(node: Any, name: str, out: Tensor) -> None:
    """Save an own output, without its edge to this node."""
    kept = alias(out)
    setattr(node, name, kept)
    setattr(node, name + "v", kept._vc.n)  # type: ignore[union-attr]


def unpack(node: Any, name: str) -> Any:
    """A saved tensor, checked. None and plain numbers come back as they are."""
    t = getattr(node, name)
    if t is FREED:
        raise RuntimeError(explain_freed(node))
    if t.__class__ is not Packed and not isinstance(t, Tensor):
        return t
    return unpack_value(node, t, getattr(node, name + "v"), role_of(name))


OWN = "its own output"


def role_of(name: str) -> str:
    """How messages call a saved attribute."""
    return OWN if name.startswith("result") else f"its argument '{name.rstrip('_')}'"


def unpack_value(node: Any, t: Any, then: int, role: str) -> Any:
    """A saved tensor, or what hooks made of it; ``then`` is its version when it was saved."""
    if t.__class__ is Packed:
        with state.masks(exclude=AUTOGRAD_MASK):
            t = t.unpack(t.value)
        if not isinstance(t, Tensor):
            raise TypeError(message("saved_tensors_hooks", "the unpack hook must return a tensor",
                                    {"got": type(t).__name__, "for": node.name()}))
        return t
    if t._vc is not None and t._vc.n != then:
        raise RuntimeError(explain_stale(node, t, then, role))
    return t


def unpack_output(node: Any, name: str, nr: int) -> Any:
    """A saved own output, checked, with its place in the graph when grad mode is on."""
    t = getattr(node, name)
    if t.__class__ is not Tensor or t._vc is None or t._vc.n != getattr(node, name + "v"):
        t = unpack(node, name)
    if t is None or t._a.dtype.kind in "biu" or (state.affected and state.thread.exclude & AUTOGRAD_MASK):
        return t
    t = alias(t)
    t._ag = (node, nr)
    t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    return t


def explain_stale(node: Any, t: Tensor, then: int, role: str) -> str:
    """The text for a saved tensor that was overwritten: who saved it, who overwrote it."""
    vc: Any = t._vc
    meta = node.__dict__.get("_metadata", {})
    edge = node if role == OWN else t._ag
    made = "" if edge is None else f", output {output_of(edge)} of {node_of(edge).name()},"
    lines = [f"saved by {node.name()} as {role}" + (f" at {meta['created']}" if "created" in meta else ""),
             f"last overwritten by {vc.writer or 'an in-place operation'}" + (f" at {vc.stack}" if vc.stack else "")]
    return message(
        "backward", "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"{describe(t)}{made} is at version {vc.n}; expected version {then} instead", details=lines,
        hint=f"use the out-of-place form of {(vc.writer or 'the operation').rstrip('_')}, or clone() the tensor "
             "before it"
        + ("" if "created" in meta else "; autograd.detect_anomaly() shows both lines"))


@contextmanager
def _pushed(do_pack: Pack, do_unpack: Pack) -> Iterator[None]:
    if _thread.disabled is not None:
        raise RuntimeError(_thread.disabled)
    _thread.stack.append((do_pack, do_unpack))
    packers.append(do_pack)
    try:
        yield
    finally:
        _thread.stack.pop()
        packers.remove(do_pack)


class saved_tensors_hooks:
    """Tensors saved within the block go through ``pack_hook``; backward gets them from ``unpack_hook``.

    Args:
        pack_hook: called with each tensor that is saved; what it returns is kept instead.
        unpack_hook: called with that, returns a tensor of the same content.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor([2.0], requires_grad=True)
        >>> with saved_tensors_hooks(lambda t: t.tolist(), tensor):
        ...     y = x * x
        >>> y.backward()
        >>> x.grad
        tensor([4.])
    """

    def __init__(self, pack_hook: Pack, unpack_hook: Pack) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook
        self._blocks: list[Any] = []

    def __enter__(self) -> None:
        block = _pushed(self.pack_hook, self.unpack_hook)
        block.__enter__()
        self._blocks.append(block)

    def __exit__(self, *exc: Any) -> None:
        self._blocks.pop().__exit__(*exc)


class save_on_cpu(saved_tensors_hooks):
    """Saved tensors of other devices wait for backward in CPU memory.

    Args:
        pin_memory: accepted; page-locked memory is used where the backend has it.
        device_type: accepted.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def to_cpu(t: Tensor) -> Any:
            return t.device, t if t.is_cpu else t.to("cpu")

        def back(packed: Any) -> Tensor:
            where, t = packed
            return t if t.device == where else t.to(where)

        super().__init__(to_cpu, back)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Within the block, `saved_tensors_hooks` raises ``error_message``."""
    if _thread.stack:
        raise RuntimeError(error_message)
    before, _thread.disabled = _thread.disabled, error_message
    try:
        yield
    finally:
        _thread.disabled = before
