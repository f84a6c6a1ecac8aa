# Generated from packages/core/src/lamella/core/ops/masking.yaml (sha256 ce645c2e13c19b07). Do not edit:
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
    _T_masked_fill_Scalar,
    _T_masked_fill__Scalar,
    _T_masked_fill_Tensor,
    _T_masked_fill__Tensor,
    _T_masked_select,
    _T_masked_scatter,
    _T_masked_scatter_,
    _T_take,
    _T_put,
    _T_put_,
    _T_where_self,
    _T_nonzero,
    _T_nonzero_static,
    _T_argwhere,
) = _define(
    "aten",
    "masking",
    (
        ('masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor', True),
        ('masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)', True),
        ('masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor', True),
        ('masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)', True),
        ('masked_select(Tensor self, Tensor mask) -> Tensor', True),
        ('masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor', True),
        ('masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)', True),
        ('take(Tensor self, Tensor index) -> Tensor', True),
        ('put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor', True),
        ('put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> Tensor(a!)', True),
        ('where.self(Tensor condition, Tensor self, Tensor other) -> Tensor', True),
        ('nonzero(Tensor self) -> Tensor', False),
        ('nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor', False),
        ('argwhere(Tensor self) -> Tensor', False),
    ),
    {1: "lamella.core._gen.masking_cpu", 2: "lamella.core._gen.masking_cuda", 3: "lamella.core._gen.masking_meta", 65: "lamella.core.composite.masking", },
    "lamella.core/ops/masking.yaml",
)


def op_masked_fill_Scalar(self, mask, value):
    try:
        ks = self._ks | mask._ks
    except AttributeError:
        raise _not_tensor("masked_fill", {"self": self, "mask": mask, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("masked_fill", "value", value)
    try:
        return _T_masked_fill_Scalar[ks](self, mask, value)
    except Exception:
        _explain(_T_masked_fill_Scalar, (self, mask, value, ))
        raise


def op_masked_fill__Scalar(self, mask, value):
    try:
        ks = self._ks | mask._ks
    except AttributeError:
        raise _not_tensor("masked_fill_", {"self": self, "mask": mask, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("masked_fill_", "value", value)
    try:
        return _T_masked_fill__Scalar[ks](self, mask, value)
    except Exception:
        _explain(_T_masked_fill__Scalar, (self, mask, value, ))
        raise


def op_masked_fill_Tensor(self, mask, value):
    try:
        ks = self._ks | mask._ks | value._ks
    except AttributeError:
        raise _not_tensor("masked_fill", {"self": self, "mask": mask, "value": value, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_fill_Tensor[ks](self, mask, value)
    except Exception:
        _explain(_T_masked_fill_Tensor, (self, mask, value, ))
        raise


def op_masked_fill__Tensor(self, mask, value):
    try:
        ks = self._ks | mask._ks | value._ks
    except AttributeError:
        raise _not_tensor("masked_fill_", {"self": self, "mask": mask, "value": value, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_fill__Tensor[ks](self, mask, value)
    except Exception:
        _explain(_T_masked_fill__Tensor, (self, mask, value, ))
        raise


def op_masked_select(self, mask):
    try:
        ks = self._ks | mask._ks
    except AttributeError:
        raise _not_tensor("masked_select", {"self": self, "mask": mask, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_select[ks](self, mask)
    except Exception:
        _explain(_T_masked_select, (self, mask, ))
        raise


def op_masked_scatter(self, mask, source):
    try:
        ks = self._ks | mask._ks | source._ks
    except AttributeError:
        raise _not_tensor("masked_scatter", {"self": self, "mask": mask, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_scatter[ks](self, mask, source)
    except Exception:
        _explain(_T_masked_scatter, (self, mask, source, ))
        raise


def masked_scatter(input, mask, source):
    """``input`` with the elements where ``mask`` is true replaced by ``source``'s, in order.

    Args:
        input: a tensor.
        mask: a bool tensor of a shape that fits ``input``'s.
        source: at least as many elements as ``mask`` has true ones, of ``input``'s type.

    Example:
        >>> masked_scatter(zeros(3), tensor([True, False, True]), tensor([1.0, 2.0])).tolist()
        [1.0, 0.0, 2.0]"""
    try:
        ks = input._ks | mask._ks | source._ks
    except AttributeError:
        raise _not_tensor("masked_scatter", {"input": input, "mask": mask, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_scatter[ks](input, mask, source)
    except Exception:
        _explain(_T_masked_scatter, (input, mask, source, ))
        raise


def op_masked_scatter_(self, mask, source):
    try:
        ks = self._ks | mask._ks | source._ks
    except AttributeError:
        raise _not_tensor("masked_scatter_", {"self": self, "mask": mask, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_masked_scatter_[ks](self, mask, source)
    except Exception:
        _explain(_T_masked_scatter_, (self, mask, source, ))
        raise


def op_take(self, index):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("take", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_take[ks](self, index)
    except Exception:
        _explain(_T_take, (self, index, ))
        raise


def op_put(self, index, source, accumulate=False):
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("put", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if accumulate is not False and accumulate is not True:
        accumulate = _as_bool("put", "accumulate", accumulate)
    try:
        return _T_put[ks](self, index, source, accumulate)
    except Exception:
        _explain(_T_put, (self, index, source, accumulate, ))
        raise


def put(input, index, source, accumulate=False):
    """``input`` with the places of the flattened tensor in ``index`` replaced by ``source``'s elements, or increased by them.

    Args:
        input: a tensor.
        index: int64 places in the flattened tensor.
        source: as many elements as ``index``, of ``input``'s type.
        accumulate: whether to add instead of replacing.

    Example:
        >>> put(zeros(3), tensor([1]), tensor([5.0])).tolist()
        [0.0, 5.0, 0.0]"""
    try:
        ks = input._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("put", {"input": input, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if accumulate is not False and accumulate is not True:
        accumulate = _as_bool("put", "accumulate", accumulate)
    try:
        return _T_put[ks](input, index, source, accumulate)
    except Exception:
        _explain(_T_put, (input, index, source, accumulate, ))
        raise


def op_put_(self, index, source, accumulate=False):
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("put_", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if accumulate is not False and accumulate is not True:
        accumulate = _as_bool("put_", "accumulate", accumulate)
    try:
        return _T_put_[ks](self, index, source, accumulate)
    except Exception:
        _explain(_T_put_, (self, index, source, accumulate, ))
        raise


def op_where_self(condition, self, other):
    try:
        ks = condition._ks | self._ks | other._ks
    except AttributeError:
        raise _not_tensor("where", {"condition": condition, "self": self, "other": other, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_where_self[ks](condition, self, other)
    except Exception:
        _explain(_T_where_self, (condition, self, other, ))
        raise


def op_nonzero(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nonzero", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_nonzero[ks](self)
    except Exception:
        _explain(_T_nonzero, (self, ))
        raise


def op_nonzero_static(self, *, size, fill_value=-1):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nonzero_static", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if size.__class__ is not int:
            size = _as_int("nonzero_static", "size", size)
        if fill_value.__class__ is not int:
            fill_value = _as_int("nonzero_static", "fill_value", fill_value)
        return _T_nonzero_static[ks](self, size=size, fill_value=fill_value)
    except Exception:
        _explain(_T_nonzero_static, (self, size, fill_value, ))
        raise


def nonzero_static(input, *, size, fill_value=-1, out=None):
    """The places of the elements that are not zero, cut off or filled up to a number of rows that is known beforehand.

    Args:
        input: a tensor.
        size: the number of rows.
        fill_value: what rows without an element hold.
        out: a tensor to write the result into.

    Returns:
        ``(size, input.dim())`` of type int64.

    Raises:
        RuntimeError: for a negative size.

    Example:
        >>> nonzero_static(tensor([0, 3, 5]), size=3).tolist()
        [[1], [2], [-1]]"""
    if out is not None:
        return _out("nonzero_static", out, op_nonzero_static(input, size=size, fill_value=fill_value), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("nonzero_static", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if size.__class__ is not int:
            size = _as_int("nonzero_static", "size", size)
        if fill_value.__class__ is not int:
            fill_value = _as_int("nonzero_static", "fill_value", fill_value)
        return _T_nonzero_static[ks](input, size=size, fill_value=fill_value)
    except Exception:
        _explain(_T_nonzero_static, (input, size, fill_value, ))
        raise


def op_argwhere(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argwhere", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_argwhere[ks](self)
    except Exception:
        _explain(_T_argwhere, (self, ))
        raise


def argwhere(input):
    """The places of the elements that are not zero, one row each.

    Example:
        >>> argwhere(tensor([0, 3])).tolist()
        [[1]]"""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("argwhere", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_argwhere[ks](input)
    except Exception:
        _explain(_T_argwhere, (input, ))
        raise


METHODS = {
    "masked_select": op_masked_select,
    "masked_scatter": op_masked_scatter,
    "masked_scatter_": op_masked_scatter_,
    "take": op_take,
    "put": op_put,
    "put_": op_put_,
    "nonzero_static": op_nonzero_static,
    "argwhere": op_argwhere,
}


FUNCTIONS = {
    "masked_scatter": masked_scatter,
    "put": put,
    "nonzero_static": nonzero_static,
    "argwhere": argwhere,
}
