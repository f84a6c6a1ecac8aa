# Generated from packages/nn/src/lamella/nn/ops/activation.yaml (sha256 a41a3447b60eeba1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.activation as _k
import lamella.nn.meta.activation as _m


def gelu(self, approximate='none'):
    return _result(_elementwise("gelu", "arith", (self, )))


def gelu_backward(grad_output, self, approximate='none'):
    return _result(_elementwise("gelu_backward", "arith", (grad_output, self, )))


def _gelu_with_slope(self, approximate):
    return tuple([_result(x) for x in _m._gelu_with_slope(self, approximate)])


def silu(self):
    return _result(_elementwise("silu", "arith", (self, )))


def silu_(self):
    _inplace("silu_", self, _elementwise("silu_", "arith", (self, )))
    _bump(self, "silu_")
    return self

silu_.moves_versions = True


def silu_backward(grad_output, self):
    return _result(_elementwise("silu_backward", "arith", (grad_output, self, )))


def mish(self):
    return _result(_elementwise("mish", "arith", (self, )))


def mish_(self):
    _inplace("mish_", self, _elementwise("mish_", "arith", (self, )))
    _bump(self, "mish_")
    return self

mish_.moves_versions = True


def mish_backward(grad_output, self):
    return _result(_elementwise("mish_backward", "arith", (grad_output, self, )))


def elu(self, alpha=1, scale=1, input_scale=1):
    return _result(_elementwise("elu", "arith", (self, )))


def elu_(self, alpha=1, scale=1, input_scale=1):
    _inplace("elu_", self, _elementwise("elu_", "arith", (self, )))
    _bump(self, "elu_")
    return self

elu_.moves_versions = True


def _elu_backward(grad_output, self, alpha, scale, input_scale):
    return _result(_elementwise("_elu_backward", "arith", (grad_output, self, )))


def leaky_relu(self, negative_slope=0.01):
    return _result(_elementwise("leaky_relu", "arith", (self, )))


def leaky_relu_(self, negative_slope=0.01):
    _inplace("leaky_relu_", self, _elementwise("leaky_relu_", "arith", (self, )))
    _bump(self, "leaky_relu_")
    return self

leaky_relu_.moves_versions = True


def leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    return _result(_elementwise("leaky_relu_backward", "arith", (grad_output, self, )))


def hardtanh(self, min_val=-1, max_val=1):
    return _result(_elementwise("hardtanh", "arith", (self, )))


def hardtanh_(self, min_val=-1, max_val=1):
    _inplace("hardtanh_", self, _elementwise("hardtanh_", "arith", (self, )))
    _bump(self, "hardtanh_")
    return self

hardtanh_.moves_versions = True


def hardtanh_backward(grad_output, self, min_val, max_val):
    return _result(_elementwise("hardtanh_backward", "arith", (grad_output, self, )))


def hardsigmoid(self):
    return _result(_elementwise("hardsigmoid", "arith", (self, )))


def hardsigmoid_(self):
    _inplace("hardsigmoid_", self, _elementwise("hardsigmoid_", "arith", (self, )))
    _bump(self, "hardsigmoid_")
    return self

hardsigmoid_.moves_versions = True


def hardsigmoid_backward(grad_output, self):
    return _result(_elementwise("hardsigmoid_backward", "arith", (grad_output, self, )))


def hardswish(self):
    return _result(_elementwise("hardswish", "arith", (self, )))


def hardswish_(self):
    _inplace("hardswish_", self, _elementwise("hardswish_", "arith", (self, )))
    _bump(self, "hardswish_")
    return self

hardswish_.moves_versions = True


def hardswish_backward(grad_output, self):
    return _result(_elementwise("hardswish_backward", "arith", (grad_output, self, )))


def softplus(self, beta=1, threshold=20):
    return _result(_elementwise("softplus", "arith", (self, )))


def softplus_backward(grad_output, self, beta, threshold):
    return _result(_elementwise("softplus_backward", "arith", (grad_output, self, )))


def log_sigmoid(self):
    return _result(_elementwise("log_sigmoid", "arith", (self, )))


def _log_sigmoid_backward(grad_output, self):
    return _result(_elementwise("_log_sigmoid_backward", "arith", (grad_output, self, )))


def hardshrink(self, lambd=0.5):
    return _result(_elementwise("hardshrink", "arith", (self, )))


def softshrink(self, lambd=0.5):
    return _result(_elementwise("softshrink", "arith", (self, )))


def _shrink_backward(grad_output, self, lambd):
    return _result(_elementwise("_shrink_backward", "arith", (grad_output, self, )))


def threshold(self, threshold, value):
    return _result(_elementwise("threshold", "arith", (self, )))


def threshold_(self, threshold, value):
    _inplace("threshold_", self, _elementwise("threshold_", "arith", (self, )))
    _bump(self, "threshold_")
    return self

threshold_.moves_versions = True


def _prelu_kernel(self, weight):
    return _result(_elementwise("_prelu_kernel", "arith", (self, weight, )))


def _rrelu_noise(self, lower, upper, generator=None):
    return _result(_m.same(self, lower, upper, generator=generator))
