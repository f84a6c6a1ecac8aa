# Generated from packages/nn/src/lamella/nn/ops/activation.yaml (sha256 c31c74af041f76af). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_gelu,
    _T_gelu_backward,
    _T__gelu_with_slope,
    _T_silu,
    _T_silu_,
    _T_silu_backward,
    _T_mish,
    _T_mish_,
    _T_elu,
    _T_elu_,
    _T_leaky_relu,
    _T_leaky_relu_,
    _T_leaky_relu_backward,
    _T_hardtanh,
    _T_hardtanh_,
    _T_hardtanh_backward,
    _T_hardsigmoid,
    _T_hardsigmoid_,
    _T_hardswish,
    _T_hardswish_,
    _T_softplus,
    _T_log_sigmoid,
    _T_hardshrink,
    _T_softshrink,
    _T_threshold,
    _T_threshold_,
    _T__prelu_kernel,
    _T__rrelu_noise,
) = _define(
    "aten",
    "lamella.nn.activation",
    (
        ("gelu(Tensor self, *, str approximate='none') -> Tensor", True),
        ("gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor", True),
        ('_gelu_with_slope(Tensor self, str approximate) -> (Tensor, Tensor)', True),
        ('silu(Tensor self) -> Tensor', True),
        ('silu_(Tensor(a!) self) -> Tensor(a!)', True),
        ('silu_backward(Tensor grad_output, Tensor self) -> Tensor', True),
        ('mish(Tensor self) -> Tensor', True),
        ('mish_(Tensor(a!) self) -> Tensor(a!)', True),
        ('elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor', True),
        ('elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)', True),
        ('leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor', True),
        ('leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)', True),
        ('leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor', True),
        ('hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor', True),
        ('hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)', True),
        ('hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor', True),
        ('hardsigmoid(Tensor self) -> Tensor', True),
        ('hardsigmoid_(Tensor(a!) self) -> Tensor(a!)', True),
        ('hardswish(Tensor self) -> Tensor', True),
        ('hardswish_(Tensor(a!) self) -> Tensor(a!)', True),
        ('softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor', True),
        ('log_sigmoid(Tensor self) -> Tensor', True),
        ('hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor', True),
        ('softshrink(Tensor self, Scalar lambd=0.5) -> Tensor', True),
        ('threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor', True),
        ('threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)', True),
        ('_prelu_kernel(Tensor self, Tensor weight) -> Tensor', True),
        ('_rrelu_noise(Tensor self, float lower, float upper, *, Generator? generator=None) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.activation_cpu", 3: "lamella.nn._gen.activation_meta", 65: "lamella.nn.composite.activation", },
    "lamella.nn/ops/activation.yaml",
)


def op_gelu(self, *, approximate='none'):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    if approximate == 'none':
        return _T_gelu[ks](self)
    return _T_gelu[ks](self, approximate=approximate)


def op_gelu_backward(grad_output, self, *, approximate='none'):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("gelu_backward", {"grad_output": grad_output, "self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if approximate == 'none':
        return _T_gelu_backward[ks](grad_output, self)
    return _T_gelu_backward[ks](grad_output, self, approximate=approximate)


def gelu_backward(grad_output, input, *, approximate='none'):
    """gelu_backward: see torch.gelu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("gelu_backward", {"grad_output": grad_output, "input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if approximate == 'none':
        return _T_gelu_backward[ks](grad_output, input)
    return _T_gelu_backward[ks](grad_output, input, approximate=approximate)


def op__gelu_with_slope(self, approximate):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_gelu_with_slope", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__gelu_with_slope[ks](self, approximate)


def op_silu(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_silu[ks](self)


def op_silu_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_silu_[ks](self)


def op_silu_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("silu_backward", {"grad_output": grad_output, "self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_silu_backward[ks](grad_output, self)


def silu_backward(grad_output, input):
    """silu_backward: see torch.silu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("silu_backward", {"grad_output": grad_output, "input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_silu_backward[ks](grad_output, input)


def op_mish(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mish[ks](self)


def op_mish_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mish_[ks](self)


def op_elu(self, alpha=1, scale=1, input_scale=1):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_elu[ks](self, alpha, scale, input_scale)


def op_elu_(self, alpha=1, scale=1, input_scale=1):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_elu_[ks](self, alpha, scale, input_scale)


def op_leaky_relu(self, negative_slope=0.01):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_leaky_relu[ks](self, negative_slope)


def op_leaky_relu_(self, negative_slope=0.01):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_leaky_relu_[ks](self, negative_slope)


def op_leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("leaky_relu_backward", {"grad_output": grad_output, "self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_leaky_relu_backward[ks](grad_output, self, negative_slope, self_is_result)


def leaky_relu_backward(grad_output, input, negative_slope, self_is_result):
    """leaky_relu_backward: see torch.leaky_relu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("leaky_relu_backward", {"grad_output": grad_output, "input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_leaky_relu_backward[ks](grad_output, input, negative_slope, self_is_result)


def op_hardtanh(self, min_val=-1, max_val=1):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardtanh[ks](self, min_val, max_val)


def op_hardtanh_(self, min_val=-1, max_val=1):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardtanh_[ks](self, min_val, max_val)


def op_hardtanh_backward(grad_output, self, min_val, max_val):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("hardtanh_backward", {"grad_output": grad_output, "self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardtanh_backward[ks](grad_output, self, min_val, max_val)


def hardtanh_backward(grad_output, input, min_val, max_val):
    """hardtanh_backward: see torch.hardtanh_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("hardtanh_backward", {"grad_output": grad_output, "input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardtanh_backward[ks](grad_output, input, min_val, max_val)


def op_hardsigmoid(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardsigmoid[ks](self)


def op_hardsigmoid_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardsigmoid_[ks](self)


def op_hardswish(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardswish[ks](self)


def op_hardswish_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardswish_[ks](self)


def op_softplus(self, beta=1, threshold=20):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_softplus[ks](self, beta, threshold)


def op_log_sigmoid(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_log_sigmoid[ks](self)


def op_hardshrink(self, lambd=0.5):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_hardshrink[ks](self, lambd)


def op_softshrink(self, lambd=0.5):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_softshrink[ks](self, lambd)


def op_threshold(self, threshold, value):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_threshold[ks](self, threshold, value)


def op_threshold_(self, threshold, value):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_threshold_[ks](self, threshold, value)


def op__prelu_kernel(self, weight):
    try:
        ks = self._ks | weight._ks
    except AttributeError:
        raise _not_tensor("_prelu_kernel", {"self": self, "weight": weight, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__prelu_kernel[ks](self, weight)


def op__rrelu_noise(self, lower, upper, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_rrelu_noise", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if generator is None:
        return _T__rrelu_noise[ks](self, lower, upper)
    return _T__rrelu_noise[ks](self, lower, upper, generator=generator)


METHODS = {
    "hardshrink": op_hardshrink,
}


FUNCTIONS = {
    "gelu_backward": gelu_backward,
    "silu_backward": silu_backward,
    "leaky_relu_backward": leaky_relu_backward,
    "hardtanh_backward": hardtanh_backward,
}
