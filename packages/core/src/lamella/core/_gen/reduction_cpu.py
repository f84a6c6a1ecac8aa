# Generated from packages/core/src/lamella/core/ops/reduction.yaml (sha256 6b30bd2be47c4ef0). Do not edit:
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
import lamella.core.kernels.reduction as _k

_KS = 1  # of new tensors

_R_max_dim = _return_type("max", ("values", "indices", ))

_R_min_dim = _return_type("min", ("values", "indices", ))

_R_aminmax = _return_type("aminmax", ("min", "max", ))

_R_cummax = _return_type("cummax", ("values", "indices", ))

_R_cummin = _return_type("cummin", ("values", "indices", ))

_R_median_dim = _return_type("median", ("values", "indices", ))

_R_nanmedian_dim = _return_type("nanmedian", ("values", "indices", ))

_R_mode = _return_type("mode", ("values", "indices", ))


def sum(self, dtype=None):
    r = _k.sum(_xp, self._a, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def sum_dim_IntList(self, dim, keepdim=False, dtype=None):
    r = _k.sum_dim_IntList(_xp, self._a, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mean(self, dtype=None):
    r = _k.mean(_xp, self._a, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mean_dim(self, dim, keepdim=False, dtype=None):
    r = _k.mean_dim(_xp, self._a, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nansum(self, dim=None, keepdim=False, dtype=None):
    r = _k.nansum(_xp, self._a, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def prod(self, dtype=None):
    r = _k.prod(_xp, self._a, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def prod_dim_int(self, dim, keepdim=False, dtype=None):
    r = _k.prod_dim_int(_xp, self._a, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def max(self):
    r = _k.max(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def max_dim(self, dim, keepdim=False):
    r = _k.max_dim(_xp, self._a, dim, keepdim)
    return _R_max_dim([_wrap_result(x) for x in r])


def min(self):
    r = _k.min(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def min_dim(self, dim, keepdim=False):
    r = _k.min_dim(_xp, self._a, dim, keepdim)
    return _R_min_dim([_wrap_result(x) for x in r])


def amax(self, dim=(), keepdim=False):
    r = _k.amax(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def amin(self, dim=(), keepdim=False):
    r = _k.amin(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def aminmax(self, dim=None, keepdim=False):
    r = _k.aminmax(_xp, self._a, dim, keepdim)
    return _R_aminmax([_wrap_result(x) for x in r])


def argmax(self, dim=None, keepdim=False):
    r = _k.argmax(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def argmin(self, dim=None, keepdim=False):
    r = _k.argmin(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def any_dims(self, dim=None, keepdim=False):
    r = _k.any_dims(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def all_dims(self, dim=None, keepdim=False):
    r = _k.all_dims(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def var_correction(self, dim=None, correction=None, keepdim=False):
    r = _k.var_correction(_xp, self._a, dim, correction, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def std_correction(self, dim=None, correction=None, keepdim=False):
    r = _k.std_correction(_xp, self._a, dim, correction, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, dtype=None):
    r = _k.linalg_vector_norm(_xp, self._a, ord, dim, keepdim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def logsumexp(self, dim, keepdim=False):
    r = _k.logsumexp(_xp, self._a, dim, keepdim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _softmax(self, dim, half_to_float):
    r = _k._softmax(_xp, self._a, dim, half_to_float)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _log_softmax(self, dim, half_to_float):
    r = _k._log_softmax(_xp, self._a, dim, half_to_float)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _softmax_backward_data(grad_output, output, dim, input_dtype):
    r = _k._softmax_backward_data(_xp, grad_output._a, output._a, dim, input_dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
    r = _k._log_softmax_backward_data(_xp, grad_output._a, output._a, dim, input_dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cumsum(self, dim, dtype=None):
    r = _k.cumsum(_xp, self._a, dim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cumsum_(self, dim, dtype=None):
    r = _k.cumsum(_xp, self._a, dim, dtype)
    _write_back("cumsum_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "cumsum_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

cumsum_.moves_versions = True


def cumprod(self, dim, dtype=None):
    r = _k.cumprod(_xp, self._a, dim, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cumprod_(self, dim, dtype=None):
    r = _k.cumprod(_xp, self._a, dim, dtype)
    _write_back("cumprod_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "cumprod_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

cumprod_.moves_versions = True


def logcumsumexp(self, dim):
    r = _k.logcumsumexp(_xp, self._a, dim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def cummax(self, dim):
    r = _k.cummax(_xp, self._a, dim)
    return _R_cummax([_wrap_result(x) for x in r])


def cummin(self, dim):
    r = _k.cummin(_xp, self._a, dim)
    return _R_cummin([_wrap_result(x) for x in r])


def count_nonzero_dim_IntList(self, dim=None):
    r = _k.count_nonzero_dim_IntList(_xp, self._a, dim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def median(self):
    r = _k.median(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def median_dim(self, dim, keepdim=False):
    r = _k.median_dim(_xp, self._a, dim, keepdim)
    return _R_median_dim([_wrap_result(x) for x in r])


def nanmedian(self):
    r = _k.nanmedian(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nanmedian_dim(self, dim, keepdim=False):
    r = _k.nanmedian_dim(_xp, self._a, dim, keepdim)
    return _R_nanmedian_dim([_wrap_result(x) for x in r])


def mode(self, dim=-1, keepdim=False):
    r = _k.mode(_xp, self._a, dim, keepdim)
    return _R_mode([_wrap_result(x) for x in r])
