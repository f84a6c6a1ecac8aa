"""Comparisons, logic, bits, choices between operands, and limits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..promote import cast, common, fitting, spec_type
from ..registry import lowering
from ..values import Value


def _compare(name: str) -> Any:
    def rule(lo: Any, node: Any, a: Any, b: Any) -> Any:
        left, right = common(lo, a, b)
        return lo.pointwise(lambda ops, x, y: getattr(ops, name)(x, y), left, right, dtype="bool")

    return rule


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    lowering(f"aten::{_name}.Tensor")(_compare(_name))


def _logical(name: str) -> Any:
    def rule(lo: Any, node: Any, *args: Any) -> Any:
        values = common(lo, *args, dtype="bool")
        return lo.pointwise(lambda ops, *v: getattr(ops, name)(*v), *values, dtype="bool")

    return rule


for _name in ("logical_and", "logical_or", "logical_xor", "logical_not"):
    lowering(f"aten::{_name}")(_logical(_name))


def _bits(name: str, of_bools: str) -> Any:
    def rule(lo: Any, node: Any, *args: Any) -> Any:
        dtype = spec_type(node)
        op = of_bools if dtype == "bool" else name
        return lo.pointwise(lambda ops, *v: getattr(ops, op)(*v), *common(lo, *args, dtype=dtype), dtype=dtype)

    return rule


for _name in ("and", "or", "xor"):
    lowering(f"aten::bitwise_{_name}.Tensor")(_bits(f"bitwise_{_name}", f"logical_{_name}"))
lowering("aten::bitwise_not")(_bits("bitwise_not", "logical_not"))


@lowering("aten::bitwise_left_shift.Tensor")
def left_shift(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    width = np.dtype(dtype).itemsize * 8

    def fn(ops: Any, x: Any, n: Any) -> Any:
        zero = ops.constant(0, dtype)
        bad = ops.logical_or(ops.lt(n, zero), ops.ge(n, ops.constant(width, dtype)))
        return ops.where(bad, zero, ops.shift_left(x, ops.where(bad, zero, n)))

    return lo.pointwise(fn, *common(lo, a, b, dtype=dtype), dtype=dtype, cost=6)


@lowering("aten::bitwise_right_shift.Tensor")
def right_shift(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    top = np.dtype(dtype).itemsize * 8 - 1

    def fn(ops: Any, x: Any, n: Any) -> Any:
        last = ops.constant(top, dtype)
        bad = ops.logical_or(ops.lt(n, ops.constant(0, dtype)), ops.gt(n, last))
        return ops.shift_right(x, ops.where(bad, last, n))

    return lo.pointwise(fn, *common(lo, a, b, dtype=dtype), dtype=dtype, cost=6)


def choose(lo: Any, condition: Value, a: Any, b: Any, dtype: str) -> Any:
    """``a`` where the condition holds, else ``b``."""
    values = [cast(lo, condition, "bool"), cast(lo, a, dtype), cast(lo, b, dtype)]
    return lo.pointwise(lambda ops, c, x, y: ops.where(c, x, y), *values, dtype=dtype)


@lowering("aten::where.self")
def where(lo: Any, node: Any, condition: Value, a: Any, b: Any) -> Any:
    return choose(lo, condition, a, b, spec_type(node))


@lowering("aten::masked_fill.Scalar")
def masked_fill(lo: Any, node: Any, a: Value, mask: Value, value: Any) -> Any:
    return choose(lo, mask, fitting(value, a.dtype), a, spec_type(node))
