# Generated from packages/core/src/lamella/core/ops/sorting.yaml (sha256 6b0d5f224839578c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.sorting as _k
import lamella.core.meta.sorting as _m

_R_sort_stable = _return_type("sort", ("values", "indices", ))
_R_topk = _return_type("topk", ("values", "indices", ))
_R_kthvalue = _return_type("kthvalue", ("values", "indices", ))


def sort_stable(self, stable, dim=-1, descending=False):
    return _R_sort_stable([_result(x) for x in _m.sort_stable(self, stable=stable, dim=dim, descending=descending)])


def argsort_stable(self, stable, dim=-1, descending=False):
    return _result(_m.argsort_stable(self, stable=stable, dim=dim, descending=descending))


def topk(self, k, dim=-1, largest=True, sorted=True):
    return _R_topk([_result(x) for x in _m.topk(self, k, dim, largest, sorted)])


def kthvalue(self, k, dim=-1, keepdim=False):
    return _R_kthvalue([_result(x) for x in _m.kthvalue(self, k, dim, keepdim)])


def _unique2(self, sorted=True, return_inverse=False, return_counts=False):
    return tuple([_result(x) for x in _m._unique2(self, sorted, return_inverse, return_counts)])


def unique_dim(self, dim, sorted=True, return_inverse=False, return_counts=False):
    return tuple([_result(x) for x in _m.unique_dim(self, dim, sorted, return_inverse, return_counts)])


def unique_consecutive(self, return_inverse=False, return_counts=False, dim=None):
    return tuple([_result(x) for x in _m.unique_consecutive(self, return_inverse, return_counts, dim)])


def searchsorted_Tensor(sorted_sequence, self, out_int32=False, right=False, side=None, sorter=None):
    return _result(_m.searchsorted_Tensor(sorted_sequence, self, out_int32=out_int32, right=right, side=side, sorter=sorter))


def histc(self, bins=100, min=0, max=0):
    return _result(_m.histc(self, bins, min, max))


def bincount(self, weights=None, minlength=0):
    return _result(_m.bincount(self, weights, minlength))


def isin_Tensor_Tensor(elements, test_elements, assume_unique=False, invert=False):
    return _result(_m.isin_Tensor_Tensor(elements, test_elements, assume_unique=assume_unique, invert=invert))
