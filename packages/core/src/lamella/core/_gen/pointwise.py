# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 8a5b88971c91d257). Do not edit:
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
    _T_add_Tensor,
    _T_add__Tensor,
    _T_sub_Tensor,
    _T_sub__Tensor,
    _T_rsub_Tensor,
    _T_mul_Tensor,
    _T_mul__Tensor,
    _T_div_Tensor,
    _T_div__Tensor,
    _T_div_Tensor_mode,
    _T_div__Tensor_mode,
    _T_floor_divide,
    _T_floor_divide_,
    _T_remainder_Tensor,
    _T_remainder__Tensor,
    _T_fmod_Tensor,
    _T_fmod__Tensor,
    _T_pow_Tensor_Tensor,
    _T_pow__Tensor_Tensor,
    _T_pow_Tensor_Scalar,
    _T_pow__Tensor_Scalar,
    _T_pow_Scalar,
    _T_conj_physical,
    _T_conj_physical_,
    _T_maximum,
    _T_minimum,
    _T_fmax,
    _T_fmin,
    _T_atan2,
    _T_atan2_,
    _T_hypot,
    _T_hypot_,
    _T_copysign_Tensor,
    _T_copysign__Tensor,
    _T_nextafter,
    _T_nextafter_,
    _T_logaddexp,
    _T_logaddexp2,
    _T_xlogy_Tensor,
    _T_xlogy__Tensor,
    _T_ldexp_Tensor,
    _T_ldexp__Tensor,
    _T_heaviside,
    _T_heaviside_,
    _T_gcd,
    _T_gcd_,
    _T_lcm,
    _T_lcm_,
    _T_neg,
    _T_neg_,
    _T_positive,
    _T_positive_,
    _T_abs,
    _T_abs_,
    _T_sign,
    _T_sign_,
    _T_sgn,
    _T_sgn_,
    _T_square,
    _T_square_,
    _T_sqrt,
    _T_sqrt_,
    _T_rsqrt,
    _T_rsqrt_,
    _T_reciprocal,
    _T_reciprocal_,
    _T_exp,
    _T_exp_,
    _T_exp2,
    _T_exp2_,
    _T_expm1,
    _T_expm1_,
    _T_log,
    _T_log_,
    _T_log2,
    _T_log2_,
    _T_log10,
    _T_log10_,
    _T_log1p,
    _T_log1p_,
    _T_sin,
    _T_sin_,
    _T_cos,
    _T_cos_,
    _T_tan,
    _T_tan_,
    _T_sinh,
    _T_sinh_,
    _T_cosh,
    _T_cosh_,
    _T_tanh,
    _T_tanh_,
    _T_asin,
    _T_asin_,
    _T_acos,
    _T_acos_,
    _T_atan,
    _T_atan_,
    _T_asinh,
    _T_asinh_,
    _T_acosh,
    _T_acosh_,
    _T_atanh,
    _T_atanh_,
    _T_erf,
    _T_erf_,
    _T_erfc,
    _T_erfc_,
    _T_erfinv,
    _T_erfinv_,
    _T_lgamma,
    _T_lgamma_,
    _T_digamma,
    _T_digamma_,
    _T_i0,
    _T_i0_,
    _T_sinc,
    _T_sinc_,
    _T_sigmoid,
    _T_sigmoid_,
    _T_relu,
    _T_relu_,
    _T_floor,
    _T_floor_,
    _T_ceil,
    _T_ceil_,
    _T_trunc,
    _T_trunc_,
    _T_round_decimals,
    _T_round__decimals,
    _T_frac,
    _T_frac_,
    _T_deg2rad,
    _T_deg2rad_,
    _T_rad2deg,
    _T_rad2deg_,
    _T_logit,
    _T_logit_,
    _T_nan_to_num,
    _T_nan_to_num_,
    _T_clamp,
    _T_clamp_,
    _T_clamp_Tensor,
    _T_clamp__Tensor,
    _T_lerp_Scalar,
    _T_lerp__Scalar,
    _T_lerp_Tensor,
    _T_lerp__Tensor,
    _T_addcmul,
    _T_addcmul_,
    _T_addcdiv,
    _T_addcdiv_,
    _T_angle,
    _T_mvlgamma,
    _T_mvlgamma_,
    _T_polygamma,
    _T_sigmoid_backward,
    _T_tanh_backward,
    _T_threshold_backward,
    _T_frexp_Tensor,
) = _define(
    "aten",
    "pointwise",
    (
        ('add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor', True),
        ('add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)', True),
        ('sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor', True),
        ('sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)', True),
        ('rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor', True),
        ('mul.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('div.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor', True),
        ('div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)', True),
        ('floor_divide(Tensor self, Tensor other) -> Tensor', True),
        ('floor_divide_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('remainder.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('fmod.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor', True),
        ('pow_.Tensor_Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)', True),
        ('pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor', True),
        ('pow_.Tensor_Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)', True),
        ('pow.Scalar(Scalar self, Tensor exponent) -> Tensor', True),
        ('conj_physical(Tensor self) -> Tensor', True),
        ('conj_physical_(Tensor(a!) self) -> Tensor(a!)', True),
        ('maximum(Tensor self, Tensor other) -> Tensor', True),
        ('minimum(Tensor self, Tensor other) -> Tensor', True),
        ('fmax(Tensor self, Tensor other) -> Tensor', True),
        ('fmin(Tensor self, Tensor other) -> Tensor', True),
        ('atan2(Tensor self, Tensor other) -> Tensor', True),
        ('atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('hypot(Tensor self, Tensor other) -> Tensor', True),
        ('hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('copysign.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('nextafter(Tensor self, Tensor other) -> Tensor', True),
        ('nextafter_(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('logaddexp(Tensor self, Tensor other) -> Tensor', True),
        ('logaddexp2(Tensor self, Tensor other) -> Tensor', True),
        ('xlogy.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('ldexp.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('ldexp_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('heaviside(Tensor self, Tensor values) -> Tensor', False),
        ('heaviside_(Tensor(a!) self, Tensor values) -> Tensor(a!)', False),
        ('gcd(Tensor self, Tensor other) -> Tensor', False),
        ('gcd_(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('lcm(Tensor self, Tensor other) -> Tensor', False),
        ('lcm_(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('neg(Tensor self) -> Tensor', True),
        ('neg_(Tensor(a!) self) -> Tensor(a!)', True),
        ('positive(Tensor self) -> Tensor', True),
        ('positive_(Tensor(a!) self) -> Tensor(a!)', True),
        ('abs(Tensor self) -> Tensor', True),
        ('abs_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sign(Tensor self) -> Tensor', True),
        ('sign_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sgn(Tensor self) -> Tensor', True),
        ('sgn_(Tensor(a!) self) -> Tensor(a!)', True),
        ('square(Tensor self) -> Tensor', True),
        ('square_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sqrt(Tensor self) -> Tensor', True),
        ('sqrt_(Tensor(a!) self) -> Tensor(a!)', True),
        ('rsqrt(Tensor self) -> Tensor', True),
        ('rsqrt_(Tensor(a!) self) -> Tensor(a!)', True),
        ('reciprocal(Tensor self) -> Tensor', True),
        ('reciprocal_(Tensor(a!) self) -> Tensor(a!)', True),
        ('exp(Tensor self) -> Tensor', True),
        ('exp_(Tensor(a!) self) -> Tensor(a!)', True),
        ('exp2(Tensor self) -> Tensor', True),
        ('exp2_(Tensor(a!) self) -> Tensor(a!)', True),
        ('expm1(Tensor self) -> Tensor', True),
        ('expm1_(Tensor(a!) self) -> Tensor(a!)', True),
        ('log(Tensor self) -> Tensor', True),
        ('log_(Tensor(a!) self) -> Tensor(a!)', True),
        ('log2(Tensor self) -> Tensor', True),
        ('log2_(Tensor(a!) self) -> Tensor(a!)', True),
        ('log10(Tensor self) -> Tensor', True),
        ('log10_(Tensor(a!) self) -> Tensor(a!)', True),
        ('log1p(Tensor self) -> Tensor', True),
        ('log1p_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sin(Tensor self) -> Tensor', True),
        ('sin_(Tensor(a!) self) -> Tensor(a!)', True),
        ('cos(Tensor self) -> Tensor', True),
        ('cos_(Tensor(a!) self) -> Tensor(a!)', True),
        ('tan(Tensor self) -> Tensor', True),
        ('tan_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sinh(Tensor self) -> Tensor', True),
        ('sinh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('cosh(Tensor self) -> Tensor', True),
        ('cosh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('tanh(Tensor self) -> Tensor', True),
        ('tanh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('asin(Tensor self) -> Tensor', True),
        ('asin_(Tensor(a!) self) -> Tensor(a!)', True),
        ('acos(Tensor self) -> Tensor', True),
        ('acos_(Tensor(a!) self) -> Tensor(a!)', True),
        ('atan(Tensor self) -> Tensor', True),
        ('atan_(Tensor(a!) self) -> Tensor(a!)', True),
        ('asinh(Tensor self) -> Tensor', True),
        ('asinh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('acosh(Tensor self) -> Tensor', True),
        ('acosh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('atanh(Tensor self) -> Tensor', True),
        ('atanh_(Tensor(a!) self) -> Tensor(a!)', True),
        ('erf(Tensor self) -> Tensor', True),
        ('erf_(Tensor(a!) self) -> Tensor(a!)', True),
        ('erfc(Tensor self) -> Tensor', True),
        ('erfc_(Tensor(a!) self) -> Tensor(a!)', True),
        ('erfinv(Tensor self) -> Tensor', True),
        ('erfinv_(Tensor(a!) self) -> Tensor(a!)', True),
        ('lgamma(Tensor self) -> Tensor', True),
        ('lgamma_(Tensor(a!) self) -> Tensor(a!)', True),
        ('digamma(Tensor self) -> Tensor', True),
        ('digamma_(Tensor(a!) self) -> Tensor(a!)', True),
        ('i0(Tensor self) -> Tensor', True),
        ('i0_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sinc(Tensor self) -> Tensor', True),
        ('sinc_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sigmoid(Tensor self) -> Tensor', True),
        ('sigmoid_(Tensor(a!) self) -> Tensor(a!)', True),
        ('relu(Tensor self) -> Tensor', True),
        ('relu_(Tensor(a!) self) -> Tensor(a!)', True),
        ('floor(Tensor self) -> Tensor', True),
        ('floor_(Tensor(a!) self) -> Tensor(a!)', True),
        ('ceil(Tensor self) -> Tensor', True),
        ('ceil_(Tensor(a!) self) -> Tensor(a!)', True),
        ('trunc(Tensor self) -> Tensor', True),
        ('trunc_(Tensor(a!) self) -> Tensor(a!)', True),
        ('round.decimals(Tensor self, *, int decimals=0) -> Tensor', True),
        ('round_.decimals(Tensor(a!) self, *, int decimals=0) -> Tensor(a!)', True),
        ('frac(Tensor self) -> Tensor', True),
        ('frac_(Tensor(a!) self) -> Tensor(a!)', True),
        ('deg2rad(Tensor self) -> Tensor', True),
        ('deg2rad_(Tensor(a!) self) -> Tensor(a!)', True),
        ('rad2deg(Tensor self) -> Tensor', True),
        ('rad2deg_(Tensor(a!) self) -> Tensor(a!)', True),
        ('logit(Tensor self, float? eps=None) -> Tensor', True),
        ('logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)', True),
        ('nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor', True),
        ('nan_to_num_(Tensor(a!) self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor(a!)', True),
        ('clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor', True),
        ('clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)', True),
        ('clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor', True),
        ('clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)', True),
        ('lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor', True),
        ('lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)', True),
        ('lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor', True),
        ('lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)', True),
        ('addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor', True),
        ('addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)', True),
        ('addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor', True),
        ('addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)', True),
        ('angle(Tensor self) -> Tensor', True),
        ('mvlgamma(Tensor self, int p) -> Tensor', True),
        ('mvlgamma_(Tensor(a!) self, int p) -> Tensor(a!)', True),
        ('polygamma(int n, Tensor self) -> Tensor', True),
        ('sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor', True),
        ('tanh_backward(Tensor grad_output, Tensor output) -> Tensor', True),
        ('threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor', True),
        ('frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)', True),
    ),
    {1: "lamella.core._gen.pointwise_cpu", 2: "lamella.core._gen.pointwise_cuda", 3: "lamella.core._gen.pointwise_meta", 65: "lamella.core.composite.pointwise", },
    "lamella.core/ops/pointwise.yaml",
)


def op_add_Tensor(self, other, *more, alpha=1):
    if more:
        return _old_form("add", op_add_Tensor, (self, other, *more), ['alpha'])
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("add", "other", other))
    except AttributeError:
        raise _not_tensor("add", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_add_Tensor[ks](self, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("add", "alpha", alpha)
        return _T_add_Tensor[ks](self, other, alpha=alpha)
    except Exception:
        _explain(_T_add_Tensor, (self, other, alpha, ))
        raise


def __add__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_add_Tensor[ks](self, other)


def __radd__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_add_Tensor[ks](other, self)


def add(input, other, *more, alpha=1, out=None):
    """add: see torch.add."""
    if more:
        return _old_form("add", add, (input, other, *more), ['alpha'], out)
    if out is not None:
        return _out("add", out, add(input, other, alpha=alpha), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("add", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("add", "other", other)) or _no_tensor("add")
    except AttributeError:
        raise _not_tensor("add", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_add_Tensor[ks](input, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("add", "alpha", alpha)
        return _T_add_Tensor[ks](input, other, alpha=alpha)
    except Exception:
        _explain(_T_add_Tensor, (input, other, alpha, ))
        raise


def op_add__Tensor(self, other, *more, alpha=1):
    if more:
        return _old_form("add_", op_add__Tensor, (self, other, *more), ['alpha'])
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("add_", "other", other))
    except AttributeError:
        raise _not_tensor("add_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_add__Tensor[ks](self, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("add_", "alpha", alpha)
        return _T_add__Tensor[ks](self, other, alpha=alpha)
    except Exception:
        _explain(_T_add__Tensor, (self, other, alpha, ))
        raise


def op_sub_Tensor(self, other, *more, alpha=1):
    if more:
        return _old_form("sub", op_sub_Tensor, (self, other, *more), ['alpha'])
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("sub", "other", other))
    except AttributeError:
        raise _not_tensor("sub", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_sub_Tensor[ks](self, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("sub", "alpha", alpha)
        return _T_sub_Tensor[ks](self, other, alpha=alpha)
    except Exception:
        _explain(_T_sub_Tensor, (self, other, alpha, ))
        raise


def __sub__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sub_Tensor[ks](self, other)


def __rsub__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sub_Tensor[ks](other, self)


def sub(input, other, *more, alpha=1, out=None):
    """sub: see torch.sub."""
    if more:
        return _old_form("sub", sub, (input, other, *more), ['alpha'], out)
    if out is not None:
        return _out("sub", out, sub(input, other, alpha=alpha), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("sub", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("sub", "other", other)) or _no_tensor("sub")
    except AttributeError:
        raise _not_tensor("sub", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_sub_Tensor[ks](input, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("sub", "alpha", alpha)
        return _T_sub_Tensor[ks](input, other, alpha=alpha)
    except Exception:
        _explain(_T_sub_Tensor, (input, other, alpha, ))
        raise


def op_sub__Tensor(self, other, *more, alpha=1):
    if more:
        return _old_form("sub_", op_sub__Tensor, (self, other, *more), ['alpha'])
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("sub_", "other", other))
    except AttributeError:
        raise _not_tensor("sub_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_sub__Tensor[ks](self, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("sub_", "alpha", alpha)
        return _T_sub__Tensor[ks](self, other, alpha=alpha)
    except Exception:
        _explain(_T_sub__Tensor, (self, other, alpha, ))
        raise


def op_rsub_Tensor(self, other, *, alpha=1):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("rsub", "other", other))
    except AttributeError:
        raise _not_tensor("rsub", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_rsub_Tensor[ks](self, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("rsub", "alpha", alpha)
        return _T_rsub_Tensor[ks](self, other, alpha=alpha)
    except Exception:
        _explain(_T_rsub_Tensor, (self, other, alpha, ))
        raise


def rsub(input, other, *, alpha=1):
    """rsub: see torch.rsub."""
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("rsub", "other", other))
    except AttributeError:
        raise _not_tensor("rsub", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if alpha == 1:
            return _T_rsub_Tensor[ks](input, other)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("rsub", "alpha", alpha)
        return _T_rsub_Tensor[ks](input, other, alpha=alpha)
    except Exception:
        _explain(_T_rsub_Tensor, (input, other, alpha, ))
        raise


def op_mul_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("mul", "other", other))
    except AttributeError:
        raise _not_tensor("mul", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mul_Tensor[ks](self, other)
    except Exception:
        _explain(_T_mul_Tensor, (self, other, ))
        raise


def __mul__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](self, other)


def __rmul__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](other, self)


def mul(input, other, *, out=None):
    """mul: see torch.mul."""
    if out is not None:
        return _out("mul", out, mul(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("mul", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("mul", "other", other)) or _no_tensor("mul")
    except AttributeError:
        raise _not_tensor("mul", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mul_Tensor[ks](input, other)
    except Exception:
        _explain(_T_mul_Tensor, (input, other, ))
        raise


def op_mul__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("mul_", "other", other))
    except AttributeError:
        raise _not_tensor("mul_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_mul__Tensor[ks](self, other)
    except Exception:
        _explain(_T_mul__Tensor, (self, other, ))
        raise


def op_div_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("div", "other", other))
    except AttributeError:
        raise _not_tensor("div", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_div_Tensor[ks](self, other)
    except Exception:
        _explain(_T_div_Tensor, (self, other, ))
        raise


def __truediv__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_div_Tensor[ks](self, other)


def __rtruediv__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return _foreign(__rtruediv__, self, other)
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_div_Tensor[ks](other, self)


def op_div__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("div_", "other", other))
    except AttributeError:
        raise _not_tensor("div_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_div__Tensor[ks](self, other)
    except Exception:
        _explain(_T_div__Tensor, (self, other, ))
        raise


def op_div_Tensor_mode(self, other, *, rounding_mode):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("div", "other", other))
    except AttributeError:
        raise _not_tensor("div", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_div_Tensor_mode[ks](self, other, rounding_mode=rounding_mode)
    except Exception:
        _explain(_T_div_Tensor_mode, (self, other, rounding_mode, ))
        raise


def op_div__Tensor_mode(self, other, *, rounding_mode):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("div_", "other", other))
    except AttributeError:
        raise _not_tensor("div_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_div__Tensor_mode[ks](self, other, rounding_mode=rounding_mode)
    except Exception:
        _explain(_T_div__Tensor_mode, (self, other, rounding_mode, ))
        raise


def op_floor_divide(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("floor_divide", "other", other))
    except AttributeError:
        raise _not_tensor("floor_divide", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor_divide[ks](self, other)
    except Exception:
        _explain(_T_floor_divide, (self, other, ))
        raise


def __floordiv__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_floor_divide[ks](self, other)


def __rfloordiv__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_floor_divide[ks](other, self)


def floor_divide(input, other, *, out=None):
    """floor_divide: see torch.floor_divide."""
    if out is not None:
        return _out("floor_divide", out, floor_divide(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("floor_divide", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("floor_divide", "other", other)) or _no_tensor("floor_divide")
    except AttributeError:
        raise _not_tensor("floor_divide", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor_divide[ks](input, other)
    except Exception:
        _explain(_T_floor_divide, (input, other, ))
        raise


def op_floor_divide_(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("floor_divide_", "other", other))
    except AttributeError:
        raise _not_tensor("floor_divide_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor_divide_[ks](self, other)
    except Exception:
        _explain(_T_floor_divide_, (self, other, ))
        raise


def op_remainder_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("remainder", "other", other))
    except AttributeError:
        raise _not_tensor("remainder", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_remainder_Tensor[ks](self, other)
    except Exception:
        _explain(_T_remainder_Tensor, (self, other, ))
        raise


def __mod__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_remainder_Tensor[ks](self, other)


def __rmod__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_remainder_Tensor[ks](other, self)


def remainder(input, other, *, out=None):
    """remainder: see torch.remainder."""
    if out is not None:
        return _out("remainder", out, remainder(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("remainder", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("remainder", "other", other)) or _no_tensor("remainder")
    except AttributeError:
        raise _not_tensor("remainder", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_remainder_Tensor[ks](input, other)
    except Exception:
        _explain(_T_remainder_Tensor, (input, other, ))
        raise


def op_remainder__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("remainder_", "other", other))
    except AttributeError:
        raise _not_tensor("remainder_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_remainder__Tensor[ks](self, other)
    except Exception:
        _explain(_T_remainder__Tensor, (self, other, ))
        raise


def op_fmod_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("fmod", "other", other))
    except AttributeError:
        raise _not_tensor("fmod", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmod_Tensor[ks](self, other)
    except Exception:
        _explain(_T_fmod_Tensor, (self, other, ))
        raise


def fmod(input, other, *, out=None):
    """fmod: see torch.fmod."""
    if out is not None:
        return _out("fmod", out, fmod(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("fmod", "other", other))
    except AttributeError:
        raise _not_tensor("fmod", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmod_Tensor[ks](input, other)
    except Exception:
        _explain(_T_fmod_Tensor, (input, other, ))
        raise


def op_fmod__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("fmod_", "other", other))
    except AttributeError:
        raise _not_tensor("fmod_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmod__Tensor[ks](self, other)
    except Exception:
        _explain(_T_fmod__Tensor, (self, other, ))
        raise


def op_pow_Tensor_Tensor(self, exponent):
    try:
        ks = self._ks | exponent._ks
    except AttributeError:
        raise _not_tensor("pow", {"self": self, "exponent": exponent, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_pow_Tensor_Tensor[ks](self, exponent)
    except Exception:
        _explain(_T_pow_Tensor_Tensor, (self, exponent, ))
        raise


def op_pow__Tensor_Tensor(self, exponent):
    try:
        ks = self._ks | exponent._ks
    except AttributeError:
        raise _not_tensor("pow_", {"self": self, "exponent": exponent, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_pow__Tensor_Tensor[ks](self, exponent)
    except Exception:
        _explain(_T_pow__Tensor_Tensor, (self, exponent, ))
        raise


def op_pow_Tensor_Scalar(self, exponent):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("pow", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if exponent.__class__ is not float and exponent.__class__ is not int:
        exponent = _as_number("pow", "exponent", exponent)
    try:
        return _T_pow_Tensor_Scalar[ks](self, exponent)
    except Exception:
        _explain(_T_pow_Tensor_Scalar, (self, exponent, ))
        raise


def op_pow__Tensor_Scalar(self, exponent):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("pow_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if exponent.__class__ is not float and exponent.__class__ is not int:
        exponent = _as_number("pow_", "exponent", exponent)
    try:
        return _T_pow__Tensor_Scalar[ks](self, exponent)
    except Exception:
        _explain(_T_pow__Tensor_Scalar, (self, exponent, ))
        raise


def op_pow_Scalar(self, exponent):
    try:
        ks = exponent._ks
    except AttributeError:
        raise _not_tensor("pow", {"exponent": exponent, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if self.__class__ is not float and self.__class__ is not int:
        self = _as_number("pow", "self", self)
    try:
        return _T_pow_Scalar[ks](self, exponent)
    except Exception:
        _explain(_T_pow_Scalar, (self, exponent, ))
        raise


def op_conj_physical(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("conj_physical", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_conj_physical[ks](self)
    except Exception:
        _explain(_T_conj_physical, (self, ))
        raise


def conj_physical(input, *, out=None):
    """conj_physical: see torch.conj_physical."""
    if out is not None:
        return _out("conj_physical", out, op_conj_physical(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("conj_physical", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_conj_physical[ks](input)
    except Exception:
        _explain(_T_conj_physical, (input, ))
        raise


def op_conj_physical_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("conj_physical_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_conj_physical_[ks](self)
    except Exception:
        _explain(_T_conj_physical_, (self, ))
        raise


def op_maximum(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("maximum", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_maximum[ks](self, other)
    except Exception:
        _explain(_T_maximum, (self, other, ))
        raise


def maximum(input, other, *, out=None):
    """maximum: see torch.maximum."""
    if out is not None:
        return _out("maximum", out, op_maximum(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("maximum", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_maximum[ks](input, other)
    except Exception:
        _explain(_T_maximum, (input, other, ))
        raise


def op_minimum(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("minimum", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_minimum[ks](self, other)
    except Exception:
        _explain(_T_minimum, (self, other, ))
        raise


def minimum(input, other, *, out=None):
    """minimum: see torch.minimum."""
    if out is not None:
        return _out("minimum", out, op_minimum(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("minimum", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_minimum[ks](input, other)
    except Exception:
        _explain(_T_minimum, (input, other, ))
        raise


def op_fmax(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("fmax", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmax[ks](self, other)
    except Exception:
        _explain(_T_fmax, (self, other, ))
        raise


def fmax(input, other, *, out=None):
    """fmax: see torch.fmax."""
    if out is not None:
        return _out("fmax", out, op_fmax(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("fmax", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmax[ks](input, other)
    except Exception:
        _explain(_T_fmax, (input, other, ))
        raise


def op_fmin(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("fmin", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmin[ks](self, other)
    except Exception:
        _explain(_T_fmin, (self, other, ))
        raise


def fmin(input, other, *, out=None):
    """fmin: see torch.fmin."""
    if out is not None:
        return _out("fmin", out, op_fmin(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("fmin", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_fmin[ks](input, other)
    except Exception:
        _explain(_T_fmin, (input, other, ))
        raise


def op_atan2(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("atan2", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan2[ks](self, other)
    except Exception:
        _explain(_T_atan2, (self, other, ))
        raise


def atan2(input, other, *, out=None):
    """atan2: see torch.atan2."""
    if out is not None:
        return _out("atan2", out, op_atan2(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("atan2", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan2[ks](input, other)
    except Exception:
        _explain(_T_atan2, (input, other, ))
        raise


def op_atan2_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("atan2_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan2_[ks](self, other)
    except Exception:
        _explain(_T_atan2_, (self, other, ))
        raise


def op_hypot(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("hypot", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hypot[ks](self, other)
    except Exception:
        _explain(_T_hypot, (self, other, ))
        raise


def hypot(input, other, *, out=None):
    """hypot: see torch.hypot."""
    if out is not None:
        return _out("hypot", out, op_hypot(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("hypot", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hypot[ks](input, other)
    except Exception:
        _explain(_T_hypot, (input, other, ))
        raise


def op_hypot_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("hypot_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_hypot_[ks](self, other)
    except Exception:
        _explain(_T_hypot_, (self, other, ))
        raise


def op_copysign_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("copysign", "other", other))
    except AttributeError:
        raise _not_tensor("copysign", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_copysign_Tensor[ks](self, other)
    except Exception:
        _explain(_T_copysign_Tensor, (self, other, ))
        raise


def copysign(input, other, *, out=None):
    """copysign: see torch.copysign."""
    if out is not None:
        return _out("copysign", out, copysign(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("copysign", "other", other))
    except AttributeError:
        raise _not_tensor("copysign", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_copysign_Tensor[ks](input, other)
    except Exception:
        _explain(_T_copysign_Tensor, (input, other, ))
        raise


def op_copysign__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("copysign_", "other", other))
    except AttributeError:
        raise _not_tensor("copysign_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_copysign__Tensor[ks](self, other)
    except Exception:
        _explain(_T_copysign__Tensor, (self, other, ))
        raise


def op_nextafter(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("nextafter", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_nextafter[ks](self, other)
    except Exception:
        _explain(_T_nextafter, (self, other, ))
        raise


def nextafter(input, other, *, out=None):
    """nextafter: see torch.nextafter."""
    if out is not None:
        return _out("nextafter", out, op_nextafter(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("nextafter", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_nextafter[ks](input, other)
    except Exception:
        _explain(_T_nextafter, (input, other, ))
        raise


def op_nextafter_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("nextafter_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_nextafter_[ks](self, other)
    except Exception:
        _explain(_T_nextafter_, (self, other, ))
        raise


def op_logaddexp(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logaddexp", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logaddexp[ks](self, other)
    except Exception:
        _explain(_T_logaddexp, (self, other, ))
        raise


def logaddexp(input, other, *, out=None):
    """logaddexp: see torch.logaddexp."""
    if out is not None:
        return _out("logaddexp", out, op_logaddexp(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("logaddexp", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logaddexp[ks](input, other)
    except Exception:
        _explain(_T_logaddexp, (input, other, ))
        raise


def op_logaddexp2(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logaddexp2", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logaddexp2[ks](self, other)
    except Exception:
        _explain(_T_logaddexp2, (self, other, ))
        raise


def logaddexp2(input, other, *, out=None):
    """logaddexp2: see torch.logaddexp2."""
    if out is not None:
        return _out("logaddexp2", out, op_logaddexp2(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("logaddexp2", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logaddexp2[ks](input, other)
    except Exception:
        _explain(_T_logaddexp2, (input, other, ))
        raise


def op_xlogy_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("xlogy", "other", other))
    except AttributeError:
        raise _not_tensor("xlogy", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_xlogy_Tensor[ks](self, other)
    except Exception:
        _explain(_T_xlogy_Tensor, (self, other, ))
        raise


def xlogy(input, other, *, out=None):
    """xlogy: see torch.xlogy."""
    if out is not None:
        return _out("xlogy", out, xlogy(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("xlogy", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("xlogy", "other", other)) or _no_tensor("xlogy")
    except AttributeError:
        raise _not_tensor("xlogy", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_xlogy_Tensor[ks](input, other)
    except Exception:
        _explain(_T_xlogy_Tensor, (input, other, ))
        raise


def op_xlogy__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("xlogy_", "other", other))
    except AttributeError:
        raise _not_tensor("xlogy_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_xlogy__Tensor[ks](self, other)
    except Exception:
        _explain(_T_xlogy__Tensor, (self, other, ))
        raise


def op_ldexp_Tensor(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("ldexp", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ldexp_Tensor[ks](self, other)
    except Exception:
        _explain(_T_ldexp_Tensor, (self, other, ))
        raise


def ldexp(input, other, *, out=None):
    """ldexp: see torch.ldexp."""
    if out is not None:
        return _out("ldexp", out, op_ldexp_Tensor(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("ldexp", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ldexp_Tensor[ks](input, other)
    except Exception:
        _explain(_T_ldexp_Tensor, (input, other, ))
        raise


def op_ldexp__Tensor(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("ldexp_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ldexp__Tensor[ks](self, other)
    except Exception:
        _explain(_T_ldexp__Tensor, (self, other, ))
        raise


def op_heaviside(self, values):
    try:
        ks = self._ks | values._ks
    except AttributeError:
        raise _not_tensor("heaviside", {"self": self, "values": values, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_heaviside[ks](self, values)
    except Exception:
        _explain(_T_heaviside, (self, values, ))
        raise


def heaviside(input, values, *, out=None):
    """heaviside: see torch.heaviside."""
    if out is not None:
        return _out("heaviside", out, op_heaviside(input, values), True, inputs=(input, values, ))
    try:
        ks = input._ks | values._ks
    except AttributeError:
        raise _not_tensor("heaviside", {"input": input, "values": values, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_heaviside[ks](input, values)
    except Exception:
        _explain(_T_heaviside, (input, values, ))
        raise


def op_heaviside_(self, values):
    try:
        ks = self._ks | values._ks
    except AttributeError:
        raise _not_tensor("heaviside_", {"self": self, "values": values, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_heaviside_[ks](self, values)
    except Exception:
        _explain(_T_heaviside_, (self, values, ))
        raise


def op_gcd(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("gcd", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gcd[ks](self, other)
    except Exception:
        _explain(_T_gcd, (self, other, ))
        raise


def gcd(input, other, *, out=None):
    """gcd: see torch.gcd."""
    if out is not None:
        return _out("gcd", out, op_gcd(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("gcd", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gcd[ks](input, other)
    except Exception:
        _explain(_T_gcd, (input, other, ))
        raise


def op_gcd_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("gcd_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gcd_[ks](self, other)
    except Exception:
        _explain(_T_gcd_, (self, other, ))
        raise


def op_lcm(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("lcm", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lcm[ks](self, other)
    except Exception:
        _explain(_T_lcm, (self, other, ))
        raise


def lcm(input, other, *, out=None):
    """lcm: see torch.lcm."""
    if out is not None:
        return _out("lcm", out, op_lcm(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("lcm", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lcm[ks](input, other)
    except Exception:
        _explain(_T_lcm, (input, other, ))
        raise


def op_lcm_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("lcm_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lcm_[ks](self, other)
    except Exception:
        _explain(_T_lcm_, (self, other, ))
        raise


def op_neg(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("neg", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_neg[ks](self)
    except Exception:
        _explain(_T_neg, (self, ))
        raise


def neg(input, *, out=None):
    """neg: see torch.neg."""
    if out is not None:
        return _out("neg", out, op_neg(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("neg", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_neg[ks](input)
    except Exception:
        _explain(_T_neg, (input, ))
        raise


def op_neg_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("neg_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_neg_[ks](self)
    except Exception:
        _explain(_T_neg_, (self, ))
        raise


def op_positive(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("positive", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_positive[ks](self)
    except Exception:
        _explain(_T_positive, (self, ))
        raise


def positive(input):
    """positive: see torch.positive."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("positive", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_positive[ks](input)
    except Exception:
        _explain(_T_positive, (input, ))
        raise


def op_positive_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("positive_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_positive_[ks](self)
    except Exception:
        _explain(_T_positive_, (self, ))
        raise


def op_abs(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("abs", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_abs[ks](self)
    except Exception:
        _explain(_T_abs, (self, ))
        raise


def abs(input, *, out=None):
    """abs: see torch.abs."""
    if out is not None:
        return _out("abs", out, op_abs(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("abs", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_abs[ks](input)
    except Exception:
        _explain(_T_abs, (input, ))
        raise


def op_abs_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("abs_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_abs_[ks](self)
    except Exception:
        _explain(_T_abs_, (self, ))
        raise


def op_sign(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sign", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sign[ks](self)
    except Exception:
        _explain(_T_sign, (self, ))
        raise


def sign(input, *, out=None):
    """sign: see torch.sign."""
    if out is not None:
        return _out("sign", out, op_sign(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sign", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sign[ks](input)
    except Exception:
        _explain(_T_sign, (input, ))
        raise


def op_sign_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sign_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sign_[ks](self)
    except Exception:
        _explain(_T_sign_, (self, ))
        raise


def op_sgn(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sgn", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sgn[ks](self)
    except Exception:
        _explain(_T_sgn, (self, ))
        raise


def sgn(input, *, out=None):
    """sgn: see torch.sgn."""
    if out is not None:
        return _out("sgn", out, op_sgn(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sgn", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sgn[ks](input)
    except Exception:
        _explain(_T_sgn, (input, ))
        raise


def op_sgn_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sgn_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sgn_[ks](self)
    except Exception:
        _explain(_T_sgn_, (self, ))
        raise


def op_square(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("square", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_square[ks](self)
    except Exception:
        _explain(_T_square, (self, ))
        raise


def square(input, *, out=None):
    """square: see torch.square."""
    if out is not None:
        return _out("square", out, op_square(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("square", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_square[ks](input)
    except Exception:
        _explain(_T_square, (input, ))
        raise


def op_square_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("square_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_square_[ks](self)
    except Exception:
        _explain(_T_square_, (self, ))
        raise


def op_sqrt(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sqrt", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sqrt[ks](self)
    except Exception:
        _explain(_T_sqrt, (self, ))
        raise


def sqrt(input, *, out=None):
    """sqrt: see torch.sqrt."""
    if out is not None:
        return _out("sqrt", out, op_sqrt(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sqrt", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sqrt[ks](input)
    except Exception:
        _explain(_T_sqrt, (input, ))
        raise


def op_sqrt_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sqrt_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sqrt_[ks](self)
    except Exception:
        _explain(_T_sqrt_, (self, ))
        raise


def op_rsqrt(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("rsqrt", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rsqrt[ks](self)
    except Exception:
        _explain(_T_rsqrt, (self, ))
        raise


def rsqrt(input, *, out=None):
    """rsqrt: see torch.rsqrt."""
    if out is not None:
        return _out("rsqrt", out, op_rsqrt(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("rsqrt", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rsqrt[ks](input)
    except Exception:
        _explain(_T_rsqrt, (input, ))
        raise


def op_rsqrt_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("rsqrt_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rsqrt_[ks](self)
    except Exception:
        _explain(_T_rsqrt_, (self, ))
        raise


def op_reciprocal(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reciprocal", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_reciprocal[ks](self)
    except Exception:
        _explain(_T_reciprocal, (self, ))
        raise


def reciprocal(input, *, out=None):
    """reciprocal: see torch.reciprocal."""
    if out is not None:
        return _out("reciprocal", out, op_reciprocal(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("reciprocal", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_reciprocal[ks](input)
    except Exception:
        _explain(_T_reciprocal, (input, ))
        raise


def op_reciprocal_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("reciprocal_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_reciprocal_[ks](self)
    except Exception:
        _explain(_T_reciprocal_, (self, ))
        raise


def op_exp(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("exp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp[ks](self)
    except Exception:
        _explain(_T_exp, (self, ))
        raise


def exp(input, *, out=None):
    """exp: see torch.exp."""
    if out is not None:
        return _out("exp", out, op_exp(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("exp", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp[ks](input)
    except Exception:
        _explain(_T_exp, (input, ))
        raise


def op_exp_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("exp_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp_[ks](self)
    except Exception:
        _explain(_T_exp_, (self, ))
        raise


def op_exp2(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("exp2", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp2[ks](self)
    except Exception:
        _explain(_T_exp2, (self, ))
        raise


def exp2(input, *, out=None):
    """exp2: see torch.exp2."""
    if out is not None:
        return _out("exp2", out, op_exp2(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("exp2", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp2[ks](input)
    except Exception:
        _explain(_T_exp2, (input, ))
        raise


def op_exp2_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("exp2_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_exp2_[ks](self)
    except Exception:
        _explain(_T_exp2_, (self, ))
        raise


def op_expm1(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("expm1", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_expm1[ks](self)
    except Exception:
        _explain(_T_expm1, (self, ))
        raise


def expm1(input, *, out=None):
    """expm1: see torch.expm1."""
    if out is not None:
        return _out("expm1", out, op_expm1(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("expm1", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_expm1[ks](input)
    except Exception:
        _explain(_T_expm1, (input, ))
        raise


def op_expm1_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("expm1_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_expm1_[ks](self)
    except Exception:
        _explain(_T_expm1_, (self, ))
        raise


def op_log(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log[ks](self)
    except Exception:
        _explain(_T_log, (self, ))
        raise


def log(input, *, out=None):
    """log: see torch.log."""
    if out is not None:
        return _out("log", out, op_log(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("log", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log[ks](input)
    except Exception:
        _explain(_T_log, (input, ))
        raise


def op_log_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log_[ks](self)
    except Exception:
        _explain(_T_log_, (self, ))
        raise


def op_log2(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log2", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log2[ks](self)
    except Exception:
        _explain(_T_log2, (self, ))
        raise


def log2(input, *, out=None):
    """log2: see torch.log2."""
    if out is not None:
        return _out("log2", out, op_log2(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("log2", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log2[ks](input)
    except Exception:
        _explain(_T_log2, (input, ))
        raise


def op_log2_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log2_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log2_[ks](self)
    except Exception:
        _explain(_T_log2_, (self, ))
        raise


def op_log10(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log10", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log10[ks](self)
    except Exception:
        _explain(_T_log10, (self, ))
        raise


def log10(input, *, out=None):
    """log10: see torch.log10."""
    if out is not None:
        return _out("log10", out, op_log10(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("log10", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log10[ks](input)
    except Exception:
        _explain(_T_log10, (input, ))
        raise


def op_log10_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log10_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log10_[ks](self)
    except Exception:
        _explain(_T_log10_, (self, ))
        raise


def op_log1p(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log1p", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log1p[ks](self)
    except Exception:
        _explain(_T_log1p, (self, ))
        raise


def log1p(input, *, out=None):
    """log1p: see torch.log1p."""
    if out is not None:
        return _out("log1p", out, op_log1p(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("log1p", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log1p[ks](input)
    except Exception:
        _explain(_T_log1p, (input, ))
        raise


def op_log1p_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log1p_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_log1p_[ks](self)
    except Exception:
        _explain(_T_log1p_, (self, ))
        raise


def op_sin(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sin", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sin[ks](self)
    except Exception:
        _explain(_T_sin, (self, ))
        raise


def sin(input, *, out=None):
    """sin: see torch.sin."""
    if out is not None:
        return _out("sin", out, op_sin(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sin", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sin[ks](input)
    except Exception:
        _explain(_T_sin, (input, ))
        raise


def op_sin_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sin_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sin_[ks](self)
    except Exception:
        _explain(_T_sin_, (self, ))
        raise


def op_cos(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cos", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cos[ks](self)
    except Exception:
        _explain(_T_cos, (self, ))
        raise


def cos(input, *, out=None):
    """cos: see torch.cos."""
    if out is not None:
        return _out("cos", out, op_cos(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cos", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cos[ks](input)
    except Exception:
        _explain(_T_cos, (input, ))
        raise


def op_cos_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cos_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cos_[ks](self)
    except Exception:
        _explain(_T_cos_, (self, ))
        raise


def op_tan(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tan", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tan[ks](self)
    except Exception:
        _explain(_T_tan, (self, ))
        raise


def tan(input, *, out=None):
    """tan: see torch.tan."""
    if out is not None:
        return _out("tan", out, op_tan(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("tan", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tan[ks](input)
    except Exception:
        _explain(_T_tan, (input, ))
        raise


def op_tan_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tan_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tan_[ks](self)
    except Exception:
        _explain(_T_tan_, (self, ))
        raise


def op_sinh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sinh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinh[ks](self)
    except Exception:
        _explain(_T_sinh, (self, ))
        raise


def sinh(input, *, out=None):
    """sinh: see torch.sinh."""
    if out is not None:
        return _out("sinh", out, op_sinh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sinh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinh[ks](input)
    except Exception:
        _explain(_T_sinh, (input, ))
        raise


def op_sinh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sinh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinh_[ks](self)
    except Exception:
        _explain(_T_sinh_, (self, ))
        raise


def op_cosh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cosh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cosh[ks](self)
    except Exception:
        _explain(_T_cosh, (self, ))
        raise


def cosh(input, *, out=None):
    """cosh: see torch.cosh."""
    if out is not None:
        return _out("cosh", out, op_cosh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cosh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cosh[ks](input)
    except Exception:
        _explain(_T_cosh, (input, ))
        raise


def op_cosh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cosh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_cosh_[ks](self)
    except Exception:
        _explain(_T_cosh_, (self, ))
        raise


def op_tanh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tanh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tanh[ks](self)
    except Exception:
        _explain(_T_tanh, (self, ))
        raise


def tanh(input, *, out=None):
    """tanh: see torch.tanh."""
    if out is not None:
        return _out("tanh", out, op_tanh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("tanh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tanh[ks](input)
    except Exception:
        _explain(_T_tanh, (input, ))
        raise


def op_tanh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("tanh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tanh_[ks](self)
    except Exception:
        _explain(_T_tanh_, (self, ))
        raise


def op_asin(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("asin", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asin[ks](self)
    except Exception:
        _explain(_T_asin, (self, ))
        raise


def asin(input, *, out=None):
    """asin: see torch.asin."""
    if out is not None:
        return _out("asin", out, op_asin(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("asin", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asin[ks](input)
    except Exception:
        _explain(_T_asin, (input, ))
        raise


def op_asin_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("asin_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asin_[ks](self)
    except Exception:
        _explain(_T_asin_, (self, ))
        raise


def op_acos(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("acos", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acos[ks](self)
    except Exception:
        _explain(_T_acos, (self, ))
        raise


def acos(input, *, out=None):
    """acos: see torch.acos."""
    if out is not None:
        return _out("acos", out, op_acos(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("acos", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acos[ks](input)
    except Exception:
        _explain(_T_acos, (input, ))
        raise


def op_acos_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("acos_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acos_[ks](self)
    except Exception:
        _explain(_T_acos_, (self, ))
        raise


def op_atan(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("atan", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan[ks](self)
    except Exception:
        _explain(_T_atan, (self, ))
        raise


def atan(input, *, out=None):
    """atan: see torch.atan."""
    if out is not None:
        return _out("atan", out, op_atan(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("atan", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan[ks](input)
    except Exception:
        _explain(_T_atan, (input, ))
        raise


def op_atan_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("atan_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atan_[ks](self)
    except Exception:
        _explain(_T_atan_, (self, ))
        raise


def op_asinh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("asinh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asinh[ks](self)
    except Exception:
        _explain(_T_asinh, (self, ))
        raise


def asinh(input, *, out=None):
    """asinh: see torch.asinh."""
    if out is not None:
        return _out("asinh", out, op_asinh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("asinh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asinh[ks](input)
    except Exception:
        _explain(_T_asinh, (input, ))
        raise


def op_asinh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("asinh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_asinh_[ks](self)
    except Exception:
        _explain(_T_asinh_, (self, ))
        raise


def op_acosh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("acosh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acosh[ks](self)
    except Exception:
        _explain(_T_acosh, (self, ))
        raise


def acosh(input, *, out=None):
    """acosh: see torch.acosh."""
    if out is not None:
        return _out("acosh", out, op_acosh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("acosh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acosh[ks](input)
    except Exception:
        _explain(_T_acosh, (input, ))
        raise


def op_acosh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("acosh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_acosh_[ks](self)
    except Exception:
        _explain(_T_acosh_, (self, ))
        raise


def op_atanh(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("atanh", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atanh[ks](self)
    except Exception:
        _explain(_T_atanh, (self, ))
        raise


def atanh(input, *, out=None):
    """atanh: see torch.atanh."""
    if out is not None:
        return _out("atanh", out, op_atanh(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("atanh", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atanh[ks](input)
    except Exception:
        _explain(_T_atanh, (input, ))
        raise


def op_atanh_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("atanh_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_atanh_[ks](self)
    except Exception:
        _explain(_T_atanh_, (self, ))
        raise


def op_erf(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erf", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erf[ks](self)
    except Exception:
        _explain(_T_erf, (self, ))
        raise


def erf(input, *, out=None):
    """erf: see torch.erf."""
    if out is not None:
        return _out("erf", out, op_erf(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("erf", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erf[ks](input)
    except Exception:
        _explain(_T_erf, (input, ))
        raise


def op_erf_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erf_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erf_[ks](self)
    except Exception:
        _explain(_T_erf_, (self, ))
        raise


def op_erfc(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erfc", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfc[ks](self)
    except Exception:
        _explain(_T_erfc, (self, ))
        raise


def erfc(input, *, out=None):
    """erfc: see torch.erfc."""
    if out is not None:
        return _out("erfc", out, op_erfc(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("erfc", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfc[ks](input)
    except Exception:
        _explain(_T_erfc, (input, ))
        raise


def op_erfc_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erfc_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfc_[ks](self)
    except Exception:
        _explain(_T_erfc_, (self, ))
        raise


def op_erfinv(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erfinv", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfinv[ks](self)
    except Exception:
        _explain(_T_erfinv, (self, ))
        raise


def erfinv(input, *, out=None):
    """erfinv: see torch.erfinv."""
    if out is not None:
        return _out("erfinv", out, op_erfinv(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("erfinv", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfinv[ks](input)
    except Exception:
        _explain(_T_erfinv, (input, ))
        raise


def op_erfinv_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("erfinv_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_erfinv_[ks](self)
    except Exception:
        _explain(_T_erfinv_, (self, ))
        raise


def op_lgamma(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("lgamma", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lgamma[ks](self)
    except Exception:
        _explain(_T_lgamma, (self, ))
        raise


def lgamma(input, *, out=None):
    """lgamma: see torch.lgamma."""
    if out is not None:
        return _out("lgamma", out, op_lgamma(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("lgamma", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lgamma[ks](input)
    except Exception:
        _explain(_T_lgamma, (input, ))
        raise


def op_lgamma_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("lgamma_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lgamma_[ks](self)
    except Exception:
        _explain(_T_lgamma_, (self, ))
        raise


def op_digamma(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("digamma", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_digamma[ks](self)
    except Exception:
        _explain(_T_digamma, (self, ))
        raise


def digamma(input, *, out=None):
    """digamma: see torch.digamma."""
    if out is not None:
        return _out("digamma", out, op_digamma(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("digamma", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_digamma[ks](input)
    except Exception:
        _explain(_T_digamma, (input, ))
        raise


def op_digamma_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("digamma_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_digamma_[ks](self)
    except Exception:
        _explain(_T_digamma_, (self, ))
        raise


def op_i0(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("i0", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_i0[ks](self)
    except Exception:
        _explain(_T_i0, (self, ))
        raise


def i0(input, *, out=None):
    """i0: see torch.i0."""
    if out is not None:
        return _out("i0", out, op_i0(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("i0", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_i0[ks](input)
    except Exception:
        _explain(_T_i0, (input, ))
        raise


def op_i0_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("i0_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_i0_[ks](self)
    except Exception:
        _explain(_T_i0_, (self, ))
        raise


def op_sinc(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sinc", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinc[ks](self)
    except Exception:
        _explain(_T_sinc, (self, ))
        raise


def sinc(input, *, out=None):
    """sinc: see torch.sinc."""
    if out is not None:
        return _out("sinc", out, op_sinc(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sinc", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinc[ks](input)
    except Exception:
        _explain(_T_sinc, (input, ))
        raise


def op_sinc_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sinc_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sinc_[ks](self)
    except Exception:
        _explain(_T_sinc_, (self, ))
        raise


def op_sigmoid(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sigmoid", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sigmoid[ks](self)
    except Exception:
        _explain(_T_sigmoid, (self, ))
        raise


def sigmoid(input, *, out=None):
    """sigmoid: see torch.sigmoid."""
    if out is not None:
        return _out("sigmoid", out, op_sigmoid(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("sigmoid", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sigmoid[ks](input)
    except Exception:
        _explain(_T_sigmoid, (input, ))
        raise


def op_sigmoid_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sigmoid_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sigmoid_[ks](self)
    except Exception:
        _explain(_T_sigmoid_, (self, ))
        raise


def op_relu(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("relu", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_relu[ks](self)
    except Exception:
        _explain(_T_relu, (self, ))
        raise


def relu(input):
    """relu: see torch.relu."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("relu", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_relu[ks](input)
    except Exception:
        _explain(_T_relu, (input, ))
        raise


def op_relu_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("relu_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_relu_[ks](self)
    except Exception:
        _explain(_T_relu_, (self, ))
        raise


def op_floor(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("floor", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor[ks](self)
    except Exception:
        _explain(_T_floor, (self, ))
        raise


def floor(input, *, out=None):
    """floor: see torch.floor."""
    if out is not None:
        return _out("floor", out, op_floor(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("floor", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor[ks](input)
    except Exception:
        _explain(_T_floor, (input, ))
        raise


def op_floor_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("floor_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_floor_[ks](self)
    except Exception:
        _explain(_T_floor_, (self, ))
        raise


def op_ceil(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("ceil", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ceil[ks](self)
    except Exception:
        _explain(_T_ceil, (self, ))
        raise


def ceil(input, *, out=None):
    """ceil: see torch.ceil."""
    if out is not None:
        return _out("ceil", out, op_ceil(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("ceil", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ceil[ks](input)
    except Exception:
        _explain(_T_ceil, (input, ))
        raise


def op_ceil_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("ceil_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ceil_[ks](self)
    except Exception:
        _explain(_T_ceil_, (self, ))
        raise


def op_trunc(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("trunc", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_trunc[ks](self)
    except Exception:
        _explain(_T_trunc, (self, ))
        raise


def trunc(input, *, out=None):
    """trunc: see torch.trunc."""
    if out is not None:
        return _out("trunc", out, op_trunc(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("trunc", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_trunc[ks](input)
    except Exception:
        _explain(_T_trunc, (input, ))
        raise


def op_trunc_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("trunc_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_trunc_[ks](self)
    except Exception:
        _explain(_T_trunc_, (self, ))
        raise


def op_round_decimals(self, *, decimals=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("round", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if decimals == 0:
            return _T_round_decimals[ks](self)
        if decimals.__class__ is not int:
            decimals = _as_int("round", "decimals", decimals)
        return _T_round_decimals[ks](self, decimals=decimals)
    except Exception:
        _explain(_T_round_decimals, (self, decimals, ))
        raise


def round(input, *, decimals=0, out=None):
    """round: see torch.round."""
    if out is not None:
        return _out("round", out, op_round_decimals(input, decimals=decimals), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("round", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if decimals == 0:
            return _T_round_decimals[ks](input)
        if decimals.__class__ is not int:
            decimals = _as_int("round", "decimals", decimals)
        return _T_round_decimals[ks](input, decimals=decimals)
    except Exception:
        _explain(_T_round_decimals, (input, decimals, ))
        raise


def op_round__decimals(self, *, decimals=0):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("round_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if decimals == 0:
            return _T_round__decimals[ks](self)
        if decimals.__class__ is not int:
            decimals = _as_int("round_", "decimals", decimals)
        return _T_round__decimals[ks](self, decimals=decimals)
    except Exception:
        _explain(_T_round__decimals, (self, decimals, ))
        raise


def op_frac(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("frac", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_frac[ks](self)
    except Exception:
        _explain(_T_frac, (self, ))
        raise


def frac(input, *, out=None):
    """frac: see torch.frac."""
    if out is not None:
        return _out("frac", out, op_frac(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("frac", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_frac[ks](input)
    except Exception:
        _explain(_T_frac, (input, ))
        raise


def op_frac_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("frac_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_frac_[ks](self)
    except Exception:
        _explain(_T_frac_, (self, ))
        raise


def op_deg2rad(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("deg2rad", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_deg2rad[ks](self)
    except Exception:
        _explain(_T_deg2rad, (self, ))
        raise


def deg2rad(input, *, out=None):
    """deg2rad: see torch.deg2rad."""
    if out is not None:
        return _out("deg2rad", out, op_deg2rad(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("deg2rad", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_deg2rad[ks](input)
    except Exception:
        _explain(_T_deg2rad, (input, ))
        raise


def op_deg2rad_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("deg2rad_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_deg2rad_[ks](self)
    except Exception:
        _explain(_T_deg2rad_, (self, ))
        raise


def op_rad2deg(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("rad2deg", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rad2deg[ks](self)
    except Exception:
        _explain(_T_rad2deg, (self, ))
        raise


def rad2deg(input, *, out=None):
    """rad2deg: see torch.rad2deg."""
    if out is not None:
        return _out("rad2deg", out, op_rad2deg(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("rad2deg", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rad2deg[ks](input)
    except Exception:
        _explain(_T_rad2deg, (input, ))
        raise


def op_rad2deg_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("rad2deg_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_rad2deg_[ks](self)
    except Exception:
        _explain(_T_rad2deg_, (self, ))
        raise


def op_logit(self, eps=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logit", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if eps is not None and eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("logit", "eps", eps)
    try:
        return _T_logit[ks](self, eps)
    except Exception:
        _explain(_T_logit, (self, eps, ))
        raise


def logit(input, eps=None, *, out=None):
    """logit: see torch.logit."""
    if out is not None:
        return _out("logit", out, op_logit(input, eps), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logit", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if eps is not None and eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("logit", "eps", eps)
    try:
        return _T_logit[ks](input, eps)
    except Exception:
        _explain(_T_logit, (input, eps, ))
        raise


def op_logit_(self, eps=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logit_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if eps is not None and eps.__class__ is not float and eps.__class__ is not int:
        eps = _as_float("logit_", "eps", eps)
    try:
        return _T_logit_[ks](self, eps)
    except Exception:
        _explain(_T_logit_, (self, eps, ))
        raise


def op_nan_to_num(self, nan=None, posinf=None, neginf=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nan_to_num", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if nan is not None and nan.__class__ is not float and nan.__class__ is not int:
        nan = _as_float("nan_to_num", "nan", nan)
    if posinf is not None and posinf.__class__ is not float and posinf.__class__ is not int:
        posinf = _as_float("nan_to_num", "posinf", posinf)
    if neginf is not None and neginf.__class__ is not float and neginf.__class__ is not int:
        neginf = _as_float("nan_to_num", "neginf", neginf)
    try:
        return _T_nan_to_num[ks](self, nan, posinf, neginf)
    except Exception:
        _explain(_T_nan_to_num, (self, nan, posinf, neginf, ))
        raise


def nan_to_num(input, nan=None, posinf=None, neginf=None, *, out=None):
    """nan_to_num: see torch.nan_to_num."""
    if out is not None:
        return _out("nan_to_num", out, op_nan_to_num(input, nan, posinf, neginf), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("nan_to_num", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if nan is not None and nan.__class__ is not float and nan.__class__ is not int:
        nan = _as_float("nan_to_num", "nan", nan)
    if posinf is not None and posinf.__class__ is not float and posinf.__class__ is not int:
        posinf = _as_float("nan_to_num", "posinf", posinf)
    if neginf is not None and neginf.__class__ is not float and neginf.__class__ is not int:
        neginf = _as_float("nan_to_num", "neginf", neginf)
    try:
        return _T_nan_to_num[ks](input, nan, posinf, neginf)
    except Exception:
        _explain(_T_nan_to_num, (input, nan, posinf, neginf, ))
        raise


def op_nan_to_num_(self, nan=None, posinf=None, neginf=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nan_to_num_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if nan is not None and nan.__class__ is not float and nan.__class__ is not int:
        nan = _as_float("nan_to_num_", "nan", nan)
    if posinf is not None and posinf.__class__ is not float and posinf.__class__ is not int:
        posinf = _as_float("nan_to_num_", "posinf", posinf)
    if neginf is not None and neginf.__class__ is not float and neginf.__class__ is not int:
        neginf = _as_float("nan_to_num_", "neginf", neginf)
    try:
        return _T_nan_to_num_[ks](self, nan, posinf, neginf)
    except Exception:
        _explain(_T_nan_to_num_, (self, nan, posinf, neginf, ))
        raise


def op_clamp(self, min=None, max=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("clamp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min is not None and min.__class__ is not float and min.__class__ is not int:
        min = _as_number("clamp", "min", min)
    if max is not None and max.__class__ is not float and max.__class__ is not int:
        max = _as_number("clamp", "max", max)
    try:
        return _T_clamp[ks](self, min, max)
    except Exception:
        _explain(_T_clamp, (self, min, max, ))
        raise


def op_clamp_(self, min=None, max=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("clamp_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if min is not None and min.__class__ is not float and min.__class__ is not int:
        min = _as_number("clamp_", "min", min)
    if max is not None and max.__class__ is not float and max.__class__ is not int:
        max = _as_number("clamp_", "max", max)
    try:
        return _T_clamp_[ks](self, min, max)
    except Exception:
        _explain(_T_clamp_, (self, min, max, ))
        raise


def op_clamp_Tensor(self, min=None, max=None):
    try:
        ks = self._ks | (0 if min is None else min._ks) | (0 if max is None else max._ks)
    except AttributeError:
        raise _not_tensor("clamp", {"self": self, "min": min, "max": max, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_clamp_Tensor[ks](self, min, max)
    except Exception:
        _explain(_T_clamp_Tensor, (self, min, max, ))
        raise


def op_clamp__Tensor(self, min=None, max=None):
    try:
        ks = self._ks | (0 if min is None else min._ks) | (0 if max is None else max._ks)
    except AttributeError:
        raise _not_tensor("clamp_", {"self": self, "min": min, "max": max, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_clamp__Tensor[ks](self, min, max)
    except Exception:
        _explain(_T_clamp__Tensor, (self, min, max, ))
        raise


def op_lerp_Scalar(self, end, weight):
    try:
        ks = self._ks | end._ks
    except AttributeError:
        raise _not_tensor("lerp", {"self": self, "end": end, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if weight.__class__ is not float and weight.__class__ is not int:
        weight = _as_number("lerp", "weight", weight)
    try:
        return _T_lerp_Scalar[ks](self, end, weight)
    except Exception:
        _explain(_T_lerp_Scalar, (self, end, weight, ))
        raise


def op_lerp__Scalar(self, end, weight):
    try:
        ks = self._ks | end._ks
    except AttributeError:
        raise _not_tensor("lerp_", {"self": self, "end": end, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if weight.__class__ is not float and weight.__class__ is not int:
        weight = _as_number("lerp_", "weight", weight)
    try:
        return _T_lerp__Scalar[ks](self, end, weight)
    except Exception:
        _explain(_T_lerp__Scalar, (self, end, weight, ))
        raise


def op_lerp_Tensor(self, end, weight):
    try:
        ks = self._ks | end._ks | weight._ks
    except AttributeError:
        raise _not_tensor("lerp", {"self": self, "end": end, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lerp_Tensor[ks](self, end, weight)
    except Exception:
        _explain(_T_lerp_Tensor, (self, end, weight, ))
        raise


def op_lerp__Tensor(self, end, weight):
    try:
        ks = self._ks | end._ks | weight._ks
    except AttributeError:
        raise _not_tensor("lerp_", {"self": self, "end": end, "weight": weight, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lerp__Tensor[ks](self, end, weight)
    except Exception:
        _explain(_T_lerp__Tensor, (self, end, weight, ))
        raise


def op_addcmul(self, tensor1, tensor2, *more, value=1):
    if more:
        return _old_form("addcmul", op_addcmul, (self, tensor1, tensor2, *more), ['value'])
    try:
        ks = self._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcmul", {"self": self, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcmul[ks](self, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcmul", "value", value)
        return _T_addcmul[ks](self, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcmul, (self, tensor1, tensor2, value, ))
        raise


def addcmul(input, tensor1, tensor2, *more, value=1, out=None):
    """addcmul: see torch.addcmul."""
    if more:
        return _old_form("addcmul", addcmul, (input, tensor1, tensor2, *more), ['value'], out)
    if out is not None:
        return _out("addcmul", out, op_addcmul(input, tensor1, tensor2, value=value), inputs=(input, tensor1, tensor2, ))
    try:
        ks = input._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcmul", {"input": input, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcmul[ks](input, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcmul", "value", value)
        return _T_addcmul[ks](input, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcmul, (input, tensor1, tensor2, value, ))
        raise


def op_addcmul_(self, tensor1, tensor2, *more, value=1):
    if more:
        return _old_form("addcmul_", op_addcmul_, (self, tensor1, tensor2, *more), ['value'])
    try:
        ks = self._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcmul_", {"self": self, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcmul_[ks](self, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcmul_", "value", value)
        return _T_addcmul_[ks](self, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcmul_, (self, tensor1, tensor2, value, ))
        raise


def op_addcdiv(self, tensor1, tensor2, *more, value=1):
    if more:
        return _old_form("addcdiv", op_addcdiv, (self, tensor1, tensor2, *more), ['value'])
    try:
        ks = self._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcdiv", {"self": self, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcdiv[ks](self, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcdiv", "value", value)
        return _T_addcdiv[ks](self, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcdiv, (self, tensor1, tensor2, value, ))
        raise


def addcdiv(input, tensor1, tensor2, *more, value=1, out=None):
    """addcdiv: see torch.addcdiv."""
    if more:
        return _old_form("addcdiv", addcdiv, (input, tensor1, tensor2, *more), ['value'], out)
    if out is not None:
        return _out("addcdiv", out, op_addcdiv(input, tensor1, tensor2, value=value), inputs=(input, tensor1, tensor2, ))
    try:
        ks = input._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcdiv", {"input": input, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcdiv[ks](input, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcdiv", "value", value)
        return _T_addcdiv[ks](input, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcdiv, (input, tensor1, tensor2, value, ))
        raise


def op_addcdiv_(self, tensor1, tensor2, *more, value=1):
    if more:
        return _old_form("addcdiv_", op_addcdiv_, (self, tensor1, tensor2, *more), ['value'])
    try:
        ks = self._ks | tensor1._ks | tensor2._ks
    except AttributeError:
        raise _not_tensor("addcdiv_", {"self": self, "tensor1": tensor1, "tensor2": tensor2, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if value == 1:
            return _T_addcdiv_[ks](self, tensor1, tensor2)
        if value.__class__ is not float and value.__class__ is not int:
            value = _as_number("addcdiv_", "value", value)
        return _T_addcdiv_[ks](self, tensor1, tensor2, value=value)
    except Exception:
        _explain(_T_addcdiv_, (self, tensor1, tensor2, value, ))
        raise


def op_angle(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("angle", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_angle[ks](self)
    except Exception:
        _explain(_T_angle, (self, ))
        raise


def angle(input, *, out=None):
    """angle: see torch.angle."""
    if out is not None:
        return _out("angle", out, op_angle(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("angle", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_angle[ks](input)
    except Exception:
        _explain(_T_angle, (input, ))
        raise


def op_mvlgamma(self, p):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mvlgamma", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not int:
        p = _as_int("mvlgamma", "p", p)
    try:
        return _T_mvlgamma[ks](self, p)
    except Exception:
        _explain(_T_mvlgamma, (self, p, ))
        raise


def mvlgamma(input, p, *, out=None):
    """mvlgamma: see torch.mvlgamma."""
    if out is not None:
        return _out("mvlgamma", out, op_mvlgamma(input, p), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("mvlgamma", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not int:
        p = _as_int("mvlgamma", "p", p)
    try:
        return _T_mvlgamma[ks](input, p)
    except Exception:
        _explain(_T_mvlgamma, (input, p, ))
        raise


def op_mvlgamma_(self, p):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mvlgamma_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not int:
        p = _as_int("mvlgamma_", "p", p)
    try:
        return _T_mvlgamma_[ks](self, p)
    except Exception:
        _explain(_T_mvlgamma_, (self, p, ))
        raise


def op_polygamma(n, self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("polygamma", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if n.__class__ is not int:
        n = _as_int("polygamma", "n", n)
    try:
        return _T_polygamma[ks](n, self)
    except Exception:
        _explain(_T_polygamma, (n, self, ))
        raise


def polygamma(n, input, *, out=None):
    """polygamma: see torch.polygamma."""
    if out is not None:
        return _out("polygamma", out, op_polygamma(n, input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("polygamma", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if n.__class__ is not int:
        n = _as_int("polygamma", "n", n)
    try:
        return _T_polygamma[ks](n, input)
    except Exception:
        _explain(_T_polygamma, (n, input, ))
        raise


def op_sigmoid_backward(grad_output, output):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("sigmoid_backward", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sigmoid_backward[ks](grad_output, output)
    except Exception:
        _explain(_T_sigmoid_backward, (grad_output, output, ))
        raise


def sigmoid_backward(grad_output, output):
    """sigmoid_backward: see torch.sigmoid_backward."""
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("sigmoid_backward", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_sigmoid_backward[ks](grad_output, output)
    except Exception:
        _explain(_T_sigmoid_backward, (grad_output, output, ))
        raise


def op_tanh_backward(grad_output, output):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("tanh_backward", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tanh_backward[ks](grad_output, output)
    except Exception:
        _explain(_T_tanh_backward, (grad_output, output, ))
        raise


def tanh_backward(grad_output, output):
    """tanh_backward: see torch.tanh_backward."""
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("tanh_backward", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_tanh_backward[ks](grad_output, output)
    except Exception:
        _explain(_T_tanh_backward, (grad_output, output, ))
        raise


def op_threshold_backward(grad_output, self, threshold):
    try:
        ks = grad_output._ks | self._ks
    except AttributeError:
        raise _not_tensor("threshold_backward", {"grad_output": grad_output, "self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("threshold_backward", "threshold", threshold)
    try:
        return _T_threshold_backward[ks](grad_output, self, threshold)
    except Exception:
        _explain(_T_threshold_backward, (grad_output, self, threshold, ))
        raise


def threshold_backward(grad_output, input, threshold):
    """threshold_backward: see torch.threshold_backward."""
    try:
        ks = grad_output._ks | input._ks
    except AttributeError:
        raise _not_tensor("threshold_backward", {"grad_output": grad_output, "input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if threshold.__class__ is not float and threshold.__class__ is not int:
        threshold = _as_number("threshold_backward", "threshold", threshold)
    try:
        return _T_threshold_backward[ks](grad_output, input, threshold)
    except Exception:
        _explain(_T_threshold_backward, (grad_output, input, threshold, ))
        raise


def op_frexp_Tensor(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("frexp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_frexp_Tensor[ks](self)
    except Exception:
        _explain(_T_frexp_Tensor, (self, ))
        raise


def frexp(input, *, out=None):
    """The mantissa in [0.5, 1) and the exponent of two of each element: ``x = mantissa * 2**exponent``."""
    if out is not None:
        return _out("frexp", out, op_frexp_Tensor(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("frexp", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_frexp_Tensor[ks](input)
    except Exception:
        _explain(_T_frexp_Tensor, (input, ))
        raise


METHODS = {
    "add": op_add_Tensor,
    "__add__": __add__,
    "__radd__": __radd__,
    "__iadd__": op_add__Tensor,
    "add_": op_add__Tensor,
    "sub": op_sub_Tensor,
    "subtract": op_sub_Tensor,
    "__sub__": __sub__,
    "__rsub__": __rsub__,
    "__isub__": op_sub__Tensor,
    "sub_": op_sub__Tensor,
    "subtract_": op_sub__Tensor,
    "rsub": op_rsub_Tensor,
    "mul": op_mul_Tensor,
    "multiply": op_mul_Tensor,
    "__mul__": __mul__,
    "__rmul__": __rmul__,
    "__imul__": op_mul__Tensor,
    "mul_": op_mul__Tensor,
    "multiply_": op_mul__Tensor,
    "__truediv__": __truediv__,
    "__rtruediv__": __rtruediv__,
    "__itruediv__": op_div__Tensor,
    "floor_divide": op_floor_divide,
    "__floordiv__": __floordiv__,
    "__rfloordiv__": __rfloordiv__,
    "__ifloordiv__": op_floor_divide_,
    "floor_divide_": op_floor_divide_,
    "remainder": op_remainder_Tensor,
    "__mod__": __mod__,
    "__rmod__": __rmod__,
    "__imod__": op_remainder__Tensor,
    "remainder_": op_remainder__Tensor,
    "fmod": op_fmod_Tensor,
    "fmod_": op_fmod__Tensor,
    "conj_physical": op_conj_physical,
    "conj_physical_": op_conj_physical_,
    "maximum": op_maximum,
    "minimum": op_minimum,
    "fmax": op_fmax,
    "fmin": op_fmin,
    "atan2": op_atan2,
    "arctan2": op_atan2,
    "atan2_": op_atan2_,
    "arctan2_": op_atan2_,
    "hypot": op_hypot,
    "hypot_": op_hypot_,
    "copysign": op_copysign_Tensor,
    "copysign_": op_copysign__Tensor,
    "nextafter": op_nextafter,
    "nextafter_": op_nextafter_,
    "logaddexp": op_logaddexp,
    "logaddexp2": op_logaddexp2,
    "xlogy": op_xlogy_Tensor,
    "xlogy_": op_xlogy__Tensor,
    "ldexp": op_ldexp_Tensor,
    "ldexp_": op_ldexp__Tensor,
    "heaviside": op_heaviside,
    "heaviside_": op_heaviside_,
    "gcd": op_gcd,
    "gcd_": op_gcd_,
    "lcm": op_lcm,
    "lcm_": op_lcm_,
    "neg": op_neg,
    "negative": op_neg,
    "neg_": op_neg_,
    "negative_": op_neg_,
    "positive": op_positive,
    "positive_": op_positive_,
    "abs": op_abs,
    "absolute": op_abs,
    "abs_": op_abs_,
    "absolute_": op_abs_,
    "sign": op_sign,
    "sign_": op_sign_,
    "sgn": op_sgn,
    "sgn_": op_sgn_,
    "square": op_square,
    "square_": op_square_,
    "sqrt": op_sqrt,
    "sqrt_": op_sqrt_,
    "rsqrt": op_rsqrt,
    "rsqrt_": op_rsqrt_,
    "reciprocal": op_reciprocal,
    "reciprocal_": op_reciprocal_,
    "exp": op_exp,
    "exp_": op_exp_,
    "exp2": op_exp2,
    "exp2_": op_exp2_,
    "expm1": op_expm1,
    "expm1_": op_expm1_,
    "log": op_log,
    "log_": op_log_,
    "log2": op_log2,
    "log2_": op_log2_,
    "log10": op_log10,
    "log10_": op_log10_,
    "log1p": op_log1p,
    "log1p_": op_log1p_,
    "sin": op_sin,
    "sin_": op_sin_,
    "cos": op_cos,
    "cos_": op_cos_,
    "tan": op_tan,
    "tan_": op_tan_,
    "sinh": op_sinh,
    "sinh_": op_sinh_,
    "cosh": op_cosh,
    "cosh_": op_cosh_,
    "tanh": op_tanh,
    "tanh_": op_tanh_,
    "asin": op_asin,
    "arcsin": op_asin,
    "asin_": op_asin_,
    "arcsin_": op_asin_,
    "acos": op_acos,
    "arccos": op_acos,
    "acos_": op_acos_,
    "arccos_": op_acos_,
    "atan": op_atan,
    "arctan": op_atan,
    "atan_": op_atan_,
    "arctan_": op_atan_,
    "asinh": op_asinh,
    "arcsinh": op_asinh,
    "asinh_": op_asinh_,
    "arcsinh_": op_asinh_,
    "acosh": op_acosh,
    "arccosh": op_acosh,
    "acosh_": op_acosh_,
    "arccosh_": op_acosh_,
    "atanh": op_atanh,
    "arctanh": op_atanh,
    "atanh_": op_atanh_,
    "arctanh_": op_atanh_,
    "erf": op_erf,
    "erf_": op_erf_,
    "erfc": op_erfc,
    "erfc_": op_erfc_,
    "erfinv": op_erfinv,
    "erfinv_": op_erfinv_,
    "lgamma": op_lgamma,
    "lgamma_": op_lgamma_,
    "digamma": op_digamma,
    "digamma_": op_digamma_,
    "i0": op_i0,
    "i0_": op_i0_,
    "sinc": op_sinc,
    "sinc_": op_sinc_,
    "sigmoid": op_sigmoid,
    "sigmoid_": op_sigmoid_,
    "relu": op_relu,
    "relu_": op_relu_,
    "floor": op_floor,
    "floor_": op_floor_,
    "ceil": op_ceil,
    "ceil_": op_ceil_,
    "trunc": op_trunc,
    "fix": op_trunc,
    "trunc_": op_trunc_,
    "fix_": op_trunc_,
    "round": op_round_decimals,
    "round_": op_round__decimals,
    "frac": op_frac,
    "frac_": op_frac_,
    "deg2rad": op_deg2rad,
    "deg2rad_": op_deg2rad_,
    "rad2deg": op_rad2deg,
    "rad2deg_": op_rad2deg_,
    "logit": op_logit,
    "logit_": op_logit_,
    "nan_to_num": op_nan_to_num,
    "nan_to_num_": op_nan_to_num_,
    "addcmul": op_addcmul,
    "addcmul_": op_addcmul_,
    "addcdiv": op_addcdiv,
    "addcdiv_": op_addcdiv_,
    "angle": op_angle,
    "mvlgamma": op_mvlgamma,
    "mvlgamma_": op_mvlgamma_,
    "frexp": op_frexp_Tensor,
}


FUNCTIONS = {
    "add": add,
    "sub": sub,
    "subtract": sub,
    "rsub": rsub,
    "mul": mul,
    "multiply": mul,
    "floor_divide": floor_divide,
    "remainder": remainder,
    "fmod": fmod,
    "conj_physical": conj_physical,
    "maximum": maximum,
    "minimum": minimum,
    "fmax": fmax,
    "fmin": fmin,
    "atan2": atan2,
    "arctan2": atan2,
    "hypot": hypot,
    "copysign": copysign,
    "nextafter": nextafter,
    "logaddexp": logaddexp,
    "logaddexp2": logaddexp2,
    "xlogy": xlogy,
    "ldexp": ldexp,
    "heaviside": heaviside,
    "gcd": gcd,
    "lcm": lcm,
    "neg": neg,
    "negative": neg,
    "positive": positive,
    "abs": abs,
    "absolute": abs,
    "sign": sign,
    "sgn": sgn,
    "square": square,
    "sqrt": sqrt,
    "rsqrt": rsqrt,
    "reciprocal": reciprocal,
    "exp": exp,
    "exp2": exp2,
    "expm1": expm1,
    "log": log,
    "log2": log2,
    "log10": log10,
    "log1p": log1p,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "asin": asin,
    "arcsin": asin,
    "acos": acos,
    "arccos": acos,
    "atan": atan,
    "arctan": atan,
    "asinh": asinh,
    "arcsinh": asinh,
    "acosh": acosh,
    "arccosh": acosh,
    "atanh": atanh,
    "arctanh": atanh,
    "erf": erf,
    "erfc": erfc,
    "erfinv": erfinv,
    "lgamma": lgamma,
    "digamma": digamma,
    "i0": i0,
    "sinc": sinc,
    "sigmoid": sigmoid,
    "relu": relu,
    "floor": floor,
    "ceil": ceil,
    "trunc": trunc,
    "fix": trunc,
    "round": round,
    "frac": frac,
    "deg2rad": deg2rad,
    "rad2deg": rad2deg,
    "logit": logit,
    "nan_to_num": nan_to_num,
    "addcmul": addcmul,
    "addcdiv": addcdiv,
    "angle": angle,
    "mvlgamma": mvlgamma,
    "polygamma": polygamma,
    "sigmoid_backward": sigmoid_backward,
    "tanh_backward": tanh_backward,
    "threshold_backward": threshold_backward,
    "frexp": frexp,
}
