"""Random operators inside `vmap`: forbidden, the same for all examples, or different for each.

Random operators act at the innermost running `vmap`, whether or not their arguments are batched there: a factory has no
tensor to tell by. So when `vmap` is first used, their kernels get a guard that looks for one.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lamella.core._gen import conversion as _conversion, joining as _joining, shape as _shape, slicing as _slicing
from lamella.core.tensor import Tensor
from lamella.dispatch import registry
from lamella.dispatch.errors import message
from lamella.dispatch.keys import DispatchKey
from lamella.dispatch.registry import OpOverload
from lamella.dispatch.state import state

from .elementwise import beside
from .level import BatchLevel, invoke
from .rules import rule

_guarded: dict[str, int] = {"": 0}
_KEYS = (DispatchKey.CPU, DispatchKey.Meta)


def guard() -> None:
    """Let every random operator that is known by now look for a running `vmap`."""
    count = len(registry._ops)
    if count == _guarded[""]:
        return
    _guarded[""] = count
    for op in registry.all_ops():
        if "Generator" not in op.source or op.name in _guarded:
            continue
        _guarded[op.name] = 1
        rule(op.name)(random)
        for key in _KEYS:
            found = op.kernel(key)
            if found is not None and found.kind == "plain":
                op.register(key, _guarding(op, found.fn), owner=found.owner, override=True)


def _guarding(op: OpOverload, kernel: Any) -> Any:
    @functools.wraps(kernel)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        level = acting()
        if level is None:
            return kernel(*args, **kwargs)
        return draw(level, op, args, kwargs)

    return guarded


def acting() -> BatchLevel | None:
    """The innermost running `vmap` that this call has not passed yet."""
    here = state.thread.__dict__
    limit = here.get("random_limit")
    for level in reversed(here.get("levels") or ()):
        if isinstance(level, BatchLevel) and (limit is None or level.depth < limit):
            return level
    return None


@contextmanager
def passing(level: BatchLevel) -> Iterator[None]:
    """Random operators in the block act further out than ``level``."""
    here = state.thread.__dict__
    before = here.get("random_limit")
    here["random_limit"] = level.depth
    try:
        yield
    finally:
        here["random_limit"] = before


def random(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The rule of random operators."""
    return draw(acting() or level, op, args, kwargs)


def draw(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a random operator as the level's randomness says."""
    if level.randomness == "error":
        raise RuntimeError(message(
            op.opname, "vmap: called random operation while in randomness error mode",
            hint="use vmap(..., randomness='same') or 'different', or perform the random operation out of vmap"))
    with passing(level):
        tensors = [a for a in args if isinstance(a, Tensor)]
        batched = any(level.has(t) for t in tensors)
        if not batched and level.randomness == "same":
            return invoke(op, args, kwargs)
        if not tensors:
            return _made(level, op, args, kwargs)
        if op.opname.endswith("_"):
            return _filled(level, op, args, kwargs)
        return _drawn(level, op, args, kwargs)


def _made(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A factory's result, different for each example."""
    places = [i for i, a in enumerate(op.schema.arguments) if a.name == "size"]
    if not places or places[0] >= len(args):
        return level.wrap(_joining.op_stack([invoke(op, args, kwargs) for _ in range(level.size)], 0))
    i = places[0]
    size = args[i] if not isinstance(args[i], int) else (args[i],)
    return level.wrap(invoke(op, (*args[:i], (level.size, *size), *args[i + 1 :]), kwargs))


def _filled(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """An in-place operator's target, filled."""
    target = args[0]
    if not level.has(target):
        raise RuntimeError(message(
            op.opname, "vmap: Cannot ask for different inplace randomness on an unbatched tensor: all examples would "
                       "see the same numbers", hint="make the tensor from a batched one, or use randomness='same'"))
    if level.randomness == "different":
        more = [beside(level, a, target._bdim, target._a.ndim) if isinstance(a, Tensor) else a for a in args[1:]]
        invoke(op, (target._value, *more), kwargs)
        return target
    if any(level.has(a) for a in args[1:]):
        raise _no_same(op)
    one = _conversion.op_clone(_slicing.op_select_int(target._value, target._bdim, 0)) if level.size else None
    if one is not None:
        invoke(op, (one, *args[1:]), kwargs)
        _conversion.op_copy_(target._value, _shape.op_unsqueeze(one, target._bdim))
    return target


def _no_same(op: OpOverload) -> RuntimeError:
    return RuntimeError(message(op.opname, "Vmap does not currently support same randomness with a batched tensor "
                                           "input", hint="use randomness='different'"))


def _drawn(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of an operator that draws by what its arguments say."""
    noise = op.opname in ("_dropout_noise", "_rrelu_noise")
    if level.randomness == "same":
        if not noise:
            raise _no_same(op)
        value, dim = level.split(args[0])
        return invoke(op, (_slicing.op_select_int(value, dim, 0), *args[1:]), kwargs)
    values = [level.full(a) if isinstance(a, Tensor) else a for a in args]
    if op.opname == "_dropout_noise" and values[1] is not None:
        values[1] = (level.size, *values[1])
    if op.opname == "binomial":
        ranks = [a._a.ndim for a in args if isinstance(a, Tensor)]
        for i, a in enumerate(values):
            if isinstance(a, Tensor):
                for _ in range(max(ranks) + 1 - a._a.ndim):
                    values[i] = a = _shape.op_unsqueeze(a, 1)
    if op.opname == "multinomial" and args[0]._a.ndim == 2:
        rows = _shape.op_reshape(values[0], (level.size * args[0]._a.shape[0], args[0]._a.shape[1]))
        out = invoke(op, (rows, *values[1:]), kwargs)
        return level.wrap(_shape.op_reshape(out, (level.size, -1, out._a.shape[-1])))
    out = invoke(op, values, kwargs)
    return level.wrap(out)


__all__ = ["acting", "draw", "guard", "passing"]
