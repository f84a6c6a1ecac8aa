"""Activations and their gradients.

Each rule computes in float32 where the element type has 16 bits, and rounds once.
"""

from __future__ import annotations

from typing import Any

from ..builder import Builder
from ..specs import fitting, result_type
from ..table import Eager, rule
from .widening import widened

_ROOT_HALF = 0.7071067811865476
_DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
_HALF_PI_ROOT = 0.7978845608028654  # sqrt(2 / pi)
_CUBIC = 0.044715


def _gate(b: Builder, x: Any, approximate: str) -> Any:
    """The normal distribution function, or its approximation by tanh."""
    if approximate == "tanh":
        u = b.mul(b.add(b.mul(b.mul(x, x), _HALF_PI_ROOT * _CUBIC), _HALF_PI_ROOT), x)
        return b.add(b.mul(b.tanh(u), 0.5), 0.5)
    return b.add(b.mul(b.erf(b.mul(x, _ROOT_HALF)), 0.5), 0.5)


def _slope(b: Builder, x: Any, approximate: str) -> tuple[Any, Any]:
    gate = _gate(b, x, approximate)
    if approximate == "tanh":
        steep = b.add(b.mul(b.mul(x, x), 6 * _HALF_PI_ROOT * _CUBIC), 2 * _HALF_PI_ROOT)
        return gate, b.add(b.mul(b.mul(b.mul(steep, x), gate), b.sub(1, gate)), gate)
    density = b.mul(b.exp(b.mul(b.mul(x, x), -0.5)), _DENSITY)
    return gate, b.add(b.mul(x, density), gate)


@widened("aten::gelu")
def gelu(b: Builder, x: Any, *, approximate: str = "none") -> Any:
    return b.mul(x, _gate(b, x, approximate))


@widened("aten::gelu_backward")
def gelu_backward(b: Builder, grad: Any, x: Any, *, approximate: str = "none") -> Any:
    return b.mul(_slope(b, x, approximate)[1], grad)


@widened("aten::_gelu_with_slope")
def gelu_with_slope(b: Builder, x: Any, approximate: str) -> Any:
    gate, slope = _slope(b, x, approximate)
    return b.mul(x, gate), slope


@widened("aten::silu")
def silu(b: Builder, x: Any) -> Any:
    return b.div(x, b.add(b.exp(b.neg(x)), 1))


@widened("aten::silu_backward")
def silu_backward(b: Builder, grad: Any, x: Any) -> Any:
    s = b.sigmoid(x)
    return b.mul(b.mul(b.add(b.mul(b.sub(1, s), x), 1), s), grad)


@widened("aten::mish")
def mish(b: Builder, x: Any) -> Any:
    # tanh(log(1 + e)) = n / (n + 2) with n = e (e + 2), e = exp(x); at 20 it is 1 to rounding.
    e = b.exp(b.minimum(x, 20.0))
    n = b.mul(b.add(e, 2), e)
    return b.mul(b.div(n, b.add(n, 2)), x)


@widened("aten::mish_backward")
def mish_backward(b: Builder, grad: Any, x: Any) -> Any:
    x = b.minimum(x, 20.0)
    e = b.exp(x)
    n = b.mul(b.add(e, 2), e)
    m = b.add(n, 2)
    q = b.div(e, m)
    r = b.mul(b.div(b.mul(q, b.add(e, 1)), m), 4)
    return b.mul(b.add(b.mul(r, x), b.div(n, m)), grad)


@widened("aten::elu")
def elu(b: Builder, x: Any, alpha: Any = 1, scale: Any = 1, input_scale: Any = 1) -> Any:
    low = b.mul(b.expm1(b.mul(b.minimum(x, 0.0), input_scale)), alpha * scale)
    return b.add(low, b.mul(b.maximum(x, 0.0), scale))


@widened("aten::_elu_backward")
def elu_backward(b: Builder, grad: Any, x: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    left = alpha * scale * input_scale
    r = b.mul(b.exp(b.mul(b.minimum(x, 0.0), input_scale)), left)
    if left != scale:
        r = b.add(r, b.mul(b.to(b.gt(x, 0), x.spec.dtype), scale - left))
    return b.mul(r, grad)


@widened("aten::leaky_relu")
def leaky_relu(b: Builder, x: Any, negative_slope: Any = 0.01) -> Any:
    return b.where(b.gt(x, 0), x, b.mul(x, negative_slope))


@widened("aten::leaky_relu_backward")
def leaky_relu_backward(b: Builder, grad: Any, x: Any, negative_slope: Any, self_is_result: bool) -> Any:
    return b.where(b.gt(x, 0), grad, b.mul(grad, negative_slope))


@rule("aten::hardtanh")
def hardtanh(b: Builder, x: Any, min_val: Any = -1, max_val: Any = 1) -> Any:
    d = x.spec.dtype
    if d.category == 0 or not d.is_signed and min_val < 0:
        raise Eager("an error of the operator")
    return b.clamp(x, fitting(min_val, d), fitting(max_val, d))


@widened("aten::hardtanh_backward")
def hardtanh_backward(b: Builder, grad: Any, x: Any, min_val: Any, max_val: Any) -> Any:
    return b.where(b.logical("and", b.gt(x, min_val), b.lt(x, max_val)), grad, 0.0)


@widened("aten::hardsigmoid")
def hardsigmoid(b: Builder, x: Any) -> Any:
    return b.mul(b.clamp(b.add(x, 3), 0.0, 6.0), 1 / 6)


@widened("aten::hardsigmoid_backward")
def hardsigmoid_backward(b: Builder, grad: Any, x: Any) -> Any:
    return b.mul(hardtanh_backward(b, grad, x, -3, 3), 1 / 6)


@widened("aten::hardswish")
def hardswish(b: Builder, x: Any) -> Any:
    return b.mul(hardsigmoid(b, x), x)


@widened("aten::hardswish_backward")
def hardswish_backward(b: Builder, grad: Any, x: Any) -> Any:
    inside = b.where(b.lt(b.abs(x), 3), x, 0.0)
    r = b.mul(b.mul(b.add(b.clamp(b.add(x, 3), 0.0, 6.0), inside), 1 / 6), grad)
    return b.masked_fill(r, b.le(x, -3), 0.0)


@widened("aten::softplus")
def softplus(b: Builder, x: Any, beta: Any = 1, threshold: Any = 20) -> Any:
    scaled = b.mul(x, beta)
    soft = b.add(b.log1p(b.exp(b.neg(b.abs(scaled)))), b.maximum(scaled, 0.0))
    if beta != 1:
        soft = b.div(soft, beta)
    return b.where(b.gt(scaled, threshold), x, soft)


@widened("aten::softplus_backward")
def softplus_backward(b: Builder, grad: Any, x: Any, beta: Any, threshold: Any) -> Any:
    scaled = b.mul(x, beta)
    return b.where(b.gt(scaled, threshold), grad, b.div(grad, b.add(b.exp(b.neg(scaled)), 1)))


@widened("aten::log_sigmoid")
def log_sigmoid(b: Builder, x: Any) -> Any:
    return b.sub(b.minimum(x, 0.0), b.log1p(b.exp(b.neg(b.abs(x)))))


@widened("aten::_log_sigmoid_backward")
def log_sigmoid_backward(b: Builder, grad: Any, x: Any) -> Any:
    return b.div(grad, b.add(b.exp(x), 1))


@widened("aten::hardshrink")
def hardshrink(b: Builder, x: Any, lambd: Any = 0.5) -> Any:
    return b.masked_fill(x, b.logical("and", b.ge(x, -lambd), b.le(x, lambd)), 0.0)


@widened("aten::softshrink")
def softshrink(b: Builder, x: Any, lambd: Any = 0.5) -> Any:
    return b.sub(x, b.clamp(x, -lambd, lambd))


@widened("aten::_shrink_backward")
def shrink_backward(b: Builder, grad: Any, x: Any, lambd: Any) -> Any:
    return b.where(b.logical("or", b.gt(x, lambd), b.lt(x, -lambd)), grad, 0.0)


@rule("aten::threshold")
def threshold(b: Builder, x: Any, threshold: Any, value: Any) -> Any:
    d = x.spec.dtype
    if d.category == 0:
        raise Eager("an error of the operator")
    return b.masked_fill(x, b.le(x, fitting(threshold, d)), fitting(value, d))


@rule("aten::threshold_backward")
def threshold_backward(b: Builder, grad: Any, x: Any, threshold: Any) -> Any:
    d = result_type((grad, x))
    return b.to(b.masked_fill(b.to(grad, d), b.le(x, threshold), 0), d)


@widened("aten::_prelu_kernel")
def prelu(b: Builder, x: Any, weight: Any) -> Any:
    return b.where(b.gt(x, 0), x, b.mul(weight, x))


@widened("aten::sigmoid_backward")
def sigmoid_backward(b: Builder, grad: Any, output: Any) -> Any:
    return b.mul(b.mul(b.sub(1, output), output), grad)


@widened("aten::tanh_backward")
def tanh_backward(b: Builder, grad: Any, output: Any) -> Any:
    return b.mul(b.sub(1, b.mul(output, output)), grad)


@rule("aten::relu")
def relu(b: Builder, x: Any) -> Any:
    return b.maximum(x, 0)
