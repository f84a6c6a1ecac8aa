"""Calls of custom `Function`s under transforms.

Each level calls ``forward`` through the levels further out and makes a ctx of its own from what it sees, so
``setup_context`` is needed: it runs once for every level.
"""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor, describe
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state

from .duals_rules import fitted
from .levels import alive, innermost, unwrapped


def check_setup(cls: Any) -> None:
    """A transform needs the context apart from ``forward``."""
    from ..function import Function

    if cls.setup_context is Function.setup_context:
        raise RuntimeError(message(
            cls.__name__, "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, "
                          "...), it must override the setup_context staticmethod",
            hint="forward(*args) computes, setup_context(ctx, inputs, output) saves"))


def recorded(level: Any, cls: Any, args: tuple[Any, ...]) -> Any:
    """A call in a reverse-mode transform: a node of the level's graph."""
    from ..function import FunctionCtx, _record

    check_setup(cls)
    lifted = tuple(level.lift(a) if isinstance(a, Tensor) else a for a in args)
    values = tuple(unwrapped(level, a) for a in lifted)
    if level.outer_off:
        with state.masks(exclude=AUTOGRAD_MASK):
            out = cls.apply(*values)
    else:
        out = cls.apply(*values)
    many = isinstance(out, tuple)
    outputs = [_wrapped(level, o, lifted) for o in (out if many else (out,))]
    ctx: Any = FunctionCtx()
    needs = ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._ag is not None for a in lifted)
    recording = True in needs and not state.thread.exclude & AUTOGRAD_MASK
    with state.masks(exclude=AUTOGRAD_MASK):
        cls.setup_context(ctx, lifted, tuple(outputs) if many else outputs[0])
    outputs = _record(cls, ctx, lifted, outputs, recording)
    return tuple(outputs) if many else outputs[0]


def _wrapped(level: Any, o: Any, lifted: tuple[Any, ...]) -> Any:
    if not isinstance(o, Tensor):
        return o
    for a in lifted:
        if isinstance(a, Tensor) and a._value is o:
            return a
    level.note(o)
    return level.wrap(o)


def pushed(level: Any, cls: Any, args: tuple[Any, ...]) -> Any:
    """A call in a forward-mode transform: ``jvp`` gives the tangents."""
    from ..function import FunctionCtx

    check_setup(cls)
    values = tuple(unwrapped(level, a) for a in args)
    out = cls.apply(*values)
    ctx: Any = FunctionCtx()
    ctx.needs_input_grad = tuple(isinstance(a, Tensor) and level.tangent(a) is not None for a in args)
    cls.setup_context(ctx, values, out)
    outputs = list(out) if isinstance(out, tuple) else [out]
    tangents = push(level, cls, ctx, args, outputs)
    results = [_dual(level, o, t, args) for o, t in zip(outputs, tangents, strict=True)]
    return tuple(results) if isinstance(out, tuple) else results[0]


def forwarded(level: Any, cls: Any, args: tuple[Any, ...]) -> Any:
    """A call within `forward_ad.dual_level`: a node of the ordinary graph that saves duals, and tangents."""
    from ..function import Function, FunctionCtx, _record

    lifted = tuple(level.lift(a) if isinstance(a, Tensor) else a for a in args)
    values = tuple(unwrapped(level, a) for a in lifted)
    ctx: Any = FunctionCtx()
    needs = ctx.needs_input_grad = tuple(isinstance(a, Tensor) and a._ag is not None for a in lifted)
    recording = True in needs and not state.thread.exclude & AUTOGRAD_MASK
    with state.masks(exclude=AUTOGRAD_MASK):
        if cls.setup_context is Function.setup_context:
            out = cls.forward(ctx, *values)
        else:
            out = cls.forward(*values)
            cls.setup_context(ctx, values, out)
    outputs = list(out) if isinstance(out, tuple) else [out]
    tangents = push(level, cls, ctx, args, outputs)
    duals = [_dual(level, o, t, lifted) for o, t in zip(outputs, tangents, strict=True)]
    seen = {id(v): a for v, a in zip((*values, *outputs), (*lifted, *duals), strict=True) if isinstance(v, Tensor)}
    for name in ("to_save", "dirty_tensors", "non_differentiable"):
        if name in ctx.__dict__:
            ctx.__dict__[name] = tuple(seen.get(id(t), t) for t in ctx.__dict__[name])
    results = _record(cls, ctx, lifted, duals, recording)
    return tuple(results) if isinstance(out, tuple) else results[0]


def dispatched(cls: Any, args: tuple[Any, ...]) -> tuple[bool, Any]:
    """Hand a call to the innermost transform; (False, arguments without dead wrappers) where there is none."""
    level = innermost(args)
    if level is None:
        return False, tuple(alive(a) for a in args)
    return True, level.run_function(cls, args)


def _dual(level: Any, o: Any, t: Any, args: tuple[Any, ...]) -> Any:
    if not isinstance(o, Tensor):
        return o
    for a in map(alive, args):
        if level.mine(a) and a._value is o:  # written in place, or returned as it is
            if t is not None:
                level.set_tangent(a, t)
            return a
    return level.wrap(o, t)


def push(level: Any, cls: Any, ctx: Any, args: tuple[Any, ...], outputs: list[Any]) -> list[Any]:
    """The tangents that ``cls.jvp`` computes for a call: one for each output, None for those without."""
    given = [level.tangent(a) if isinstance(a, Tensor) else None for a in args]
    if all(t is None for t in given):
        return [None] * len(outputs)
    if ctx.materialize_grads:
        given = [F.zeros_like(unwrapped(level, a)) if t is None and isinstance(a, Tensor) else t
                 for t, a in zip(given, args, strict=True)]
    to_save = ctx.__dict__.get("to_save", ())
    ctx.to_save = ctx.__dict__.get("saved_for_forward", to_save)
    try:
        found = cls.jvp(ctx, *given)
    finally:
        ctx.to_save = to_save
    found = list(found) if isinstance(found, (tuple, list)) else [found]
    if len(found) != len(outputs):
        raise RuntimeError(message(cls.__name__, "Function's jvp returned an invalid number of forward gradients "
                                                 f"(expected {len(outputs)} but got {len(found)})"))
    return [_checked(cls, i, o, t) for i, (o, t) in enumerate(zip(outputs, found, strict=True))]


def _checked(cls: Any, i: int, o: Any, t: Any) -> Any:
    if t is None or not isinstance(o, Tensor) or not (o.is_floating_point() or o.is_complex()):
        return None
    if not isinstance(t, Tensor):
        raise RuntimeError(message(cls.__name__, f"expected Variable or None (got {type(t).__name__}) for grad output "
                                                 f"{i}"))
    if t._a.shape != o._a.shape:
        raise RuntimeError(message(
            cls.__name__, "Trying to set a forward gradient that has a different size than that of the original "
                          "Tensor, this is not supported", {"output": describe(o), "tangent": describe(t)}))
    return fitted(o, t, ())


__all__ = ["check_setup", "dispatched", "forwarded", "push", "pushed", "recorded"]
