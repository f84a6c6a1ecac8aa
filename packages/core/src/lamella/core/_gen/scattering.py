# Generated from packages/core/src/lamella/core/ops/scattering.yaml (sha256 9cdc20e7c9eda487). Do not edit:
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
    _T_gather,
    _T_scatter_src,
    _T_scatter__src,
    _T_scatter_value,
    _T_scatter__value,
    _T_scatter_reduce,
    _T_scatter__reduce,
    _T_scatter_value_reduce,
    _T_scatter__value_reduce,
    _T_scatter_add,
    _T_scatter_add_,
    _T_scatter_reduce_two,
    _T_scatter_reduce__two,
) = _define(
    "aten",
    "scattering",
    (
        ('gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor', True),
        ('scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor', True),
        ('scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)', True),
        ('scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor', True),
        ('scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)', True),
        ('scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor', True),
        ('scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)', True),
        ('scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor', True),
        ('scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)', True),
        ('scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor', True),
        ('scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)', True),
        ('scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor', True),
        ('scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor(a!)', True),
    ),
    {1: "lamella.core._gen.scattering_cpu", 2: "lamella.core._gen.scattering_cuda", 3: "lamella.core._gen.scattering_meta", 65: "lamella.core.composite.scattering", },
    "lamella.core/ops/scattering.yaml",
)


def op_gather(self, dim=_MISSING, index=_MISSING, *, sparse_grad=False, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING:
        return _numpy_names("gather", op_gather, kwargs, {"self": self, "dim": dim, "index": index, "sparse_grad": sparse_grad, })
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("gather", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("gather", "dim", dim)
    try:
        if sparse_grad is False:
            return _T_gather[ks](self, dim, index)
        if sparse_grad is not False and sparse_grad is not True:
            sparse_grad = _as_bool("gather", "sparse_grad", sparse_grad)
        return _T_gather[ks](self, dim, index, sparse_grad=sparse_grad)
    except Exception:
        _explain(_T_gather, (self, dim, index, sparse_grad, ))
        raise


def op_scatter_src(self, dim, index, src):
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter", "dim", dim)
    try:
        return _T_scatter_src[ks](self, dim, index, src)
    except Exception:
        _explain(_T_scatter_src, (self, dim, index, src, ))
        raise


def op_scatter__src(self, dim, index, src):
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_", "dim", dim)
    try:
        return _T_scatter__src[ks](self, dim, index, src)
    except Exception:
        _explain(_T_scatter__src, (self, dim, index, src, ))
        raise


def op_scatter_value(self, dim, index, value):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("scatter", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("scatter", "value", value)
    try:
        return _T_scatter_value[ks](self, dim, index, value)
    except Exception:
        _explain(_T_scatter_value, (self, dim, index, value, ))
        raise


def op_scatter__value(self, dim, index, value):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("scatter_", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("scatter_", "value", value)
    try:
        return _T_scatter__value[ks](self, dim, index, value)
    except Exception:
        _explain(_T_scatter__value, (self, dim, index, value, ))
        raise


def op_scatter_reduce(self, dim, index, src, *, reduce):
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter", "dim", dim)
    try:
        return _T_scatter_reduce[ks](self, dim, index, src, reduce=reduce)
    except Exception:
        _explain(_T_scatter_reduce, (self, dim, index, src, reduce, ))
        raise


def op_scatter__reduce(self, dim, index, src, *, reduce):
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_", "dim", dim)
    try:
        return _T_scatter__reduce[ks](self, dim, index, src, reduce=reduce)
    except Exception:
        _explain(_T_scatter__reduce, (self, dim, index, src, reduce, ))
        raise


def op_scatter_value_reduce(self, dim, index, value, *, reduce):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("scatter", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("scatter", "value", value)
    try:
        return _T_scatter_value_reduce[ks](self, dim, index, value, reduce=reduce)
    except Exception:
        _explain(_T_scatter_value_reduce, (self, dim, index, value, reduce, ))
        raise


def op_scatter__value_reduce(self, dim, index, value, *, reduce):
    try:
        ks = self._ks | index._ks
    except AttributeError:
        raise _not_tensor("scatter_", {"self": self, "index": index, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_", "dim", dim)
    if value.__class__ is not float and value.__class__ is not int:
        value = _as_number("scatter_", "value", value)
    try:
        return _T_scatter__value_reduce[ks](self, dim, index, value, reduce=reduce)
    except Exception:
        _explain(_T_scatter__value_reduce, (self, dim, index, value, reduce, ))
        raise


def op_scatter_add(self, dim=_MISSING, index=_MISSING, src=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING:
        return _numpy_names("scatter_add", op_scatter_add, kwargs, {"self": self, "dim": dim, "index": index, "src": src, })
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_add", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_add", "dim", dim)
    try:
        return _T_scatter_add[ks](self, dim, index, src)
    except Exception:
        _explain(_T_scatter_add, (self, dim, index, src, ))
        raise


def scatter_add(input, dim=_MISSING, index=_MISSING, src=_MISSING, *, out=None, **kwargs):
    """``input`` with ``src``'s elements added at the places in ``index`` along ``dim``; repeated places add up.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``.
        src: what to add, at least as large as ``index`` in each dimension.
        out: a tensor to write the result into.

    Example:
        >>> scatter_add(zeros(2), 0, tensor([1, 1]), ones(2)).tolist()
        [0.0, 2.0]"""
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING:
        return _numpy_names("scatter_add", scatter_add, kwargs, {"input": input, "dim": dim, "index": index, "src": src, "out": out})
    if out is not None:
        return _out("scatter_add", out, op_scatter_add(input, dim, index, src), True, inputs=(input, index, src, ))
    try:
        ks = input._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_add", {"input": input, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_add", "dim", dim)
    try:
        return _T_scatter_add[ks](input, dim, index, src)
    except Exception:
        _explain(_T_scatter_add, (input, dim, index, src, ))
        raise


def op_scatter_add_(self, dim=_MISSING, index=_MISSING, src=_MISSING, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING:
        return _numpy_names("scatter_add_", op_scatter_add_, kwargs, {"self": self, "dim": dim, "index": index, "src": src, })
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_add_", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_add_", "dim", dim)
    try:
        return _T_scatter_add_[ks](self, dim, index, src)
    except Exception:
        _explain(_T_scatter_add_, (self, dim, index, src, ))
        raise


def op_scatter_reduce_two(self, dim=_MISSING, index=_MISSING, src=_MISSING, reduce=_MISSING, *, include_self=True, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING or reduce is _MISSING:
        return _numpy_names("scatter_reduce", op_scatter_reduce_two, kwargs, {"self": self, "dim": dim, "index": index, "src": src, "reduce": reduce, "include_self": include_self, })
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_reduce", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_reduce", "dim", dim)
    try:
        if include_self is True:
            return _T_scatter_reduce_two[ks](self, dim, index, src, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("scatter_reduce", "include_self", include_self)
        return _T_scatter_reduce_two[ks](self, dim, index, src, reduce, include_self=include_self)
    except Exception:
        _explain(_T_scatter_reduce_two, (self, dim, index, src, reduce, include_self, ))
        raise


def scatter_reduce(input, dim=_MISSING, index=_MISSING, src=_MISSING, reduce=_MISSING, *, include_self=True, out=None, **kwargs):
    """``input`` with ``src``'s elements combined into the places in ``index`` along ``dim``.

    Args:
        input: a tensor.
        dim: the dimension.
        index: places along ``dim``.
        src: the elements, at least as many as ``index`` in each dimension.
        reduce: ``"sum"``, ``"prod"``, ``"mean"``, ``"amax"`` or ``"amin"``.
        include_self: whether ``input``'s own elements at these places take part.
        out: a tensor to write the result into.

    Example:
        >>> scatter_reduce(zeros(2), 0, tensor([0, 0]), tensor([1.0, 3.0]), "amax").tolist()
        [3.0, 0.0]"""
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING or reduce is _MISSING:
        return _numpy_names("scatter_reduce", scatter_reduce, kwargs, {"input": input, "dim": dim, "index": index, "src": src, "reduce": reduce, "include_self": include_self, "out": out})
    if out is not None:
        return _out("scatter_reduce", out, op_scatter_reduce_two(input, dim, index, src, reduce, include_self=include_self), True, inputs=(input, index, src, ))
    try:
        ks = input._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_reduce", {"input": input, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_reduce", "dim", dim)
    try:
        if include_self is True:
            return _T_scatter_reduce_two[ks](input, dim, index, src, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("scatter_reduce", "include_self", include_self)
        return _T_scatter_reduce_two[ks](input, dim, index, src, reduce, include_self=include_self)
    except Exception:
        _explain(_T_scatter_reduce_two, (input, dim, index, src, reduce, include_self, ))
        raise


def op_scatter_reduce__two(self, dim=_MISSING, index=_MISSING, src=_MISSING, reduce=_MISSING, *, include_self=True, **kwargs):
    if kwargs or dim is _MISSING or index is _MISSING or src is _MISSING or reduce is _MISSING:
        return _numpy_names("scatter_reduce_", op_scatter_reduce__two, kwargs, {"self": self, "dim": dim, "index": index, "src": src, "reduce": reduce, "include_self": include_self, })
    try:
        ks = self._ks | index._ks | src._ks
    except AttributeError:
        raise _not_tensor("scatter_reduce_", {"self": self, "index": index, "src": src, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("scatter_reduce_", "dim", dim)
    try:
        if include_self is True:
            return _T_scatter_reduce__two[ks](self, dim, index, src, reduce)
        if include_self is not False and include_self is not True:
            include_self = _as_bool("scatter_reduce_", "include_self", include_self)
        return _T_scatter_reduce__two[ks](self, dim, index, src, reduce, include_self=include_self)
    except Exception:
        _explain(_T_scatter_reduce__two, (self, dim, index, src, reduce, include_self, ))
        raise


METHODS = {
    "gather": op_gather,
    "scatter_add": op_scatter_add,
    "scatter_add_": op_scatter_add_,
    "scatter_reduce": op_scatter_reduce_two,
    "scatter_reduce_": op_scatter_reduce__two,
}


FUNCTIONS = {
    "scatter_add": scatter_add,
    "scatter_reduce": scatter_reduce,
}
