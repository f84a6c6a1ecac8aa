"""Activations over arrays: few passes, in place wherever a temporary allows it."""

from __future__ import annotations

from typing import Any

from lamella.core.kernels.conversion import scalar_for
from lamella.core.kernels.select import select
from lamella.core.parallel import spread
from lamella.dispatch.errors import message

from .activation_backward import (
    _elu_backward as _elu_backward,
    _log_sigmoid_backward as _log_sigmoid_backward,
    _shrink_backward as _shrink_backward,
    hardsigmoid_backward as hardsigmoid_backward,
    hardswish_backward as hardswish_backward,
    hardtanh_backward as hardtanh_backward,
    leaky_relu_backward as leaky_relu_backward,
    mish_backward as mish_backward,
    softplus_backward as softplus_backward,
)
from .blockwise import BLOCK, INTS, at_least, at_most, blockwise, kept, limit
from .types import F32, F64, floating, floating_or_complex, special, type_name

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


def _cdf(xp: Any, x: Any, square: Any, out: Any) -> Any:
    """The normal distribution function."""
    if x.dtype is not F32:
        p = special().erf(x * 0.7071067811865476, out)
    else:
        p = xp.multiply(square, _CDF[0], out)
        for c in _CDF[1:-1]:
            p += c
            p *= square
        p += _CDF[-1]
        p *= x
        xp.tanh(p, p)
    p *= 0.5
    p += 0.5
    return p


def _tanh_gate(xp: Any, x: Any, square: Any, out: Any) -> Any:
    """(1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2."""
    p = xp.multiply(square, _HALF_PI_ROOT * _TANH_CUBIC, out)
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


def _gelu(xp: Any, out: Any, x: Any, gate: Any) -> Any:
    r = gate(xp, x, x * x, out)
    r *= x
    return r


@floating
def gelu(xp: Any, self: Any, approximate: str) -> Any:
    return blockwise(xp, _gelu, (self,), _tanh_gate if _is_tanh(approximate) else _cdf)


def _gelu_slope(xp: Any, x: Any, approximate: str, gate_out: Any = None, out: Any = None) -> tuple[Any, Any]:
    """The gate and the slope of gelu."""
    square = xp.multiply(x, x, out)
    if _is_tanh(approximate):
        gate = _tanh_gate(xp, x, square, gate_out)
        # With gate = (1 + tanh u) / 2 the slope is gate + 2 x gate (1 - gate) u'.
        square *= 3 * _HALF_PI_ROOT * _TANH_CUBIC * 2
        square += _HALF_PI_ROOT * 2
        square *= x
        square *= gate
        square *= 1 - gate
        square += gate
        return gate, square
    gate = _cdf(xp, x, square, gate_out)
    square *= -0.5
    xp.exp(square, square)
    square *= x
    square *= _DENSITY
    square += gate
    return gate, square


@floating
def _gelu_with_slope(xp: Any, self: Any, approximate: str) -> Any:
    if self.size <= 2 * BLOCK or not self.flags.c_contiguous:
        gate, slope = _gelu_slope(xp, self, approximate)
        gate *= self
        return gate, slope
    r, slopes, x = xp.empty(self.shape, self.dtype), xp.empty(self.shape, self.dtype), self.reshape(-1)
    values, flat = r.reshape(-1), slopes.reshape(-1)

    def piece(start: int, stop: int) -> None:
        part = slice(start, stop)
        gate, _ = _gelu_slope(xp, x[part], approximate, values[part], flat[part])
        gate *= x[part]

    spread(piece, x.size, BLOCK)
    return r, slopes


def _gelu_backward(xp: Any, out: Any, grad: Any, x: Any, approximate: str) -> Any:
    slope = _gelu_slope(xp, x, approximate, None, out)[1]
    slope *= grad
    return slope


@floating
def gelu_backward(xp: Any, grad_output: Any, self: Any, approximate: str) -> Any:
    return blockwise(xp, _gelu_backward, (grad_output, self), approximate)


def _silu(xp: Any, out: Any, x: Any) -> Any:
    e = xp.negative(x, out)
    xp.exp(e, e)
    e += 1
    return xp.divide(x, e, e)


@floating_or_complex
def silu(xp: Any, self: Any) -> Any:
    return blockwise(xp, _silu, (self,))


def _silu_backward(xp: Any, out: Any, grad: Any, x: Any) -> Any:
    s = xp.negative(x)
    xp.exp(s, s)
    s += 1
    xp.divide(1, s, s)
    if s.dtype.kind == "c":
        s, x = s.conj(), x.conj()
    r = xp.subtract(1, s, out)
    r *= x
    r += 1
    r *= s
    r *= grad
    return r


@floating_or_complex
def silu_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    return blockwise(xp, _silu_backward, (grad_output, self))


def _mish(xp: Any, out: Any, x: Any) -> Any:
    # tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2), e = exp(x); at 20 it is 1 to rounding.
    e = xp.minimum(x, 20)
    xp.exp(e, e)
    n = xp.add(e, 2, out)
    n *= e
    xp.add(n, 2, e)
    n /= e
    n *= x
    return n


@floating
def mish(xp: Any, self: Any) -> Any:
    return blockwise(xp, _mish, (self,))


def _elu(xp: Any, out: Any, x: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    low = at_most(xp, x, 0, out)
    if input_scale != 1:
        low *= input_scale
    xp.expm1(low, low)
    if alpha * scale != 1:
        low *= alpha * scale
    high = at_least(xp, x, 0)
    if scale != 1:
        high *= scale
    low += high
    return low


@floating
def elu(xp: Any, self: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    return blockwise(xp, _elu, (self,), alpha, scale, input_scale)


def _leaky_relu(xp: Any, out: Any, x: Any, negative_slope: Any) -> Any:
    low = xp.multiply(x, negative_slope, out)
    return xp.maximum(x, low, out=low)


@floating
def leaky_relu(xp: Any, self: Any, negative_slope: Any) -> Any:
    if 0 <= negative_slope <= 1:
        return blockwise(xp, _leaky_relu, (self,), negative_slope)
    return select(xp, self > 0, self, self * negative_slope)


def hardtanh(xp: Any, self: Any, min_val: Any, max_val: Any) -> Any:
    if self.dtype.kind == "b":
        raise RuntimeError(message("hardtanh", "Cannot do hardtanh on bool tensors"))
    if self.dtype.kind in "iu":
        min_val, max_val = int(min_val), int(max_val)
    if self.dtype.kind == "u" and min_val < 0:
        raise RuntimeError(message("hardtanh", "cannot do hardtanh on an unsigned type with negative limits"))
    if self.dtype.kind != "f":
        return xp.minimum(xp.maximum(self, min_val), max_val)
    return limit(xp, self, min_val, max_val)


def _hardsigmoid(xp: Any, out: Any, x: Any) -> Any:
    r = xp.add(x, 3, out)
    limit(xp, r, 0, 6, r)
    r *= 1 / 6
    return r


@floating
def hardsigmoid(xp: Any, self: Any) -> Any:
    return blockwise(xp, _hardsigmoid, (self,))


def _hardswish(xp: Any, out: Any, x: Any) -> Any:
    r = _hardsigmoid(xp, out, x)
    r *= x
    return r


@floating
def hardswish(xp: Any, self: Any) -> Any:
    return blockwise(xp, _hardswish, (self,))


def _softplus(xp: Any, out: Any, x: Any, beta: Any) -> Any:
    scaled = x if beta == 1 else x * beta
    r = xp.abs(scaled, out)
    xp.negative(r, r)
    xp.exp(r, r)
    xp.log1p(r, r)
    r += at_least(xp, scaled, 0)
    if beta != 1:
        r /= beta
    return r


@floating
def softplus(xp: Any, self: Any, beta: Any, threshold: Any) -> Any:
    # From 20 on, exp(-x) is lost in a sum with a float32 x, so that the threshold makes no difference.
    if self.dtype is F32 and threshold >= 20 and beta > 0:
        return blockwise(xp, _softplus, (self,), beta)
    scaled = self if beta == 1 else self * beta
    r = xp.log1p(xp.exp(scaled))
    if beta != 1:
        r /= beta
    return select(xp, scaled > threshold, self, r)


def _log_sigmoid(xp: Any, out: Any, x: Any) -> Any:
    r = xp.abs(x, out)
    xp.negative(r, r)
    xp.exp(r, r)
    xp.log1p(r, r)
    return xp.subtract(at_most(xp, x, 0), r, r)


@floating
def log_sigmoid(xp: Any, self: Any) -> Any:
    return blockwise(xp, _log_sigmoid, (self,))


def _hardshrink(xp: Any, out: Any, x: Any, lambd: Any) -> Any:
    return kept(xp, x, ~((x >= -lambd) & (x <= lambd)), out)


@floating
def hardshrink(xp: Any, self: Any, lambd: Any) -> Any:
    return blockwise(xp, _hardshrink, (self,), lambd)


def _softshrink(xp: Any, out: Any, x: Any, lambd: Any) -> Any:
    r = limit(xp, x, -lambd, lambd, out)
    return xp.subtract(x, r, r)


@floating
def softshrink(xp: Any, self: Any, lambd: Any) -> Any:
    if lambd < 0:
        raise RuntimeError(message("softshrink", "lambda must be greater or equal to 0", {"lambd": lambd}))
    return blockwise(xp, _softshrink, (self,), lambd)


def _threshold(xp: Any, out: Any, x: Any, threshold: Any, value: Any) -> Any:
    above = ~(x <= threshold)
    if not value:
        return kept(xp, x, above, out)
    ints = INTS[x.dtype.itemsize]
    bits = xp.asarray(value, x.dtype).view(ints)
    r = xp.bitwise_xor(x.view(ints), bits, None if out is None else out.view(ints))
    r &= xp.negative(above.view(xp.int8))
    r ^= bits
    return r.view(x.dtype)


def threshold(xp: Any, self: Any, threshold: Any, value: Any) -> Any:
    if self.dtype.kind in "bc":
        raise NotImplementedError(message("threshold", f"it is not implemented for '{type_name(self.dtype)}'"))
    if self.dtype.kind in "iu":
        threshold, value = (scalar_for("threshold", self.dtype, x) for x in (threshold, value))
    if self.dtype is F32 or self.dtype is F64:
        return blockwise(xp, _threshold, (self,), threshold, value)
    return select(xp, self <= threshold, xp.asarray(value, self.dtype), self)


@floating
def _prelu_kernel(xp: Any, self: Any, weight: Any) -> Any:
    if self.size <= 2 * BLOCK or weight.ndim != self.ndim or weight.shape[0] != 1 or not xp.isfinite(weight).all():
        return select(xp, self > 0, self, weight * self)
    r = xp.empty(self.shape, self.dtype)
    step = max(BLOCK * len(self) // self.size, 1)
    # With slopes of 1 at most, the larger of both lines is the right one.
    flat = bool(((weight <= 1) & (weight != 0)).all())
    for i in range(0, len(self), step):
        part = slice(i, i + step)
        x, o = self[part], r[part]
        if flat:
            xp.multiply(x, weight, out=o)
            xp.maximum(x, o, out=o)
            continue
        at_most(xp, x, 0, o)
        o *= weight
        o += at_least(xp, x, 0)
    return r


def _rrelu_noise(xp: Any, self: Any, lower: float, upper: float, generator: Any) -> Any:
    from lamella.core.random import uniform

    negative = self <= 0
    noise = xp.ones(self.shape, self.dtype)
    # One draw in double precision for each element that is not positive, in index order.
    noise[negative] = uniform((int(negative.sum()),), F64, lower, upper, generator)
    return noise
