# Generated from packages/core/src/lamella/core/ops/indexing.yaml (sha256 16f006509885e2a5). Do not edit:
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
    _T_index_Tensor,
    _T_index_put,
    _T_index_put_,
    _T_index_select,
    _T_index_add,
    _T_index_add_,
    _T_index_copy,
    _T_index_copy_,
    _T_index_fill_int_Scalar,
    _T_index_fill__int_Scalar,
    _T_index_fill_int_Tensor,
    _T_index_fill__int_Tensor,
    _T_index_reduce,
    _T_index_reduce_,
    _T_take_along_dim,
) = _define(
    "aten",
    "indexing",
    (
        ('index.Tensor(Tensor self, Tensor?[] indices) -> Tensor', True),
        ('index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor', True),
        ('index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)', True),
        ('index_select(Tensor self, int dim, Tensor index) -> Tensor', True),
        ('index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor', True),
        ('index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)', True),
        ('index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor', True),
        ('index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)', True),
        ('index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor', True),
        ('index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)', True),
        ('index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor', True),
        ('index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)', True),
        ('index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor', True),
        ('index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor(a!)', True),
        ('take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor', True),
    ),
    {1: "lamella.core._gen.indexing_cpu", 2: "lamella.core._gen.indexing_cuda", 3: "lamella.core._gen.indexing_meta", 65: "lamella.core.composite.indexing", },
    "lamella.core/ops/indexing.yaml",
)


def op_index_Tensor(self, indices):
    try:
        ks = self._ks | _keys_in(indices)
    except AttributeError:
        raise _not_tensor("index", {"self": self, }, {"indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_index_Tensor[ks](self, indices)
    except Exception:
        _explain(_T_index_Tensor, (self, indices, ))
        raise


def op_index_put(self, indices, values, accumulate=False):
    try:
        ks = self._ks | _keys_in(indices) | values._ks
    except AttributeError:
        raise _not_tensor("index_put", {"self": self, "values": values, }, {"indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if accumulate is not False and accumulate is not True:
        accumulate = _as_bool("index_put", "accumulate", accumulate)
    try:
        return _T_index_put[ks](self, indices, values, accumulate)
    except Exception:
        _explain(_T_index_put, (self, indices, values, accumulate, ))
        raise


def op_index_put_(self, indices, values, accumulate=False):
    try:
        ks = self._ks | _keys_in(indices) | values._ks
    except AttributeError:
        raise _not_tensor("index_put_", {"self": self, "values": values, }, {"indices": indices, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if accumulate is not False and accumulate is not True:
        accumulate = _as_bool("index_put_", "accumulate", accumulate)
    try:
        return _T_index_put_[ks](self, indices, values, accumulate)
    except Exception:
        _explain(_T_index_put_, (self, indices, values, accumulate, ))
        raise


def op_index_select(self, dim=_MISSING, index=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("index_select", op_index_select, kwargs, {"self": self, "dim": dim, "index": index, })
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("index_select", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_select", "dim", dim)
    try:
        return _T_index_select[ks](self, dim, index)
    except Exception:
        _explain(_T_index_select, (self, dim, index, ))
        raise


def index_select(input, dim=_MISSING, index=_MISSING, *, out=None, **kwargs):
    """Slices along a dimension, picked by number.

    Args:
        input: a tensor.
        dim: the dimension.
        index: int32 or int64 numbers, at most one-dimensional; negative ones are out of range.
        out: a tensor to write the result into.

    Raises:
        IndexError: if a number is out of range, or ``index`` has more than one dimension.

    Example:
        >>> index_select(tensor([[1, 2], [3, 4]]), 1, tensor([1, 1])).tolist()
        [[2, 2], [4, 4]]"""
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("index_select", index_select, kwargs, {"input": input, "dim": dim, "index": index, "out": out})
    if out is not None:
        return _out("index_select", out, op_index_select(input, dim, index), True, inputs=(input, index, ))
    try:
        ks = input._ks | index._ks
    except AttributeError:
        raise _not_tensor("index_select", {"input": input, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_select", "dim", dim)
    try:
        return _T_index_select[ks](input, dim, index)
    except Exception:
        _explain(_T_index_select, (input, dim, index, ))
        raise


def op_index_add(self, dim=_MISSING, index=_MISSING, source=_MISSING, *, alpha=1, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_add", op_index_add, kwargs, {"self": self, "dim": dim, "index": index, "source": source, "alpha": alpha, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_add", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_add", "dim", dim)
    try:
        if alpha == 1:
            return _T_index_add[ks](self, dim, index, source)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("index_add", "alpha", alpha)
        return _T_index_add[ks](self, dim, index, source, alpha=alpha)
    except Exception:
        _explain(_T_index_add, (self, dim, index, source, alpha, ))
        raise


def index_add(input, dim=_MISSING, index=_MISSING, source=_MISSING, *, alpha=1, out=None, **kwargs):
    """``input`` with ``alpha * source``'s slices along ``dim`` added at the places in ``index``; repeated places add up.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``, as many as ``source`` has slices.
        source: what to add, of ``input``'s type.
        alpha: a factor for ``source``.
        out: a tensor to write the result into.

    Example:
        >>> index_add(zeros(2), 0, tensor([0, 0]), ones(2)).tolist()
        [2.0, 0.0]"""
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_add", index_add, kwargs, {"input": input, "dim": dim, "index": index, "source": source, "alpha": alpha, "out": out})
    if out is not None:
        return _out("index_add", out, op_index_add(input, dim, index, source, alpha=alpha), True, inputs=(input, index, source, ))
    try:
        ks = input._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_add", {"input": input, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_add", "dim", dim)
    try:
        if alpha == 1:
            return _T_index_add[ks](input, dim, index, source)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("index_add", "alpha", alpha)
        return _T_index_add[ks](input, dim, index, source, alpha=alpha)
    except Exception:
        _explain(_T_index_add, (input, dim, index, source, alpha, ))
        raise


def op_index_add_(self, dim=_MISSING, index=_MISSING, source=_MISSING, *, alpha=1, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_add_", op_index_add_, kwargs, {"self": self, "dim": dim, "index": index, "source": source, "alpha": alpha, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_add_", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_add_", "dim", dim)
    try:
        if alpha == 1:
            return _T_index_add_[ks](self, dim, index, source)
        if alpha.__class__ is not float and alpha.__class__ is not int:
            alpha = _as_number("index_add_", "alpha", alpha)
        return _T_index_add_[ks](self, dim, index, source, alpha=alpha)
    except Exception:
        _explain(_T_index_add_, (self, dim, index, source, alpha, ))
        raise


def op_index_copy(self, dim=_MISSING, index=_MISSING, source=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_copy", op_index_copy, kwargs, {"self": self, "dim": dim, "index": index, "source": source, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_copy", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_copy", "dim", dim)
    try:
        return _T_index_copy[ks](self, dim, index, source)
    except Exception:
        _explain(_T_index_copy, (self, dim, index, source, ))
        raise


def index_copy(input, dim=_MISSING, index=_MISSING, source=_MISSING, *, out=None, **kwargs):
    """``input`` with its slices along ``dim`` at the places in ``index`` replaced by ``source``'s.

    Example:
        >>> index_copy(zeros(3), 0, tensor([2]), ones(1)).tolist()
        [0.0, 0.0, 1.0]"""
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_copy", index_copy, kwargs, {"input": input, "dim": dim, "index": index, "source": source, "out": out})
    if out is not None:
        return _out("index_copy", out, op_index_copy(input, dim, index, source), True, inputs=(input, index, source, ))
    try:
        ks = input._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_copy", {"input": input, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_copy", "dim", dim)
    try:
        return _T_index_copy[ks](input, dim, index, source)
    except Exception:
        _explain(_T_index_copy, (input, dim, index, source, ))
        raise


def op_index_copy_(self, dim=_MISSING, index=_MISSING, source=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING:
        return _numpy_names("index_copy_", op_index_copy_, kwargs, {"self": self, "dim": dim, "index": index, "source": source, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_copy_", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_copy_", "dim", dim)
    try:
        return _T_index_copy_[ks](self, dim, index, source)
    except Exception:
        _explain(_T_index_copy_, (self, dim, index, source, ))
        raise


def op_index_fill_int_Scalar(self, dim, index, value):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("index_fill", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_fill", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("index_fill", "value", value)
    try:
        return _T_index_fill_int_Scalar[ks](self, dim, index, value)
    except Exception:
        _explain(_T_index_fill_int_Scalar, (self, dim, index, value, ))
        raise


def op_index_fill__int_Scalar(self, dim, index, value):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("index_fill_", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_fill_", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("index_fill_", "value", value)
    try:
        return _T_index_fill__int_Scalar[ks](self, dim, index, value)
    except Exception:
        _explain(_T_index_fill__int_Scalar, (self, dim, index, value, ))
        raise


def op_index_fill_int_Tensor(self, dim, index, value):
    try:
        ks = self._ks | index._ks | value._ks
    except AttributeError:
        raise _not_tensor("index_fill", {"self": self, "index": index, "value": value, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_fill", "dim", dim)
    try:
        return _T_index_fill_int_Tensor[ks](self, dim, index, value)
    except Exception:
        _explain(_T_index_fill_int_Tensor, (self, dim, index, value, ))
        raise


def op_index_fill__int_Tensor(self, dim, index, value):
    try:
        ks = self._ks | index._ks | value._ks
    except AttributeError:
        raise _not_tensor("index_fill_", {"self": self, "index": index, "value": value, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_fill_", "dim", dim)
    try:
        return _T_index_fill__int_Tensor[ks](self, dim, index, value)
    except Exception:
        _explain(_T_index_fill__int_Tensor, (self, dim, index, value, ))
        raise


def op_index_reduce(self, dim=_MISSING, index=_MISSING, source=_MISSING, reduce=_MISSING, *, include_self=True, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING or reduce is _MISSING:
        return _numpy_names("index_reduce", op_index_reduce, kwargs, {"self": self, "dim": dim, "index": index, "source": source, "reduce": reduce, "include_self": include_self, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_reduce", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_reduce", "dim", dim)
    try:
        if include_self is True:
            return _T_index_reduce[ks](self, dim, index, source, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("index_reduce", "include_self", include_self)
        return _T_index_reduce[ks](self, dim, index, source, reduce, include_self=include_self)
    except Exception:
        _explain(_T_index_reduce, (self, dim, index, source, reduce, include_self, ))
        raise


def index_reduce(input, dim=_MISSING, index=_MISSING, source=_MISSING, reduce=_MISSING, *, include_self=True, out=None, **kwargs):
    """``input`` with ``source``'s slices along ``dim`` combined into the places in ``index``.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``.
        source: the slices.
        reduce: ``"prod"``, ``"mean"``, ``"amax"`` or ``"amin"``.
        include_self: whether ``input``'s own elements at these places take part.
        out: a tensor to write the result into.

    Example:
        >>> index_reduce(ones(2), 0, tensor([0, 0]), tensor([2.0, 3.0]), "prod").tolist()
        [6.0, 1.0]"""
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING or reduce is _MISSING:
        return _numpy_names("index_reduce", index_reduce, kwargs, {"input": input, "dim": dim, "index": index, "source": source, "reduce": reduce, "include_self": include_self, "out": out})
    if out is not None:
        return _out("index_reduce", out, op_index_reduce(input, dim, index, source, reduce, include_self=include_self), True, inputs=(input, index, source, ))
    try:
        ks = input._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_reduce", {"input": input, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_reduce", "dim", dim)
    try:
        if include_self is True:
            return _T_index_reduce[ks](input, dim, index, source, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("index_reduce", "include_self", include_self)
        return _T_index_reduce[ks](input, dim, index, source, reduce, include_self=include_self)
    except Exception:
        _explain(_T_index_reduce, (input, dim, index, source, reduce, include_self, ))
        raise


def op_index_reduce_(self, dim=_MISSING, index=_MISSING, source=_MISSING, reduce=_MISSING, *, include_self=True, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or source is _MISSING or reduce is _MISSING:
        return _numpy_names("index_reduce_", op_index_reduce_, kwargs, {"self": self, "dim": dim, "index": index, "source": source, "reduce": reduce, "include_self": include_self, })
    try:
        ks = self._ks | index._ks | source._ks
    except AttributeError:
        raise _not_tensor("index_reduce_", {"self": self, "index": index, "source": source, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("index_reduce_", "dim", dim)
    try:
        if include_self is True:
            return _T_index_reduce_[ks](self, dim, index, source, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("index_reduce_", "include_self", include_self)
        return _T_index_reduce_[ks](self, dim, index, source, reduce, include_self=include_self)
    except Exception:
        _explain(_T_index_reduce_, (self, dim, index, source, reduce, include_self, ))
        raise


def op_take_along_dim(self, indices, dim=None, **kwargs):
    if kwargs:
        return _numpy_names("take_along_dim", op_take_along_dim, kwargs, {"self": self, "indices": indices, "dim": dim, })
    try:
        ks = self._ks | indices._ks
    except AttributeError:
        raise _not_tensor("take_along_dim", {"self": self, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("take_along_dim", "dim", dim)
    try:
        return _T_take_along_dim[ks](self, indices, dim)
    except Exception:
        _explain(_T_take_along_dim, (self, indices, dim, ))
        raise


def take_along_dim(input, indices, dim=None, *, out=None, **kwargs):
    """Elements picked along a dimension, as ``gather``, but ``indices`` is broadcast against ``input``.

    Args:
        input: a tensor.
        indices: int64 places along ``dim``.
        dim: the dimension; None means the flattened tensor.
        out: a tensor to write the result into.

    Example:
        >>> take_along_dim(tensor([[1, 2], [3, 4]]), tensor([[0]]), 1).tolist()
        [[1], [3]]"""
    if kwargs:
        return _numpy_names("take_along_dim", take_along_dim, kwargs, {"input": input, "indices": indices, "dim": dim, "out": out})
    if out is not None:
        return _out("take_along_dim", out, op_take_along_dim(input, indices, dim), inputs=(input, indices, ))
    try:
        ks = input._ks | indices._ks
    except AttributeError:
        raise _not_tensor("take_along_dim", {"input": input, "indices": indices, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("take_along_dim", "dim", dim)
    try:
        return _T_take_along_dim[ks](input, indices, dim)
    except Exception:
        _explain(_T_take_along_dim, (input, indices, dim, ))
        raise


METHODS = {
    "index_select": op_index_select,
    "index_add": op_index_add,
    "index_add_": op_index_add_,
    "index_copy": op_index_copy,
    "index_copy_": op_index_copy_,
    "index_reduce": op_index_reduce,
    "index_reduce_": op_index_reduce_,
    "take_along_dim": op_take_along_dim,
}


FUNCTIONS = {
    "index_select": index_select,
    "index_add": index_add,
    "index_copy": index_copy,
    "index_reduce": index_reduce,
    "take_along_dim": take_along_dim,
}
