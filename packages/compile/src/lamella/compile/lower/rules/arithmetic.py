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


@lowering("aten::add.Tensor")
def add(lo: Any, node: Any, a: Any, b: Any, alpha: Any = 1) -> Any:
    return _sum(lo, node, "add", a, b, alpha)


@lowering("aten::sub.Tensor")
def sub(lo: Any, node: Any, a: Any, b: Any, alpha: Any = 1) -> Any:
    return _sum(lo, node, "sub", a, b, alpha)


def _sum(lo: Any, node: Any, name: str, a: Any, b: Any, alpha: Any) -> Any:
    dtype = spec_type(node)
    if alpha != 1:
        raise Unsupported("a factor")
    if dtype == "bool":
        if name == "sub":
            raise Unsupported("bools")
        name = "logical_or"
    return binary(lo, name, a, b, dtype)


@lowering("aten::mul.Tensor")
def mul(lo: Any, node: Any, a: Any, b: Any) -> Any:
    dtype = spec_type(node)
    return binary(lo, "logical_and" if dtype == "bool" else "mul", a, b, dtype)


@lowering("aten::div.Tensor")
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


@lowering("aten::div.Tensor_mode")
def div_mode(lo: Any, node: Any, a: Any, b: Any, rounding_mode: Any = None) -> Any:
    dtype = spec_type(node)
    if rounding_mode != "trunc" or category(dtype) != 1:
        raise Unsupported("anything but integers that are cut off")
    left, right = common(lo, a, b, dtype=dtype)
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


lowering("aten::remainder.Tensor")(_remainder("mod"))
lowering("aten::fmod.Tensor")(_remainder("fmod"))


@lowering("aten::pow.Tensor_Scalar")
def pow_scalar(lo: Any, node: Any, a: Any, exponent: Any) -> Any:
    dtype = spec_type(node)
    [x] = common(lo, a, dtype=dtype)
    if category(dtype) == 0 or not isinstance(exponent, (int, float)):
        raise Unsupported("powers of bools, and by what is not known")
    if exponent == 0.5:
        return lo.pointwise(lambda ops, v: ops.sqrt(v), x, dtype=dtype, cost=4)
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
