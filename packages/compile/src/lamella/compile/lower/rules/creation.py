"""Factories, copies in another type, and triangles."""

from __future__ import annotations

from typing import Any

from ..promote import as_number, cast, category, fitting, spec_type
from ..registry import Unsupported, lowering
from ..values import Scalar, Value, constant


def filled(lo: Any, shape: tuple[Any, ...], number: Any, dtype: str) -> Value:
    """All elements are a number, perhaps one that is only known at run time."""
    number = fitting(number, dtype)
    if isinstance(number, (int, float)):
        return constant(as_number(number, dtype), shape, dtype)
    found: Value = lo.expanded(cast(lo, number, dtype), shape)
    return found


@lowering("aten::full")
def full(lo: Any, node: Any, of: Any, fill_value: Any, **_: Any) -> Value:
    return filled(lo, tuple(node.spec.shape), fill_value, spec_type(node))


@lowering("aten::empty.memory_format", "aten::empty_strided")
def zeros(lo: Any, node: Any, *_: Any, **__: Any) -> Value:
    return constant(as_number(0, spec_type(node)), tuple(node.spec.shape), spec_type(node))


@lowering("aten::arange.start_step")
def arange(lo: Any, node: Any, start: Any, end: Any, step: Any = 1, **_: Any) -> Value:
    dtype, shape = spec_type(node), tuple(node.spec.shape)
    if any(isinstance(x, Scalar) for x in (start, end, step)):
        raise Unsupported("limits that are only known at run time")
    if category(dtype) == 1:
        if isinstance(start, float) or isinstance(step, float):
            start, step = int(start), int(step)
        return Value(shape, dtype, lambda ops, i: ops.index_value(start + i[0] * step, dtype))
    if category(dtype) == 0:
        raise Unsupported("bools")

    def load(ops: Any, i: Any) -> Any:
        # start + i * step in double precision, rounded once
        at = ops.mul(ops.index_value(i[0], "float64"), ops.constant(float(step), "float64"))
        return ops.to(ops.add(ops.constant(float(start), "float64"), at), dtype)

    return Value(shape, dtype, load, cost=3)


@lowering("aten::linspace")
def linspace(lo: Any, node: Any, start: Any, end: Any, steps: Any, **_: Any) -> Value:
    dtype, shape = spec_type(node), tuple(node.spec.shape)
    if category(dtype) != 2 or not isinstance(steps, int) or steps < 2:
        raise Unsupported("few steps, or integers")
    work = "float32" if dtype == "float32" else "float64"
    import numpy as np

    kind = np.dtype(work).type
    step = float((kind(end) - kind(start)) / kind(steps - 1))

    def load(ops: Any, i: Any) -> Any:
        # Counted from both ends: both end points are exact.
        width = ops.constant(step, work)
        low = ops.add(ops.constant(start, work), ops.mul(ops.index_value(i[0], work), width))
        high = ops.sub(ops.constant(end, work), ops.mul(width, ops.index_value(steps - 1 - i[0], work)))
        half = ops.lt(ops.index_value(i[0], "int64"), ops.constant(steps // 2, "int64"))
        return ops.to(ops.where(half, low, high), dtype)

    return Value(shape, dtype, load, cost=6)


@lowering("aten::_to_copy")
def to_copy(lo: Any, node: Any, a: Value, *_: Any, **__: Any) -> Value:
    kind = getattr(node.spec.device, "type", "cpu")
    source = node.args[0].spec.device
    if kind != getattr(source, "type", "cpu"):
        raise Unsupported("a copy to another device")
    return cast(lo, a, spec_type(node))
