# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 4787dfbc0afad38a). Do not edit:
# change the source and run `uv run tools/gen.py`.
import numpy as _xp

from lamella.core.runtime import (
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new as _new,
    operand_error as _operand_error,
    record_write as _record,
    recording as _recording,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.pointwise as _k

_u_add_Tensor = _xp.add

_u_add__Tensor = _xp.add

_u_sub_Tensor = _xp.subtract

_u_sub__Tensor = _xp.subtract

_u_mul_Tensor = _xp.multiply

_u_mul__Tensor = _xp.multiply

_u_neg = _xp.negative

_u_neg_ = _xp.negative

_u_exp = _xp.exp

_u_exp_ = _xp.exp


def add_Tensor(self, other, *, alpha=1):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if isinstance(other, _Tensor):
            if d is other._a.dtype and alpha == 1:
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
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def add__Tensor(self, other, *, alpha=1):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            if d is other_._a.dtype and alpha == 1:
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
    if _recording():
        _record(vc)
    return self

add__Tensor.moves_versions = True


def sub_Tensor(self, other, *, alpha=1):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if isinstance(other, _Tensor):
            if d is other._a.dtype and alpha == 1:
                r = _u_sub_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("sub", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ))
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int) and alpha == 1:
            r = _u_sub_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("sub", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sub", e, self, other) from None
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sub__Tensor(self, other, *, alpha=1):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            if d is other_._a.dtype and alpha == 1:
                _u_sub__Tensor(a, other_._a, a)
            else:
                _elementwise_into("sub_", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ))
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int) and alpha == 1:
            _u_sub__Tensor(a, other_, a)
        else:
            _elementwise_into("sub_", _k.sub_Tensor, _xp, "arith", (self, other, ), (alpha, ))
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("sub_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sub_"
    if _recording():
        _record(vc)
    return self

sub__Tensor.moves_versions = True


def mul_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if isinstance(other, _Tensor):
            if d is other._a.dtype:
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
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
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
            if d is other_._a.dtype:
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
    if _recording():
        _record(vc)
    return self

mul__Tensor.moves_versions = True


def neg(self):
    a = self._a
    d = a.dtype
    if True:
        r = _u_neg(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        r = _elementwise("neg", _u_neg, None, "arith", (self, ), ())
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def neg_(self):
    a = self._a
    d = a.dtype
    if d is _F32 or d is _F64:
        _u_neg_(a, a)
    else:
        _elementwise_into("neg_", _u_neg_, None, "arith", (self, ), ())
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "neg_"
    if _recording():
        _record(vc)
    return self

neg_.moves_versions = True


def exp(self):
    a = self._a
    d = a.dtype
    if d is _F32 or d is _F64:
        r = _u_exp(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        r = _elementwise("exp", _u_exp, None, "float", (self, ), ())
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def exp_(self):
    a = self._a
    d = a.dtype
    if d is _F32 or d is _F64:
        _u_exp_(a, a)
    else:
        _elementwise_into("exp_", _u_exp_, None, "float", (self, ), ())
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "exp_"
    if _recording():
        _record(vc)
    return self

exp_.moves_versions = True


def sigmoid(self):
    a = self._a
    d = a.dtype
    if d is _F32 or d is _F64:
        r = _k.sigmoid(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        r = _elementwise("sigmoid", _k.sigmoid, _xp, "float", (self, ), ())
    t = _new(_Tensor)
    t._a = r
    t._ks = 1
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sigmoid_(self):
    a = self._a
    _elementwise_into("sigmoid_", _k.sigmoid, _xp, "float", (self, ), ())
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "sigmoid_"
    if _recording():
        _record(vc)
    return self

sigmoid_.moves_versions = True
