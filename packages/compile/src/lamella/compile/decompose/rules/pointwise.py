"""Elementwise operators that are a few others."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import dtypes as dt

from ..builder import Builder
from ..specs import fitting, is_number, result_type, wide
from ..table import Eager, Keep, rule
from .widening import operands, widened


def _factor(alpha: Any, d: Any) -> Any:
    """alpha, which must be whole and within the type for integers."""
    if d.category < 2 and isinstance(alpha, float):
        raise Eager("an error of the operator")
    return fitting(alpha, d)


def _no_bools(*given: Any) -> None:
    if any(type(x) is bool or not is_number(x) and x.spec.dtype.category == 0 for x in given):
        raise Eager("an error of the operator")


def _sum(name: str, self: Any, other: Any, alpha: Any, b: Builder) -> Any:
    if name == "sub":
        _no_bools(self, other)
    if type(alpha) in (int, bool) and alpha == 1:
        raise Keep("a primitive as it is")
    d, (x, y) = operands(b, self, other)
    alpha = _factor(alpha, d)
    y = y * alpha if is_number(y) and not hasattr(y, "spec") and not hasattr(alpha, "spec") else b.mul(y, alpha)
    return b.to(getattr(b, name)(x, y), d)


@rule("aten::add.Tensor")
def add(b: Builder, self: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sum("add", self, other, alpha, b)


@rule("aten::sub.Tensor")
def sub(b: Builder, self: Any, other: Any, *, alpha: Any = 1) -> Any:
    return _sum("sub", self, other, alpha, b)


@rule("aten::rsub.Tensor")
def rsub(b: Builder, self: Any, other: Any, *, alpha: Any = 1) -> Any:
    _no_bools(self, other)
    d, (x, y) = operands(b, self, other)
    return b.to(b.sub(y, b.mul(x, _factor(alpha, d))), d)


@rule("aten::square")
def square(b: Builder, self: Any) -> Any:
    x = b.to(self, dt.int64) if self.spec.dtype.category == 0 else self
    return b.mul(x, x)


@rule("aten::positive", "aten::conj_physical")
def positive(b: Builder, self: Any) -> Any:
    return b.copy(self)


@rule("aten::sgn")
def sgn(b: Builder, self: Any) -> Any:
    return b.sign(self)


@rule("aten::div.Tensor_mode")
def div_mode(b: Builder, self: Any, other: Any, *, rounding_mode: Any) -> Any:
    if rounding_mode == "floor":
        return b.pointwise("aten::floor_divide", "arith", self, other)
    d = result_type((self, other))
    if rounding_mode is None:
        return b.div(self, other)
    if d.category == 2:
        d, (x, y) = operands(b, self, other)
        return b.to(b.trunc(b.div(x, y)), d)
    raise Keep("a primitive as it is")


@rule("aten::pow.Tensor_Scalar")
def pow_scalar(b: Builder, self: Any, exponent: Any) -> Any:
    d = result_type((self, exponent))
    if d.category != 2 or not isinstance(exponent, (int, float)) or exponent not in (0.5, 1, 2, 3, -1):
        raise Keep("a primitive as it is")
    x = b.wide(b.to(self, d))
    return b.copy(b.to(x, d)) if exponent == 1 else b.to(b.pow(x, exponent), d)


@widened("aten::logaddexp")
def logaddexp(b: Builder, x: Any, y: Any) -> Any:
    gap = b.sub(x, y)
    made = b.add(b.log1p(b.exp(b.neg(b.abs(gap)))), b.maximum(x, y))
    return b.where(b.eq(x, y), b.add(x, math.log(2)), made)  # the same infinity twice has no gap


@widened("aten::logaddexp2")
def logaddexp2(b: Builder, x: Any, y: Any) -> Any:
    gap = b.sub(x, y)
    made = b.add(b.mul(b.log1p(b.exp2(b.neg(b.abs(gap)))), 1 / math.log(2)), b.maximum(x, y))
    return b.where(b.eq(x, y), b.add(x, 1.0), made)


def _times_logarithm(b: Builder, name: str, self: Any, other: Any) -> Any:
    """x times the logarithm of y, 0 where x is, unless y is nan."""
    d, given = operands(b, self, other, promote="float")
    x, y = (b.full((), v, wide(d)) if is_number(v) else v for v in given)
    r = b.mul(x, b.unary(name, y))
    nothing = b.logical("and", b.eq(x, 0), b.logical("not", b.isnan(y)))
    return b.to(b.masked_fill(r, nothing, 0.0), d)


@rule("aten::xlogy.Tensor")
def xlogy(b: Builder, self: Any, other: Any) -> Any:
    return _times_logarithm(b, "log", self, other)


@rule("aten::special_xlog1py")
def xlog1py(b: Builder, self: Any, other: Any) -> Any:
    return _times_logarithm(b, "log1p", self, other)


@rule("aten::ldexp.Tensor")
def ldexp(b: Builder, self: Any, other: Any) -> Any:
    d, (x, y) = operands(b, self, other, promote="float")
    return b.to(b.mul(x, b.exp2(y)), d)


@rule("aten::heaviside")
def heaviside(b: Builder, self: Any, values: Any) -> Any:
    if self.spec.dtype is not values.spec.dtype:
        raise Eager("an error of the operator")
    return b.where(b.eq(self, 0), values, b.to(b.gt(self, 0), self.spec.dtype))


@rule("aten::sinc")
def sinc(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    u = b.mul(x, math.pi)
    return b.to(b.masked_fill(b.div(b.sin(u), u), b.eq(x, 0), 1.0), d)


@widened("aten::frac")
def frac(b: Builder, x: Any) -> Any:
    return b.sub(x, b.trunc(x))


@rule("aten::deg2rad")
def deg2rad(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    return b.to(b.mul(x, math.pi / 180), d)


@rule("aten::rad2deg")
def rad2deg(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    return b.to(b.mul(x, 180 / math.pi), d)


@rule("aten::logit")
def logit(b: Builder, self: Any, eps: Any = None) -> Any:
    d, (x,) = operands(b, self, promote="float")
    if eps is not None:
        x = b.clamp(x, eps, 1 - eps)
    return b.to(b.log(b.div(x, b.sub(1, x))), d)


@rule("aten::nan_to_num")
def nan_to_num(b: Builder, self: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    d = self.spec.dtype
    if d.category < 2:
        return b.copy(self)
    info = dt.finfo(d)
    x = b.masked_fill(self, b.isnan(self), 0.0 if nan is None else nan)
    x = b.masked_fill(x, b.eq(self, math.inf), info.max if posinf is None else posinf)
    return b.masked_fill(x, b.eq(self, -math.inf), info.min if neginf is None else neginf)


@rule("aten::clamp")
def clamp(b: Builder, self: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - torch's names
    d = result_type([x for x in (self, min, max) if x is not None])
    x = b.to(self, d)
    for limit, name in ((min, "maximum"), (max, "minimum")):
        if limit is not None:
            x = getattr(b, name)(x, fitting(limit, d))
    return x


@rule("aten::clamp.Tensor")
def clamp_tensor(b: Builder, self: Any, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - torch's names
    d = result_type([x for x in (self, min, max) if x is not None])
    if d.category == 0:
        raise Keep("truth values")
    x = b.to(self, d)
    if min is not None:
        x = b.maximum(x, b.to(min, d))
    return x if max is None else b.minimum(x, b.to(max, d))


def _lerp(b: Builder, x: Any, y: Any, w: Any) -> Any:
    return b.add(x, b.mul(b.sub(y, x), w)), b.sub(y, b.mul(b.sub(y, x), b.sub(1, w) if hasattr(w, "spec") else 1 - w))


@rule("aten::lerp.Scalar")
def lerp_scalar(b: Builder, self: Any, end: Any, weight: Any) -> Any:
    # The nearer end is the base, so that both ends are hit exactly.
    d, (x, y) = operands(b, self, end)
    if not isinstance(weight, (int, float)):
        return b.to(_nearest_lerp(b, x, y, b.full((), weight, x.spec.dtype)), d)
    near, far = _lerp(b, x, y, weight)
    return b.to(near if abs(weight) < 0.5 else far, d)


@widened("aten::lerp.Tensor")
def lerp_tensor(b: Builder, x: Any, y: Any, w: Any) -> Any:
    return _nearest_lerp(b, x, y, w)


def _nearest_lerp(b: Builder, x: Any, y: Any, w: Any) -> Any:
    near, far = _lerp(b, x, y, w)
    return b.where(b.lt(b.abs(w), 0.5), near, far)


@rule("aten::addcmul")
def addcmul(b: Builder, self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    d, (x, y, z) = operands(b, self, tensor1, tensor2)
    if d.category == 0:
        raise Eager("an error of the operator")
    return b.to(b.add(x, b.mul(b.mul(y, z), fitting(value, d))), d)


@rule("aten::addcdiv")
def addcdiv(b: Builder, self: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    d, (x, y, z) = operands(b, self, tensor1, tensor2)
    if d.category < 2:
        raise Eager("an error of the operator")
    return b.to(b.add(x, b.mul(b.div(y, z), value)), d)


@rule("aten::angle")
def angle(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    turned = b.mul(b.to(b.lt(x, 0), x.spec.dtype), math.pi)
    return b.to(b.where(b.isnan(x), x, turned), d)


@rule("aten::round.decimals")
def round_decimals(b: Builder, self: Any, *, decimals: int = 0) -> Any:
    if self.spec.dtype.category < 2:
        if decimals:
            raise Eager("an error of the operator")
        return b.copy(self)
    if not decimals:
        raise Keep("a primitive as it is")
    x, ten = b.wide(self), 10.0 ** abs(decimals)
    scaled = b.mul(x, ten) if decimals > 0 else b.div(x, ten)
    r = b.call("aten::round.decimals", scaled, spec=scaled.spec)
    return b.to(b.div(r, ten) if decimals > 0 else b.mul(r, ten), self.spec.dtype)


@rule("aten::mvlgamma")
def mvlgamma(b: Builder, self: Any, p: int) -> Any:
    d, (x,) = operands(b, self, promote="float")
    total = b.lgamma(x)
    for i in range(1, p):
        total = b.add(total, b.lgamma(b.sub(x, 0.5 * i)))
    return b.to(b.add(total, p * (p - 1) / 4 * math.log(math.pi)), d)


@rule("aten::special_ndtr")
def ndtr(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    return b.to(b.mul(b.erfc(b.mul(x, -math.sqrt(0.5))), 0.5), d)


@rule("aten::special_entr")
def entr(b: Builder, self: Any) -> Any:
    d, (x,) = operands(b, self, promote="float")
    r = b.masked_fill(b.neg(b.mul(x, b.log(x))), b.eq(x, 0), 0.0)
    return b.to(b.masked_fill(r, b.lt(x, 0), -math.inf), d)
