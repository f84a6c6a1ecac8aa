"""Arithmetic of two or three operands."""

from __future__ import annotations

from typing import Any

from ..promote import category, common, spec_type
from ..registry import Unsupported, lowering
from ..values import Value


def binary(lo: Any, name: str, a: Any, b: Any, dtype: str, cost: int = 1) -> Any:
    """``ops.<name>`` of two operands brought to a type, which is also the result's."""
    left, right = common(lo, a, b, dtype=dtype)
    return lo.pointwise(lambda ops, x, y: getattr(ops, name)(x, y), left, right, dtype=dtype, cost=cost)


def scaled(lo: Any, value: Any, alpha: Any, dtype: str) -> Any:
    """``value * alpha`` in a type."""
    if isinstance(alpha, (int, float)) and alpha == 1:
        return value
    return binary(lo, "mul", value, alpha, dtype)


@lowering("aten::add.Tensor", "aten::add.Scalar")
def add(lo: Any, node: Any, a: Any, b: Any, alpha: Any = 1) -> Any:
    dtype = spec_type(node)
    if dtype == "bool":
        if alpha != 1:
            raise Unsupported("bools with alpha")
        return binary(lo, "logical_or", a, b, dtype)
    return binary(lo, "add", a, scaled(lo, b, alpha, dtype), dtype)


@lowering("aten::sub.Tensor", "aten::sub.Scalar")
def sub(lo: Any, node: Any, a: Any, b: Any, alpha: Any = 1) -> Any:
    dtype = spec_type(node)
    if dtype == "bool":
        raise Unsupported("bools")
    return binary(lo, "sub", a, scaled(lo, b, alpha, dtype), dtype)


@lowering("aten::rsub.Tensor", "aten::rsub.Scalar")
def rsub(lo: Any, node: Any, a: Any, b: Any, alpha: Any = 1) -> Any:
    return sub(lo, node, b, a, alpha)


@lowering("aten::mul.Tensor", "aten::mul.Scalar")
def mul(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    return binary(lo, "logical_and" if dtype == "bool" else "mul", a, b, dtype)


@lowering("aten::div.Tensor", "aten::div.Scalar")
def div(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    return binary(lo, "div", a, b, dtype, 4)


def whole_divisor(b: Any) -> None:
    """Integers are divided only by a number that is not 0: eager raises for others."""
    number = b.number if isinstance(b, Value) else b
    if not isinstance(number, (int, float)) or number == 0:
        raise Unsupported("integer division by a tensor")


@lowering("aten::floor_divide")
def floor_divide(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    if category(dtype) == 2:
        return binary(lo, "floordiv", a, b, dtype, 4)
    whole_divisor(b)
    return binary(lo, "floordiv", a, b, dtype, 4)


@lowering("aten::div.Tensor_mode", "aten::div.Scalar_mode")
def div_mode(lo: Any, node: Any, a: Any, b: Any, rounding_mode: Any = None) -> Any:
    dtype = spec_type(node)
    if rounding_mode is None:
        return div(lo, node, a, b)
    if rounding_mode == "floor":
        return floor_divide(lo, node, a, b)
    left, right = common(lo, a, b, dtype=dtype)
    if category(dtype) == 2:
        return lo.pointwise(lambda ops, x, y: ops.trunc(ops.div(x, y)), left, right, dtype=dtype, cost=5)
    whole_divisor(b)
    # Rounded towards zero: what fmod leaves has the dividend's sign, and divides away.
    return lo.pointwise(lambda ops, x, y: ops.floordiv(ops.sub(x, ops.fmod(x, y)), y), left, right, dtype=dtype, cost=9)


def _remainder(name: str) -> Any:
    def rule(lo: Any, node: Any, a: Any, b: Any) -> Any:
        dtype = spec_type(node)
        if category(dtype) < 2:
            whole_divisor(b)
        return binary(lo, name, a, b, dtype, 4)

    return rule


lowering("aten::remainder.Tensor", "aten::remainder.Scalar")(_remainder("mod"))
lowering("aten::fmod.Tensor", "aten::fmod.Scalar")(_remainder("fmod"))


@lowering("aten::pow.Tensor_Scalar")
def pow_scalar(lo: Any, node: Any, a: Any, exponent: Any) -> Any:
    dtype = spec_type(node)
    [x] = common(lo, a, dtype=dtype)
    if category(dtype) == 0 or not isinstance(exponent, (int, float)):
        raise Unsupported("powers of bools, and by what is not known")
    if exponent == 1:
        return x
    if exponent == 0.5:
        return lo.pointwise(lambda ops, v: ops.sqrt(v), x, dtype=dtype, cost=4)
    if exponent == -1 and category(dtype) == 2:
        return lo.pointwise(lambda ops, v: ops.reciprocal(v), x, dtype=dtype, cost=4)
    whole = int(exponent) if exponent == int(exponent) and abs(exponent) < 64 else None
    if category(dtype) == 1 and (whole is None or whole < 0):
        raise Unsupported("an integer to a power that is no whole number below 64")
    if whole is not None and (2 <= whole <= 4 or category(dtype) == 1):
        return lo.pointwise(lambda ops, v: _power(ops, v, whole, dtype), x, dtype=dtype, cost=2)
    return binary(lo, "pow", a, float(exponent), dtype, 16)


def _power(ops: Any, x: Any, n: int, dtype: str) -> Any:
    if n == 0:
        return ops.constant(1, dtype)
    if n == 1:
        return x
    half = _power(ops, x, n // 2, dtype)
    square = ops.mul(half, half)
    return ops.mul(square, x) if n % 2 else square


@lowering("aten::pow.Tensor_Tensor")
def pow_tensor(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    if category(dtype) < 2:
        raise Unsupported("integers to the power of a tensor")
    if isinstance(b, Value) and b.ndim == 0 and b.number in (2.0, 0.5, 3.0):
        return pow_scalar(lo, node, a, b.number)
    return binary(lo, "pow", a, b, dtype, 16)


@lowering("aten::pow.Scalar")
def pow_base(lo: Any, node: Any, base: Any, exponent: Any) -> Any:
    dtype = spec_type(node)
    if category(dtype) < 2:
        raise Unsupported("integers to the power of a tensor")
    if base == 2:
        [x] = common(lo, exponent, dtype=dtype)
        return lo.pointwise(lambda ops, v: ops.exp2(v), x, dtype=dtype, cost=16)
    return binary(lo, "pow", base, exponent, dtype, 16)


def _same(name: str, cost: int = 1) -> Any:
    def rule(lo: Any, node: Any, a: Any, b: Any) -> Any:
        return binary(lo, name, a, b, spec_type(node), cost)

    return rule


for _name, _op, _cost in (("atan2", "atan2", 16), ("hypot", "hypot", 16), ("copysign.Tensor", "copysign", 1),
                          ("nextafter", "nextafter", 4), ("fmax", "fmax", 1), ("fmin", "fmin", 1)):
    lowering(f"aten::{_name}")(_same(_op, _cost))


def extreme(name: str, of_bools: str) -> Any:
    """The rule of maximum or minimum."""

    def rule(lo: Any, node: Any, a: Any, b: Any) -> Any:
        dtype = spec_type(node)
        return binary(lo, of_bools if dtype == "bool" else name, a, b, dtype)

    return rule


lowering("aten::maximum")(extreme("maximum", "logical_or"))
lowering("aten::minimum")(extreme("minimum", "logical_and"))


@lowering("aten::logaddexp")
def logaddexp(lo: Any, node: Any, a: Any, b: Any) -> Any:
    return _logaddexp(lo, node, a, b, "exp", "log1p", None)


@lowering("aten::logaddexp2")
def logaddexp2(lo: Any, node: Any, a: Any, b: Any) -> Any:
    return _logaddexp(lo, node, a, b, "exp2", "log1p", 1.4426950408889634)


def _logaddexp(lo: Any, node: Any, a: Any, b: Any, exp: str, log: str, factor: float | None) -> Any:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any, y: Any) -> Any:
        gap = ops.sub(x, y)
        rest = getattr(ops, log)(getattr(ops, exp)(ops.neg(ops.abs(gap))))
        if factor is not None:
            rest = ops.mul(rest, ops.constant(factor, dtype))
        same = ops.logical_and(ops.isnan(gap), ops.eq(x, y))  # one infinity twice has no gap
        return ops.where(same, x, ops.add(rest, ops.maximum(x, y)))

    return lo.pointwise(fn, *common(lo, a, b, dtype=dtype), dtype=dtype, cost=40)


def _zero_times(log: str) -> Any:
    def rule(lo: Any, node: Any, a: Any, b: Any) -> Any:
        dtype = spec_type(node)

        def fn(ops: Any, x: Any, y: Any) -> Any:
            zero = ops.constant(0, dtype)
            nothing = ops.logical_and(ops.eq(x, zero), ops.logical_not(ops.isnan(y)))
            return ops.where(nothing, zero, ops.mul(x, getattr(ops, log)(y)))

        return lo.pointwise(fn, *common(lo, a, b, dtype=dtype), dtype=dtype, cost=20)

    return rule


lowering("aten::xlogy.Tensor")(_zero_times("log"))
lowering("aten::special_xlog1py")(_zero_times("log1p"))


@lowering("aten::ldexp.Tensor")
def ldexp(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    return lo.pointwise(lambda ops, x, y: ops.mul(x, ops.exp2(y)), *common(lo, a, b, dtype=dtype), dtype=dtype, cost=17)


@lowering("aten::heaviside")
def heaviside(lo: Any, node: Any, a: Any, values: Any) -> Any:
    dtype = spec_type(node)

    def fn(ops: Any, x: Any, v: Any) -> Any:
        zero = ops.constant(0, dtype)
        return ops.where(ops.eq(x, zero), v, ops.to(ops.gt(x, zero), dtype))

    return lo.pointwise(fn, *common(lo, a, values, dtype=dtype), dtype=dtype, cost=4)


@lowering("aten::addcmul", "aten::addcdiv")
def addc(lo: Any, node: Any, a: Any, b: Any, c: Any, value: Any = 1) -> Any:
    dtype = spec_type(node)
    if dtype == "bool" or "addcdiv" in node.op.name and category(dtype) < 2:
        raise Unsupported("integers")
    name = "mul" if "addcmul" in node.op.name else "div"
    part = scaled(lo, binary(lo, name, b, c, dtype, 1 if name == "mul" else 4), value, dtype)
    return binary(lo, "add", a, part, dtype)


@lowering("aten::lerp.Scalar", "aten::lerp.Tensor")
def lerp(lo: Any, node: Any, a: Any, end: Any, weight: Any) -> Any:
    dtype = spec_type(node)
    if isinstance(weight, (int, float)):
        # The nearer end is the base, so that both ends are hit exactly.
        near = abs(weight) < 0.5
        step = binary(lo, "mul", binary(lo, "sub", end, a, dtype), weight if near else 1 - weight, dtype)
        return binary(lo, "add", a, step, dtype) if near else binary(lo, "sub", end, step, dtype)

    def fn(ops: Any, x: Any, y: Any, w: Any) -> Any:
        gap, one = ops.sub(y, x), ops.constant(1, dtype)
        left, right = ops.add(x, ops.mul(w, gap)), ops.sub(y, ops.mul(gap, ops.sub(one, w)))
        return ops.where(ops.lt(ops.abs(w), ops.constant(0.5, dtype)), left, right)

    return lo.pointwise(fn, *common(lo, a, end, weight, dtype=dtype), dtype=dtype, cost=9)


@lowering("aten::sigmoid_backward")
def sigmoid_backward(lo: Any, node: Any, grad: Any, out: Any) -> Any:
    dtype = spec_type(node)

    def fn(ops: Any, g: Any, y: Any) -> Any:
        return ops.mul(ops.mul(ops.sub(ops.constant(1, dtype), y), y), g)

    return lo.pointwise(fn, *common(lo, grad, out, dtype=dtype), dtype=dtype, cost=3)


@lowering("aten::tanh_backward")
def tanh_backward(lo: Any, node: Any, grad: Any, out: Any) -> Any:
    dtype = spec_type(node)

    def fn(ops: Any, g: Any, y: Any) -> Any:
        return ops.mul(ops.sub(ops.constant(1, dtype), ops.mul(y, y)), g)

    return lo.pointwise(fn, *common(lo, grad, out, dtype=dtype), dtype=dtype, cost=3)


@lowering("aten::threshold_backward")
def threshold_backward(lo: Any, node: Any, grad: Any, a: Any, threshold: Any) -> Any:
    dtype = spec_type(node)
    x, limit = common(lo, a, threshold)
    flat = lo.pointwise(lambda ops, v, t: ops.le(v, t), x, limit, dtype="bool")
    [g] = common(lo, grad, dtype=dtype)
    return lo.pointwise(lambda ops, f, v: ops.where(f, ops.constant(0, dtype), v), flat, g, dtype=dtype)
