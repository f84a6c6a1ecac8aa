"""Activations over arrays: few passes, in place wherever a temporary allows it."""

from __future__ import annotations

import math
from typing import Any

from lamella.core.kernels.select import select
from lamella.dispatch.errors import message

from .types import F32, F64, floating, floating_or_complex, special

_HALF_PI_ROOT = 0.7978845608028654  # sqrt(2 / pi)
_TANH_CUBIC = 0.044715
_DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
# The normal distribution function is (1 + tanh(x P(x * x))) / 2; P is fitted so that x times it is off by 7e-8 at most.
_CDF = (
    1.8093629518818578e-09,
    -1.3364685393842362e-07,
    3.973112992793151e-06,
    -5.527794034433316e-05,
    -3.2954763045996854e-05,
    0.03633391134204476,
    0.79788449266414,
)


def _cdf(xp: Any, x: Any, square: Any) -> Any:
    """The normal distribution function, in a new array."""
    if x.dtype is not F32:
        p = special().erf(x * 0.7071067811865476)
    else:
        p = square * _CDF[0]
        for c in _CDF[1:-1]:
            p += c
            p *= square
        p += _CDF[-1]
        p *= x
        xp.tanh(p, p)
    p *= 0.5
    p += 0.5
    return p


def _tanh_gate(xp: Any, x: Any, square: Any) -> Any:
    """(1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2."""
    p = square * (_HALF_PI_ROOT * _TANH_CUBIC)
    p += _HALF_PI_ROOT
    p *= x
    xp.tanh(p, p)
    p *= 0.5
    p += 0.5
    return p


def _is_tanh(approximate: str) -> bool:
    if approximate == "none":
        return False
    if approximate == "tanh":
        return True
    raise RuntimeError(
        message("gelu", "approximate argument must be either none or tanh.", {"approximate": approximate})
    )


@floating
def gelu(xp: Any, self: Any, approximate: str) -> Any:
    gate = _tanh_gate if _is_tanh(approximate) else _cdf
    r = gate(xp, self, self * self)
    r *= self
    return r


def _gelu_slope(xp: Any, x: Any, approximate: str) -> tuple[Any, Any]:
    """The gate and the slope of gelu."""
    square = x * x
    if _is_tanh(approximate):
        gate = _tanh_gate(xp, x, square)
        # With gate = (1 + tanh u) / 2 the slope is gate + 2 x gate (1 - gate) u'.
        square *= 3 * _HALF_PI_ROOT * _TANH_CUBIC * 2
        square += _HALF_PI_ROOT * 2
        square *= x
        square *= gate
        square *= 1 - gate
        square += gate
        return gate, square
    gate = _cdf(xp, x, square)
    square *= -0.5
    xp.exp(square, square)
    square *= x
    square *= _DENSITY
    square += gate
    return gate, square


@floating
def _gelu_with_slope(xp: Any, self: Any, approximate: str) -> Any:
    gate, slope = _gelu_slope(xp, self, approximate)
    gate *= self
    return gate, slope


@floating
def gelu_backward(xp: Any, grad_output: Any, self: Any, approximate: str) -> Any:
    slope = _gelu_slope(xp, self, approximate)[1]
    slope *= grad_output
    return slope


@floating_or_complex
def silu(xp: Any, self: Any) -> Any:
    e = xp.negative(self)
    xp.exp(e, e)
    e += 1
    return xp.divide(self, e, e)


@floating_or_complex
def silu_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    s = xp.negative(self)
    xp.exp(s, s)
    s += 1
    xp.divide(1, s, s)
    if s.dtype.kind == "c":
        s, self = s.conj(), self.conj()
    r = 1 - s
    r *= self
    r += 1
    r *= s
    r *= grad_output
    return r


@floating
def mish(xp: Any, self: Any) -> Any:
    # tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2), e = exp(x); at 20 it is 1 to rounding.
    e = xp.exp(xp.minimum(self, 20))
    n = e * (e + 2)
    n /= n + 2
    n *= self
    return n


@floating
def elu(xp: Any, self: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    low = xp.minimum(self, 0)
    if input_scale != 1:
        low *= input_scale
    xp.expm1(low, low)
    low *= alpha * scale
    high = xp.maximum(self, 0)
    if scale != 1:
        high *= scale
    low += high
    return low


@floating
def leaky_relu(xp: Any, self: Any, negative_slope: Any) -> Any:
    low = self * negative_slope
    if 0 <= negative_slope <= 1:
        return xp.maximum(self, low, out=low)
    return select(xp, self > 0, self, low)


@floating
def leaky_relu_backward(xp: Any, grad_output: Any, self: Any, negative_slope: Any, self_is_result: bool) -> Any:
    factor = (self > 0).astype(self.dtype)
    if negative_slope:
        factor *= 1 - negative_slope
        factor += negative_slope
    factor *= grad_output
    return factor


def hardtanh(xp: Any, self: Any, min_val: Any, max_val: Any) -> Any:
    if self.dtype.kind == "b":
        raise RuntimeError(message("hardtanh", "Cannot do hardtanh on bool tensors"))
    if self.dtype.kind in "iu":
        min_val, max_val = int(min_val), int(max_val)
    if self.dtype.kind == "u" and min_val < 0:
        raise RuntimeError(message("hardtanh", "cannot do hardtanh on an unsigned type with negative limits"))
    return xp.minimum(xp.maximum(self, min_val), max_val)


@floating
def hardtanh_backward(xp: Any, grad_output: Any, self: Any, min_val: Any, max_val: Any) -> Any:
    return grad_output * ((self > min_val) & (self < max_val))


@floating
def hardsigmoid(xp: Any, self: Any) -> Any:
    r = self + 3
    xp.maximum(r, 0, out=r)
    xp.minimum(r, 6, out=r)
    r *= 1 / 6
    return r


@floating
def hardswish(xp: Any, self: Any) -> Any:
    r = hardsigmoid(xp, self)
    r *= self
    return r


@floating
def softplus(xp: Any, self: Any, beta: Any, threshold: Any) -> Any:
    scaled = self if beta == 1 else self * beta
    r = xp.log1p(xp.exp(scaled))
    if beta != 1:
        r /= beta
    return select(xp, scaled > threshold, self, r)


@floating
def log_sigmoid(xp: Any, self: Any) -> Any:
    r = xp.abs(self)
    xp.negative(r, r)
    xp.exp(r, r)
    xp.log1p(r, r)
    return xp.minimum(self, 0) - r


@floating
def hardshrink(xp: Any, self: Any, lambd: Any) -> Any:
    return select(xp, (self >= -lambd) & (self <= lambd), xp.asarray(0, self.dtype), self)


@floating
def softshrink(xp: Any, self: Any, lambd: Any) -> Any:
    if lambd < 0:
        raise RuntimeError(message("softshrink", "lambda must be greater or equal to 0", {"lambd": lambd}))
    r = self - xp.clip(self, -lambd, lambd)
    return r


def threshold(xp: Any, self: Any, threshold: Any, value: Any) -> Any:
    if self.dtype.kind == "b":
        raise NotImplementedError(message("threshold", "it is not implemented for 'Bool'"))
    if self.dtype.kind in "iu":
        threshold, value = math.floor(threshold), int(value)
    return select(xp, self <= threshold, xp.asarray(value, self.dtype), self)


@floating
def _prelu_kernel(xp: Any, self: Any, weight: Any) -> Any:
    return select(xp, self > 0, self, weight * self)


def _rrelu_noise(xp: Any, self: Any, lower: float, upper: float, generator: Any) -> Any:
    from lamella.core.random import uniform

    negative = self <= 0
    noise = xp.ones(self.shape, self.dtype)
    # One draw in double precision for each element that is not positive, in index order.
    noise[negative] = uniform((int(negative.sum()),), F64, lower, upper, generator)
    return noise
