# Generated from packages/nn/src/lamella/nn/ops/activation.yaml (sha256 a41a3447b60eeba1). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
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
    _T_mish_backward,
    _T_elu,
    _T_elu_,
    _T__elu_backward,
    _T_leaky_relu,
    _T_leaky_relu_,
    _T_leaky_relu_backward,
    _T_hardtanh,
    _T_hardtanh_,
    _T_hardtanh_backward,
    _T_hardsigmoid,
    _T_hardsigmoid_,
    _T_hardsigmoid_backward,
    _T_hardswish,
    _T_hardswish_,
    _T_hardswish_backward,
    _T_softplus,
    _T_softplus_backward,
    _T_log_sigmoid,
    _T__log_sigmoid_backward,
    _T_hardshrink,
    _T_softshrink,
    _T__shrink_backward,
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
        ('mish_backward(Tensor grad_output, Tensor self) -> Tensor', False),
        ('elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor', True),
        ('elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)', True),
        ('_elu_backward(Tensor grad_output, Tensor self, Scalar alpha, Scalar scale, Scalar input_scale) -> Tensor', False),
        ('leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor', True),
        ('leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)', True),
        ('leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor', True),
        ('hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor', True),
        ('hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)', True),
        ('hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor', True),
        ('hardsigmoid(Tensor self) -> Tensor', True),
        ('hardsigmoid_(Tensor(a!) self) -> Tensor(a!)', True),
        ('hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor', False),
        ('hardswish(Tensor self) -> Tensor', True),
        ('hardswish_(Tensor(a!) self) -> Tensor(a!)', True),
        ('hardswish_backward(Tensor grad_output, Tensor self) -> Tensor', False),
        ('softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor', True),
        ('softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor', False),
        ('log_sigmoid(Tensor self) -> Tensor', True),
        ('_log_sigmoid_backward(Tensor grad_output, Tensor self) -> Tensor', False),
        ('hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor', True),
        ('softshrink(Tensor self, Scalar lambd=0.5) -> Tensor', True),
        ('_shrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor', False),
        ('threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor', True),
        ('threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)', True),
        ('_prelu_kernel(Tensor self, Tensor weight) -> Tensor', True),
        ('_rrelu_noise(Tensor self, float lower, float upper, *, Generator? generator=None) -> Tensor', False),
    ),
    {1: "lamella.nn._gen.activation_cpu", 2: "lamella.nn._gen.activation_cuda", 3: "lamella.nn._gen.activation_meta", 65: "lamella.nn.composite.activation", },
    "lamella.nn/ops/activation.yaml",
)


def op_gelu(self, *, approximate='none'):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("gelu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if approximate == 'none':
            return _T_gelu[ks](self)
        return _T_gelu[ks](self, approximate=approximate)
    except Exception:
        _explain(_T_gelu, (self, approximate, ))
        raise


def op_gelu_backward(grad_output, self, *, approximate='none'):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("gelu_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if approximate == 'none':
            return _T_gelu_backward[ks](grad_output, self)
        return _T_gelu_backward[ks](grad_output, self, approximate=approximate)
    except Exception:
        _explain(_T_gelu_backward, (grad_output, self, approximate, ))
        raise


def gelu_backward(grad_output, input, *, approximate='none'):
    """gelu_backward: see torch.gelu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("gelu_backward", {"grad_output": grad_output, "input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if approximate == 'none':
            return _T_gelu_backward[ks](grad_output, input)
        return _T_gelu_backward[ks](grad_output, input, approximate=approximate)
    except Exception:
        _explain(_T_gelu_backward, (grad_output, input, approximate, ))
        raise


def op__gelu_with_slope(self, approximate):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_gelu_with_slope", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__gelu_with_slope[ks](self, approximate)
    except Exception:
        _explain(_T__gelu_with_slope, (self, approximate, ))
        raise


def op_silu(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("silu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_silu[ks](self)
    except Exception:
        _explain(_T_silu, (self, ))
        raise


def op_silu_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("silu_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_silu_[ks](self)
    except Exception:
        _explain(_T_silu_, (self, ))
        raise


def op_silu_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("silu_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_silu_backward[ks](grad_output, self)
    except Exception:
        _explain(_T_silu_backward, (grad_output, self, ))
        raise


def silu_backward(grad_output, input):
    """silu_backward: see torch.silu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("silu_backward", {"grad_output": grad_output, "input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_silu_backward[ks](grad_output, input)
    except Exception:
        _explain(_T_silu_backward, (grad_output, input, ))
        raise


def op_mish(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mish", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mish[ks](self)
    except Exception:
        _explain(_T_mish, (self, ))
        raise


def op_mish_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mish_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mish_[ks](self)
    except Exception:
        _explain(_T_mish_, (self, ))
        raise


def op_mish_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("mish_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mish_backward[ks](grad_output, self)
    except Exception:
        _explain(_T_mish_backward, (grad_output, self, ))
        raise


def op_elu(self, alpha=1, scale=1, input_scale=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("elu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha.__class__ is not float and alpha.__class__ is not int:
        alpha = _as_number("elu", "alpha", alpha)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_number("elu", "scale", scale)
    if input_scale.__class__ is not float and input_scale.__class__ is not int:
        input_scale = _as_number("elu", "input_scale", input_scale)
    try:
        return _T_elu[ks](self, alpha, scale, input_scale)
    except Exception:
        _explain(_T_elu, (self, alpha, scale, input_scale, ))
        raise


def op_elu_(self, alpha=1, scale=1, input_scale=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("elu_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha.__class__ is not float and alpha.__class__ is not int:
        alpha = _as_number("elu_", "alpha", alpha)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_number("elu_", "scale", scale)
    if input_scale.__class__ is not float and input_scale.__class__ is not int:
        input_scale = _as_number("elu_", "input_scale", input_scale)
    try:
        return _T_elu_[ks](self, alpha, scale, input_scale)
    except Exception:
        _explain(_T_elu_, (self, alpha, scale, input_scale, ))
        raise


def op__elu_backward(grad_output, self, alpha, scale, input_scale):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("_elu_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha.__class__ is not float and alpha.__class__ is not int:
        alpha = _as_number("_elu_backward", "alpha", alpha)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_number("_elu_backward", "scale", scale)
    if input_scale.__class__ is not float and input_scale.__class__ is not int:
        input_scale = _as_number("_elu_backward", "input_scale", input_scale)
    try:
        return _T__elu_backward[ks](grad_output, self, alpha, scale, input_scale)
    except Exception:
        _explain(_T__elu_backward, (grad_output, self, alpha, scale, input_scale, ))
        raise


def op_leaky_relu(self, negative_slope=0.01):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("leaky_relu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if negative_slope.__class__ is not float and negative_slope.__class__ is not int:
        negative_slope = _as_number("leaky_relu", "negative_slope", negative_slope)
    try:
        return _T_leaky_relu[ks](self, negative_slope)
    except Exception:
        _explain(_T_leaky_relu, (self, negative_slope, ))
        raise


def op_leaky_relu_(self, negative_slope=0.01):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("leaky_relu_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if negative_slope.__class__ is not float and negative_slope.__class__ is not int:
        negative_slope = _as_number("leaky_relu_", "negative_slope", negative_slope)
    try:
        return _T_leaky_relu_[ks](self, negative_slope)
    except Exception:
        _explain(_T_leaky_relu_, (self, negative_slope, ))
        raise


def op_leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("leaky_relu_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if negative_slope.__class__ is not float and negative_slope.__class__ is not int:
        negative_slope = _as_number("leaky_relu_backward", "negative_slope", negative_slope)
    if self_is_result is not False and self_is_result is not True:
        self_is_result = _as_bool("leaky_relu_backward", "self_is_result", self_is_result)
    try:
        return _T_leaky_relu_backward[ks](grad_output, self, negative_slope, self_is_result)
    except Exception:
        _explain(_T_leaky_relu_backward, (grad_output, self, negative_slope, self_is_result, ))
        raise


def leaky_relu_backward(grad_output, input, negative_slope, self_is_result):
    """leaky_relu_backward: see torch.leaky_relu_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("leaky_relu_backward", {"grad_output": grad_output, "input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if negative_slope.__class__ is not float and negative_slope.__class__ is not int:
        negative_slope = _as_number("leaky_relu_backward", "negative_slope", negative_slope)
    if self_is_result is not False and self_is_result is not True:
        self_is_result = _as_bool("leaky_relu_backward", "self_is_result", self_is_result)
    try:
        return _T_leaky_relu_backward[ks](grad_output, input, negative_slope, self_is_result)
    except Exception:
        _explain(_T_leaky_relu_backward, (grad_output, input, negative_slope, self_is_result, ))
        raise


def op_hardtanh(self, min_val=-1, max_val=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardtanh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min_val.__class__ is not float and min_val.__class__ is not int:
        min_val = _as_number("hardtanh", "min_val", min_val)
    if max_val.__class__ is not float and max_val.__class__ is not int:
        max_val = _as_number("hardtanh", "max_val", max_val)
    try:
        return _T_hardtanh[ks](self, min_val, max_val)
    except Exception:
        _explain(_T_hardtanh, (self, min_val, max_val, ))
        raise


def op_hardtanh_(self, min_val=-1, max_val=1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardtanh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min_val.__class__ is not float and min_val.__class__ is not int:
        min_val = _as_number("hardtanh_", "min_val", min_val)
    if max_val.__class__ is not float and max_val.__class__ is not int:
        max_val = _as_number("hardtanh_", "max_val", max_val)
    try:
        return _T_hardtanh_[ks](self, min_val, max_val)
    except Exception:
        _explain(_T_hardtanh_, (self, min_val, max_val, ))
        raise


def op_hardtanh_backward(grad_output, self, min_val, max_val):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("hardtanh_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min_val.__class__ is not float and min_val.__class__ is not int:
        min_val = _as_number("hardtanh_backward", "min_val", min_val)
    if max_val.__class__ is not float and max_val.__class__ is not int:
        max_val = _as_number("hardtanh_backward", "max_val", max_val)
    try:
        return _T_hardtanh_backward[ks](grad_output, self, min_val, max_val)
    except Exception:
        _explain(_T_hardtanh_backward, (grad_output, self, min_val, max_val, ))
        raise


def hardtanh_backward(grad_output, input, min_val, max_val):
    """hardtanh_backward: see torch.hardtanh_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("hardtanh_backward", {"grad_output": grad_output, "input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min_val.__class__ is not float and min_val.__class__ is not int:
        min_val = _as_number("hardtanh_backward", "min_val", min_val)
    if max_val.__class__ is not float and max_val.__class__ is not int:
        max_val = _as_number("hardtanh_backward", "max_val", max_val)
    try:
        return _T_hardtanh_backward[ks](grad_output, input, min_val, max_val)
    except Exception:
        _explain(_T_hardtanh_backward, (grad_output, input, min_val, max_val, ))
        raise


def op_hardsigmoid(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardsigmoid", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardsigmoid[ks](self)
    except Exception:
        _explain(_T_hardsigmoid, (self, ))
        raise


def op_hardsigmoid_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardsigmoid_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardsigmoid_[ks](self)
    except Exception:
        _explain(_T_hardsigmoid_, (self, ))
        raise


def op_hardsigmoid_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("hardsigmoid_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardsigmoid_backward[ks](grad_output, self)
    except Exception:
        _explain(_T_hardsigmoid_backward, (grad_output, self, ))
        raise


def op_hardswish(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardswish", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardswish[ks](self)
    except Exception:
        _explain(_T_hardswish, (self, ))
        raise


def op_hardswish_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardswish_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardswish_[ks](self)
    except Exception:
        _explain(_T_hardswish_, (self, ))
        raise


def op_hardswish_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("hardswish_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hardswish_backward[ks](grad_output, self)
    except Exception:
        _explain(_T_hardswish_backward, (grad_output, self, ))
        raise


def op_softplus(self, beta=1, threshold=20):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("softplus", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if beta.__class__ is not float and beta.__class__ is not int:
        beta = _as_number("softplus", "beta", beta)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("softplus", "threshold", threshold)
    try:
        return _T_softplus[ks](self, beta, threshold)
    except Exception:
        _explain(_T_softplus, (self, beta, threshold, ))
        raise


def op_softplus_backward(grad_output, self, beta, threshold):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("softplus_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if beta.__class__ is not float and beta.__class__ is not int:
        beta = _as_number("softplus_backward", "beta", beta)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("softplus_backward", "threshold", threshold)
    try:
        return _T_softplus_backward[ks](grad_output, self, beta, threshold)
    except Exception:
        _explain(_T_softplus_backward, (grad_output, self, beta, threshold, ))
        raise


def op_log_sigmoid(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log_sigmoid", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log_sigmoid[ks](self)
    except Exception:
        _explain(_T_log_sigmoid, (self, ))
        raise


def op__log_sigmoid_backward(grad_output, self):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("_log_sigmoid_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__log_sigmoid_backward[ks](grad_output, self)
    except Exception:
        _explain(_T__log_sigmoid_backward, (grad_output, self, ))
        raise


def op_hardshrink(self, lambd=0.5):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("hardshrink", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if lambd.__class__ is not float and lambd.__class__ is not int:
        lambd = _as_number("hardshrink", "lambd", lambd)
    try:
        return _T_hardshrink[ks](self, lambd)
    except Exception:
        _explain(_T_hardshrink, (self, lambd, ))
        raise


def op_softshrink(self, lambd=0.5):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("softshrink", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if lambd.__class__ is not float and lambd.__class__ is not int:
        lambd = _as_number("softshrink", "lambd", lambd)
    try:
        return _T_softshrink[ks](self, lambd)
    except Exception:
        _explain(_T_softshrink, (self, lambd, ))
        raise


def op__shrink_backward(grad_output, self, lambd):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("_shrink_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if lambd.__class__ is not float and lambd.__class__ is not int:
        lambd = _as_number("_shrink_backward", "lambd", lambd)
    try:
        return _T__shrink_backward[ks](grad_output, self, lambd)
    except Exception:
        _explain(_T__shrink_backward, (grad_output, self, lambd, ))
        raise


def op_threshold(self, threshold, value):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("threshold", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("threshold", "threshold", threshold)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("threshold", "value", value)
    try:
        return _T_threshold[ks](self, threshold, value)
    except Exception:
        _explain(_T_threshold, (self, threshold, value, ))
        raise


def op_threshold_(self, threshold, value):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("threshold_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("threshold_", "threshold", threshold)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("threshold_", "value", value)
    try:
        return _T_threshold_[ks](self, threshold, value)
    except Exception:
        _explain(_T_threshold_, (self, threshold, value, ))
        raise


def op__prelu_kernel(self, weight):
    try:
        ks = self._ks | weight._ks
    except AttributeError:
        raise _not_tensor("_prelu_kernel", {"self": self, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__prelu_kernel[ks](self, weight)
    except Exception:
        _explain(_T__prelu_kernel, (self, weight, ))
        raise


def op__rrelu_noise(self, lower, upper, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_rrelu_noise", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if lower.__class__ is not float and lower.__class__ is not int:
        lower = _as_float("_rrelu_noise", "lower", lower)
    if upper.__class__ is not float and upper.__class__ is not int:
        upper = _as_float("_rrelu_noise", "upper", upper)
    try:
        if generator is None:
            return _T__rrelu_noise[ks](self, lower, upper)
        return _T__rrelu_noise[ks](self, lower, upper, generator=generator)
    except Exception:
        _explain(_T__rrelu_noise, (self, lower, upper, generator, ))
        raise


METHODS = {
    "hardshrink": op_hardshrink,
}


FUNCTIONS = {
    "gelu_backward": gelu_backward,
    "silu_backward": silu_backward,
    "leaky_relu_backward": leaky_relu_backward,
    "hardtanh_backward": hardtanh_backward,
}
