# Generated from packages/core/src/lamella/core/ops/comparison.yaml (sha256 3248c2079ba231df). Do not edit:
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
    _T_eq_Tensor,
    _T_eq__Tensor,
    _T_ne_Tensor,
    _T_ne__Tensor,
    _T_lt_Tensor,
    _T_lt__Tensor,
    _T_le_Tensor,
    _T_le__Tensor,
    _T_gt_Tensor,
    _T_gt__Tensor,
    _T_ge_Tensor,
    _T_ge__Tensor,
    _T_isnan,
    _T_isinf,
    _T_isfinite,
    _T_isposinf,
    _T_isneginf,
    _T_signbit,
    _T_isreal,
    _T_logical_and,
    _T_logical_and_,
    _T_logical_or,
    _T_logical_or_,
    _T_logical_xor,
    _T_logical_xor_,
    _T_logical_not,
    _T_logical_not_,
    _T_bitwise_and_Tensor,
    _T_bitwise_and__Tensor,
    _T_bitwise_or_Tensor,
    _T_bitwise_or__Tensor,
    _T_bitwise_xor_Tensor,
    _T_bitwise_xor__Tensor,
    _T_bitwise_not,
    _T_bitwise_not_,
    _T_bitwise_left_shift_Tensor,
    _T_bitwise_left_shift__Tensor,
    _T_bitwise_right_shift_Tensor,
    _T_bitwise_right_shift__Tensor,
) = _define(
    "aten",
    "comparison",
    (
        ('eq.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('ne.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('lt.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('le.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('gt.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('ge.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('isnan(Tensor self) -> Tensor', False),
        ('isinf(Tensor self) -> Tensor', False),
        ('isfinite(Tensor self) -> Tensor', False),
        ('isposinf(Tensor self) -> Tensor', False),
        ('isneginf(Tensor self) -> Tensor', False),
        ('signbit(Tensor self) -> Tensor', False),
        ('isreal(Tensor self) -> Tensor', False),
        ('logical_and(Tensor self, Tensor other) -> Tensor', False),
        ('logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('logical_or(Tensor self, Tensor other) -> Tensor', False),
        ('logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('logical_xor(Tensor self, Tensor other) -> Tensor', False),
        ('logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('logical_not(Tensor self) -> Tensor', False),
        ('logical_not_(Tensor(a!) self) -> Tensor(a!)', False),
        ('bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('bitwise_not(Tensor self) -> Tensor', False),
        ('bitwise_not_(Tensor(a!) self) -> Tensor(a!)', False),
        ('bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
        ('bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor', False),
        ('bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', False),
    ),
    {1: "lamella.core._gen.comparison_cpu", 2: "lamella.core._gen.comparison_cuda", 3: "lamella.core._gen.comparison_meta", 65: "lamella.core.composite.comparison", },
    "lamella.core/ops/comparison.yaml",
)


def op_eq_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("eq", "other", other))
    except AttributeError:
        raise _not_tensor("eq", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_eq_Tensor[ks](self, other)
    except Exception:
        _explain(_T_eq_Tensor, (self, other, ))
        raise


def __eq__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return _foreign(__eq__, self, other)
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_eq_Tensor[ks](self, other)


def eq(input, other, *, out=None):
    """eq: see torch.eq."""
    if out is not None:
        return _out("eq", out, eq(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("eq", "other", other))
    except AttributeError:
        raise _not_tensor("eq", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_eq_Tensor[ks](input, other)
    except Exception:
        _explain(_T_eq_Tensor, (input, other, ))
        raise


def op_eq__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("eq_", "other", other))
    except AttributeError:
        raise _not_tensor("eq_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_eq__Tensor[ks](self, other)
    except Exception:
        _explain(_T_eq__Tensor, (self, other, ))
        raise


def op_ne_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("ne", "other", other))
    except AttributeError:
        raise _not_tensor("ne", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ne_Tensor[ks](self, other)
    except Exception:
        _explain(_T_ne_Tensor, (self, other, ))
        raise


def __ne__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return _foreign(__ne__, self, other)
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_ne_Tensor[ks](self, other)


def ne(input, other, *, out=None):
    """ne: see torch.ne."""
    if out is not None:
        return _out("ne", out, ne(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("ne", "other", other))
    except AttributeError:
        raise _not_tensor("ne", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ne_Tensor[ks](input, other)
    except Exception:
        _explain(_T_ne_Tensor, (input, other, ))
        raise


def op_ne__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("ne_", "other", other))
    except AttributeError:
        raise _not_tensor("ne_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ne__Tensor[ks](self, other)
    except Exception:
        _explain(_T_ne__Tensor, (self, other, ))
        raise


def op_lt_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("lt", "other", other))
    except AttributeError:
        raise _not_tensor("lt", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lt_Tensor[ks](self, other)
    except Exception:
        _explain(_T_lt_Tensor, (self, other, ))
        raise


def __lt__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_lt_Tensor[ks](self, other)


def lt(input, other, *, out=None):
    """lt: see torch.lt."""
    if out is not None:
        return _out("lt", out, lt(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("lt", "other", other))
    except AttributeError:
        raise _not_tensor("lt", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lt_Tensor[ks](input, other)
    except Exception:
        _explain(_T_lt_Tensor, (input, other, ))
        raise


def op_lt__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("lt_", "other", other))
    except AttributeError:
        raise _not_tensor("lt_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_lt__Tensor[ks](self, other)
    except Exception:
        _explain(_T_lt__Tensor, (self, other, ))
        raise


def op_le_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("le", "other", other))
    except AttributeError:
        raise _not_tensor("le", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_le_Tensor[ks](self, other)
    except Exception:
        _explain(_T_le_Tensor, (self, other, ))
        raise


def __le__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_le_Tensor[ks](self, other)


def le(input, other, *, out=None):
    """le: see torch.le."""
    if out is not None:
        return _out("le", out, le(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("le", "other", other))
    except AttributeError:
        raise _not_tensor("le", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_le_Tensor[ks](input, other)
    except Exception:
        _explain(_T_le_Tensor, (input, other, ))
        raise


def op_le__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("le_", "other", other))
    except AttributeError:
        raise _not_tensor("le_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_le__Tensor[ks](self, other)
    except Exception:
        _explain(_T_le__Tensor, (self, other, ))
        raise


def op_gt_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("gt", "other", other))
    except AttributeError:
        raise _not_tensor("gt", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gt_Tensor[ks](self, other)
    except Exception:
        _explain(_T_gt_Tensor, (self, other, ))
        raise


def __gt__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_gt_Tensor[ks](self, other)


def gt(input, other, *, out=None):
    """gt: see torch.gt."""
    if out is not None:
        return _out("gt", out, gt(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("gt", "other", other))
    except AttributeError:
        raise _not_tensor("gt", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gt_Tensor[ks](input, other)
    except Exception:
        _explain(_T_gt_Tensor, (input, other, ))
        raise


def op_gt__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("gt_", "other", other))
    except AttributeError:
        raise _not_tensor("gt_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_gt__Tensor[ks](self, other)
    except Exception:
        _explain(_T_gt__Tensor, (self, other, ))
        raise


def op_ge_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("ge", "other", other))
    except AttributeError:
        raise _not_tensor("ge", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ge_Tensor[ks](self, other)
    except Exception:
        _explain(_T_ge_Tensor, (self, other, ))
        raise


def __ge__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_ge_Tensor[ks](self, other)


def ge(input, other, *, out=None):
    """ge: see torch.ge."""
    if out is not None:
        return _out("ge", out, ge(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | (other._ks if isinstance(other, _Tensor) else _number("ge", "other", other))
    except AttributeError:
        raise _not_tensor("ge", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ge_Tensor[ks](input, other)
    except Exception:
        _explain(_T_ge_Tensor, (input, other, ))
        raise


def op_ge__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("ge_", "other", other))
    except AttributeError:
        raise _not_tensor("ge_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_ge__Tensor[ks](self, other)
    except Exception:
        _explain(_T_ge__Tensor, (self, other, ))
        raise


def op_isnan(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isnan", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isnan[ks](self)
    except Exception:
        _explain(_T_isnan, (self, ))
        raise


def isnan(input):
    """isnan: see torch.isnan."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isnan", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isnan[ks](input)
    except Exception:
        _explain(_T_isnan, (input, ))
        raise


def op_isinf(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isinf", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isinf[ks](self)
    except Exception:
        _explain(_T_isinf, (self, ))
        raise


def isinf(input):
    """isinf: see torch.isinf."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isinf", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isinf[ks](input)
    except Exception:
        _explain(_T_isinf, (input, ))
        raise


def op_isfinite(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isfinite", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isfinite[ks](self)
    except Exception:
        _explain(_T_isfinite, (self, ))
        raise


def isfinite(input):
    """isfinite: see torch.isfinite."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isfinite", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isfinite[ks](input)
    except Exception:
        _explain(_T_isfinite, (input, ))
        raise


def op_isposinf(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isposinf", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isposinf[ks](self)
    except Exception:
        _explain(_T_isposinf, (self, ))
        raise


def isposinf(input, *, out=None):
    """isposinf: see torch.isposinf."""
    if out is not None:
        return _out("isposinf", out, op_isposinf(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isposinf", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isposinf[ks](input)
    except Exception:
        _explain(_T_isposinf, (input, ))
        raise


def op_isneginf(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isneginf", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isneginf[ks](self)
    except Exception:
        _explain(_T_isneginf, (self, ))
        raise


def isneginf(input, *, out=None):
    """isneginf: see torch.isneginf."""
    if out is not None:
        return _out("isneginf", out, op_isneginf(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isneginf", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isneginf[ks](input)
    except Exception:
        _explain(_T_isneginf, (input, ))
        raise


def op_signbit(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("signbit", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_signbit[ks](self)
    except Exception:
        _explain(_T_signbit, (self, ))
        raise


def signbit(input, *, out=None):
    """signbit: see torch.signbit."""
    if out is not None:
        return _out("signbit", out, op_signbit(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("signbit", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_signbit[ks](input)
    except Exception:
        _explain(_T_signbit, (input, ))
        raise


def op_isreal(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("isreal", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isreal[ks](self)
    except Exception:
        _explain(_T_isreal, (self, ))
        raise


def isreal(input):
    """isreal: see torch.isreal."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("isreal", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_isreal[ks](input)
    except Exception:
        _explain(_T_isreal, (input, ))
        raise


def op_logical_and(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_and", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_and[ks](self, other)
    except Exception:
        _explain(_T_logical_and, (self, other, ))
        raise


def logical_and(input, other, *, out=None):
    """logical_and: see torch.logical_and."""
    if out is not None:
        return _out("logical_and", out, op_logical_and(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_and", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_and[ks](input, other)
    except Exception:
        _explain(_T_logical_and, (input, other, ))
        raise


def op_logical_and_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_and_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_and_[ks](self, other)
    except Exception:
        _explain(_T_logical_and_, (self, other, ))
        raise


def op_logical_or(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_or", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_or[ks](self, other)
    except Exception:
        _explain(_T_logical_or, (self, other, ))
        raise


def logical_or(input, other, *, out=None):
    """logical_or: see torch.logical_or."""
    if out is not None:
        return _out("logical_or", out, op_logical_or(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_or", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_or[ks](input, other)
    except Exception:
        _explain(_T_logical_or, (input, other, ))
        raise


def op_logical_or_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_or_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_or_[ks](self, other)
    except Exception:
        _explain(_T_logical_or_, (self, other, ))
        raise


def op_logical_xor(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_xor", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_xor[ks](self, other)
    except Exception:
        _explain(_T_logical_xor, (self, other, ))
        raise


def logical_xor(input, other, *, out=None):
    """logical_xor: see torch.logical_xor."""
    if out is not None:
        return _out("logical_xor", out, op_logical_xor(input, other), inputs=(input, other, ))
    try:
        ks = input._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_xor", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_xor[ks](input, other)
    except Exception:
        _explain(_T_logical_xor, (input, other, ))
        raise


def op_logical_xor_(self, other):
    try:
        ks = self._ks | other._ks
    except AttributeError:
        raise _not_tensor("logical_xor_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_xor_[ks](self, other)
    except Exception:
        _explain(_T_logical_xor_, (self, other, ))
        raise


def op_logical_not(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logical_not", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_not[ks](self)
    except Exception:
        _explain(_T_logical_not, (self, ))
        raise


def logical_not(input, *, out=None):
    """logical_not: see torch.logical_not."""
    if out is not None:
        return _out("logical_not", out, op_logical_not(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logical_not", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_not[ks](input)
    except Exception:
        _explain(_T_logical_not, (input, ))
        raise


def op_logical_not_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logical_not_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_logical_not_[ks](self)
    except Exception:
        _explain(_T_logical_not_, (self, ))
        raise


def op_bitwise_and_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_and", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_and", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_and_Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_and_Tensor, (self, other, ))
        raise


def __and__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_and_Tensor[ks](self, other)


def __rand__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_and_Tensor[ks](other, self)


def bitwise_and(input, other, *, out=None):
    """bitwise_and: see torch.bitwise_and."""
    if out is not None:
        return _out("bitwise_and", out, bitwise_and(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("bitwise_and", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("bitwise_and", "other", other)) or _no_tensor("bitwise_and")
    except AttributeError:
        raise _not_tensor("bitwise_and", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_and_Tensor[ks](input, other)
    except Exception:
        _explain(_T_bitwise_and_Tensor, (input, other, ))
        raise


def op_bitwise_and__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_and_", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_and_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_and__Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_and__Tensor, (self, other, ))
        raise


def op_bitwise_or_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_or", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_or", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_or_Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_or_Tensor, (self, other, ))
        raise


def __or__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_or_Tensor[ks](self, other)


def __ror__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_or_Tensor[ks](other, self)


def bitwise_or(input, other, *, out=None):
    """bitwise_or: see torch.bitwise_or."""
    if out is not None:
        return _out("bitwise_or", out, bitwise_or(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("bitwise_or", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("bitwise_or", "other", other)) or _no_tensor("bitwise_or")
    except AttributeError:
        raise _not_tensor("bitwise_or", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_or_Tensor[ks](input, other)
    except Exception:
        _explain(_T_bitwise_or_Tensor, (input, other, ))
        raise


def op_bitwise_or__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_or_", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_or_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_or__Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_or__Tensor, (self, other, ))
        raise


def op_bitwise_xor_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_xor", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_xor", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_xor_Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_xor_Tensor, (self, other, ))
        raise


def __xor__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_xor_Tensor[ks](self, other)


def __rxor__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_xor_Tensor[ks](other, self)


def bitwise_xor(input, other, *, out=None):
    """bitwise_xor: see torch.bitwise_xor."""
    if out is not None:
        return _out("bitwise_xor", out, bitwise_xor(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("bitwise_xor", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("bitwise_xor", "other", other)) or _no_tensor("bitwise_xor")
    except AttributeError:
        raise _not_tensor("bitwise_xor", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_xor_Tensor[ks](input, other)
    except Exception:
        _explain(_T_bitwise_xor_Tensor, (input, other, ))
        raise


def op_bitwise_xor__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_xor_", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_xor_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_xor__Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_xor__Tensor, (self, other, ))
        raise


def op_bitwise_not(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("bitwise_not", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_not[ks](self)
    except Exception:
        _explain(_T_bitwise_not, (self, ))
        raise


def bitwise_not(input, *, out=None):
    """bitwise_not: see torch.bitwise_not."""
    if out is not None:
        return _out("bitwise_not", out, op_bitwise_not(input), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("bitwise_not", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_not[ks](input)
    except Exception:
        _explain(_T_bitwise_not, (input, ))
        raise


def op_bitwise_not_(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("bitwise_not_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_not_[ks](self)
    except Exception:
        _explain(_T_bitwise_not_, (self, ))
        raise


def op_bitwise_left_shift_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_left_shift", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_left_shift", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_left_shift_Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_left_shift_Tensor, (self, other, ))
        raise


def __lshift__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_left_shift_Tensor[ks](self, other)


def __rlshift__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_left_shift_Tensor[ks](other, self)


def bitwise_left_shift(input, other, *, out=None):
    """bitwise_left_shift: see torch.bitwise_left_shift."""
    if out is not None:
        return _out("bitwise_left_shift", out, bitwise_left_shift(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("bitwise_left_shift", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("bitwise_left_shift", "other", other)) or _no_tensor("bitwise_left_shift")
    except AttributeError:
        raise _not_tensor("bitwise_left_shift", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_left_shift_Tensor[ks](input, other)
    except Exception:
        _explain(_T_bitwise_left_shift_Tensor, (input, other, ))
        raise


def op_bitwise_left_shift__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_left_shift_", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_left_shift_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_left_shift__Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_left_shift__Tensor, (self, other, ))
        raise


def op_bitwise_right_shift_Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_right_shift", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_right_shift", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_right_shift_Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_right_shift_Tensor, (self, other, ))
        raise


def __rshift__(self, other):
    if other.__class__ is _Tensor or isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_right_shift_Tensor[ks](self, other)


def __rrshift__(self, other):
    if _is_number(other):
        ks = self._ks
    elif isinstance(other, _Tensor):
        ks = self._ks | other._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_bitwise_right_shift_Tensor[ks](other, self)


def bitwise_right_shift(input, other, *, out=None):
    """bitwise_right_shift: see torch.bitwise_right_shift."""
    if out is not None:
        return _out("bitwise_right_shift", out, bitwise_right_shift(input, other), inputs=(input, other, ))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("bitwise_right_shift", "input", input)) | (other._ks if isinstance(other, _Tensor) else _number("bitwise_right_shift", "other", other)) or _no_tensor("bitwise_right_shift")
    except AttributeError:
        raise _not_tensor("bitwise_right_shift", {"input": input, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_right_shift_Tensor[ks](input, other)
    except Exception:
        _explain(_T_bitwise_right_shift_Tensor, (input, other, ))
        raise


def op_bitwise_right_shift__Tensor(self, other):
    try:
        ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("bitwise_right_shift_", "other", other))
    except AttributeError:
        raise _not_tensor("bitwise_right_shift_", {"self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_bitwise_right_shift__Tensor[ks](self, other)
    except Exception:
        _explain(_T_bitwise_right_shift__Tensor, (self, other, ))
        raise


METHODS = {
    "eq": op_eq_Tensor,
    "__eq__": __eq__,
    "eq_": op_eq__Tensor,
    "ne": op_ne_Tensor,
    "not_equal": op_ne_Tensor,
    "__ne__": __ne__,
    "ne_": op_ne__Tensor,
    "not_equal_": op_ne__Tensor,
    "lt": op_lt_Tensor,
    "less": op_lt_Tensor,
    "__lt__": __lt__,
    "lt_": op_lt__Tensor,
    "less_": op_lt__Tensor,
    "le": op_le_Tensor,
    "less_equal": op_le_Tensor,
    "__le__": __le__,
    "le_": op_le__Tensor,
    "less_equal_": op_le__Tensor,
    "gt": op_gt_Tensor,
    "greater": op_gt_Tensor,
    "__gt__": __gt__,
    "gt_": op_gt__Tensor,
    "greater_": op_gt__Tensor,
    "ge": op_ge_Tensor,
    "greater_equal": op_ge_Tensor,
    "__ge__": __ge__,
    "ge_": op_ge__Tensor,
    "greater_equal_": op_ge__Tensor,
    "isnan": op_isnan,
    "isinf": op_isinf,
    "isfinite": op_isfinite,
    "isposinf": op_isposinf,
    "isneginf": op_isneginf,
    "signbit": op_signbit,
    "isreal": op_isreal,
    "logical_and": op_logical_and,
    "logical_and_": op_logical_and_,
    "logical_or": op_logical_or,
    "logical_or_": op_logical_or_,
    "logical_xor": op_logical_xor,
    "logical_xor_": op_logical_xor_,
    "logical_not": op_logical_not,
    "logical_not_": op_logical_not_,
    "bitwise_and": op_bitwise_and_Tensor,
    "__and__": __and__,
    "__rand__": __rand__,
    "__iand__": op_bitwise_and__Tensor,
    "bitwise_and_": op_bitwise_and__Tensor,
    "bitwise_or": op_bitwise_or_Tensor,
    "__or__": __or__,
    "__ror__": __ror__,
    "__ior__": op_bitwise_or__Tensor,
    "bitwise_or_": op_bitwise_or__Tensor,
    "bitwise_xor": op_bitwise_xor_Tensor,
    "__xor__": __xor__,
    "__rxor__": __rxor__,
    "__ixor__": op_bitwise_xor__Tensor,
    "bitwise_xor_": op_bitwise_xor__Tensor,
    "bitwise_not": op_bitwise_not,
    "bitwise_not_": op_bitwise_not_,
    "bitwise_left_shift": op_bitwise_left_shift_Tensor,
    "__lshift__": __lshift__,
    "__rlshift__": __rlshift__,
    "__ilshift__": op_bitwise_left_shift__Tensor,
    "bitwise_left_shift_": op_bitwise_left_shift__Tensor,
    "bitwise_right_shift": op_bitwise_right_shift_Tensor,
    "__rshift__": __rshift__,
    "__rrshift__": __rrshift__,
    "__irshift__": op_bitwise_right_shift__Tensor,
    "bitwise_right_shift_": op_bitwise_right_shift__Tensor,
}


FUNCTIONS = {
    "eq": eq,
    "ne": ne,
    "not_equal": ne,
    "lt": lt,
    "less": lt,
    "le": le,
    "less_equal": le,
    "gt": gt,
    "greater": gt,
    "ge": ge,
    "greater_equal": ge,
    "isnan": isnan,
    "isinf": isinf,
    "isfinite": isfinite,
    "isposinf": isposinf,
    "isneginf": isneginf,
    "signbit": signbit,
    "isreal": isreal,
    "logical_and": logical_and,
    "logical_or": logical_or,
    "logical_xor": logical_xor,
    "logical_not": logical_not,
    "bitwise_and": bitwise_and,
    "bitwise_or": bitwise_or,
    "bitwise_xor": bitwise_xor,
    "bitwise_not": bitwise_not,
    "bitwise_left_shift": bitwise_left_shift,
    "bitwise_right_shift": bitwise_right_shift,
}
