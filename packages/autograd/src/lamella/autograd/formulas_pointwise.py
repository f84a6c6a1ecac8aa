"""Helpers for the derivatives of elementwise operators."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as F
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message


def _conj(x: Any) -> Any:
    if isinstance(x, Tensor):
        return F.conj(x) if x._a.dtype.kind == "c" else x
    return x.conjugate() if isinstance(x, complex) else x


def pow_base(grad: Any, self: Any, exponent: Any) -> Any:
    """d(x**e)/dx = e x**(e-1), which is 0 (not 0 * inf) where e is 0."""
    if isinstance(exponent, Tensor):
        slope = exponent * F.pow(self, F.where(F.eq(exponent, 0), 1, exponent) - 1)
        return F.where(F.eq(exponent, 0), 0, grad * _conj(slope))
    if exponent == 0:
        return F.zeros_like(grad)
    if exponent == 2:
        return grad * (_conj(self) * 2)
    return grad * _conj(exponent * F.pow(self, exponent - 1))


def pow_exponent(grad: Any, self: Any, exponent: Any, result: Any) -> Any:
    """d(x**e)/de = x**e log x, which is 0 where x is 0 and e is not negative."""
    if isinstance(self, Tensor):
        zero = F.eq(self, 0)
        if not exponent.is_complex():
            zero = F.logical_and(zero, exponent >= 0)
        return F.where(zero, 0, grad * _conj(result * F.log(self)))
    if self == 0:
        at_zero = F.ge(exponent, 0) if not exponent.is_complex() else F.ge(F.real(exponent), 0)
        return F.where(at_zero, 0, grad * _conj(result * -math.inf))
    log = math.log(self) if not isinstance(self, complex) and self > 0 else _complex_log(self)
    return grad * _conj(result * log)


def _complex_log(x: Any) -> Any:
    import cmath

    return cmath.log(x) if isinstance(x, complex) else math.nan


def larger(a: Any, b: Any) -> Any:
    """1 where a > b, one half at ties, 0 elsewhere; as numbers of the common type."""
    one, half = F.gt(a, b), F.eq(a, b)
    return one + half * 0.5


def turn(grad: Any, leg: Any, self: Any, other: Any) -> Any:
    """``grad * leg`` over the square of the hypotenuse, 0 at the origin: what atan2 differentiates to."""
    square = self * self + other * other
    origin = F.eq(square, 0)
    return F.where(origin, 0, grad * leg / F.where(origin, 1, square))


def sign_ratio(result: Any, self: Any) -> Any:
    """The slope of copysign in its first argument: ±1, and 0 at 0."""
    return F.where(F.eq(self, 0), 0, result / self)


def sgn_backward(grad: Any, self: Any, result: Any) -> Any:
    """Real signs are flat; a complex sign moves only across its own direction."""
    if not self.is_complex():
        return F.zeros_like(grad)
    size = F.abs(self)
    across = (grad - F.real(_conj(grad) * result) * result) / F.where(F.eq(size, 0), 1, size)
    return F.where(F.eq(size, 0), 0, across)


def sinc_slope(x: Any) -> Any:
    """d sinc(x)/dx = (cos(pi x) - sinc(x)) / x, 0 at 0."""
    zero = F.eq(x, 0)
    safe = F.where(zero, 1, x)
    return F.where(zero, 0, (F.cos(safe * math.pi) - F.sinc(safe)) / safe)


def logit_backward(grad: Any, self: Any, eps: Any) -> Any:
    """1 / (x (1 - x)); 0 where clamped, nan outside [0, 1] without clamping."""
    slope = grad / (self * (1 - self))
    if eps is None:
        inside = F.logical_and(self >= 0, self <= 1)
        return F.where(inside, slope, math.nan)
    return F.where(F.logical_and(self >= eps, self <= 1 - eps), slope, 0)


def between(self: Any, low: Any, high: Any) -> Any:
    """Where clamp leaves an element as it is (limits included)."""
    ok = None if low is None else F.ge(self, low)
    if high is None:
        return ok
    below = F.le(self, high)
    return below if ok is None else F.logical_and(ok, below)


def below_limit(self: Any, low: Any, high: Any) -> Any:
    """Where the result of clamp is the lower limit."""
    r = F.lt(self, low)
    return r if high is None else F.logical_and(r, F.lt(low, high))


def above_limit(self: Any, low: Any, high: Any) -> Any:
    """Where the result of clamp is the upper limit."""
    r = F.gt(self, high)
    return r if low is None else F.logical_or(r, F.gt(low, high))


def angle_backward(grad: Any, self: Any) -> Any:
    """Real angles are flat; a complex one turns across its direction."""
    if not self.is_complex():
        return F.zeros_like(grad)
    square = F.real(self * _conj(self))
    turned = grad * self * 1j / F.where(F.eq(square, 0), 1, square)
    return F.where(F.eq(square, 0), 0, turned)


def mvlgamma_slope(x: Any, p: int) -> Any:
    """The sum of digammas that the multivariate log-gamma differentiates to."""
    total = F.digamma(x)
    for i in range(1, p):
        total = total + F.digamma(x - 0.5 * i)
    return total


def bessel_slope(lower: Any, x: Any, result: Any) -> Any:
    """I0(x) - I1(x) / x, which is one half at 0 (scaled or not)."""
    zero = F.eq(x, 0)
    return F.where(zero, 0.5, lower - result / F.where(zero, 1, x))


def log_of(x: Any) -> Any:
    """The logarithm of a tensor or a number."""
    if isinstance(x, Tensor):
        return F.log(x)
    return math.log(x) if x > 0 else (-math.inf if x == 0 else math.nan)


def log1p_of(x: Any) -> Any:
    """As `log_of`, of ``1 + x``."""
    if isinstance(x, Tensor):
        return F.log1p(x)
    return math.log1p(x) if x > -1 else (-math.inf if x == -1 else math.nan)


def log_unless(factor: Any, log: Any, outside: Any) -> Any:
    """A logarithm; 0 where it is outside its range but its factor is 0."""
    if not isinstance(outside, Tensor):
        return F.where(F.eq(factor, 0), 0, log) if outside else log
    return F.where(F.logical_and(F.eq(factor, 0), outside), 0, log)


def gamma_density(a: Any, x: Any) -> Any:
    """The slope of the lower incomplete gamma function in its limit."""
    return F.exp((a - 1) * F.log(x) - x - F.lgamma(a))


def no_derivative(op: str, argument: str) -> Any:
    """Refuse a gradient that nobody has written down."""
    raise NotImplementedError(message(op, f"the derivative with respect to '{argument}' is not implemented"))
