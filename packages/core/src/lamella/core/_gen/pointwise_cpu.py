# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 8a5b88971c91d257). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.pointwise as _k

_KS = 1  # of new tensors

_u_add_Tensor = _xp.add

_u_add__Tensor = _xp.add

_u_sub_Tensor = _xp.subtract

_u_sub__Tensor = _xp.subtract

_u_mul_Tensor = _xp.multiply

_u_mul__Tensor = _xp.multiply

_u_div_Tensor = _xp.true_divide

_u_div__Tensor = _xp.true_divide

_u_maximum = _xp.maximum

_u_minimum = _xp.minimum

_u_fmax = _xp.fmax

_u_fmin = _xp.fmin

_u_atan2 = _xp.arctan2

_u_atan2_ = _xp.arctan2

_u_copysign_Tensor = _xp.copysign

_u_copysign__Tensor = _xp.copysign

_u_nextafter = _xp.nextafter

_u_nextafter_ = _xp.nextafter

_u_gcd = _xp.gcd

_u_gcd_ = _xp.gcd

_u_lcm = _xp.lcm

_u_lcm_ = _xp.lcm

_u_neg = _xp.negative

_u_neg_ = _xp.negative

_u_positive = _xp.positive

_u_positive_ = _xp.positive

_u_sqrt = _xp.sqrt

_u_sqrt_ = _xp.sqrt

_u_exp = _xp.exp

_u_exp_ = _xp.exp

_u_exp2 = _xp.exp2

_u_exp2_ = _xp.exp2

_u_expm1 = _xp.expm1

_u_expm1_ = _xp.expm1

_u_log = _xp.log

_u_log_ = _xp.log

_u_log2 = _xp.log2

_u_log2_ = _xp.log2

_u_log10 = _xp.log10

_u_log10_ = _xp.log10

_u_log1p = _xp.log1p

_u_log1p_ = _xp.log1p

_u_sin = _xp.sin

_u_sin_ = _xp.sin

_u_cos = _xp.cos

_u_cos_ = _xp.cos

_u_tan = _xp.tan

_u_tan_ = _xp.tan

_u_sinh = _xp.sinh

_u_sinh_ = _xp.sinh

_u_cosh = _xp.cosh

_u_cosh_ = _xp.cosh

_u_tanh = _xp.tanh

_u_tanh_ = _xp.tanh

_u_asin = _xp.arcsin

_u_asin_ = _xp.arcsin

_u_acos = _xp.arccos

_u_acos_ = _xp.arccos

_u_atan = _xp.arctan

_u_atan_ = _xp.arctan

_u_asinh = _xp.arcsinh

_u_asinh_ = _xp.arcsinh

_u_acosh = _xp.arccosh

_u_acosh_ = _xp.arccosh

_u_atanh = _xp.arctanh

_u_atanh_ = _xp.arctanh

_u_floor = _xp.floor

_u_floor_ = _xp.floor

_u_ceil = _xp.ceil

_u_ceil_ = _xp.ceil

_u_trunc = _xp.trunc

_u_trunc_ = _xp.trunc

_R_frexp_Tensor = _return_type("frexp", ("mantissa", "exponent", ))


def add_Tensor(self, other, alpha=1):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256) and alpha == 1:
                r = _u_add_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("add", _k.add_Tensor, _xp, "arith", (self, other, ), (alpha, ))
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int) and alpha == 1:
            r = _u_add_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("add", _k.add_Tensor, _xp, "arith", (self, other, ), (alpha, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("add", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def add__Tensor(self, other, alpha=1):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("add_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256) and alpha == 1:
                _u_add__Tensor(a, other_._a, a)
            else:
                _elementwise_into("add_", _k.add_Tensor, _xp, "arith", (self, other, ), (alpha, ))
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int) and alpha == 1:
            _u_add__Tensor(a, other_, a)
        else:
            _elementwise_into("add_", _k.add_Tensor, _xp, "arith", (self, other, ), (alpha, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("add_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "add_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

add__Tensor.moves_versions = True


def sub_Tensor(self, other, alpha=1):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64) and alpha == 1:
                r = _u_sub_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("sub", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int) and alpha == 1:
            r = _u_sub_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("sub", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sub", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sub__Tensor(self, other, alpha=1):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("sub_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64) and alpha == 1:
                _u_sub__Tensor(a, other_._a, a)
            else:
                _elementwise_into("sub_", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int) and alpha == 1:
            _u_sub__Tensor(a, other_, a)
        else:
            _elementwise_into("sub_", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sub_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sub_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sub__Tensor.moves_versions = True


def rsub_Tensor(self, other, alpha=1):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.rsub_Tensor(_xp, a, other._a, alpha)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("rsub", _k.rsub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.rsub_Tensor(_xp, a, other, alpha)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("rsub", _k.rsub_Tensor, _xp, "arith", (self, other, ), (alpha, ), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("rsub", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mul_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_mul_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("mul", _u_mul_Tensor, None, "arith", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_mul_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("mul", _u_mul_Tensor, None, "arith", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("mul", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mul__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("mul_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_mul__Tensor(a, other_._a, a)
            else:
                _elementwise_into("mul_", _u_mul__Tensor, None, "arith", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_mul__Tensor(a, other_, a)
        else:
            _elementwise_into("mul_", _u_mul__Tensor, None, "arith", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("mul_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "mul_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

mul__Tensor.moves_versions = True


def div_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_div_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("div", _u_div_Tensor, None, "float", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_div_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("div", _u_div_Tensor, None, "float", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("div", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def div__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("div_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_div__Tensor(a, other_._a, a)
            else:
                _elementwise_into("div_", _u_div__Tensor, None, "float", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_div__Tensor(a, other_, a)
        else:
            _elementwise_into("div_", _u_div__Tensor, None, "float", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("div_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "div_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

div__Tensor.moves_versions = True


def div_Tensor_mode(self, other, rounding_mode):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.div_Tensor_mode(_xp, a, other._a, rounding_mode)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("div", _k.div_Tensor_mode, _xp, "arith", (self, other, ), (rounding_mode, ), "bc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.div_Tensor_mode(_xp, a, other, rounding_mode)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("div", _k.div_Tensor_mode, _xp, "arith", (self, other, ), (rounding_mode, ), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("div", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def div__Tensor_mode(self, other, rounding_mode):
    a = self._a
    try:
        _elementwise_into("div_", _k.div_Tensor_mode, _xp, "arith", (self, other, ), (rounding_mode, ), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("div_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "div_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

div__Tensor_mode.moves_versions = True


def floor_divide(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.floor_divide(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("floor_divide", _k.floor_divide, _xp, "arith", (self, other, ), (), "bc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.floor_divide(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("floor_divide", _k.floor_divide, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("floor_divide", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def floor_divide_(self, other):
    a = self._a
    try:
        _elementwise_into("floor_divide_", _k.floor_divide, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("floor_divide_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "floor_divide_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

floor_divide_.moves_versions = True


def remainder_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.remainder_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("remainder", _k.remainder_Tensor, _xp, "arith", (self, other, ), (), "bc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.remainder_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("remainder", _k.remainder_Tensor, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("remainder", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def remainder__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("remainder_", _k.remainder_Tensor, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("remainder_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "remainder_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

remainder__Tensor.moves_versions = True


def fmod_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.fmod_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("fmod", _k.fmod_Tensor, _xp, "arith", (self, other, ), (), "bc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.fmod_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("fmod", _k.fmod_Tensor, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("fmod", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def fmod__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("fmod_", _k.fmod_Tensor, _xp, "arith", (self, other, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("fmod_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "fmod_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

fmod__Tensor.moves_versions = True


def pow_Tensor_Tensor(self, exponent):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if exponent.__class__ is _Tensor or isinstance(exponent, _Tensor):
            if d is exponent._a.dtype and (d is _F32 or d is _F64):
                r = _k.pow_Tensor_Tensor(_xp, a, exponent._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("pow", _k.pow_Tensor_Tensor, _xp, "arith", (self, exponent, ), (), "b")
        elif (d is _F32 or d is _F64) and (exponent.__class__ is float or exponent.__class__ is int):
            r = _k.pow_Tensor_Tensor(_xp, a, exponent)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("pow", _k.pow_Tensor_Tensor, _xp, "arith", (self, exponent, ), (), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("pow", e, self, exponent) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def pow__Tensor_Tensor(self, exponent):
    a = self._a
    try:
        _elementwise_into("pow_", _k.pow_Tensor_Tensor, _xp, "arith", (self, exponent, ), (), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("pow_", e, self, exponent) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "pow_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

pow__Tensor_Tensor.moves_versions = True


def pow_Tensor_Scalar(self, exponent):
    r = _k.pow_Tensor_Scalar(_xp, self._a, exponent)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def pow__Tensor_Scalar(self, exponent):
    r = _k.pow_Tensor_Scalar(_xp, self._a, exponent)
    _write_back("pow_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "pow_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

pow__Tensor_Scalar.moves_versions = True


def pow_Scalar(self, exponent):
    r = _k.pow_Scalar(_xp, self, exponent._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def conj_physical(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.conj_physical(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("conj_physical", _k.conj_physical, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("conj_physical", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def conj_physical_(self):
    a = self._a
    try:
        _elementwise_into("conj_physical_", _k.conj_physical, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("conj_physical_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "conj_physical_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

conj_physical_.moves_versions = True


def maximum(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_maximum(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("maximum", _u_maximum, None, "arith", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_maximum(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("maximum", _u_maximum, None, "arith", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("maximum", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def minimum(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_minimum(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("minimum", _u_minimum, None, "arith", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_minimum(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("minimum", _u_minimum, None, "arith", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("minimum", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def fmax(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_fmax(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("fmax", _u_fmax, None, "arith", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_fmax(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("fmax", _u_fmax, None, "arith", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("fmax", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def fmin(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_fmin(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("fmin", _u_fmin, None, "arith", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_fmin(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("fmin", _u_fmin, None, "arith", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("fmin", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def atan2(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_atan2(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("atan2", _u_atan2, None, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_atan2(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("atan2", _u_atan2, None, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("atan2", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def atan2_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("atan2_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_atan2_(a, other_._a, a)
            else:
                _elementwise_into("atan2_", _u_atan2_, None, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_atan2_(a, other_, a)
        else:
            _elementwise_into("atan2_", _u_atan2_, None, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("atan2_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "atan2_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

atan2_.moves_versions = True


def hypot(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.hypot(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("hypot", _k.hypot, _xp, "arith", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.hypot(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("hypot", _k.hypot, _xp, "arith", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hypot", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def hypot_(self, other):
    a = self._a
    try:
        _elementwise_into("hypot_", _k.hypot, _xp, "arith", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("hypot_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "hypot_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

hypot_.moves_versions = True


def copysign_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_copysign_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("copysign", _u_copysign_Tensor, None, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_copysign_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("copysign", _u_copysign_Tensor, None, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("copysign", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def copysign__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("copysign_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_copysign__Tensor(a, other_._a, a)
            else:
                _elementwise_into("copysign_", _u_copysign__Tensor, None, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_copysign__Tensor(a, other_, a)
        else:
            _elementwise_into("copysign_", _u_copysign__Tensor, None, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("copysign_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "copysign_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

copysign__Tensor.moves_versions = True


def nextafter(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_nextafter(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("nextafter", _u_nextafter, None, "exact", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_nextafter(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("nextafter", _u_nextafter, None, "exact", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("nextafter", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nextafter_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("nextafter_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_nextafter_(a, other_._a, a)
            else:
                _elementwise_into("nextafter_", _u_nextafter_, None, "exact", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_nextafter_(a, other_, a)
        else:
            _elementwise_into("nextafter_", _u_nextafter_, None, "exact", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("nextafter_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "nextafter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

nextafter_.moves_versions = True


def logaddexp(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.logaddexp(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("logaddexp", _k.logaddexp, _xp, "float", (self, other, ), (), "biu")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.logaddexp(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("logaddexp", _k.logaddexp, _xp, "float", (self, other, ), (), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logaddexp", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logaddexp2(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.logaddexp2(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("logaddexp2", _k.logaddexp2, _xp, "float", (self, other, ), (), "biuc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.logaddexp2(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("logaddexp2", _k.logaddexp2, _xp, "float", (self, other, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logaddexp2", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def xlogy_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.xlogy_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("xlogy", _k.xlogy_Tensor, _xp, "float", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.xlogy_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("xlogy", _k.xlogy_Tensor, _xp, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("xlogy", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def xlogy__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("xlogy_", _k.xlogy_Tensor, _xp, "float", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("xlogy_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "xlogy_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

xlogy__Tensor.moves_versions = True


def ldexp_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.ldexp_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("ldexp", _k.ldexp_Tensor, _xp, "float", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.ldexp_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("ldexp", _k.ldexp_Tensor, _xp, "float", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ldexp", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def ldexp__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("ldexp_", _k.ldexp_Tensor, _xp, "float", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ldexp_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "ldexp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

ldexp__Tensor.moves_versions = True


def heaviside(self, values):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if values.__class__ is _Tensor or isinstance(values, _Tensor):
            if d is values._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.heaviside(_xp, a, values._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("heaviside", _k.heaviside, _xp, "none", (self, values, ), ())
        elif (d is _F32 or d is _F64) and (values.__class__ is float or values.__class__ is int):
            r = _k.heaviside(_xp, a, values)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("heaviside", _k.heaviside, _xp, "none", (self, values, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("heaviside", e, self, values) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def heaviside_(self, values):
    a = self._a
    try:
        _elementwise_into("heaviside_", _k.heaviside, _xp, "none", (self, values, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("heaviside_", e, self, values) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "heaviside_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

heaviside_.moves_versions = True


def gcd(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_gcd(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("gcd", _u_gcd, None, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_gcd(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("gcd", _u_gcd, None, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("gcd", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def gcd_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("gcd_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_gcd_(a, other_._a, a)
            else:
                _elementwise_into("gcd_", _u_gcd_, None, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_gcd_(a, other_, a)
        else:
            _elementwise_into("gcd_", _u_gcd_, None, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("gcd_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "gcd_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

gcd_.moves_versions = True


def lcm(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_lcm(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("lcm", _u_lcm, None, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_lcm(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("lcm", _u_lcm, None, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lcm", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def lcm_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("lcm_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_lcm_(a, other_._a, a)
            else:
                _elementwise_into("lcm_", _u_lcm_, None, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_lcm_(a, other_, a)
        else:
            _elementwise_into("lcm_", _u_lcm_, None, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lcm_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "lcm_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

lcm_.moves_versions = True


def neg(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_neg(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("neg", _u_neg, None, "arith", (self, ), (), "b")
        except TypeError as e:
            raise _operand_error("neg", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def neg_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_neg_(a, a)
        else:
            _elementwise_into("neg_", _u_neg_, None, "arith", (self, ), (), "b")
    except (TypeError, ValueError) as e:
        raise _operand_error("neg_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "neg_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

neg_.moves_versions = True


def positive(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_positive(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("positive", _u_positive, None, "arith", (self, ), (), "b")
        except TypeError as e:
            raise _operand_error("positive", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def positive_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_positive_(a, a)
        else:
            _elementwise_into("positive_", _u_positive_, None, "arith", (self, ), (), "b")
    except (TypeError, ValueError) as e:
        raise _operand_error("positive_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "positive_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

positive_.moves_versions = True


def abs(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.abs(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("abs", _k.abs, _xp, "arith", (self, ), (), "b")
        except TypeError as e:
            raise _operand_error("abs", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def abs_(self):
    a = self._a
    try:
        _elementwise_into("abs_", _k.abs, _xp, "arith", (self, ), (), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("abs_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "abs_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

abs_.moves_versions = True


def sign(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.sign(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sign", _k.sign, _xp, "arith", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("sign", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sign_(self):
    a = self._a
    try:
        _elementwise_into("sign_", _k.sign, _xp, "arith", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sign_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sign_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sign_.moves_versions = True


def sgn(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.sgn(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sgn", _k.sgn, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("sgn", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sgn_(self):
    a = self._a
    try:
        _elementwise_into("sgn_", _k.sgn, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sgn_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sgn_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sgn_.moves_versions = True


def square(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.square(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("square", _k.square, _xp, "arith", (self, ), ())
        except TypeError as e:
            raise _operand_error("square", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def square_(self):
    a = self._a
    try:
        _elementwise_into("square_", _k.square, _xp, "arith", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("square_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "square_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

square_.moves_versions = True


def sqrt(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_sqrt(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sqrt", _u_sqrt, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("sqrt", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sqrt_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_sqrt_(a, a)
        else:
            _elementwise_into("sqrt_", _u_sqrt_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("sqrt_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sqrt_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sqrt_.moves_versions = True


def rsqrt(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.rsqrt(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("rsqrt", _k.rsqrt, _xp, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("rsqrt", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def rsqrt_(self):
    a = self._a
    try:
        _elementwise_into("rsqrt_", _k.rsqrt, _xp, "float", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("rsqrt_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "rsqrt_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

rsqrt_.moves_versions = True


def reciprocal(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.reciprocal(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("reciprocal", _k.reciprocal, _xp, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("reciprocal", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reciprocal_(self):
    a = self._a
    try:
        _elementwise_into("reciprocal_", _k.reciprocal, _xp, "float", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("reciprocal_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "reciprocal_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

reciprocal_.moves_versions = True


def exp(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_exp(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("exp", _u_exp, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("exp", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def exp_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_exp_(a, a)
        else:
            _elementwise_into("exp_", _u_exp_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("exp_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "exp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

exp_.moves_versions = True


def exp2(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_exp2(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("exp2", _u_exp2, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("exp2", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def exp2_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_exp2_(a, a)
        else:
            _elementwise_into("exp2_", _u_exp2_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("exp2_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "exp2_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

exp2_.moves_versions = True


def expm1(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_expm1(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("expm1", _u_expm1, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("expm1", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def expm1_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_expm1_(a, a)
        else:
            _elementwise_into("expm1_", _u_expm1_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("expm1_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "expm1_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

expm1_.moves_versions = True


def log(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_log(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("log", _u_log, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("log", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def log_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_log_(a, a)
        else:
            _elementwise_into("log_", _u_log_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("log_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "log_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

log_.moves_versions = True


def log2(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_log2(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("log2", _u_log2, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("log2", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def log2_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_log2_(a, a)
        else:
            _elementwise_into("log2_", _u_log2_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("log2_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "log2_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

log2_.moves_versions = True


def log10(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_log10(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("log10", _u_log10, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("log10", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def log10_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_log10_(a, a)
        else:
            _elementwise_into("log10_", _u_log10_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("log10_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "log10_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

log10_.moves_versions = True


def log1p(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_log1p(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("log1p", _u_log1p, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("log1p", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def log1p_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_log1p_(a, a)
        else:
            _elementwise_into("log1p_", _u_log1p_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("log1p_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "log1p_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

log1p_.moves_versions = True


def sin(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_sin(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sin", _u_sin, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("sin", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sin_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_sin_(a, a)
        else:
            _elementwise_into("sin_", _u_sin_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("sin_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sin_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sin_.moves_versions = True


def cos(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_cos(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("cos", _u_cos, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("cos", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cos_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_cos_(a, a)
        else:
            _elementwise_into("cos_", _u_cos_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("cos_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "cos_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

cos_.moves_versions = True


def tan(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_tan(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("tan", _u_tan, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("tan", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def tan_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_tan_(a, a)
        else:
            _elementwise_into("tan_", _u_tan_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("tan_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "tan_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

tan_.moves_versions = True


def sinh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_sinh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sinh", _u_sinh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("sinh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sinh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_sinh_(a, a)
        else:
            _elementwise_into("sinh_", _u_sinh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("sinh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sinh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sinh_.moves_versions = True


def cosh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_cosh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("cosh", _u_cosh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("cosh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cosh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_cosh_(a, a)
        else:
            _elementwise_into("cosh_", _u_cosh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("cosh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "cosh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

cosh_.moves_versions = True


def tanh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_tanh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("tanh", _u_tanh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("tanh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def tanh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_tanh_(a, a)
        else:
            _elementwise_into("tanh_", _u_tanh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("tanh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "tanh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

tanh_.moves_versions = True


def asin(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_asin(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("asin", _u_asin, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("asin", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def asin_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_asin_(a, a)
        else:
            _elementwise_into("asin_", _u_asin_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("asin_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "asin_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

asin_.moves_versions = True


def acos(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_acos(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("acos", _u_acos, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("acos", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def acos_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_acos_(a, a)
        else:
            _elementwise_into("acos_", _u_acos_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("acos_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "acos_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

acos_.moves_versions = True


def atan(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_atan(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("atan", _u_atan, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("atan", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def atan_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_atan_(a, a)
        else:
            _elementwise_into("atan_", _u_atan_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("atan_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "atan_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

atan_.moves_versions = True


def asinh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_asinh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("asinh", _u_asinh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("asinh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def asinh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_asinh_(a, a)
        else:
            _elementwise_into("asinh_", _u_asinh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("asinh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "asinh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

asinh_.moves_versions = True


def acosh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_acosh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("acosh", _u_acosh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("acosh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def acosh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_acosh_(a, a)
        else:
            _elementwise_into("acosh_", _u_acosh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("acosh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "acosh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

acosh_.moves_versions = True


def atanh(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_atanh(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("atanh", _u_atanh, None, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("atanh", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def atanh_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_atanh_(a, a)
        else:
            _elementwise_into("atanh_", _u_atanh_, None, "float", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("atanh_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "atanh_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

atanh_.moves_versions = True


def erf(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.erf(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("erf", _k.erf, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("erf", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def erf_(self):
    a = self._a
    try:
        _elementwise_into("erf_", _k.erf, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("erf_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "erf_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

erf_.moves_versions = True


def erfc(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.erfc(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("erfc", _k.erfc, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("erfc", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def erfc_(self):
    a = self._a
    try:
        _elementwise_into("erfc_", _k.erfc, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("erfc_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "erfc_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

erfc_.moves_versions = True


def erfinv(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.erfinv(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("erfinv", _k.erfinv, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("erfinv", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def erfinv_(self):
    a = self._a
    try:
        _elementwise_into("erfinv_", _k.erfinv, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("erfinv_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "erfinv_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

erfinv_.moves_versions = True


def lgamma(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.lgamma(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("lgamma", _k.lgamma, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("lgamma", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def lgamma_(self):
    a = self._a
    try:
        _elementwise_into("lgamma_", _k.lgamma, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lgamma_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "lgamma_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

lgamma_.moves_versions = True


def digamma(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.digamma(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("digamma", _k.digamma, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("digamma", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def digamma_(self):
    a = self._a
    try:
        _elementwise_into("digamma_", _k.digamma, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("digamma_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "digamma_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

digamma_.moves_versions = True


def i0(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.i0(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("i0", _k.i0, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("i0", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def i0_(self):
    a = self._a
    try:
        _elementwise_into("i0_", _k.i0, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("i0_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "i0_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

i0_.moves_versions = True


def sinc(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.sinc(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sinc", _k.sinc, _xp, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("sinc", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sinc_(self):
    a = self._a
    try:
        _elementwise_into("sinc_", _k.sinc, _xp, "float", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sinc_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sinc_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sinc_.moves_versions = True


def sigmoid(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.sigmoid(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("sigmoid", _k.sigmoid, _xp, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("sigmoid", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sigmoid_(self):
    a = self._a
    try:
        _elementwise_into("sigmoid_", _k.sigmoid, _xp, "float", (self, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sigmoid_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sigmoid_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

sigmoid_.moves_versions = True


def relu(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.relu(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("relu", _k.relu, _xp, "arith", (self, ), (), "bc")
        except TypeError as e:
            raise _operand_error("relu", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def relu_(self):
    a = self._a
    try:
        _elementwise_into("relu_", _k.relu, _xp, "arith", (self, ), (), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("relu_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "relu_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

relu_.moves_versions = True


def floor(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_floor(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("floor", _u_floor, None, "arith", (self, ), (), "bc")
        except TypeError as e:
            raise _operand_error("floor", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def floor_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_floor_(a, a)
        else:
            _elementwise_into("floor_", _u_floor_, None, "arith", (self, ), (), "bc")
    except (TypeError, ValueError) as e:
        raise _operand_error("floor_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "floor_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

floor_.moves_versions = True


def ceil(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_ceil(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("ceil", _u_ceil, None, "arith", (self, ), (), "bc")
        except TypeError as e:
            raise _operand_error("ceil", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def ceil_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_ceil_(a, a)
        else:
            _elementwise_into("ceil_", _u_ceil_, None, "arith", (self, ), (), "bc")
    except (TypeError, ValueError) as e:
        raise _operand_error("ceil_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "ceil_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

ceil_.moves_versions = True


def trunc(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_trunc(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("trunc", _u_trunc, None, "arith", (self, ), (), "bc")
        except TypeError as e:
            raise _operand_error("trunc", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def trunc_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_trunc_(a, a)
        else:
            _elementwise_into("trunc_", _u_trunc_, None, "arith", (self, ), (), "bc")
    except (TypeError, ValueError) as e:
        raise _operand_error("trunc_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "trunc_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

trunc_.moves_versions = True


def round_decimals(self, decimals=0):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.round_decimals(_xp, a, decimals)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("round", _k.round_decimals, _xp, "arith", (self, ), (decimals, ), "bc")
        except TypeError as e:
            raise _operand_error("round", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def round__decimals(self, decimals=0):
    a = self._a
    try:
        _elementwise_into("round_", _k.round_decimals, _xp, "arith", (self, ), (decimals, ), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("round_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "round_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

round__decimals.moves_versions = True


def frac(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.frac(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("frac", _k.frac, _xp, "arith", (self, ), (), "biuc")
        except TypeError as e:
            raise _operand_error("frac", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def frac_(self):
    a = self._a
    try:
        _elementwise_into("frac_", _k.frac, _xp, "arith", (self, ), (), "biuc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("frac_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "frac_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

frac_.moves_versions = True


def deg2rad(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.deg2rad(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("deg2rad", _k.deg2rad, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("deg2rad", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def deg2rad_(self):
    a = self._a
    try:
        _elementwise_into("deg2rad_", _k.deg2rad, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("deg2rad_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "deg2rad_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

deg2rad_.moves_versions = True


def rad2deg(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.rad2deg(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("rad2deg", _k.rad2deg, _xp, "float", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("rad2deg", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def rad2deg_(self):
    a = self._a
    try:
        _elementwise_into("rad2deg_", _k.rad2deg, _xp, "float", (self, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("rad2deg_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "rad2deg_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

rad2deg_.moves_versions = True


def logit(self, eps=None):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.logit(_xp, a, eps)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("logit", _k.logit, _xp, "float", (self, ), (eps, ), "c")
        except TypeError as e:
            raise _operand_error("logit", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logit_(self, eps=None):
    a = self._a
    try:
        _elementwise_into("logit_", _k.logit, _xp, "float", (self, ), (eps, ), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logit_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "logit_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

logit_.moves_versions = True


def nan_to_num(self, nan=None, posinf=None, neginf=None):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.nan_to_num(_xp, a, nan, posinf, neginf)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("nan_to_num", _k.nan_to_num, _xp, "exact", (self, ), (nan, posinf, neginf, ))
        except TypeError as e:
            raise _operand_error("nan_to_num", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nan_to_num_(self, nan=None, posinf=None, neginf=None):
    a = self._a
    try:
        _elementwise_into("nan_to_num_", _k.nan_to_num, _xp, "exact", (self, ), (nan, posinf, neginf, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("nan_to_num_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "nan_to_num_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

nan_to_num_.moves_versions = True


def clamp(self, min=None, max=None):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.clamp(_xp, a, min, max)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("clamp", _k.clamp, _xp, "arith", (self, ), (min, max, ), "c")
        except TypeError as e:
            raise _operand_error("clamp", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def clamp_(self, min=None, max=None):
    a = self._a
    try:
        _elementwise_into("clamp_", _k.clamp, _xp, "arith", (self, ), (min, max, ), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("clamp_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "clamp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

clamp_.moves_versions = True


def clamp_Tensor(self, min=None, max=None):
    try:
        r = _elementwise("clamp", _k.clamp_Tensor, _xp, "arith", (self, min, max, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("clamp", e, self, min, max) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def clamp__Tensor(self, min=None, max=None):
    a = self._a
    try:
        _elementwise_into("clamp_", _k.clamp_Tensor, _xp, "arith", (self, min, max, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("clamp_", e, self, min, max) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "clamp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

clamp__Tensor.moves_versions = True


def lerp_Scalar(self, end, weight):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if end.__class__ is _Tensor or isinstance(end, _Tensor):
            if d is end._a.dtype and (d is _F32 or d is _F64):
                r = _k.lerp_Scalar(_xp, a, end._a, weight)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("lerp", _k.lerp_Scalar, _xp, "arith", (self, end, ), (weight, ), "biu")
        elif (d is _F32 or d is _F64) and (end.__class__ is float or end.__class__ is int):
            r = _k.lerp_Scalar(_xp, a, end, weight)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("lerp", _k.lerp_Scalar, _xp, "arith", (self, end, ), (weight, ), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lerp", e, self, end) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def lerp__Scalar(self, end, weight):
    a = self._a
    try:
        _elementwise_into("lerp_", _k.lerp_Scalar, _xp, "arith", (self, end, ), (weight, ), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lerp_", e, self, end) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "lerp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

lerp__Scalar.moves_versions = True


def lerp_Tensor(self, end, weight):
    try:
        r = _elementwise("lerp", _k.lerp_Tensor, _xp, "arith", (self, end, weight, ), (), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lerp", e, self, end, weight) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def lerp__Tensor(self, end, weight):
    a = self._a
    try:
        _elementwise_into("lerp_", _k.lerp_Tensor, _xp, "arith", (self, end, weight, ), (), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lerp_", e, self, end, weight) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "lerp_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

lerp__Tensor.moves_versions = True


def addcmul(self, tensor1, tensor2, value=1):
    try:
        r = _elementwise("addcmul", _k.addcmul, _xp, "arith", (self, tensor1, tensor2, ), (value, ), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("addcmul", e, self, tensor1, tensor2) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addcmul_(self, tensor1, tensor2, value=1):
    a = self._a
    try:
        _elementwise_into("addcmul_", _k.addcmul, _xp, "arith", (self, tensor1, tensor2, ), (value, ), "b")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("addcmul_", e, self, tensor1, tensor2) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addcmul_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addcmul_.moves_versions = True


def addcdiv(self, tensor1, tensor2, value=1):
    try:
        r = _elementwise("addcdiv", _k.addcdiv, _xp, "arith", (self, tensor1, tensor2, ), (value, ), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("addcdiv", e, self, tensor1, tensor2) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addcdiv_(self, tensor1, tensor2, value=1):
    a = self._a
    try:
        _elementwise_into("addcdiv_", _k.addcdiv, _xp, "arith", (self, tensor1, tensor2, ), (value, ), "biu")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("addcdiv_", e, self, tensor1, tensor2) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addcdiv_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addcdiv_.moves_versions = True


def angle(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.angle(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("angle", _k.angle, _xp, "float", (self, ), ())
        except TypeError as e:
            raise _operand_error("angle", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mvlgamma(self, p):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.mvlgamma(_xp, a, p)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("mvlgamma", _k.mvlgamma, _xp, "float", (self, ), (p, ), "bc")
        except TypeError as e:
            raise _operand_error("mvlgamma", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mvlgamma_(self, p):
    a = self._a
    try:
        _elementwise_into("mvlgamma_", _k.mvlgamma, _xp, "float", (self, ), (p, ), "bc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("mvlgamma_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "mvlgamma_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

mvlgamma_.moves_versions = True


def polygamma(n, self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _k.polygamma(_xp, a, n)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("polygamma", _k.polygamma, _xp, "float", (self, ), (n, ), "c")
        except TypeError as e:
            raise _operand_error("polygamma", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sigmoid_backward(grad_output, output):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if output.__class__ is _Tensor or isinstance(output, _Tensor):
            if d is output._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.sigmoid_backward(_xp, a, output._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("sigmoid_backward", _k.sigmoid_backward, _xp, "arith", (grad_output, output, ), ())
        elif (d is _F32 or d is _F64) and (output.__class__ is float or output.__class__ is int):
            r = _k.sigmoid_backward(_xp, a, output)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("sigmoid_backward", _k.sigmoid_backward, _xp, "arith", (grad_output, output, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sigmoid_backward", e, grad_output, output) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def tanh_backward(grad_output, output):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if output.__class__ is _Tensor or isinstance(output, _Tensor):
            if d is output._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.tanh_backward(_xp, a, output._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("tanh_backward", _k.tanh_backward, _xp, "arith", (grad_output, output, ), ())
        elif (d is _F32 or d is _F64) and (output.__class__ is float or output.__class__ is int):
            r = _k.tanh_backward(_xp, a, output)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("tanh_backward", _k.tanh_backward, _xp, "arith", (grad_output, output, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("tanh_backward", e, grad_output, output) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def threshold_backward(grad_output, self, threshold):
    try:
        a = grad_output._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if self.__class__ is _Tensor or isinstance(self, _Tensor):
            if d is self._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _k.threshold_backward(_xp, a, self._a, threshold)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("threshold_backward", _k.threshold_backward, _xp, "arith", (grad_output, self, ), (threshold, ))
        elif (d is _F32 or d is _F64) and (self.__class__ is float or self.__class__ is int):
            r = _k.threshold_backward(_xp, a, self, threshold)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("threshold_backward", _k.threshold_backward, _xp, "arith", (grad_output, self, ), (threshold, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("threshold_backward", e, grad_output, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def frexp_Tensor(self):
    r = _k.frexp_Tensor(_xp, self._a)
    return _R_frexp_Tensor([_wrap_result(x) for x in r])
