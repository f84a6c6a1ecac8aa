"""Functions of one operand."""

from __future__ import annotations

from typing import Any

from ..promote import cast, category, spec_type, stepped
from ..registry import Unsupported, lowering
from ..values import Value

_SLOW = ("exp exp2 expm1 log log2 log10 log1p sin cos tan tanh sinh cosh asin acos atan asinh acosh atanh erf erfc "
         "erfinv lgamma digamma sigmoid").split()
_FAST = ("sqrt", "rsqrt", "reciprocal")


def unary(lo: Any, fn: Any, value: Value, dtype: str, cost: int) -> Value:
    """``fn(ops, element)`` of a value brought to a type, which is also the result's."""
    found: Value = lo.pointwise(fn, cast(lo, value, dtype), dtype=dtype, cost=cost)
    return found


def _function(name: str, cost: int) -> Any:
    def rule(lo: Any, node: Any, a: Value) -> Value:
        dtype = spec_type(node)
        if category(dtype) < 2:
            raise Unsupported("a result that is not floating")
        return unary(lo, lambda ops, x: getattr(ops, name)(x), a, dtype, cost)

    return rule


for _name in _SLOW:
    lowering(f"aten::{_name}")(_function(_name, 16))
for _name in _FAST:
    lowering(f"aten::{_name}")(_function(_name, 4))


@lowering("aten::neg")
def neg(lo: Any, node: Any, a: Value) -> Value:
    if spec_type(node) == "bool":
        raise Unsupported("bools")
    return unary(lo, lambda ops, x: ops.neg(x), a, spec_type(node), 1)


@lowering("aten::abs")
def absolute(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)
    if dtype == "bool":
        raise Unsupported("bools")
    return a if dtype == "uint8" else unary(lo, lambda ops, x: ops.abs(x), a, dtype, 1)


@lowering("aten::detach", "aten::alias", "aten::clone", "aten::contiguous", "aten::real")
def identity(lo: Any, node: Any, a: Value, *_: Any, **__: Any) -> Value:
    return a


@lowering("aten::sign")
def sign(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        zero = ops.constant(0, dtype)
        return ops.sub(ops.to(ops.gt(x, zero), dtype), ops.to(ops.lt(x, zero), dtype))

    return a if dtype == "bool" else unary(lo, fn, a, dtype, 5)


def _rounding(name: str) -> Any:
    def rule(lo: Any, node: Any, a: Value) -> Value:
        dtype = spec_type(node)
        if category(dtype) < 2:
            return a
        return unary(lo, lambda ops, x: getattr(ops, name)(x), stepped(lo, a), dtype, 1)

    return rule


for _name in ("floor", "ceil", "trunc"):
    lowering(f"aten::{_name}")(_rounding(_name))


@lowering("aten::round.decimals")
def rounded(lo: Any, node: Any, a: Value, decimals: int = 0) -> Value:
    dtype = spec_type(node)
    if decimals or category(dtype) < 2:
        raise Unsupported("decimals, or integers")
    return unary(lo, lambda ops, x: ops.round(x), stepped(lo, a), dtype, 1)


@lowering("aten::isnan", "aten::isinf")
def is_such(lo: Any, node: Any, a: Value) -> Value:
    name = node.op.opname
    if category(a.dtype) < 2:
        raise Unsupported("integers")
    found: Value = lo.pointwise(lambda ops, x: getattr(ops, name)(x), a, dtype="bool", cost=2)
    return found
