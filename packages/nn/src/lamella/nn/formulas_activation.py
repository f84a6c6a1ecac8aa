"""Slopes of activations, made of operators."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as F

from ._gen import activation as _gen
from ._gen.activation import gelu_backward
from .formulas import recorded

_C = math.sqrt(2 / math.pi)
_K = 0.044715


def slope_times(grad: Any, slope: Any, self: Any, approximate: str) -> Any:
    """The gradient by the slope that the forward pass left, or by a formula where it is differentiated again."""
    if recorded(grad, self):
        return gelu_backward(grad, self, approximate=approximate)
    return grad * slope


def gelu_curvature(self: Any, approximate: str) -> Any:
    """The second derivative of gelu."""
    if approximate == "none":
        return F.exp(self * self * -0.5) * (2 - self * self) * (1 / math.sqrt(2 * math.pi))
    inner = self * (_C + _C * _K * self * self)
    slope = _C + 3 * _C * _K * self * self
    th = F.tanh(inner)
    flat = 1 - th * th
    return flat * slope + 0.5 * self * flat * (6 * _C * _K * self - 2 * th * slope * slope)


def silu_curvature(self: Any) -> Any:
    """The second derivative of silu."""
    s = F.sigmoid(self)
    return s * (1 - s) * (2 + self * (1 - 2 * s))


def mish_gradient(grad: Any, self: Any) -> Any:
    """tanh(softplus(x)) + x sigmoid(x) (1 - tanh^2)."""
    if not recorded(grad, self):
        return _gen.op_mish_backward(grad, self)
    # softplus in a form that neither end overflows.
    plus = F.clamp(self, 0) + F.log1p(F.exp(-F.abs(self)))
    t = F.tanh(plus)
    return grad * (t + self * F.sigmoid(self) * (1 - t * t))


def elu_gradient(grad: Any, self: Any, alpha: Any, scale: Any, input_scale: Any) -> Any:
    """Right of 0 the scale, left of it that of the exponential."""
    if not recorded(grad, self):
        return _gen.op__elu_backward(grad, self, alpha, scale, input_scale)
    low = F.exp(F.clamp(self, None, 0) * input_scale) * (alpha * scale * input_scale)
    return grad * F.where(self > 0, scale, low)


def hardsigmoid_gradient(grad: Any, self: Any) -> Any:
    """1 / 6 between -3 and 3."""
    if not recorded(grad, self):
        return _gen.op_hardsigmoid_backward(grad, self)
    return _gen.hardtanh_backward(grad, self, -3.0, 3.0) * (1.0 / 6.0)


def hardswish_gradient(grad: Any, self: Any) -> Any:
    """0 left of -3, 1 right of 3, a line between."""
    if not recorded(grad, self):
        return _gen.op_hardswish_backward(grad, self)
    line = self * (1 / 3) + 0.5
    return grad * F.where(self <= -3, 0, F.where(self < 3, line, 1))


def softplus_gradient(grad: Any, self: Any, beta: Any, threshold: Any) -> Any:
    """The logistic function, and 1 above the threshold."""
    if not recorded(grad, self):
        return _gen.op_softplus_backward(grad, self, beta, threshold)
    scaled = self * beta
    return F.where(scaled > threshold, grad, grad * F.sigmoid(scaled))


def log_sigmoid_gradient(grad: Any, self: Any) -> Any:
    """The logistic function of -x."""
    if not recorded(grad, self):
        return _gen.op__log_sigmoid_backward(grad, self)
    return grad * F.sigmoid(-self)


def shrink_gradient(grad: Any, self: Any, lambd: Any) -> Any:
    """The gradient where an element lies outside [-lambd, lambd], else 0."""
    if not recorded(grad, self):
        return _gen.op__shrink_backward(grad, self, lambd)
    return grad * F.logical_or(self > lambd, self < -lambd).to(self.dtype)
