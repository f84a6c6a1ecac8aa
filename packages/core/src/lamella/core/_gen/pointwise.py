# Generated from packages/core/src/lamella/core/ops/pointwise.yaml (sha256 4787dfbc0afad38a). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    number_keys as _number,
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
    _T_mul_Tensor,
    _T_mul__Tensor,
    _T_neg,
    _T_neg_,
    _T_exp,
    _T_exp_,
    _T_sigmoid,
    _T_sigmoid_,
) = _define(
    "aten",
    "pointwise",
    (
        ('add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor', True),
        ('add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)', True),
        ('sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor', True),
        ('sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)', True),
        ('mul.Tensor(Tensor self, Tensor other) -> Tensor', True),
        ('mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)', True),
        ('neg(Tensor self) -> Tensor', True),
        ('neg_(Tensor(a!) self) -> Tensor(a!)', True),
        ('exp(Tensor self) -> Tensor', True),
        ('exp_(Tensor(a!) self) -> Tensor(a!)', True),
        ('sigmoid(Tensor self) -> Tensor', True),
        ('sigmoid_(Tensor(a!) self) -> Tensor(a!)', True),
    ),
    {1: "lamella.core._gen.pointwise_cpu", 3: "lamella.core._gen.pointwise_meta", 65: "lamella.core.composite.pointwise", },
    "lamella.core/ops/pointwise.yaml",
)


def op_add_Tensor(self, other, *, alpha=1):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("add", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_add_Tensor[ks](self, other)
    return _T_add_Tensor[ks](self, other, alpha=alpha)


def __add__(self, other):
    if isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_add_Tensor[ks](self, other)


def __radd__(self, other):
    if not _is_number(other):
        return NotImplemented
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_add_Tensor[ks](other, self)


def add(input, other, *, alpha=1, out=None):
    """add: see torch.add."""
    if out is not None:
        return _out("add", out, op_add_Tensor(input, other, alpha=alpha))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("add", "self", input)) | (other._ks if isinstance(other, _Tensor) else _number("add", "other", other))
    except AttributeError:
        raise _not_tensor("add", {"input": input, "other": other, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_add_Tensor[ks](input, other)
    return _T_add_Tensor[ks](input, other, alpha=alpha)


def op_add__Tensor(self, other, *, alpha=1):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("add_", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_add__Tensor[ks](self, other)
    return _T_add__Tensor[ks](self, other, alpha=alpha)


def op_sub_Tensor(self, other, *, alpha=1):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("sub", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_sub_Tensor[ks](self, other)
    return _T_sub_Tensor[ks](self, other, alpha=alpha)


def __sub__(self, other):
    if isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sub_Tensor[ks](self, other)


def __rsub__(self, other):
    if not _is_number(other):
        return NotImplemented
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sub_Tensor[ks](other, self)


def sub(input, other, *, alpha=1, out=None):
    """sub: see torch.sub."""
    if out is not None:
        return _out("sub", out, op_sub_Tensor(input, other, alpha=alpha))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("sub", "self", input)) | (other._ks if isinstance(other, _Tensor) else _number("sub", "other", other))
    except AttributeError:
        raise _not_tensor("sub", {"input": input, "other": other, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_sub_Tensor[ks](input, other)
    return _T_sub_Tensor[ks](input, other, alpha=alpha)


def op_sub__Tensor(self, other, *, alpha=1):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("sub_", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    if alpha == 1:
        return _T_sub__Tensor[ks](self, other)
    return _T_sub__Tensor[ks](self, other, alpha=alpha)


def op_mul_Tensor(self, other):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("mul", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](self, other)


def __mul__(self, other):
    if isinstance(other, _Tensor):
        ks = self._ks | other._ks
    elif _is_number(other):
        ks = self._ks
    else:
        return NotImplemented
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](self, other)


def __rmul__(self, other):
    if not _is_number(other):
        return NotImplemented
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](other, self)


def mul(input, other, *, out=None):
    """mul: see torch.mul."""
    if out is not None:
        return _out("mul", out, op_mul_Tensor(input, other))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("mul", "self", input)) | (other._ks if isinstance(other, _Tensor) else _number("mul", "other", other))
    except AttributeError:
        raise _not_tensor("mul", {"input": input, "other": other, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul_Tensor[ks](input, other)


def op_mul__Tensor(self, other):
    ks = self._ks | (other._ks if isinstance(other, _Tensor) else _number("mul_", "other", other))
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mul__Tensor[ks](self, other)


def op_neg(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_neg[ks](self)


def neg(input, *, out=None):
    """neg: see torch.neg."""
    if out is not None:
        return _out("neg", out, op_neg(input))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("neg", "self", input))
    except AttributeError:
        raise _not_tensor("neg", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_neg[ks](input)


def op_neg_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_neg_[ks](self)


def op_exp(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_exp[ks](self)


def exp(input, *, out=None):
    """exp: see torch.exp."""
    if out is not None:
        return _out("exp", out, op_exp(input))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("exp", "self", input))
    except AttributeError:
        raise _not_tensor("exp", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_exp[ks](input)


def op_exp_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_exp_[ks](self)


def op_sigmoid(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sigmoid[ks](self)


def sigmoid(input, *, out=None):
    """sigmoid: see torch.sigmoid."""
    if out is not None:
        return _out("sigmoid", out, op_sigmoid(input))
    try:
        ks = (input._ks if isinstance(input, _Tensor) else _number("sigmoid", "self", input))
    except AttributeError:
        raise _not_tensor("sigmoid", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sigmoid[ks](input)


def op_sigmoid_(self):
    ks = self._ks
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_sigmoid_[ks](self)


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
    "mul": op_mul_Tensor,
    "multiply": op_mul_Tensor,
    "__mul__": __mul__,
    "__rmul__": __rmul__,
    "__imul__": op_mul__Tensor,
    "mul_": op_mul__Tensor,
    "neg": op_neg,
    "negative": op_neg,
    "neg_": op_neg_,
    "exp": op_exp,
    "exp_": op_exp_,
    "sigmoid": op_sigmoid,
    "sigmoid_": op_sigmoid_,
}


FUNCTIONS = {
    "add": add,
    "sub": sub,
    "subtract": sub,
    "mul": mul,
    "multiply": mul,
    "neg": neg,
    "negative": neg,
    "exp": exp,
    "sigmoid": sigmoid,
}
