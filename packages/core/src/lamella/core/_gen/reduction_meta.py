# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 6b30bd2be47c4ef0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.reduction as _k
import lamella.core.meta.reduction as _m

_R_max_dim = _return_type("max", ("values", "indices", ))
_R_min_dim = _return_type("min", ("values", "indices", ))
_R_aminmax = _return_type("aminmax", ("min", "max", ))
_R_cummax = _return_type("cummax", ("values", "indices", ))
_R_cummin = _return_type("cummin", ("values", "indices", ))
_R_median_dim = _return_type("median", ("values", "indices", ))
_R_nanmedian_dim = _return_type("nanmedian", ("values", "indices", ))
_R_mode = _return_type("mode", ("values", "indices", ))


def sum(self, dtype=None):
    return _result(_m.sum(self, dtype=dtype))


def sum_dim_IntList(self, dim, keepdim=False, dtype=None):
    return _result(_m.sum_dim_IntList(self, dim, keepdim, dtype=dtype))


def mean(self, dtype=None):
    return _result(_m.mean(self, dtype=dtype))


def mean_dim(self, dim, keepdim=False, dtype=None):
    return _result(_m.mean_dim(self, dim, keepdim, dtype=dtype))


def nansum(self, dim=None, keepdim=False, dtype=None):
    return _result(_m.nansum(self, dim, keepdim, dtype=dtype))


def prod(self, dtype=None):
    return _result(_m.prod(self, dtype=dtype))


def prod_dim_int(self, dim, keepdim=False, dtype=None):
    return _result(_m.prod_dim_int(self, dim, keepdim, dtype=dtype))


def max(self):
    return _result(_m.max(self))


def max_dim(self, dim, keepdim=False):
    return _R_max_dim([_result(x) for x in _m.max_dim(self, dim, keepdim)])


def min(self):
    return _result(_m.min(self))


def min_dim(self, dim, keepdim=False):
    return _R_min_dim([_result(x) for x in _m.min_dim(self, dim, keepdim)])


def amax(self, dim=(), keepdim=False):
    return _result(_m.amax(self, dim, keepdim))


def amin(self, dim=(), keepdim=False):
    return _result(_m.amin(self, dim, keepdim))


def aminmax(self, dim=None, keepdim=False):
    return _R_aminmax([_result(x) for x in _m.aminmax(self, dim=dim, keepdim=keepdim)])


def argmax(self, dim=None, keepdim=False):
    return _result(_m.argmax(self, dim, keepdim))


def argmin(self, dim=None, keepdim=False):
    return _result(_m.argmin(self, dim, keepdim))


def any_dims(self, dim=None, keepdim=False):
    return _result(_m.any_dims(self, dim, keepdim))


def all_dims(self, dim=None, keepdim=False):
    return _result(_m.all_dims(self, dim, keepdim))


def var_correction(self, dim=None, correction=None, keepdim=False):
    return _result(_m.var_correction(self, dim, correction=correction, keepdim=keepdim))


def std_correction(self, dim=None, correction=None, keepdim=False):
    return _result(_m.std_correction(self, dim, correction=correction, keepdim=keepdim))


def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, dtype=None):
    return _result(_m.linalg_vector_norm(self, ord, dim, keepdim, dtype=dtype))


def logsumexp(self, dim, keepdim=False):
    return _result(_m.logsumexp(self, dim, keepdim))


def _softmax(self, dim, half_to_float):
    return _result(_m._softmax(self, dim, half_to_float))


def _log_softmax(self, dim, half_to_float):
    return _result(_m._log_softmax(self, dim, half_to_float))


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    return _result(_m.same(grad_output, output, dim, input_dtype))


def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    return _result(_m.same(grad_output, output, dim, input_dtype))


def cumsum(self, dim, dtype=None):
    return _result(_m.cumsum(self, dim, dtype=dtype))


def cumsum_(self, dim, dtype=None):
    _inplace("cumsum_", self, _m.cumsum(self, dim, dtype=dtype))
    _bump(self, "cumsum_")
    return self

cumsum_.moves_versions = True


def cumprod(self, dim, dtype=None):
    return _result(_m.cumprod(self, dim, dtype=dtype))


def cumprod_(self, dim, dtype=None):
    _inplace("cumprod_", self, _m.cumprod(self, dim, dtype=dtype))
    _bump(self, "cumprod_")
    return self

cumprod_.moves_versions = True


def logcumsumexp(self, dim):
    return _result(_m.same(self, dim))


def cummax(self, dim):
    return _R_cummax([_result(x) for x in _m.cummax(self, dim)])


def cummin(self, dim):
    return _R_cummin([_result(x) for x in _m.cummin(self, dim)])


def count_nonzero_dim_IntList(self, dim=None):
    return _result(_m.count_nonzero_dim_IntList(self, dim))


def median(self):
    return _result(_m.median(self))


def median_dim(self, dim, keepdim=False):
    return _R_median_dim([_result(x) for x in _m.median_dim(self, dim, keepdim)])


def nanmedian(self):
    return _result(_m.nanmedian(self))


def nanmedian_dim(self, dim, keepdim=False):
    return _R_nanmedian_dim([_result(x) for x in _m.nanmedian_dim(self, dim, keepdim)])


def mode(self, dim=-1, keepdim=False):
    return _R_mode([_result(x) for x in _m.mode(self, dim, keepdim)])
