# Generated from packages/core/src/lamella/core/ops/indexing.yaml (sha256 16f006509885e2a5). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.indexing as _k
import lamella.core.meta.indexing as _m


def index_Tensor(self, indices):
    return _result(_m.index_Tensor(self, indices))


def index_put(self, indices, values, accumulate=False):
    return _result(_m.same(self, indices, values, accumulate))


def index_put_(self, indices, values, accumulate=False):
    _inplace("index_put_", self, _m.same(self, indices, values, accumulate))
    _bump(self, "index_put_")
    return self

index_put_.moves_versions = True


def index_select(self, dim, index):
    return _result(_m.index_select(self, dim, index))


def index_add(self, dim, index, source, alpha=1):
    return _result(_m.same(self, dim, index, source, alpha=alpha))


def index_add_(self, dim, index, source, alpha=1):
    _inplace("index_add_", self, _m.same(self, dim, index, source, alpha=alpha))
    _bump(self, "index_add_")
    return self

index_add_.moves_versions = True


def index_copy(self, dim, index, source):
    return _result(_m.same(self, dim, index, source))


def index_copy_(self, dim, index, source):
    _inplace("index_copy_", self, _m.same(self, dim, index, source))
    _bump(self, "index_copy_")
    return self

index_copy_.moves_versions = True


def index_fill_int_Scalar(self, dim, index, value):
    return _result(_m.same(self, dim, index, value))


def index_fill__int_Scalar(self, dim, index, value):
    _inplace("index_fill_", self, _m.same(self, dim, index, value))
    _bump(self, "index_fill_")
    return self

index_fill__int_Scalar.moves_versions = True


def index_fill_int_Tensor(self, dim, index, value):
    return _result(_m.same(self, dim, index, value))


def index_fill__int_Tensor(self, dim, index, value):
    _inplace("index_fill_", self, _m.same(self, dim, index, value))
    _bump(self, "index_fill_")
    return self

index_fill__int_Tensor.moves_versions = True


def index_reduce(self, dim, index, source, reduce, include_self=True):
    return _result(_m.same(self, dim, index, source, reduce, include_self=include_self))


def index_reduce_(self, dim, index, source, reduce, include_self=True):
    _inplace("index_reduce_", self, _m.same(self, dim, index, source, reduce, include_self=include_self))
    _bump(self, "index_reduce_")
    return self

index_reduce_.moves_versions = True
