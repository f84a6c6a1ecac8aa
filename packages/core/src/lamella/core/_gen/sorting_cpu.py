# Generated from packages/core/src/lamella/core/ops/sorting.yaml (sha256 6b0d5f224839578c). Do not edit:
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
import lamella.core.kernels.sorting as _k

_KS = 1  # of new tensors

_R_sort_stable = _return_type("sort", ("values", "indices", ))

_R_topk = _return_type("topk", ("values", "indices", ))

_R_kthvalue = _return_type("kthvalue", ("values", "indices", ))


def sort_stable(self, stable, dim=-1, descending=False):
    r = _k.sort_stable(_xp, self._a, stable, dim, descending)
    return _R_sort_stable([_wrap_result(x) for x in r])


def argsort_stable(self, stable, dim=-1, descending=False):
    r = _k.argsort_stable(_xp, self._a, stable, dim, descending)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def topk(self, k, dim=-1, largest=True, sorted=True):
    r = _k.topk(_xp, self._a, k, dim, largest, sorted)
    return _R_topk([_wrap_result(x) for x in r])


def kthvalue(self, k, dim=-1, keepdim=False):
    r = _k.kthvalue(_xp, self._a, k, dim, keepdim)
    return _R_kthvalue([_wrap_result(x) for x in r])


def _unique2(self, sorted=True, return_inverse=False, return_counts=False):
    r = _k._unique2(_xp, self._a, sorted, return_inverse, return_counts)
    return tuple([_wrap_result(x) for x in r])


def unique_dim(self, dim, sorted=True, return_inverse=False, return_counts=False):
    r = _k.unique_dim(_xp, self._a, dim, sorted, return_inverse, return_counts)
    return tuple([_wrap_result(x) for x in r])


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    r = _k.unique_consecutive(_xp, self._a, return_inverse, return_counts, dim)
    return tuple([_wrap_result(x) for x in r])


def searchsorted_Tensor(sorted_sequence, self, out_int32=False, right=False, side=None, sorter=None):
    r = _k.searchsorted_Tensor(_xp, sorted_sequence._a, self._a, out_int32, right, side, None if sorter is None else sorter._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def histc(self, bins=100, min=0, max=0):
    r = _k.histc(_xp, self._a, bins, min, max)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bincount(self, weights=None, minlength=0):
    r = _k.bincount(_xp, self._a, None if weights is None else weights._a, minlength)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def isin_Tensor_Tensor(elements, test_elements, assume_unique=False, invert=False):
    r = _k.isin_Tensor_Tensor(_xp, elements._a, test_elements._a, assume_unique, invert)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
