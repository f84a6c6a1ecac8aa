# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 11d6ddbd130d61d5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    Tensor as _Tensor,
    backend_bit as _backend_bit,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
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
        ('any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor', False),
        ('all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor', False),
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
        ('count_nonzero.dim_IntList(Tensor self, int[]? dim=None) -> Tensor', False),
        ('median(Tensor self) -> Tensor', True),
        ('median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('nanmedian(Tensor self) -> Tensor', True),
        ('nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
        ('mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)', True),
    ),
    {1: "lamella.core._gen.reduction_cpu", 3: "lamella.core._gen.reduction_meta", 65: "lamella.core.composite.reduction", },
    "lamella.core/ops/reduction.yaml",
)


def op_sum(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_sum[ks](self)
    return _T_sum[ks](self, dtype=dtype)


def op_sum_dim_IntList(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("sum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_sum_dim_IntList[ks](self, dim, keepdim)
    return _T_sum_dim_IntList[ks](self, dim, keepdim, dtype=dtype)


def op_mean(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mean", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_mean[ks](self)
    return _T_mean[ks](self, dtype=dtype)


def op_mean_dim(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mean", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_mean_dim[ks](self, dim, keepdim)
    return _T_mean_dim[ks](self, dim, keepdim, dtype=dtype)


def op_nansum(self, dim=None, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nansum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_nansum[ks](self, dim, keepdim)
    return _T_nansum[ks](self, dim, keepdim, dtype=dtype)


def nansum(input, dim=None, keepdim=False, *, dtype=None, out=None):
    """nansum: see torch.nansum."""
    if out is not None:
        return _out("nansum", out, op_nansum(input, dim, keepdim, dtype=dtype))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("nansum", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_nansum[ks](input, dim, keepdim)
    return _T_nansum[ks](input, dim, keepdim, dtype=dtype)


def op_prod(self, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("prod", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_prod[ks](self)
    return _T_prod[ks](self, dtype=dtype)


def op_prod_dim_int(self, dim, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("prod", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_prod_dim_int[ks](self, dim, keepdim)
    return _T_prod_dim_int[ks](self, dim, keepdim, dtype=dtype)


def op_max(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("max", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_max[ks](self)


def op_max_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("max", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_max_dim[ks](self, dim, keepdim)


def op_min(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("min", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_min[ks](self)


def op_min_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("min", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_min_dim[ks](self, dim, keepdim)


def op_amax(self, dim=(), keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("amax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_amax[ks](self, dim, keepdim)


def amax(input, dim=(), keepdim=False, *, out=None):
    """amax: see torch.amax."""
    if out is not None:
        return _out("amax", out, op_amax(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("amax", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_amax[ks](input, dim, keepdim)


def op_amin(self, dim=(), keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("amin", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_amin[ks](self, dim, keepdim)


def amin(input, dim=(), keepdim=False, *, out=None):
    """amin: see torch.amin."""
    if out is not None:
        return _out("amin", out, op_amin(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("amin", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_amin[ks](input, dim, keepdim)


def op_aminmax(self, *, dim=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("aminmax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is None and keepdim is False:
        return _T_aminmax[ks](self)
    return _T_aminmax[ks](self, dim=dim, keepdim=keepdim)


def aminmax(input, *, dim=None, keepdim=False, out=None):
    """aminmax: see torch.aminmax."""
    if out is not None:
        return _out("aminmax", out, op_aminmax(input, dim=dim, keepdim=keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("aminmax", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dim is None and keepdim is False:
        return _T_aminmax[ks](input)
    return _T_aminmax[ks](input, dim=dim, keepdim=keepdim)


def op_argmax(self, dim=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argmax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_argmax[ks](self, dim, keepdim)


def argmax(input, dim=None, keepdim=False, *, out=None):
    """argmax: see torch.argmax."""
    if out is not None:
        return _out("argmax", out, op_argmax(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("argmax", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_argmax[ks](input, dim, keepdim)


def op_argmin(self, dim=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("argmin", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_argmin[ks](self, dim, keepdim)


def argmin(input, dim=None, keepdim=False, *, out=None):
    """argmin: see torch.argmin."""
    if out is not None:
        return _out("argmin", out, op_argmin(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("argmin", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_argmin[ks](input, dim, keepdim)


def op_any_dims(self, dim=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("any", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_any_dims[ks](self, dim, keepdim)


def any(input, dim=None, keepdim=False, *, out=None):
    """any: see torch.any."""
    if out is not None:
        return _out("any", out, op_any_dims(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("any", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_any_dims[ks](input, dim, keepdim)


def op_all_dims(self, dim=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("all", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_all_dims[ks](self, dim, keepdim)


def all(input, dim=None, keepdim=False, *, out=None):
    """all: see torch.all."""
    if out is not None:
        return _out("all", out, op_all_dims(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("all", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_all_dims[ks](input, dim, keepdim)


def op_var_correction(self, dim=None, *, correction=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("var", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if correction is None and keepdim is False:
        return _T_var_correction[ks](self, dim)
    return _T_var_correction[ks](self, dim, correction=correction, keepdim=keepdim)


def op_std_correction(self, dim=None, *, correction=None, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("std", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if correction is None and keepdim is False:
        return _T_std_correction[ks](self, dim)
    return _T_std_correction[ks](self, dim, correction=correction, keepdim=keepdim)


def op_linalg_vector_norm(self, ord=2, dim=None, keepdim=False, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_vector_norm", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_linalg_vector_norm[ks](self, ord, dim, keepdim)
    return _T_linalg_vector_norm[ks](self, ord, dim, keepdim, dtype=dtype)


def linalg_vector_norm(input, ord=2, dim=None, keepdim=False, *, dtype=None):
    """linalg_vector_norm: see torch.linalg_vector_norm."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("linalg_vector_norm", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_linalg_vector_norm[ks](input, ord, dim, keepdim)
    return _T_linalg_vector_norm[ks](input, ord, dim, keepdim, dtype=dtype)


def op_logsumexp(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logsumexp", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_logsumexp[ks](self, dim, keepdim)


def logsumexp(input, dim, keepdim=False, *, out=None):
    """logsumexp: see torch.logsumexp."""
    if out is not None:
        return _out("logsumexp", out, op_logsumexp(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logsumexp", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_logsumexp[ks](input, dim, keepdim)


def op__softmax(self, dim, half_to_float):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_softmax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__softmax[ks](self, dim, half_to_float)


def op__log_softmax(self, dim, half_to_float):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_log_softmax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__log_softmax[ks](self, dim, half_to_float)


def op__softmax_backward_data(grad_output, output, dim, input_dtype):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_softmax_backward_data", {"grad_output": grad_output, "output": output, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__softmax_backward_data[ks](grad_output, output, dim, input_dtype)


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    """_softmax_backward_data: see torch._softmax_backward_data."""
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_softmax_backward_data", {"grad_output": grad_output, "output": output, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__softmax_backward_data[ks](grad_output, output, dim, input_dtype)


def op__log_softmax_backward_data(grad_output, output, dim, input_dtype):
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_log_softmax_backward_data", {"grad_output": grad_output, "output": output, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__log_softmax_backward_data[ks](grad_output, output, dim, input_dtype)


def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    """_log_softmax_backward_data: see torch._log_softmax_backward_data."""
    try:
        ks = grad_output._ks | output._ks
    except AttributeError:
        raise _not_tensor("_log_softmax_backward_data", {"grad_output": grad_output, "output": output, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T__log_softmax_backward_data[ks](grad_output, output, dim, input_dtype)


def op_cumsum(self, dim, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumsum", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumsum[ks](self, dim)
    return _T_cumsum[ks](self, dim, dtype=dtype)


def cumsum(input, dim, *, dtype=None, out=None):
    """cumsum: see torch.cumsum."""
    if out is not None:
        return _out("cumsum", out, op_cumsum(input, dim, dtype=dtype))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cumsum", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumsum[ks](input, dim)
    return _T_cumsum[ks](input, dim, dtype=dtype)


def op_cumsum_(self, dim, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumsum_", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumsum_[ks](self, dim)
    return _T_cumsum_[ks](self, dim, dtype=dtype)


def op_cumprod(self, dim, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumprod", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumprod[ks](self, dim)
    return _T_cumprod[ks](self, dim, dtype=dtype)


def cumprod(input, dim, *, dtype=None, out=None):
    """cumprod: see torch.cumprod."""
    if out is not None:
        return _out("cumprod", out, op_cumprod(input, dim, dtype=dtype))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cumprod", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumprod[ks](input, dim)
    return _T_cumprod[ks](input, dim, dtype=dtype)


def op_cumprod_(self, dim, *, dtype=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cumprod_", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if dtype is None:
        return _T_cumprod_[ks](self, dim)
    return _T_cumprod_[ks](self, dim, dtype=dtype)


def op_logcumsumexp(self, dim):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("logcumsumexp", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_logcumsumexp[ks](self, dim)


def logcumsumexp(input, dim, *, out=None):
    """logcumsumexp: see torch.logcumsumexp."""
    if out is not None:
        return _out("logcumsumexp", out, op_logcumsumexp(input, dim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("logcumsumexp", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_logcumsumexp[ks](input, dim)


def op_cummax(self, dim):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cummax", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_cummax[ks](self, dim)


def cummax(input, dim, *, out=None):
    """cummax: see torch.cummax."""
    if out is not None:
        return _out("cummax", out, op_cummax(input, dim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cummax", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_cummax[ks](input, dim)


def op_cummin(self, dim):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cummin", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_cummin[ks](self, dim)


def cummin(input, dim, *, out=None):
    """cummin: see torch.cummin."""
    if out is not None:
        return _out("cummin", out, op_cummin(input, dim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("cummin", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_cummin[ks](input, dim)


def op_count_nonzero_dim_IntList(self, dim=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("count_nonzero", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_count_nonzero_dim_IntList[ks](self, dim)


def count_nonzero(input, dim=None):
    """count_nonzero: see torch.count_nonzero."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("count_nonzero", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_count_nonzero_dim_IntList[ks](input, dim)


def op_median(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("median", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_median[ks](self)


def op_median_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("median", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_median_dim[ks](self, dim, keepdim)


def op_nanmedian(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nanmedian", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_nanmedian[ks](self)


def op_nanmedian_dim(self, dim, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("nanmedian", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_nanmedian_dim[ks](self, dim, keepdim)


def op_mode(self, dim=-1, keepdim=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("mode", {"self": self, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mode[ks](self, dim, keepdim)


def mode(input, dim=-1, keepdim=False, *, out=None):
    """mode: see torch.mode."""
    if out is not None:
        return _out("mode", out, op_mode(input, dim, keepdim))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("mode", {"input": input, }) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    return _T_mode[ks](input, dim, keepdim)


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
