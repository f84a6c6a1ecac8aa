# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 6b30bd2be47c4ef0). Do not edit:
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
    _T_sum,
    _T_sum_dim_IntList,
    _T_mean,
    _T_mean_dim,
    _T_nansum,
    _T_prod,
    _T_prod_dim_int,
    _T_max,
    _T_max_dim,
    _T_min,
    _T_min_dim,
    _T_amax,
    _T_amin,
    _T_aminmax,
    _T_argmax,
    _T_argmin,
    _T_any_dims,
    _T_all_dims,
    _T_var_correction,
    _T_std_correction,
    _T_linalg_vector_norm,
    _T_logsumexp,
    _T__softmax,
    _T__log_softmax,
    _T__softmax_backward_data,
    _T__log_softmax_backward_data,
    _T_cumsum,
    _T_cumsum_,
    _T_cumprod,
    _T_cumprod_,
    _T_logcumsumexp,
    _T_cummax,
    _T_cummin,
    _T_count_nonzero_dim_IntList,
    _T_median,
    _T_median_dim,
    _T_nanmedian,
    _T_nanmedian_dim,
    _T_mode,
) = _define(
    "aten",
    "reduction",
    (
        ('sum(Tensor self, *, ScalarType? dtype=None) -> Tensor', True),
        ('sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
        ('mean(Tensor self, *, ScalarType? dtype=None) -> Tensor', True),
        ('mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
        ('nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
        ('prod(Tensor self, *, ScalarType? dtype=None) -> Tensor', True),
        ('prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
        ('max(Tensor self) -> Tensor', True),
        ('max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('min(Tensor self) -> Tensor', True),
        ('min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor', True),
        ('amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor', True),
        ('aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)', True),
        ('argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor', False),
        ('argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor', False),
        ('any.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor', False),
        ('all.dims(Tensor self, int[1]? dim=None, bool keepdim=False) -> Tensor', False),
        ('var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor', True),
        ('std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor', True),
        ('linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor', True),
        ('logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor', True),
        ('_softmax(Tensor self, int dim, bool half_to_float) -> Tensor', True),
        ('_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor', True),
        ('_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor', True),
        ('_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor', True),
        ('cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor', True),
        ('cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)', True),
        ('cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor', True),
        ('cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)', True),
        ('logcumsumexp(Tensor self, int dim) -> Tensor', True),
        ('cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)', True),
        ('cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)', True),
        ('count_nonzero.dim_IntList(Tensor self, int[1]? dim=None) -> Tensor', False),
        ('median(Tensor self) -> Tensor', True),
        ('median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('nanmedian(Tensor self) -> Tensor', True),
        ('nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
    ),
    {1: "lamella.core._gen.reduction_cpu", 2: "lamella.core._gen.reduction_cuda", 3: "lamella.core._gen.reduction_meta", 65: "lamella.core.composite.reduction", },
    "lamella.core/ops/reduction.yaml",
)


def op_sum(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dtype is None:
            return _T_sum[ks](self)
        return _T_sum[ks](self, dtype=dtype)
    except Exception:
        _explain(_T_sum, (self, dtype, ))
        raise


def op_sum_dim_IntList(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("sum", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("sum", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_sum_dim_IntList[ks](self, dim, keepdim)
        return _T_sum_dim_IntList[ks](self, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_sum_dim_IntList, (self, dim, keepdim, dtype, ))
        raise


def op_mean(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mean", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dtype is None:
            return _T_mean[ks](self)
        return _T_mean[ks](self, dtype=dtype)
    except Exception:
        _explain(_T_mean, (self, dtype, ))
        raise


def op_mean_dim(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mean", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("mean", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("mean", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_mean_dim[ks](self, dim, keepdim)
        return _T_mean_dim[ks](self, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_mean_dim, (self, dim, keepdim, dtype, ))
        raise


def op_nansum(self, dim=None, keepdim=False, *, dtype=None, **kwargs):
    if kwargs:
        return _numpy_names("nansum", op_nansum, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, "dtype": dtype, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nansum", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("nansum", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("nansum", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_nansum[ks](self, dim, keepdim)
        return _T_nansum[ks](self, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_nansum, (self, dim, keepdim, dtype, ))
        raise


def nansum(input, dim=None, keepdim=False, *, dtype=None, out=None, **kwargs):
    """nansum: see torch.nansum."""
    if kwargs:
        return _numpy_names("nansum", nansum, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "dtype": dtype, "out": out})
    if out is not None:
        return _out("nansum", out, op_nansum(input, dim, keepdim, dtype=dtype), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("nansum", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("nansum", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("nansum", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_nansum[ks](input, dim, keepdim)
        return _T_nansum[ks](input, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_nansum, (input, dim, keepdim, dtype, ))
        raise


def op_prod(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("prod", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dtype is None:
            return _T_prod[ks](self)
        return _T_prod[ks](self, dtype=dtype)
    except Exception:
        _explain(_T_prod, (self, dtype, ))
        raise


def op_prod_dim_int(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("prod", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("prod", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("prod", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_prod_dim_int[ks](self, dim, keepdim)
        return _T_prod_dim_int[ks](self, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_prod_dim_int, (self, dim, keepdim, dtype, ))
        raise


def op_max(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("max", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_max[ks](self)
    except Exception:
        _explain(_T_max, (self, ))
        raise


def op_max_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("max", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("max", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("max", "keepdim", keepdim)
    try:
        return _T_max_dim[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_max_dim, (self, dim, keepdim, ))
        raise


def op_min(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("min", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_min[ks](self)
    except Exception:
        _explain(_T_min, (self, ))
        raise


def op_min_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("min", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("min", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("min", "keepdim", keepdim)
    try:
        return _T_min_dim[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_min_dim, (self, dim, keepdim, ))
        raise


def op_amax(self, dim=(), keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("amax", op_amax, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("amax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("amax", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("amax", "keepdim", keepdim)
    try:
        return _T_amax[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_amax, (self, dim, keepdim, ))
        raise


def amax(input, dim=(), keepdim=False, *, out=None, **kwargs):
    """amax: see torch.amax."""
    if kwargs:
        return _numpy_names("amax", amax, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("amax", out, op_amax(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("amax", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("amax", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("amax", "keepdim", keepdim)
    try:
        return _T_amax[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_amax, (input, dim, keepdim, ))
        raise


def op_amin(self, dim=(), keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("amin", op_amin, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("amin", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("amin", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("amin", "keepdim", keepdim)
    try:
        return _T_amin[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_amin, (self, dim, keepdim, ))
        raise


def amin(input, dim=(), keepdim=False, *, out=None, **kwargs):
    """amin: see torch.amin."""
    if kwargs:
        return _numpy_names("amin", amin, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("amin", out, op_amin(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("amin", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("amin", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("amin", "keepdim", keepdim)
    try:
        return _T_amin[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_amin, (input, dim, keepdim, ))
        raise


def op_aminmax(self, *, dim=None, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("aminmax", op_aminmax, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("aminmax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dim is None and keepdim is False:
            return _T_aminmax[ks](self)
        if dim is not None and dim.__class__ is not int:
            dim = _as_int("aminmax", "dim", dim)
        if keepdim is not False and keepdim is not True:
            keepdim = _as_bool("aminmax", "keepdim", keepdim)
        return _T_aminmax[ks](self, dim=dim, keepdim=keepdim)
    except Exception:
        _explain(_T_aminmax, (self, dim, keepdim, ))
        raise


def aminmax(input, *, dim=None, keepdim=False, out=None, **kwargs):
    """aminmax: see torch.aminmax."""
    if kwargs:
        return _numpy_names("aminmax", aminmax, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("aminmax", out, op_aminmax(input, dim=dim, keepdim=keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("aminmax", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if dim is None and keepdim is False:
            return _T_aminmax[ks](input)
        if dim is not None and dim.__class__ is not int:
            dim = _as_int("aminmax", "dim", dim)
        if keepdim is not False and keepdim is not True:
            keepdim = _as_bool("aminmax", "keepdim", keepdim)
        return _T_aminmax[ks](input, dim=dim, keepdim=keepdim)
    except Exception:
        _explain(_T_aminmax, (input, dim, keepdim, ))
        raise


def op_argmax(self, dim=None, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("argmax", op_argmax, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argmax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("argmax", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("argmax", "keepdim", keepdim)
    try:
        return _T_argmax[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_argmax, (self, dim, keepdim, ))
        raise


def argmax(input, dim=None, keepdim=False, *, out=None, **kwargs):
    """argmax: see torch.argmax."""
    if kwargs:
        return _numpy_names("argmax", argmax, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("argmax", out, op_argmax(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("argmax", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("argmax", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("argmax", "keepdim", keepdim)
    try:
        return _T_argmax[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_argmax, (input, dim, keepdim, ))
        raise


def op_argmin(self, dim=None, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("argmin", op_argmin, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argmin", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("argmin", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("argmin", "keepdim", keepdim)
    try:
        return _T_argmin[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_argmin, (self, dim, keepdim, ))
        raise


def argmin(input, dim=None, keepdim=False, *, out=None, **kwargs):
    """argmin: see torch.argmin."""
    if kwargs:
        return _numpy_names("argmin", argmin, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("argmin", out, op_argmin(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("argmin", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ is not int:
        dim = _as_int("argmin", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("argmin", "keepdim", keepdim)
    try:
        return _T_argmin[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_argmin, (input, dim, keepdim, ))
        raise


def op_any_dims(self, dim=None, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("any", op_any_dims, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("any", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("any", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("any", "keepdim", keepdim)
    try:
        return _T_any_dims[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_any_dims, (self, dim, keepdim, ))
        raise


def any(input, dim=None, keepdim=False, *, out=None, **kwargs):
    """any: see torch.any."""
    if kwargs:
        return _numpy_names("any", any, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("any", out, op_any_dims(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("any", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("any", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("any", "keepdim", keepdim)
    try:
        return _T_any_dims[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_any_dims, (input, dim, keepdim, ))
        raise


def op_all_dims(self, dim=None, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("all", op_all_dims, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("all", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("all", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("all", "keepdim", keepdim)
    try:
        return _T_all_dims[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_all_dims, (self, dim, keepdim, ))
        raise


def all(input, dim=None, keepdim=False, *, out=None, **kwargs):
    """all: see torch.all."""
    if kwargs:
        return _numpy_names("all", all, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("all", out, op_all_dims(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("all", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("all", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("all", "keepdim", keepdim)
    try:
        return _T_all_dims[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_all_dims, (input, dim, keepdim, ))
        raise


def op_var_correction(self, dim=None, *, correction=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("var", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("var", "dim", dim, True)
    try:
        if correction is None and keepdim is False:
            return _T_var_correction[ks](self, dim)
        if correction is not None and correction.__class__ is not float and correction.__class__ is not int:
            correction = _as_number("var", "correction", correction)
        if keepdim is not False and keepdim is not True:
            keepdim = _as_bool("var", "keepdim", keepdim)
        return _T_var_correction[ks](self, dim, correction=correction, keepdim=keepdim)
    except Exception:
        _explain(_T_var_correction, (self, dim, correction, keepdim, ))
        raise


def op_std_correction(self, dim=None, *, correction=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("std", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("std", "dim", dim, True)
    try:
        if correction is None and keepdim is False:
            return _T_std_correction[ks](self, dim)
        if correction is not None and correction.__class__ is not float and correction.__class__ is not int:
            correction = _as_number("std", "correction", correction)
        if keepdim is not False and keepdim is not True:
            keepdim = _as_bool("std", "keepdim", keepdim)
        return _T_std_correction[ks](self, dim, correction=correction, keepdim=keepdim)
    except Exception:
        _explain(_T_std_correction, (self, dim, correction, keepdim, ))
        raise


def op_linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_vector_norm", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if ord.__class__ is not float and ord.__class__ is not int:
        ord = _as_number("linalg_vector_norm", "ord", ord)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("linalg_vector_norm", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("linalg_vector_norm", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_linalg_vector_norm[ks](self, ord, dim, keepdim)
        return _T_linalg_vector_norm[ks](self, ord, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_linalg_vector_norm, (self, ord, dim, keepdim, dtype, ))
        raise


def linalg_vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None, out=None, **kwargs):
    """linalg_vector_norm: see torch.linalg_vector_norm."""
    if kwargs:
        return _numpy_names("linalg_vector_norm", linalg_vector_norm, kwargs, {"input": input, "ord": ord, "dim": dim, "keepdim": keepdim, "dtype": dtype, "out": out})
    if out is not None:
        return _out("linalg_vector_norm", out, op_linalg_vector_norm(input, ord, dim, keepdim, dtype=dtype), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("linalg_vector_norm", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if ord.__class__ is not float and ord.__class__ is not int:
        ord = _as_number("linalg_vector_norm", "ord", ord)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("linalg_vector_norm", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("linalg_vector_norm", "keepdim", keepdim)
    try:
        if dtype is None:
            return _T_linalg_vector_norm[ks](input, ord, dim, keepdim)
        return _T_linalg_vector_norm[ks](input, ord, dim, keepdim, dtype=dtype)
    except Exception:
        _explain(_T_linalg_vector_norm, (input, ord, dim, keepdim, dtype, ))
        raise


def op_logsumexp(self, dim=_MISSING, keepdim=False, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("logsumexp", op_logsumexp, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logsumexp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("logsumexp", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("logsumexp", "keepdim", keepdim)
    try:
        return _T_logsumexp[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_logsumexp, (self, dim, keepdim, ))
        raise


def logsumexp(input, dim=_MISSING, keepdim=False, *, out=None, **kwargs):
    """logsumexp: see torch.logsumexp."""
    if kwargs or dim is _MISSING:
        return _numpy_names("logsumexp", logsumexp, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("logsumexp", out, op_logsumexp(input, dim, keepdim), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logsumexp", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("logsumexp", "dim", dim, True)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("logsumexp", "keepdim", keepdim)
    try:
        return _T_logsumexp[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_logsumexp, (input, dim, keepdim, ))
        raise


def op__softmax(self, dim, half_to_float):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_softmax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_softmax", "dim", dim)
    if half_to_float is not False and half_to_float is not True:
        half_to_float = _as_bool("_softmax", "half_to_float", half_to_float)
    try:
        return _T__softmax[ks](self, dim, half_to_float)
    except Exception:
        _explain(_T__softmax, (self, dim, half_to_float, ))
        raise


def op__log_softmax(self, dim, half_to_float):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_log_softmax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_log_softmax", "dim", dim)
    if half_to_float is not False and half_to_float is not True:
        half_to_float = _as_bool("_log_softmax", "half_to_float", half_to_float)
    try:
        return _T__log_softmax[ks](self, dim, half_to_float)
    except Exception:
        _explain(_T__log_softmax, (self, dim, half_to_float, ))
        raise


def op__softmax_backward_data(grad_output, output, dim, input_dtype):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_softmax_backward_data", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_softmax_backward_data", "dim", dim)
    try:
        return _T__softmax_backward_data[ks](grad_output, output, dim, input_dtype)
    except Exception:
        _explain(_T__softmax_backward_data, (grad_output, output, dim, input_dtype, ))
        raise


def _softmax_backward_data(grad_output, output, dim=_MISSING, input_dtype=_MISSING, **kwargs):
    """_softmax_backward_data: see torch._softmax_backward_data."""
    if kwargs or dim is _MISSING or input_dtype is _MISSING:
        return _numpy_names("_softmax_backward_data", _softmax_backward_data, kwargs, {"grad_output": grad_output, "output": output, "dim": dim, "input_dtype": input_dtype, })
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_softmax_backward_data", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_softmax_backward_data", "dim", dim)
    try:
        return _T__softmax_backward_data[ks](grad_output, output, dim, input_dtype)
    except Exception:
        _explain(_T__softmax_backward_data, (grad_output, output, dim, input_dtype, ))
        raise


def op__log_softmax_backward_data(grad_output, output, dim, input_dtype):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_log_softmax_backward_data", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_log_softmax_backward_data", "dim", dim)
    try:
        return _T__log_softmax_backward_data[ks](grad_output, output, dim, input_dtype)
    except Exception:
        _explain(_T__log_softmax_backward_data, (grad_output, output, dim, input_dtype, ))
        raise


def _log_softmax_backward_data(grad_output, output, dim=_MISSING, input_dtype=_MISSING, **kwargs):
    """_log_softmax_backward_data: see torch._log_softmax_backward_data."""
    if kwargs or dim is _MISSING or input_dtype is _MISSING:
        return _numpy_names("_log_softmax_backward_data", _log_softmax_backward_data, kwargs, {"grad_output": grad_output, "output": output, "dim": dim, "input_dtype": input_dtype, })
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_log_softmax_backward_data", {"grad_output": grad_output, "output": output, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("_log_softmax_backward_data", "dim", dim)
    try:
        return _T__log_softmax_backward_data[ks](grad_output, output, dim, input_dtype)
    except Exception:
        _explain(_T__log_softmax_backward_data, (grad_output, output, dim, input_dtype, ))
        raise


def op_cumsum(self, dim=_MISSING, *, dtype=None, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cumsum", op_cumsum, kwargs, {"self": self, "dim": dim, "dtype": dtype, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumsum", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumsum", "dim", dim)
    try:
        if dtype is None:
            return _T_cumsum[ks](self, dim)
        return _T_cumsum[ks](self, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumsum, (self, dim, dtype, ))
        raise


def cumsum(input, dim=_MISSING, *, dtype=None, out=None, **kwargs):
    """cumsum: see torch.cumsum."""
    if kwargs or dim is _MISSING:
        return _numpy_names("cumsum", cumsum, kwargs, {"input": input, "dim": dim, "dtype": dtype, "out": out})
    if out is not None:
        return _out("cumsum", out, op_cumsum(input, dim, dtype=dtype), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cumsum", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumsum", "dim", dim)
    try:
        if dtype is None:
            return _T_cumsum[ks](input, dim)
        return _T_cumsum[ks](input, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumsum, (input, dim, dtype, ))
        raise


def op_cumsum_(self, dim=_MISSING, *, dtype=None, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cumsum_", op_cumsum_, kwargs, {"self": self, "dim": dim, "dtype": dtype, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumsum_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumsum_", "dim", dim)
    try:
        if dtype is None:
            return _T_cumsum_[ks](self, dim)
        return _T_cumsum_[ks](self, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumsum_, (self, dim, dtype, ))
        raise


def op_cumprod(self, dim=_MISSING, *, dtype=None, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cumprod", op_cumprod, kwargs, {"self": self, "dim": dim, "dtype": dtype, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumprod", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumprod", "dim", dim)
    try:
        if dtype is None:
            return _T_cumprod[ks](self, dim)
        return _T_cumprod[ks](self, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumprod, (self, dim, dtype, ))
        raise


def cumprod(input, dim=_MISSING, *, dtype=None, out=None, **kwargs):
    """cumprod: see torch.cumprod."""
    if kwargs or dim is _MISSING:
        return _numpy_names("cumprod", cumprod, kwargs, {"input": input, "dim": dim, "dtype": dtype, "out": out})
    if out is not None:
        return _out("cumprod", out, op_cumprod(input, dim, dtype=dtype), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cumprod", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumprod", "dim", dim)
    try:
        if dtype is None:
            return _T_cumprod[ks](input, dim)
        return _T_cumprod[ks](input, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumprod, (input, dim, dtype, ))
        raise


def op_cumprod_(self, dim=_MISSING, *, dtype=None, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cumprod_", op_cumprod_, kwargs, {"self": self, "dim": dim, "dtype": dtype, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumprod_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cumprod_", "dim", dim)
    try:
        if dtype is None:
            return _T_cumprod_[ks](self, dim)
        return _T_cumprod_[ks](self, dim, dtype=dtype)
    except Exception:
        _explain(_T_cumprod_, (self, dim, dtype, ))
        raise


def op_logcumsumexp(self, dim=_MISSING, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("logcumsumexp", op_logcumsumexp, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logcumsumexp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("logcumsumexp", "dim", dim)
    try:
        return _T_logcumsumexp[ks](self, dim)
    except Exception:
        _explain(_T_logcumsumexp, (self, dim, ))
        raise


def logcumsumexp(input, dim=_MISSING, *, out=None, **kwargs):
    """logcumsumexp: see torch.logcumsumexp."""
    if kwargs or dim is _MISSING:
        return _numpy_names("logcumsumexp", logcumsumexp, kwargs, {"input": input, "dim": dim, "out": out})
    if out is not None:
        return _out("logcumsumexp", out, op_logcumsumexp(input, dim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logcumsumexp", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("logcumsumexp", "dim", dim)
    try:
        return _T_logcumsumexp[ks](input, dim)
    except Exception:
        _explain(_T_logcumsumexp, (input, dim, ))
        raise


def op_cummax(self, dim=_MISSING, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cummax", op_cummax, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cummax", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cummax", "dim", dim)
    try:
        return _T_cummax[ks](self, dim)
    except Exception:
        _explain(_T_cummax, (self, dim, ))
        raise


def cummax(input, dim=_MISSING, *, out=None, **kwargs):
    """cummax: see torch.cummax."""
    if kwargs or dim is _MISSING:
        return _numpy_names("cummax", cummax, kwargs, {"input": input, "dim": dim, "out": out})
    if out is not None:
        return _out("cummax", out, op_cummax(input, dim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cummax", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cummax", "dim", dim)
    try:
        return _T_cummax[ks](input, dim)
    except Exception:
        _explain(_T_cummax, (input, dim, ))
        raise


def op_cummin(self, dim=_MISSING, **kwargs):
    if kwargs or dim is _MISSING:
        return _numpy_names("cummin", op_cummin, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cummin", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cummin", "dim", dim)
    try:
        return _T_cummin[ks](self, dim)
    except Exception:
        _explain(_T_cummin, (self, dim, ))
        raise


def cummin(input, dim=_MISSING, *, out=None, **kwargs):
    """cummin: see torch.cummin."""
    if kwargs or dim is _MISSING:
        return _numpy_names("cummin", cummin, kwargs, {"input": input, "dim": dim, "out": out})
    if out is not None:
        return _out("cummin", out, op_cummin(input, dim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cummin", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("cummin", "dim", dim)
    try:
        return _T_cummin[ks](input, dim)
    except Exception:
        _explain(_T_cummin, (input, dim, ))
        raise


def op_count_nonzero_dim_IntList(self, dim=None, **kwargs):
    if kwargs:
        return _numpy_names("count_nonzero", op_count_nonzero_dim_IntList, kwargs, {"self": self, "dim": dim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("count_nonzero", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("count_nonzero", "dim", dim, True)
    try:
        return _T_count_nonzero_dim_IntList[ks](self, dim)
    except Exception:
        _explain(_T_count_nonzero_dim_IntList, (self, dim, ))
        raise


def count_nonzero(input, dim=None, **kwargs):
    """count_nonzero: see torch.count_nonzero."""
    if kwargs:
        return _numpy_names("count_nonzero", count_nonzero, kwargs, {"input": input, "dim": dim, })
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("count_nonzero", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is not None and dim.__class__ not in _SEQUENCES and dim.__class__ is not int:
        dim = _as_ints("count_nonzero", "dim", dim, True)
    try:
        return _T_count_nonzero_dim_IntList[ks](input, dim)
    except Exception:
        _explain(_T_count_nonzero_dim_IntList, (input, dim, ))
        raise


def op_median(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("median", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_median[ks](self)
    except Exception:
        _explain(_T_median, (self, ))
        raise


def op_median_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("median", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("median", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("median", "keepdim", keepdim)
    try:
        return _T_median_dim[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_median_dim, (self, dim, keepdim, ))
        raise


def op_nanmedian(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nanmedian", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_nanmedian[ks](self)
    except Exception:
        _explain(_T_nanmedian, (self, ))
        raise


def op_nanmedian_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nanmedian", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("nanmedian", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("nanmedian", "keepdim", keepdim)
    try:
        return _T_nanmedian_dim[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_nanmedian_dim, (self, dim, keepdim, ))
        raise


def op_mode(self, dim=-1, keepdim=False, **kwargs):
    if kwargs:
        return _numpy_names("mode", op_mode, kwargs, {"self": self, "dim": dim, "keepdim": keepdim, })
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mode", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("mode", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("mode", "keepdim", keepdim)
    try:
        return _T_mode[ks](self, dim, keepdim)
    except Exception:
        _explain(_T_mode, (self, dim, keepdim, ))
        raise


def mode(input, dim=-1, keepdim=False, *, out=None, **kwargs):
    """mode: see torch.mode."""
    if kwargs:
        return _numpy_names("mode", mode, kwargs, {"input": input, "dim": dim, "keepdim": keepdim, "out": out})
    if out is not None:
        return _out("mode", out, op_mode(input, dim, keepdim), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("mode", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim.__class__ is not int:
        dim = _as_int("mode", "dim", dim)
    if keepdim is not False and keepdim is not True:
        keepdim = _as_bool("mode", "keepdim", keepdim)
    try:
        return _T_mode[ks](input, dim, keepdim)
    except Exception:
        _explain(_T_mode, (input, dim, keepdim, ))
        raise


METHODS = {
    "nansum": op_nansum,
    "amax": op_amax,
    "amin": op_amin,
    "aminmax": op_aminmax,
    "argmax": op_argmax,
    "argmin": op_argmin,
    "any": op_any_dims,
    "all": op_all_dims,
    "logsumexp": op_logsumexp,
    "cumsum": op_cumsum,
    "cumsum_": op_cumsum_,
    "cumprod": op_cumprod,
    "cumprod_": op_cumprod_,
    "logcumsumexp": op_logcumsumexp,
    "cummax": op_cummax,
    "cummin": op_cummin,
    "count_nonzero": op_count_nonzero_dim_IntList,
    "mode": op_mode,
}


FUNCTIONS = {
    "nansum": nansum,
    "amax": amax,
    "amin": amin,
    "aminmax": aminmax,
    "argmax": argmax,
    "argmin": argmin,
    "any": any,
    "all": all,
    "linalg_vector_norm": linalg_vector_norm,
    "logsumexp": logsumexp,
    "_softmax_backward_data": _softmax_backward_data,
    "_log_softmax_backward_data": _log_softmax_backward_data,
    "cumsum": cumsum,
    "cumprod": cumprod,
    "logcumsumexp": logcumsumexp,
    "cummax": cummax,
    "cummin": cummin,
    "count_nonzero": count_nonzero,
    "mode": mode,
}
