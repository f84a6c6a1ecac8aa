# Generated from packages/core/src/lamella/core/ops/comparison.yaml (sha256 3248c2079ba231df). Do not edit:
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
import lamella.core.kernels.comparison as _k

_KS = 1  # of new tensors

_u_eq_Tensor = _xp.equal

_u_eq__Tensor = _xp.equal

_u_ne_Tensor = _xp.not_equal

_u_ne__Tensor = _xp.not_equal

_u_lt_Tensor = _xp.less

_u_lt__Tensor = _xp.less

_u_le_Tensor = _xp.less_equal

_u_le__Tensor = _xp.less_equal

_u_gt_Tensor = _xp.greater

_u_gt__Tensor = _xp.greater

_u_ge_Tensor = _xp.greater_equal

_u_ge__Tensor = _xp.greater_equal

_u_isnan = _xp.isnan

_u_isinf = _xp.isinf

_u_isfinite = _xp.isfinite

_u_isposinf = _xp.isposinf

_u_isneginf = _xp.isneginf

_u_signbit = _xp.signbit

_u_logical_and = _xp.logical_and

_u_logical_and_ = _xp.logical_and

_u_logical_or = _xp.logical_or

_u_logical_or_ = _xp.logical_or

_u_logical_xor = _xp.logical_xor

_u_logical_xor_ = _xp.logical_xor

_u_logical_not = _xp.logical_not

_u_logical_not_ = _xp.logical_not

_u_bitwise_and_Tensor = _xp.bitwise_and

_u_bitwise_and__Tensor = _xp.bitwise_and

_u_bitwise_or_Tensor = _xp.bitwise_or

_u_bitwise_or__Tensor = _xp.bitwise_or

_u_bitwise_xor_Tensor = _xp.bitwise_xor

_u_bitwise_xor__Tensor = _xp.bitwise_xor

_u_bitwise_not = _xp.invert

_u_bitwise_not_ = _xp.invert


def eq_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_eq_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("eq", _u_eq_Tensor, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_eq_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("eq", _u_eq_Tensor, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("eq", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def eq__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("eq_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_eq__Tensor(a, other_._a, a)
            else:
                _elementwise_into("eq_", _u_eq__Tensor, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_eq__Tensor(a, other_, a)
        else:
            _elementwise_into("eq_", _u_eq__Tensor, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("eq_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "eq_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

eq__Tensor.moves_versions = True


def ne_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_ne_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("ne", _u_ne_Tensor, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_ne_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("ne", _u_ne_Tensor, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ne", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def ne__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("ne_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_ne__Tensor(a, other_._a, a)
            else:
                _elementwise_into("ne_", _u_ne__Tensor, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_ne__Tensor(a, other_, a)
        else:
            _elementwise_into("ne_", _u_ne__Tensor, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ne_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "ne_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

ne__Tensor.moves_versions = True


def lt_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_lt_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("lt", _u_lt_Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_lt_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("lt", _u_lt_Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lt", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def lt__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("lt_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_lt__Tensor(a, other_._a, a)
            else:
                _elementwise_into("lt_", _u_lt__Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_lt__Tensor(a, other_, a)
        else:
            _elementwise_into("lt_", _u_lt__Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("lt_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "lt_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

lt__Tensor.moves_versions = True


def le_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_le_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("le", _u_le_Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_le_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("le", _u_le_Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("le", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def le__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("le_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_le__Tensor(a, other_._a, a)
            else:
                _elementwise_into("le_", _u_le__Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_le__Tensor(a, other_, a)
        else:
            _elementwise_into("le_", _u_le__Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("le_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "le_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

le__Tensor.moves_versions = True


def gt_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_gt_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("gt", _u_gt_Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_gt_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("gt", _u_gt_Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("gt", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def gt__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("gt_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_gt__Tensor(a, other_._a, a)
            else:
                _elementwise_into("gt_", _u_gt__Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_gt__Tensor(a, other_, a)
        else:
            _elementwise_into("gt_", _u_gt__Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("gt_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "gt_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

gt__Tensor.moves_versions = True


def ge_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_ge_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("ge", _u_ge_Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_ge_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("ge", _u_ge_Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ge", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def ge__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("ge_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_ge__Tensor(a, other_._a, a)
            else:
                _elementwise_into("ge_", _u_ge__Tensor, None, "compare", (self, other, ), (), "c")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_ge__Tensor(a, other_, a)
        else:
            _elementwise_into("ge_", _u_ge__Tensor, None, "compare", (self, other, ), (), "c")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("ge_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "ge_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

ge__Tensor.moves_versions = True


def isnan(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _u_isnan(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isnan", _u_isnan, None, "compare", (self, ), ())
        except TypeError as e:
            raise _operand_error("isnan", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isinf(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _u_isinf(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isinf", _u_isinf, None, "compare", (self, ), ())
        except TypeError as e:
            raise _operand_error("isinf", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isfinite(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _u_isfinite(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isfinite", _u_isfinite, None, "compare", (self, ), ())
        except TypeError as e:
            raise _operand_error("isfinite", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isposinf(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_isposinf(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isposinf", _u_isposinf, None, "compare", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("isposinf", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isneginf(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_isneginf(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isneginf", _u_isneginf, None, "compare", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("isneginf", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def signbit(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_signbit(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("signbit", _u_signbit, None, "compare", (self, ), (), "c")
        except TypeError as e:
            raise _operand_error("signbit", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isreal(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _k.isreal(_xp, a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("isreal", _k.isreal, _xp, "compare", (self, ), ())
        except TypeError as e:
            raise _operand_error("isreal", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logical_and(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_logical_and(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("logical_and", _u_logical_and, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_logical_and(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("logical_and", _u_logical_and, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_and", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logical_and_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("logical_and_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_logical_and_(a, other_._a, a)
            else:
                _elementwise_into("logical_and_", _u_logical_and_, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_logical_and_(a, other_, a)
        else:
            _elementwise_into("logical_and_", _u_logical_and_, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_and_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "logical_and_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

logical_and_.moves_versions = True


def logical_or(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_logical_or(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("logical_or", _u_logical_or, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_logical_or(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("logical_or", _u_logical_or, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_or", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logical_or_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("logical_or_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_logical_or_(a, other_._a, a)
            else:
                _elementwise_into("logical_or_", _u_logical_or_, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_logical_or_(a, other_, a)
        else:
            _elementwise_into("logical_or_", _u_logical_or_, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_or_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "logical_or_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

logical_or_.moves_versions = True


def logical_xor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                r = _u_logical_xor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("logical_xor", _u_logical_xor, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_logical_xor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("logical_xor", _u_logical_xor, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_xor", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logical_xor_(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("logical_xor_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
                _u_logical_xor_(a, other_._a, a)
            else:
                _elementwise_into("logical_xor_", _u_logical_xor_, None, "compare", (self, other, ), ())
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_logical_xor_(a, other_, a)
        else:
            _elementwise_into("logical_xor_", _u_logical_xor_, None, "compare", (self, other, ), ())
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("logical_xor_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "logical_xor_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

logical_xor_.moves_versions = True


def logical_not(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64 or d.itemsize != 2 and d.num < 256):
        r = _u_logical_not(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("logical_not", _u_logical_not, None, "compare", (self, ), ())
        except TypeError as e:
            raise _operand_error("logical_not", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logical_not_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_logical_not_(a, a)
        else:
            _elementwise_into("logical_not_", _u_logical_not_, None, "compare", (self, ), ())
    except (TypeError, ValueError) as e:
        raise _operand_error("logical_not_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "logical_not_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

logical_not_.moves_versions = True


def bitwise_and_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_bitwise_and_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("bitwise_and", _u_bitwise_and_Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_bitwise_and_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("bitwise_and", _u_bitwise_and_Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_and", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_and__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("bitwise_and_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_bitwise_and__Tensor(a, other_._a, a)
            else:
                _elementwise_into("bitwise_and_", _u_bitwise_and__Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_bitwise_and__Tensor(a, other_, a)
        else:
            _elementwise_into("bitwise_and_", _u_bitwise_and__Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_and_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_and_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_and__Tensor.moves_versions = True


def bitwise_or_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_bitwise_or_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("bitwise_or", _u_bitwise_or_Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_bitwise_or_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("bitwise_or", _u_bitwise_or_Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_or", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_or__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("bitwise_or_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_bitwise_or__Tensor(a, other_._a, a)
            else:
                _elementwise_into("bitwise_or_", _u_bitwise_or__Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_bitwise_or__Tensor(a, other_, a)
        else:
            _elementwise_into("bitwise_or_", _u_bitwise_or__Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_or_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_or_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_or__Tensor.moves_versions = True


def bitwise_xor_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _u_bitwise_xor_Tensor(a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("bitwise_xor", _u_bitwise_xor_Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _u_bitwise_xor_Tensor(a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("bitwise_xor", _u_bitwise_xor_Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_xor", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_xor__Tensor(self, other):
    a = self._a
    d = a.dtype
    other_ = other
    try:
        if isinstance(other_, _Tensor):
            vc = self._vc
            if vc is not None and vc is other_._vc and self is not other_:
                _refuse_clash("bitwise_xor_", self, (other_,))
            if d is other_._a.dtype and (d is _F32 or d is _F64):
                _u_bitwise_xor__Tensor(a, other_._a, a)
            else:
                _elementwise_into("bitwise_xor_", _u_bitwise_xor__Tensor, None, "arith", (self, other, ), (), "fVc")
        elif (d is _F32 or d is _F64) and (other_.__class__ is float or other_.__class__ is int):
            _u_bitwise_xor__Tensor(a, other_, a)
        else:
            _elementwise_into("bitwise_xor_", _u_bitwise_xor__Tensor, None, "arith", (self, other, ), (), "fVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_xor_", e, self, other_) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_xor_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_xor__Tensor.moves_versions = True


def bitwise_not(self):
    a = self._a
    d = a.dtype
    if (d is _F32 or d is _F64):
        r = _u_bitwise_not(a)
        if r.__class__ is not _ndarray:
            r = _asarray(r)
    else:
        try:
            r = _elementwise("bitwise_not", _u_bitwise_not, None, "arith", (self, ), (), "fVc")
        except TypeError as e:
            raise _operand_error("bitwise_not", e, self) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_not_(self):
    a = self._a
    d = a.dtype
    try:
        if d is _F32 or d is _F64:
            _u_bitwise_not_(a, a)
        else:
            _elementwise_into("bitwise_not_", _u_bitwise_not_, None, "arith", (self, ), (), "fVc")
    except (TypeError, ValueError) as e:
        raise _operand_error("bitwise_not_", e, self) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_not_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_not_.moves_versions = True


def bitwise_left_shift_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.bitwise_left_shift_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("bitwise_left_shift", _k.bitwise_left_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.bitwise_left_shift_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("bitwise_left_shift", _k.bitwise_left_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_left_shift", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_left_shift__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("bitwise_left_shift_", _k.bitwise_left_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_left_shift_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_left_shift_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_left_shift__Tensor.moves_versions = True


def bitwise_right_shift_Tensor(self, other):
    try:
        a = self._a
        d = a.dtype
    except AttributeError:
        d = None
    try:
        if other.__class__ is _Tensor or isinstance(other, _Tensor):
            if d is other._a.dtype and (d is _F32 or d is _F64):
                r = _k.bitwise_right_shift_Tensor(_xp, a, other._a)
                if r.__class__ is not _ndarray:
                    r = _asarray(r)
            else:
                r = _elementwise("bitwise_right_shift", _k.bitwise_right_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
        elif (d is _F32 or d is _F64) and (other.__class__ is float or other.__class__ is int):
            r = _k.bitwise_right_shift_Tensor(_xp, a, other)
            if r.__class__ is not _ndarray:
                r = _asarray(r)
        else:
            r = _elementwise("bitwise_right_shift", _k.bitwise_right_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_right_shift", e, self, other) from None
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bitwise_right_shift__Tensor(self, other):
    a = self._a
    try:
        _elementwise_into("bitwise_right_shift_", _k.bitwise_right_shift_Tensor, _xp, "arith", (self, other, ), (), "bfVc")
    except (ValueError, TypeError, OverflowError) as e:
        raise _operand_error("bitwise_right_shift_", e, self, other) from None
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bitwise_right_shift_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bitwise_right_shift__Tensor.moves_versions = True
