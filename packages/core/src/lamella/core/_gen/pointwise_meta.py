# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 8a5b88971c91d257). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.pointwise as _k
import lamella.core.meta.pointwise as _m

_R_frexp_Tensor = _return_type("frexp", ("mantissa", "exponent", ))


def add_Tensor(self, other, alpha=1):
    return _result(_elementwise("add", "arith", (self, other, )))


def add__Tensor(self, other, alpha=1):
    _inplace("add_", self, _elementwise("add_", "arith", (self, other, )))
    _bump(self, "add_")
    return self

add__Tensor.moves_versions = True


def sub_Tensor(self, other, alpha=1):
    return _result(_elementwise("sub", "arith", (self, other, ), "b"))


def sub__Tensor(self, other, alpha=1):
    _inplace("sub_", self, _elementwise("sub_", "arith", (self, other, ), "b"))
    _bump(self, "sub_")
    return self

sub__Tensor.moves_versions = True


def rsub_Tensor(self, other, alpha=1):
    return _result(_elementwise("rsub", "arith", (self, other, ), "b"))


def mul_Tensor(self, other):
    return _result(_elementwise("mul", "arith", (self, other, )))


def mul__Tensor(self, other):
    _inplace("mul_", self, _elementwise("mul_", "arith", (self, other, )))
    _bump(self, "mul_")
    return self

mul__Tensor.moves_versions = True


def div_Tensor(self, other):
    return _result(_elementwise("div", "float", (self, other, )))


def div__Tensor(self, other):
    _inplace("div_", self, _elementwise("div_", "float", (self, other, )))
    _bump(self, "div_")
    return self

div__Tensor.moves_versions = True


def div_Tensor_mode(self, other, rounding_mode):
    return _result(_elementwise("div", "arith", (self, other, ), "bc"))


def div__Tensor_mode(self, other, rounding_mode):
    _inplace("div_", self, _elementwise("div_", "arith", (self, other, ), "bc"))
    _bump(self, "div_")
    return self

div__Tensor_mode.moves_versions = True


def floor_divide(self, other):
    return _result(_elementwise("floor_divide", "arith", (self, other, ), "bc"))


def floor_divide_(self, other):
    _inplace("floor_divide_", self, _elementwise("floor_divide_", "arith", (self, other, ), "bc"))
    _bump(self, "floor_divide_")
    return self

floor_divide_.moves_versions = True


def remainder_Tensor(self, other):
    return _result(_elementwise("remainder", "arith", (self, other, ), "bc"))


def remainder__Tensor(self, other):
    _inplace("remainder_", self, _elementwise("remainder_", "arith", (self, other, ), "bc"))
    _bump(self, "remainder_")
    return self

remainder__Tensor.moves_versions = True


def fmod_Tensor(self, other):
    return _result(_elementwise("fmod", "arith", (self, other, ), "bc"))


def fmod__Tensor(self, other):
    _inplace("fmod_", self, _elementwise("fmod_", "arith", (self, other, ), "bc"))
    _bump(self, "fmod_")
    return self

fmod__Tensor.moves_versions = True


def pow_Tensor_Tensor(self, exponent):
    return _result(_elementwise("pow", "arith", (self, exponent, ), "b"))


def pow__Tensor_Tensor(self, exponent):
    _inplace("pow_", self, _elementwise("pow_", "arith", (self, exponent, ), "b"))
    _bump(self, "pow_")
    return self

pow__Tensor_Tensor.moves_versions = True


def pow_Tensor_Scalar(self, exponent):
    return _result(_m.pow_Tensor_Scalar(self, exponent))


def pow__Tensor_Scalar(self, exponent):
    _inplace("pow_", self, _m.pow_Tensor_Scalar(self, exponent))
    _bump(self, "pow_")
    return self

pow__Tensor_Scalar.moves_versions = True


def pow_Scalar(self, exponent):
    return _result(_m.pow_Scalar(self, exponent))


def conj_physical(self):
    return _result(_elementwise("conj_physical", "arith", (self, )))


def conj_physical_(self):
    _inplace("conj_physical_", self, _elementwise("conj_physical_", "arith", (self, )))
    _bump(self, "conj_physical_")
    return self

conj_physical_.moves_versions = True


def maximum(self, other):
    return _result(_elementwise("maximum", "arith", (self, other, ), "c"))


def minimum(self, other):
    return _result(_elementwise("minimum", "arith", (self, other, ), "c"))


def fmax(self, other):
    return _result(_elementwise("fmax", "arith", (self, other, ), "c"))


def fmin(self, other):
    return _result(_elementwise("fmin", "arith", (self, other, ), "c"))


def atan2(self, other):
    return _result(_elementwise("atan2", "float", (self, other, ), "c"))


def atan2_(self, other):
    _inplace("atan2_", self, _elementwise("atan2_", "float", (self, other, ), "c"))
    _bump(self, "atan2_")
    return self

atan2_.moves_versions = True


def hypot(self, other):
    return _result(_elementwise("hypot", "arith", (self, other, ), "biuc"))


def hypot_(self, other):
    _inplace("hypot_", self, _elementwise("hypot_", "arith", (self, other, ), "biuc"))
    _bump(self, "hypot_")
    return self

hypot_.moves_versions = True


def copysign_Tensor(self, other):
    return _result(_elementwise("copysign", "float", (self, other, ), "c"))


def copysign__Tensor(self, other):
    _inplace("copysign_", self, _elementwise("copysign_", "float", (self, other, ), "c"))
    _bump(self, "copysign_")
    return self

copysign__Tensor.moves_versions = True


def nextafter(self, other):
    return _result(_elementwise("nextafter", "exact", (self, other, ), "biuc"))


def nextafter_(self, other):
    _inplace("nextafter_", self, _elementwise("nextafter_", "exact", (self, other, ), "biuc"))
    _bump(self, "nextafter_")
    return self

nextafter_.moves_versions = True


def logaddexp(self, other):
    return _result(_elementwise("logaddexp", "float", (self, other, ), "biu"))


def logaddexp2(self, other):
    return _result(_elementwise("logaddexp2", "float", (self, other, ), "biuc"))


def xlogy_Tensor(self, other):
    return _result(_elementwise("xlogy", "float", (self, other, ), "c"))


def xlogy__Tensor(self, other):
    _inplace("xlogy_", self, _elementwise("xlogy_", "float", (self, other, ), "c"))
    _bump(self, "xlogy_")
    return self

xlogy__Tensor.moves_versions = True


def ldexp_Tensor(self, other):
    return _result(_elementwise("ldexp", "float", (self, other, )))


def ldexp__Tensor(self, other):
    _inplace("ldexp_", self, _elementwise("ldexp_", "float", (self, other, )))
    _bump(self, "ldexp_")
    return self

ldexp__Tensor.moves_versions = True


def heaviside(self, values):
    return _result(_elementwise("heaviside", "none", (self, values, )))


def heaviside_(self, values):
    _inplace("heaviside_", self, _elementwise("heaviside_", "none", (self, values, )))
    _bump(self, "heaviside_")
    return self

heaviside_.moves_versions = True


def gcd(self, other):
    return _result(_elementwise("gcd", "arith", (self, other, ), "bfVc"))


def gcd_(self, other):
    _inplace("gcd_", self, _elementwise("gcd_", "arith", (self, other, ), "bfVc"))
    _bump(self, "gcd_")
    return self

gcd_.moves_versions = True


def lcm(self, other):
    return _result(_elementwise("lcm", "arith", (self, other, ), "bfVc"))


def lcm_(self, other):
    _inplace("lcm_", self, _elementwise("lcm_", "arith", (self, other, ), "bfVc"))
    _bump(self, "lcm_")
    return self

lcm_.moves_versions = True


def neg(self):
    return _result(_elementwise("neg", "arith", (self, ), "b"))


def neg_(self):
    _inplace("neg_", self, _elementwise("neg_", "arith", (self, ), "b"))
    _bump(self, "neg_")
    return self

neg_.moves_versions = True


def positive(self):
    return _result(_elementwise("positive", "arith", (self, ), "b"))


def positive_(self):
    _inplace("positive_", self, _elementwise("positive_", "arith", (self, ), "b"))
    _bump(self, "positive_")
    return self

positive_.moves_versions = True


def abs(self):
    return _result(_m.size_of(self))


def abs_(self):
    _inplace("abs_", self, _elementwise("abs_", "arith", (self, ), "b"))
    _bump(self, "abs_")
    return self

abs_.moves_versions = True


def sign(self):
    return _result(_elementwise("sign", "arith", (self, ), "c"))


def sign_(self):
    _inplace("sign_", self, _elementwise("sign_", "arith", (self, ), "c"))
    _bump(self, "sign_")
    return self

sign_.moves_versions = True


def sgn(self):
    return _result(_elementwise("sgn", "arith", (self, )))


def sgn_(self):
    _inplace("sgn_", self, _elementwise("sgn_", "arith", (self, )))
    _bump(self, "sgn_")
    return self

sgn_.moves_versions = True


def square(self):
    return _result(_m.square(self))


def square_(self):
    _inplace("square_", self, _elementwise("square_", "arith", (self, )))
    _bump(self, "square_")
    return self

square_.moves_versions = True


def sqrt(self):
    return _result(_elementwise("sqrt", "float", (self, )))


def sqrt_(self):
    _inplace("sqrt_", self, _elementwise("sqrt_", "float", (self, )))
    _bump(self, "sqrt_")
    return self

sqrt_.moves_versions = True


def rsqrt(self):
    return _result(_elementwise("rsqrt", "float", (self, )))


def rsqrt_(self):
    _inplace("rsqrt_", self, _elementwise("rsqrt_", "float", (self, )))
    _bump(self, "rsqrt_")
    return self

rsqrt_.moves_versions = True


def reciprocal(self):
    return _result(_elementwise("reciprocal", "float", (self, )))


def reciprocal_(self):
    _inplace("reciprocal_", self, _elementwise("reciprocal_", "float", (self, )))
    _bump(self, "reciprocal_")
    return self

reciprocal_.moves_versions = True


def exp(self):
    return _result(_elementwise("exp", "float", (self, )))


def exp_(self):
    _inplace("exp_", self, _elementwise("exp_", "float", (self, )))
    _bump(self, "exp_")
    return self

exp_.moves_versions = True


def exp2(self):
    return _result(_elementwise("exp2", "float", (self, )))


def exp2_(self):
    _inplace("exp2_", self, _elementwise("exp2_", "float", (self, )))
    _bump(self, "exp2_")
    return self

exp2_.moves_versions = True


def expm1(self):
    return _result(_elementwise("expm1", "float", (self, )))


def expm1_(self):
    _inplace("expm1_", self, _elementwise("expm1_", "float", (self, )))
    _bump(self, "expm1_")
    return self

expm1_.moves_versions = True


def log(self):
    return _result(_elementwise("log", "float", (self, )))


def log_(self):
    _inplace("log_", self, _elementwise("log_", "float", (self, )))
    _bump(self, "log_")
    return self

log_.moves_versions = True


def log2(self):
    return _result(_elementwise("log2", "float", (self, )))


def log2_(self):
    _inplace("log2_", self, _elementwise("log2_", "float", (self, )))
    _bump(self, "log2_")
    return self

log2_.moves_versions = True


def log10(self):
    return _result(_elementwise("log10", "float", (self, )))


def log10_(self):
    _inplace("log10_", self, _elementwise("log10_", "float", (self, )))
    _bump(self, "log10_")
    return self

log10_.moves_versions = True


def log1p(self):
    return _result(_elementwise("log1p", "float", (self, )))


def log1p_(self):
    _inplace("log1p_", self, _elementwise("log1p_", "float", (self, )))
    _bump(self, "log1p_")
    return self

log1p_.moves_versions = True


def sin(self):
    return _result(_elementwise("sin", "float", (self, )))


def sin_(self):
    _inplace("sin_", self, _elementwise("sin_", "float", (self, )))
    _bump(self, "sin_")
    return self

sin_.moves_versions = True


def cos(self):
    return _result(_elementwise("cos", "float", (self, )))


def cos_(self):
    _inplace("cos_", self, _elementwise("cos_", "float", (self, )))
    _bump(self, "cos_")
    return self

cos_.moves_versions = True


def tan(self):
    return _result(_elementwise("tan", "float", (self, )))


def tan_(self):
    _inplace("tan_", self, _elementwise("tan_", "float", (self, )))
    _bump(self, "tan_")
    return self

tan_.moves_versions = True


def sinh(self):
    return _result(_elementwise("sinh", "float", (self, )))


def sinh_(self):
    _inplace("sinh_", self, _elementwise("sinh_", "float", (self, )))
    _bump(self, "sinh_")
    return self

sinh_.moves_versions = True


def cosh(self):
    return _result(_elementwise("cosh", "float", (self, )))


def cosh_(self):
    _inplace("cosh_", self, _elementwise("cosh_", "float", (self, )))
    _bump(self, "cosh_")
    return self

cosh_.moves_versions = True


def tanh(self):
    return _result(_elementwise("tanh", "float", (self, )))


def tanh_(self):
    _inplace("tanh_", self, _elementwise("tanh_", "float", (self, )))
    _bump(self, "tanh_")
    return self

tanh_.moves_versions = True


def asin(self):
    return _result(_elementwise("asin", "float", (self, )))


def asin_(self):
    _inplace("asin_", self, _elementwise("asin_", "float", (self, )))
    _bump(self, "asin_")
    return self

asin_.moves_versions = True


def acos(self):
    return _result(_elementwise("acos", "float", (self, )))


def acos_(self):
    _inplace("acos_", self, _elementwise("acos_", "float", (self, )))
    _bump(self, "acos_")
    return self

acos_.moves_versions = True


def atan(self):
    return _result(_elementwise("atan", "float", (self, )))


def atan_(self):
    _inplace("atan_", self, _elementwise("atan_", "float", (self, )))
    _bump(self, "atan_")
    return self

atan_.moves_versions = True


def asinh(self):
    return _result(_elementwise("asinh", "float", (self, )))


def asinh_(self):
    _inplace("asinh_", self, _elementwise("asinh_", "float", (self, )))
    _bump(self, "asinh_")
    return self

asinh_.moves_versions = True


def acosh(self):
    return _result(_elementwise("acosh", "float", (self, )))


def acosh_(self):
    _inplace("acosh_", self, _elementwise("acosh_", "float", (self, )))
    _bump(self, "acosh_")
    return self

acosh_.moves_versions = True


def atanh(self):
    return _result(_elementwise("atanh", "float", (self, )))


def atanh_(self):
    _inplace("atanh_", self, _elementwise("atanh_", "float", (self, )))
    _bump(self, "atanh_")
    return self

atanh_.moves_versions = True


def erf(self):
    return _result(_elementwise("erf", "float", (self, ), "c"))


def erf_(self):
    _inplace("erf_", self, _elementwise("erf_", "float", (self, ), "c"))
    _bump(self, "erf_")
    return self

erf_.moves_versions = True


def erfc(self):
    return _result(_elementwise("erfc", "float", (self, ), "c"))


def erfc_(self):
    _inplace("erfc_", self, _elementwise("erfc_", "float", (self, ), "c"))
    _bump(self, "erfc_")
    return self

erfc_.moves_versions = True


def erfinv(self):
    return _result(_elementwise("erfinv", "float", (self, ), "c"))


def erfinv_(self):
    _inplace("erfinv_", self, _elementwise("erfinv_", "float", (self, ), "c"))
    _bump(self, "erfinv_")
    return self

erfinv_.moves_versions = True


def lgamma(self):
    return _result(_elementwise("lgamma", "float", (self, ), "c"))


def lgamma_(self):
    _inplace("lgamma_", self, _elementwise("lgamma_", "float", (self, ), "c"))
    _bump(self, "lgamma_")
    return self

lgamma_.moves_versions = True


def digamma(self):
    return _result(_elementwise("digamma", "float", (self, ), "c"))


def digamma_(self):
    _inplace("digamma_", self, _elementwise("digamma_", "float", (self, ), "c"))
    _bump(self, "digamma_")
    return self

digamma_.moves_versions = True


def i0(self):
    return _result(_elementwise("i0", "float", (self, ), "c"))


def i0_(self):
    _inplace("i0_", self, _elementwise("i0_", "float", (self, ), "c"))
    _bump(self, "i0_")
    return self

i0_.moves_versions = True


def sinc(self):
    return _result(_elementwise("sinc", "float", (self, )))


def sinc_(self):
    _inplace("sinc_", self, _elementwise("sinc_", "float", (self, )))
    _bump(self, "sinc_")
    return self

sinc_.moves_versions = True


def sigmoid(self):
    return _result(_elementwise("sigmoid", "float", (self, )))


def sigmoid_(self):
    _inplace("sigmoid_", self, _elementwise("sigmoid_", "float", (self, )))
    _bump(self, "sigmoid_")
    return self

sigmoid_.moves_versions = True


def relu(self):
    return _result(_elementwise("relu", "arith", (self, ), "bc"))


def relu_(self):
    _inplace("relu_", self, _elementwise("relu_", "arith", (self, ), "bc"))
    _bump(self, "relu_")
    return self

relu_.moves_versions = True


def floor(self):
    return _result(_elementwise("floor", "arith", (self, ), "bc"))


def floor_(self):
    _inplace("floor_", self, _elementwise("floor_", "arith", (self, ), "bc"))
    _bump(self, "floor_")
    return self

floor_.moves_versions = True


def ceil(self):
    return _result(_elementwise("ceil", "arith", (self, ), "bc"))


def ceil_(self):
    _inplace("ceil_", self, _elementwise("ceil_", "arith", (self, ), "bc"))
    _bump(self, "ceil_")
    return self

ceil_.moves_versions = True


def trunc(self):
    return _result(_elementwise("trunc", "arith", (self, ), "bc"))


def trunc_(self):
    _inplace("trunc_", self, _elementwise("trunc_", "arith", (self, ), "bc"))
    _bump(self, "trunc_")
    return self

trunc_.moves_versions = True


def round_decimals(self, decimals=0):
    return _result(_elementwise("round", "arith", (self, ), "bc"))


def round__decimals(self, decimals=0):
    _inplace("round_", self, _elementwise("round_", "arith", (self, ), "bc"))
    _bump(self, "round_")
    return self

round__decimals.moves_versions = True


def frac(self):
    return _result(_elementwise("frac", "arith", (self, ), "biuc"))


def frac_(self):
    _inplace("frac_", self, _elementwise("frac_", "arith", (self, ), "biuc"))
    _bump(self, "frac_")
    return self

frac_.moves_versions = True


def deg2rad(self):
    return _result(_elementwise("deg2rad", "float", (self, ), "c"))


def deg2rad_(self):
    _inplace("deg2rad_", self, _elementwise("deg2rad_", "float", (self, ), "c"))
    _bump(self, "deg2rad_")
    return self

deg2rad_.moves_versions = True


def rad2deg(self):
    return _result(_elementwise("rad2deg", "float", (self, ), "c"))


def rad2deg_(self):
    _inplace("rad2deg_", self, _elementwise("rad2deg_", "float", (self, ), "c"))
    _bump(self, "rad2deg_")
    return self

rad2deg_.moves_versions = True


def logit(self, eps=None):
    return _result(_elementwise("logit", "float", (self, ), "c"))


def logit_(self, eps=None):
    _inplace("logit_", self, _elementwise("logit_", "float", (self, ), "c"))
    _bump(self, "logit_")
    return self

logit_.moves_versions = True


def nan_to_num(self, nan=None, posinf=None, neginf=None):
    return _result(_elementwise("nan_to_num", "exact", (self, )))


def nan_to_num_(self, nan=None, posinf=None, neginf=None):
    _inplace("nan_to_num_", self, _elementwise("nan_to_num_", "exact", (self, )))
    _bump(self, "nan_to_num_")
    return self

nan_to_num_.moves_versions = True


def clamp(self, min=None, max=None):
    return _result(_m.clamp(self, min, max))


def clamp_(self, min=None, max=None):
    _inplace("clamp_", self, _elementwise("clamp_", "arith", (self, ), "c"))
    _bump(self, "clamp_")
    return self

clamp_.moves_versions = True


def clamp_Tensor(self, min=None, max=None):
    return _result(_elementwise("clamp", "arith", (self, min, max, ), "c"))


def clamp__Tensor(self, min=None, max=None):
    _inplace("clamp_", self, _elementwise("clamp_", "arith", (self, min, max, ), "c"))
    _bump(self, "clamp_")
    return self

clamp__Tensor.moves_versions = True


def lerp_Scalar(self, end, weight):
    return _result(_elementwise("lerp", "arith", (self, end, ), "biu"))


def lerp__Scalar(self, end, weight):
    _inplace("lerp_", self, _elementwise("lerp_", "arith", (self, end, ), "biu"))
    _bump(self, "lerp_")
    return self

lerp__Scalar.moves_versions = True


def lerp_Tensor(self, end, weight):
    return _result(_elementwise("lerp", "arith", (self, end, weight, ), "biu"))


def lerp__Tensor(self, end, weight):
    _inplace("lerp_", self, _elementwise("lerp_", "arith", (self, end, weight, ), "biu"))
    _bump(self, "lerp_")
    return self

lerp__Tensor.moves_versions = True


def addcmul(self, tensor1, tensor2, value=1):
    return _result(_elementwise("addcmul", "arith", (self, tensor1, tensor2, ), "b"))


def addcmul_(self, tensor1, tensor2, value=1):
    _inplace("addcmul_", self, _elementwise("addcmul_", "arith", (self, tensor1, tensor2, ), "b"))
    _bump(self, "addcmul_")
    return self

addcmul_.moves_versions = True


def addcdiv(self, tensor1, tensor2, value=1):
    return _result(_elementwise("addcdiv", "arith", (self, tensor1, tensor2, ), "biu"))


def addcdiv_(self, tensor1, tensor2, value=1):
    _inplace("addcdiv_", self, _elementwise("addcdiv_", "arith", (self, tensor1, tensor2, ), "biu"))
    _bump(self, "addcdiv_")
    return self

addcdiv_.moves_versions = True


def angle(self):
    return _result(_m.angle(self))


def mvlgamma(self, p):
    return _result(_elementwise("mvlgamma", "float", (self, ), "bc"))


def mvlgamma_(self, p):
    _inplace("mvlgamma_", self, _elementwise("mvlgamma_", "float", (self, ), "bc"))
    _bump(self, "mvlgamma_")
    return self

mvlgamma_.moves_versions = True


def polygamma(n, self):
    return _result(_elementwise("polygamma", "float", (self, ), "c"))


def sigmoid_backward(grad_output, output):
    return _result(_elementwise("sigmoid_backward", "arith", (grad_output, output, )))


def tanh_backward(grad_output, output):
    return _result(_elementwise("tanh_backward", "arith", (grad_output, output, )))


def threshold_backward(grad_output, self, threshold):
    return _result(_elementwise("threshold_backward", "arith", (grad_output, self, )))


def frexp_Tensor(self):
    return _R_frexp_Tensor([_result(x) for x in _m.frexp_Tensor(self)])
