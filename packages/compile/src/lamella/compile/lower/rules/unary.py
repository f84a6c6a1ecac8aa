"""Functions of one operand."""

from __future__ import annotations

import math
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


@lowering("aten::positive", "aten::conj_physical", "aten::detach", "aten::alias", "aten::clone", "aten::_conj",
          "aten::lift_fresh", "aten::contiguous", "aten::real", "aten::resolve_conj", "aten::resolve_neg")
def identity(lo: Any, node: Any, a: Value, *_: Any, **__: Any) -> Value:
    return a


@lowering("aten::sign", "aten::sgn")
def sign(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        zero = ops.constant(0, dtype)
        return ops.sub(ops.to(ops.gt(x, zero), dtype), ops.to(ops.lt(x, zero), dtype))

    return a if dtype == "bool" else unary(lo, fn, a, dtype, 5)


@lowering("aten::square")
def square(lo: Any, node: Any, a: Value) -> Value:
    return unary(lo, lambda ops, x: ops.mul(x, x), a, spec_type(node), 1)


@lowering("aten::relu")
def relu(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)
    return unary(lo, lambda ops, x: ops.maximum(x, ops.constant(0, dtype)), a, dtype, 1)


def _rounding(name: str) -> Any:
    def rule(lo: Any, node: Any, a: Value) -> Value:
        dtype = spec_type(node)
        if category(dtype) < 2:
            return a
        return unary(lo, lambda ops, x: getattr(ops, name)(x), stepped(lo, a), dtype, 1)

    return rule


for _name in ("floor", "ceil", "trunc"):
    lowering(f"aten::{_name}")(_rounding(_name))


@lowering("aten::round", "aten::round.decimals")
def rounded(lo: Any, node: Any, a: Value, decimals: int = 0) -> Value:
    dtype = spec_type(node)
    if category(dtype) < 2:
        if decimals:
            raise Unsupported("integers")
        return a
    ten = 10.0 ** abs(decimals)

    def fn(ops: Any, x: Any) -> Any:
        if not decimals:
            return ops.round(x)
        scale = ops.constant(ten, dtype)
        if decimals > 0:
            return ops.div(ops.round(ops.mul(x, scale)), scale)
        return ops.mul(ops.round(ops.div(x, scale)), scale)

    return unary(lo, fn, stepped(lo, a), dtype, 6 if decimals else 1)


@lowering("aten::frac")
def frac(lo: Any, node: Any, a: Value) -> Value:
    return unary(lo, lambda ops, x: ops.sub(x, ops.trunc(x)), a, spec_type(node), 2)


def _times(factor: float) -> Any:
    def rule(lo: Any, node: Any, a: Value) -> Value:
        dtype = spec_type(node)
        return unary(lo, lambda ops, x: ops.mul(x, ops.constant(factor, dtype)), a, dtype, 1)

    return rule


lowering("aten::deg2rad")(_times(math.pi / 180))
lowering("aten::rad2deg")(_times(180 / math.pi))


@lowering("aten::sinc")
def sinc(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        y = ops.mul(x, ops.constant(math.pi, dtype))
        return ops.where(ops.eq(x, ops.constant(0, dtype)), ops.constant(1, dtype), ops.div(ops.sin(y), y))

    return unary(lo, fn, a, dtype, 20)


@lowering("aten::logit")
def logit(lo: Any, node: Any, a: Value, eps: float | None = None) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        if eps is not None:
            x = ops.minimum(ops.maximum(x, ops.constant(eps, dtype)), ops.constant(1 - eps, dtype))
        return ops.log(ops.div(x, ops.sub(ops.constant(1, dtype), x)))

    return unary(lo, fn, a, dtype, 22)


@lowering("aten::nan_to_num")
def nan_to_num(lo: Any, node: Any, a: Value, nan: float | None = None, posinf: float | None = None,
               neginf: float | None = None) -> Value:
    dtype = spec_type(node)
    if category(dtype) < 2:
        return a
    from lamella.core import dtypes

    info = dtypes.finfo(getattr(dtypes, dtype))
    high, low = info.max if posinf is None else posinf, info.min if neginf is None else neginf

    def fn(ops: Any, x: Any) -> Any:
        top, bottom = ops.constant(math.inf, dtype), ops.constant(-math.inf, dtype)
        r = ops.where(ops.eq(x, top), ops.constant(high, dtype), x)
        r = ops.where(ops.eq(x, bottom), ops.constant(low, dtype), r)
        return ops.where(ops.isnan(x), ops.constant(nan or 0.0, dtype), r)

    return unary(lo, fn, a, dtype, 6)


@lowering("aten::angle")
def angle(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        turned = ops.where(ops.lt(x, ops.constant(0, dtype)), ops.constant(math.pi, dtype), ops.constant(0, dtype))
        return ops.where(ops.isnan(x), x, turned)

    return unary(lo, fn, a, dtype, 3)


@lowering("aten::mvlgamma")
def mvlgamma(lo: Any, node: Any, a: Value, p: int) -> Value:
    dtype = spec_type(node)
    if p > 4:
        raise Unsupported("many terms")

    def fn(ops: Any, x: Any) -> Any:
        total = ops.constant(p * (p - 1) / 4 * math.log(math.pi), dtype)
        for k in range(p):
            total = ops.add(total, ops.lgamma(ops.sub(x, ops.constant(0.5 * k, dtype))))
        return total

    return unary(lo, fn, a, dtype, 18 * p)


@lowering("aten::special_ndtr")
def ndtr(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        return ops.mul(ops.constant(0.5, dtype), ops.erfc(ops.mul(x, ops.constant(-math.sqrt(0.5), dtype))))

    return unary(lo, fn, a, dtype, 18)


@lowering("aten::special_entr")
def entr(lo: Any, node: Any, a: Value) -> Value:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any) -> Any:
        zero = ops.constant(0, dtype)
        below = ops.where(ops.eq(x, zero), zero, ops.constant(-math.inf, dtype))
        inside = ops.neg(ops.mul(x, ops.log(x)))
        return ops.where(ops.isnan(x), x, ops.where(ops.gt(x, zero), inside, below))

    return unary(lo, fn, a, dtype, 22)


@lowering("aten::isnan", "aten::isinf", "aten::isfinite", "aten::isposinf", "aten::isneginf", "aten::isreal",
          "aten::signbit")
def is_such(lo: Any, node: Any, a: Value) -> Value:
    name, dtype = node.op.opname, a.dtype

    def fn(ops: Any, x: Any) -> Any:
        if name == "signbit":
            if category(dtype) < 2:
                return ops.lt(x, ops.constant(0, dtype))
            return ops.lt(ops.copysign(ops.constant(1, dtype), x), ops.constant(0, dtype))
        if category(dtype) < 2 or name == "isreal":
            return ops.constant(name in ("isfinite", "isreal"), "bool")
        if name == "isfinite":
            return ops.lt(ops.abs(x), ops.constant(math.inf, dtype))
        if name in ("isposinf", "isneginf"):
            return ops.eq(x, ops.constant(math.inf if name == "isposinf" else -math.inf, dtype))
        return getattr(ops, name)(x)

    found: Value = lo.pointwise(fn, a, dtype="bool", cost=2)
    return found
