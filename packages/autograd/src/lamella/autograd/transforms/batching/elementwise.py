"""The rule of elementwise operators: batches in front, shapes padded so that they broadcast, one call."""

from __future__ import annotations

from typing import Any

from lamella.core._gen import conversion as _conversion, shape as _shape
from lamella.core.promotion import result_dtype
from lamella.core.tensor import Tensor
from lamella.dispatch.registry import OpOverload

from .fallback import unbatched_target
from .level import BatchLevel, invoke, move, to_front, wrapped

#: Families all of whose operators are elementwise, but for the exceptions.
_FAMILIES = frozenset({"pointwise", "comparison", "special", "lamella.nn.activation"})
_EXCEPTIONS = frozenset({"_rrelu_noise"})
_MORE = frozenset({
    "where", "masked_fill", "masked_fill_", "complex", "polar", "clone", "alias", "detach", "_to_copy", "copy_",
    "fill_", "zero_",
})
#: Operators whose first argument does not take part in the result's type.
_CONDITION = frozenset({"where"})
_KEEPS_TYPE = frozenset({"masked_fill", "copy_", "fill_"})


def is_elementwise(op: OpOverload) -> bool:
    """Whether an operator computes each element of its result from the same places of its arguments."""
    if op.family in _FAMILIES:
        return op.opname not in _EXCEPTIONS
    return op.namespace == "aten" and op.opname in _MORE


def elementwise(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an elementwise operator on whole batches."""
    values, dims, rank, same = [], [], 0, True
    first = None
    for a in args:
        if isinstance(a, Tensor):
            value, dim = level.split(a)
            n = value._a.ndim if dim is None else value._a.ndim - 1
            if dim is None:
                same = False
            elif first is None:
                first = (dim, n)
            elif first != (dim, n):
                same = False
            rank = n if n > rank else rank
            values.append(value)
            dims.append(dim)
        else:
            values.append(a)
            dims.append(None)
    if same and first is not None:
        return _results(level, op, invoke(op, values, kwargs), first[0], args)
    for i, dim in enumerate(dims):
        if dim is not None:
            values[i] = padded(values[i], dim, rank)
    _match_types(op, args, dims, values, rank)
    return _results(level, op, invoke(op, values, kwargs), 0, args)


def _results(level: BatchLevel, op: OpOverload, out: Any, dim: int, args: tuple[Any, ...]) -> Any:
    if out.__class__ is Tensor and out._base is None:
        return level.wrap(out, dim)
    return wrapped(level, out, dim, tuple(a for a in args if level.has(a)))


def padded(value: Any, dim: int, rank: int) -> Any:
    """A value with the batch in front and ``rank`` dimensions after it, new ones of size 1."""
    if dim:
        value = to_front(value, dim)
    for _ in range(rank + 1 - value._a.ndim):
        value = _shape.op_unsqueeze(value, 1)
    return value


def _match_types(op: OpOverload, args: tuple[Any, ...], dims: list[Any], values: list[Any], rank: int) -> None:
    """Give batched numbers the result's type: their values have a dimension and would count as tensors."""
    if not rank or op.opname in _KEEPS_TYPE:
        return
    skip = 1 if op.opname in _CONDITION else 0
    for i, dim in enumerate(dims):
        if dim is None or i < skip or args[i]._a.ndim:
            continue
        d = result_dtype(*[a for a in args[skip:] if isinstance(a, Tensor)])
        if args[i].dtype is not d:
            values[i] = _conversion.op__to_copy(values[i], dtype=d)


def elementwise_in_place(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an in-place elementwise operator on the target's own value, whatever its batch dimension."""
    target = args[0]
    if not level.has(target):
        raise unbatched_target(op.opname)
    place, rank = target._bdim, target._a.ndim
    values = [target._value]
    for a in args[1:]:
        values.append(beside(level, a, place, rank) if isinstance(a, Tensor) else a)
    if op.name == "aten::fill_.Tensor":
        _conversion.op_copy_(values[0], values[1])
    else:
        invoke(op, values, kwargs)
    return target


def beside(level: BatchLevel, t: Any, place: int, rank: int) -> Any:
    """A tensor's value, shaped to broadcast with one of ``rank`` logical dimensions whose batch is at ``place``."""
    value, dim = level.split(t)
    if dim is not None:
        n = value._a.ndim - 1
        value = padded(value, dim, rank)
        return move(value, 0, place) if n <= rank else value
    after, n = rank - place, value._a.ndim
    if n > after:
        value = _shape.op_unsqueeze(value, n - after)
    return value
