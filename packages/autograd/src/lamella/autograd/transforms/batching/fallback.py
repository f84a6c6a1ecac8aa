"""What runs operators that have no rule: once per example, or through their out-of-place form."""

from __future__ import annotations

from typing import Any

from lamella.core._gen import conversion as _conversion, joining as _joining, slicing as _slicing
from lamella.core.checks import followed
from lamella.core.promotion import can_cast
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.logs import get
from lamella.dispatch.registry import OpOverload

from ..levels import functional, map_call
from .level import BatchLevel, invoke, move

_log = get("vmap")
#: How often each operator ran once per example.
counts: dict[str, int] = {}

#: Operators whose results have a shape that depends on the data.
DYNAMIC = frozenset({"nonzero", "masked_select", "_unique2", "unique_dim", "unique_consecutive"})


def fallback(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operator once per example and stack the results.

    Raises:
        RuntimeError: for operators whose results differ in shape from example to example, and for writes into tensors
            that are not batched.
    """
    name = op.opname
    if name in DYNAMIC:
        raise RuntimeError(message(
            "vmap", f"we do not support batching operators that can output dynamic shape; attempted to vmap over "
            f"{op.name}", hint="use an operator whose result has one shape for all examples, such as torch.where"))
    counts[op.name] = counts.get(op.name, 0) + 1
    _log("vmap: %s runs once per example (%d)", op.name, level.size)
    writes = [i for i, a in enumerate(op.schema.arguments) if a.is_write]
    for i in writes:
        if i < len(args) and isinstance(args[i], Tensor) and not level.has(args[i]):
            raise unbatched_target(name)
    if not level.size:
        return _empty(level, op, args, kwargs)
    results = []
    for i in range(level.size):

        def example(t: Any, i: int = i) -> Any:
            value, dim = level.split(t)
            return value if dim is None else _slicing.op_select_int(value, dim, i)

        inner, named = map_call(example, args, kwargs)
        results.append(invoke(op, inner, named))
    if writes:
        targets = [args[i] for i in writes]
        return targets[0] if len(targets) == 1 and isinstance(results[0], Tensor) else \
            (tuple(targets) if results[0] else results[0])
    return _stacked(level, op, results)


def _stacked(level: BatchLevel, op: OpOverload, results: list[Any]) -> Any:
    first = results[0]
    if isinstance(first, Tensor):
        if any(r._a.shape != first._a.shape for r in results):
            raise RuntimeError(message(
                "vmap", f"{op.name} gives results of different shapes for different examples",
                {"shapes": [list(r._a.shape) for r in results[:4]]}))
        return level.wrap(_joining.op_stack(results, 0), 0)
    if isinstance(first, (tuple, list)):
        parts = [_stacked(level, op, list(column)) for column in zip(*results, strict=True)]
        return _like(first, parts)
    if all(r is None for r in results):
        return None
    raise RuntimeError(message("vmap", f"{op.name} returns a {type(first).__name__}, which cannot be batched"))


def _like(first: Any, parts: list[Any]) -> Any:
    if hasattr(first, "_fields"):
        return type(first)(*parts)
    return type(first)(parts)


def _empty(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The results for a batch of no examples: of the shapes that an example of zeros gives."""
    from lamella import core

    def example(t: Any) -> Any:
        value, dim = level.split(t)
        if dim is None:
            return value
        shape = value._a.shape
        return core.zeros(shape[:dim] + shape[dim + 1 :], dtype=value.dtype, device=value.device)  # type: ignore[attr-defined]

    inner, named = map_call(example, args, kwargs)
    out = invoke(op, inner, named)

    def none_of(r: Any) -> Any:
        if isinstance(r, Tensor):
            return level.wrap(core.zeros((0, *r._a.shape), dtype=r.dtype, device=r.device), 0)  # type: ignore[attr-defined]
        if isinstance(r, (tuple, list)):
            return _like(r, [none_of(x) for x in r])
        return r

    if op.schema.is_mutable:
        return args[0]
    return none_of(out)


def unbatched_target(op: str) -> RuntimeError:
    """The error for writing batched values into a tensor that is not batched."""
    return RuntimeError(message(
        op, "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in "
            "extra_args that has more elements than `self`: `other` is vmapped over but `self` is not",
        hint="use the out-of-place operator, or make self from a batched tensor (x.new_zeros, torch.zeros_like(x))"))


def in_place(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an in-place operator as its out-of-place form and write the result back."""
    target = args[0]
    if not level.has(target):
        raise unbatched_target(op.opname)
    plain = functional(op)
    if plain is None:
        return fallback(level, op, args, kwargs)
    from .rules import rule_of

    if any(isinstance(a, Tensor) and followed(a) for a in args):
        args = (_conversion.op_clone(target), *args[1:])  # its node may save the argument, which is written over
    result = rule_of(plain)(level, plain, args, kwargs)
    write(level, op, target, result)
    return target


def write(level: BatchLevel, op: OpOverload, target: Any, result: Any) -> None:
    """Write a batched result into a batched tensor."""
    if result._a.shape != target._a.shape:
        raise RuntimeError(message(op.opname, f"output with shape {list(target._a.shape)} doesn't match the broadcast "
                                              f"shape {list(result._a.shape)}"))
    if not can_cast(result.dtype, target.dtype):
        raise RuntimeError(message(op.opname, f"the result type {result.dtype.name} can't be cast to the tensor's type "
                                              f"{target.dtype.name}"))
    value, dim = level.split(result)
    if dim is not None:
        value = move(value, dim, target._bdim)
    else:
        from lamella.core._gen import shape as _shape

        value = _shape.op_unsqueeze(value, target._bdim)
    _conversion.op_copy_(target._value, value)
