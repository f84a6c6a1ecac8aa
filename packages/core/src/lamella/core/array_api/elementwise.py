"""Functions of each element: of one array, or of two that broadcast and promote."""

from __future__ import annotations

import math
from typing import Any

import lamella.core as _core

from ..tensor import Tensor
from .data_types import cast, promoted

__all__ = [
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bitwise_and", "bitwise_invert",
    "bitwise_left_shift", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "ceil", "clip", "conj", "copysign",
    "cos", "cosh", "divide", "equal", "exp", "expm1", "floor", "floor_divide", "greater", "greater_equal", "hypot",
    "imag", "isfinite", "isinf", "isnan", "less", "less_equal", "log", "log10", "log1p", "log2", "logaddexp",
    "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum", "multiply", "negative",
    "nextafter", "not_equal", "positive", "pow", "real", "reciprocal", "remainder", "round", "sign", "signbit", "sin",
    "sinh", "sqrt", "square", "subtract", "tan", "tanh", "trunc",
]  # fmt: skip


def _describe(fn: Any, name: str, what: str, arguments: str, example: tuple[str, str]) -> Any:
    fn.__name__ = fn.__qualname__ = name
    call, result = example
    fn.__doc__ = f"{what}\n\n    Args:\n        {arguments}\n\n    Example:\n        >>> {name}({call}).tolist()\n"
    fn.__doc__ += f"        {result}\n    "
    return fn


def _one(name: str, op: Any, what: str, x: str, result: str) -> Any:
    """A function of one array; ``x`` and ``result`` are its example."""

    def fn(x: Any, /) -> Any:
        return op(x)

    return _describe(fn, name, what, "x: an array.", (f"asarray({x})", result))


def _two(name: str, op: Any, what: str, x1: str, x2: str, result: str) -> Any:
    """A function of two arrays, one of which may be a Python number."""

    def fn(x1: Any, x2: Any, /) -> Any:
        x1, x2 = promoted(x1, x2)
        return op(x1, x2)

    arguments = "x1, x2: arrays that broadcast together; one of them may be a Python number."
    return _describe(fn, name, what, arguments, (f"asarray({x1}), {x2}", result))


def _sign(x: Any) -> Any:
    if x.is_complex():
        return _core.sgn(x)
    return _core.where(_core.isnan(x), x, _core.sign(x)) if x.is_floating_point() else _core.sign(x)


def _round(x: Any) -> Any:
    return _core.complex(_core.round(x.real), _core.round(x.imag)) if x.is_complex() else _core.round(x)


def _imag(x: Any) -> Any:
    return x.imag if x.is_complex() else _core.zeros_like(x)


# ---------------------------------------------------------------- one array

abs = _one("abs", _core.abs, "The absolute value; of complex numbers the modulus, which is real.", "[-2, 3]", "[2, 3]")  # noqa: A001, E501
acos = _one("acos", _core.acos, "The inverse cosine.", "[1.0]", "[0.0]")
acosh = _one("acosh", _core.acosh, "The inverse hyperbolic cosine.", "[1.0]", "[0.0]")
asin = _one("asin", _core.asin, "The inverse sine.", "[0.0]", "[0.0]")
asinh = _one("asinh", _core.asinh, "The inverse hyperbolic sine.", "[0.0]", "[0.0]")
atan = _one("atan", _core.atan, "The inverse tangent.", "[0.0]", "[0.0]")
atanh = _one("atanh", _core.atanh, "The inverse hyperbolic tangent.", "[0.0]", "[0.0]")
bitwise_invert = _one("bitwise_invert", _core.bitwise_not, "Each bit the other way round.", "[0, 5]", "[-1, -6]")
ceil = _one("ceil", _core.ceil, "The smallest whole number that is not below.", "[1.2, -1.2]", "[2.0, -1.0]")
conj = _one("conj", _core.conj, "The complex conjugate.", "[1 + 2j]", "[(1-2j)]")
cos = _one("cos", _core.cos, "The cosine of an angle in radians.", "[0.0]", "[1.0]")
cosh = _one("cosh", _core.cosh, "The hyperbolic cosine.", "[0.0]", "[1.0]")
exp = _one("exp", _core.exp, "e to the power of the element.", "[0.0]", "[1.0]")
expm1 = _one("expm1", _core.expm1, "exp(x) - 1, exact near 0.", "[0.0]", "[0.0]")
floor = _one("floor", _core.floor, "The largest whole number that is not above.", "[1.2, -1.2]", "[1.0, -2.0]")
imag = _one("imag", _imag, "The imaginary part (zeros, for real numbers).", "[1 + 2j]", "[2.0]")
isfinite = _one("isfinite", _core.isfinite, "Whether it is neither infinite nor NaN.", "[1.0, inf]", "[True, False]")
isinf = _one("isinf", _core.isinf, "Whether it is infinite.", "[1.0, -inf]", "[False, True]")
isnan = _one("isnan", _core.isnan, "Whether it is NaN.", "[1.0, nan]", "[False, True]")
log = _one("log", _core.log, "The natural logarithm.", "[1.0]", "[0.0]")
log1p = _one("log1p", _core.log1p, "log(1 + x), exact near 0.", "[0.0]", "[0.0]")
log2 = _one("log2", _core.log2, "The logarithm to base 2.", "[8.0]", "[3.0]")
log10 = _one("log10", _core.log10, "The logarithm to base 10.", "[1.0]", "[0.0]")
logical_not = _one("logical_not", _core.logical_not, "Whether it is zero or False.", "[True, False]", "[False, True]")
negative = _one("negative", _core.neg, "The element with the other sign.", "[1, -2]", "[-1, 2]")
positive = _one("positive", lambda x: _core.positive(x).clone(), "A copy of the array.", "[1, -2]", "[1, -2]")
real = _one("real", _core.real, "The real part.", "[1 + 2j]", "[1.0]")
reciprocal = _one("reciprocal", _core.reciprocal, "1 / x.", "[4.0]", "[0.25]")
round = _one("round", _round, "The nearest whole number; halves go to the even one.", "[0.5, 1.5]", "[0.0, 2.0]")  # noqa: A001
sign = _one("sign", _sign, "-1, 0 or 1; x / abs(x) for complex numbers; NaN for NaN.", "[-2.5, nan]", "[-1.0, nan]")
signbit = _one("signbit", _core.signbit, "Whether the sign bit is set: true of -0.0.", "[-0.0, 1.0]", "[True, False]")
sin = _one("sin", _core.sin, "The sine of an angle in radians.", "[0.0]", "[0.0]")
sinh = _one("sinh", _core.sinh, "The hyperbolic sine.", "[0.0]", "[0.0]")
square = _one("square", _core.square, "The element times itself.", "[3]", "[9]")
sqrt = _one("sqrt", _core.sqrt, "The principal square root.", "[9.0]", "[3.0]")
tan = _one("tan", _core.tan, "The tangent of an angle in radians.", "[0.0]", "[0.0]")
tanh = _one("tanh", _core.tanh, "The hyperbolic tangent.", "[0.0]", "[0.0]")
trunc = _one("trunc", _core.trunc, "The element without its fraction.", "[1.7, -1.7]", "[1.0, -1.0]")

# ---------------------------------------------------------------- two arrays

add = _two("add", _core.add, "The sum.", "[1, 2]", "3", "[4, 5]")
atan2 = _two("atan2", _core.atan2, "The angle of the point (x2, x1), in its quadrant.", "[0.0]", "1.0", "[0.0]")
bitwise_and = _two("bitwise_and", _core.bitwise_and, "Bits set in both.", "[6, 5]", "3", "[2, 1]")
bitwise_left_shift = _two("bitwise_left_shift", _core.bitwise_left_shift, "x1 * 2**x2.", "[1, 3]", "2", "[4, 12]")
bitwise_or = _two("bitwise_or", _core.bitwise_or, "Bits set in either.", "[6, 5]", "3", "[7, 7]")
bitwise_right_shift = _two(
    "bitwise_right_shift", _core.bitwise_right_shift, "x1 // 2**x2: the sign stays.", "[8, -8]", "2", "[2, -2]"
)
bitwise_xor = _two("bitwise_xor", _core.bitwise_xor, "Bits set in one of the two.", "[6, 5]", "3", "[5, 6]")
copysign = _two("copysign", _core.copysign, "x1 with the sign of x2.", "[1.0, -2.0]", "-0.0", "[-1.0, -2.0]")
divide = _two("divide", _core.true_divide, "The quotient, a floating number.", "[1.0, 3.0]", "2", "[0.5, 1.5]")
equal = _two("equal", _core.eq, "Whether they are equal.", "[1, 2]", "2", "[False, True]")
floor_divide = _two("floor_divide", _core.floor_divide, "The quotient, rounded down.", "[7, -7]", "2", "[3, -4]")
greater = _two("greater", _core.gt, "Whether x1 is greater.", "[1, 2]", "1", "[False, True]")
greater_equal = _two("greater_equal", _core.ge, "Whether x1 is not less.", "[1, 2]", "2", "[False, True]")
hypot = _two("hypot", _core.hypot, "sqrt(x1**2 + x2**2) without overflow on the way.", "[3.0]", "4.0", "[5.0]")
less = _two("less", _core.lt, "Whether x1 is less.", "[1, 2]", "2", "[True, False]")
less_equal = _two("less_equal", _core.le, "Whether x1 is not greater.", "[1, 2]", "1", "[True, False]")
logaddexp = _two("logaddexp", _core.logaddexp, "log(exp(x1) + exp(x2)).", "[-inf]", "0.0", "[0.0]")
logical_and = _two("logical_and", _core.logical_and, "Whether both hold.", "[True, False]", "True", "[True, False]")
logical_or = _two("logical_or", _core.logical_or, "Whether one holds.", "[True, False]", "False", "[True, False]")
logical_xor = _two("logical_xor", _core.logical_xor, "Whether exactly one holds.", "[True, False]", "True", "[False, True]")  # noqa: E501
maximum = _two("maximum", _core.maximum, "The greater; NaN where either is NaN.", "[1, 3]", "2", "[2, 3]")
minimum = _two("minimum", _core.minimum, "The lesser; NaN where either is NaN.", "[1, 3]", "2", "[1, 2]")
multiply = _two("multiply", _core.mul, "The product.", "[1, 2]", "3", "[3, 6]")
nextafter = _two("nextafter", _core.nextafter, "The next floating number towards x2.", "[1.0]", "1.0", "[1.0]")
not_equal = _two("not_equal", _core.ne, "Whether they differ.", "[1, 2]", "2", "[True, False]")
pow = _two("pow", _core.pow, "x1 to the power of x2.", "[2, 3]", "2", "[4, 9]")  # noqa: A001
remainder = _two("remainder", _core.remainder, "What division leaves, with x2's sign.", "[7, -7]", "3", "[1, 2]")
subtract = _two("subtract", _core.sub, "The difference.", "[3, 4]", "1", "[2, 3]")


def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:  # noqa: A002 - the standard's names
    """Each element, or the bound that it lies beyond.

    Args:
        x: an array of real numbers.
        min, max: numbers or arrays that broadcast with ``x``; None is no bound.

    Returns:
        An array of ``x``'s type.

    Example:
        >>> clip(asarray([1, 5, 9]), 2, 6).tolist()
        [2, 5, 6]
    """
    if min is None and max is None:
        return x.clone()
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        d = x.dtype
        bounds = [b if b is None or isinstance(b, Tensor) else _core.full((), b, device=x.device) for b in (min, max)]
        x, *given = promoted(x, *[b for b in bounds if b is not None])
        low = None if min is None else given.pop(0)
        high = given.pop(0) if given else None
        return cast(_core.clamp(x, low, high), d)
    if x.dtype.category == 1:
        min, max = _within(x, min, math.ceil), _within(x, max, math.floor)
    return cast(_core.clamp(x, min, max), x.dtype)


def _within(x: Any, bound: Any, whole: Any) -> Any:
    """A bound of integers as a number that their type can hold."""
    if bound is None or bound != bound:
        return bound
    info = _core.iinfo(x.dtype)
    if bound <= info.min:
        return info.min
    return info.max if bound >= info.max else whole(bound)

