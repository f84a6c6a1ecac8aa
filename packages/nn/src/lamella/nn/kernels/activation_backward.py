"""Gradients of activations over arrays: the slope is made and multiplied by the gradient block by block."""

from __future__ import annotations

from typing import Any

from .blockwise import at_most, blockwise, clear, kept, limit
from .types import floating


def _leaky_relu(xp: Any, out: Any, grad: Any, x: Any, negative_slope: Any) -> Any:
    factor = xp.greater(x, 0, xp.empty(x.shape, x.dtype) if out is None else out)
    if negative_slope:
        factor *= 1 - negative_slope
        factor += negative_slope
    factor *= grad
    return factor


@floating
def leaky_relu_backward(xp: Any, grad_output: Any, self: Any, negative_slope: Any, self_is_result: bool) -> Any:
    return blockwise(xp, _leaky_relu, (grad_output, self), negative_slope)


def _hardtanh(xp: Any, out: Any, grad: Any, x: Any, low: Any, high: Any) -> Any:
    inside = x > low
    inside &= x < high
    return kept(xp, grad, inside, out)


@floating
def hardtanh_backward(xp: Any, grad_output: Any, self: Any, min_val: Any, max_val: Any) -> Any:
    return blockwise(xp, _hardtanh, (grad_output, self), min_val, max_val)


def _hardsigmoid(xp: Any, out: Any, grad: Any, x: Any) -> Any:
    r = _hardtanh(xp, out, grad, x, -3, 3)
    r *= 1 / 6
    return r


@floating
def hardsigmoid_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    return blockwise(xp, _hardsigmoid, (grad_output, self))


def _hardswish(xp: Any, out: Any, grad: Any, x: Any) -> Any:
    # 0 up to -3, 1 from 3 on, between them x / 3 + 1 / 2 = (x + 3) / 6 + x / 6.
    r = xp.add(x, 3, out)
    limit(xp, r, 0, 6, r)
    r += kept(xp, x, xp.abs(x) < 3)
    r *= 1 / 6
    r *= grad
    return clear(xp, r, x <= -3)


@floating
def hardswish_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    return blockwise(xp, _hardswish, (grad_output, self))


def _mish(xp: Any, out: Any, grad: Any, x: Any) -> Any:
    # With e = exp(x) and n = e (e + 2): t = n / (n + 2), and 1 - t^2 = 4 (n + 1) / (n + 2)^2 = 4 ((e + 1) / (n + 2))^2.
    # The slope t + x sigmoid(x) (1 - t^2) is then n / (n + 2) + 4 x e (e + 1) / (n + 2)^2.
    x = xp.minimum(x, 20)  # from there on the slope is 1
    e = xp.exp(x)
    n = e + 2
    n *= e
    m = n + 2
    n /= m
    e /= m
    r = xp.divide(e, m, out)
    e *= e
    r += e
    r *= 4
    r *= x
    r += n
    r *= grad
    return r


@floating
def mish_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    return blockwise(xp, _mish, (grad_output, self))


def _elu(xp: Any, out: Any, grad: Any, x: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    left = alpha * scale * input_scale
    r = at_most(xp, x, 0, out)
    if input_scale != 1:
        r *= input_scale
    xp.exp(r, r)
    if left != 1:
        r *= left
    if left != scale:
        r += (x > 0) * x.dtype.type(scale - left)
    r *= grad
    return r


@floating
def _elu_backward(xp: Any, grad_output: Any, self: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    return blockwise(xp, _elu, (grad_output, self), alpha, scale, input_scale)


def _logistic(xp: Any, out: Any, grad: Any, x: Any, factor: Any) -> Any:
    """``grad`` times the logistic function of ``-factor * x``."""
    r = xp.multiply(x, factor, out)
    xp.exp(r, r)
    r += 1
    return xp.divide(grad, r, r)


@floating
def softplus_backward(xp: Any, grad_output: Any, self: Any, beta: Any, threshold: Any) -> Any:
    r = blockwise(xp, _logistic, (grad_output, self), -beta)
    above = self * beta > threshold
    if above.any():
        xp.copyto(r, grad_output, where=above)
    return r


@floating
def _log_sigmoid_backward(xp: Any, grad_output: Any, self: Any) -> Any:
    return blockwise(xp, _logistic, (grad_output, self), 1)


def _outside(xp: Any, out: Any, grad: Any, x: Any, lambd: Any) -> Any:
    outside = x > lambd
    outside |= x < -lambd
    return kept(xp, grad, outside, out)


@floating
def _shrink_backward(xp: Any, grad_output: Any, self: Any, lambd: Any) -> Any:
    return blockwise(xp, _outside, (grad_output, self), lambd)
