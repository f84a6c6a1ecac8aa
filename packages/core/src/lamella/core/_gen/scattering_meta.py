# Generated from packages/core/src/lamella/core/ops/scattering.yaml (sha256 9cdc20e7c9eda487). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.scattering as _k
import lamella.core.meta.scattering as _m


def gather(self, dim, index, sparse_grad=False):
    return _result(_m.gather(self, dim, index, sparse_grad=sparse_grad))


def scatter_src(self, dim, index, src):
    return _result(_m.same(self, dim, index, src))


def scatter__src(self, dim, index, src):
    _inplace("scatter_", self, _m.same(self, dim, index, src))
    _bump(self, "scatter_")
    return self

scatter__src.moves_versions = True


def scatter_value(self, dim, index, value):
    return _result(_m.same(self, dim, index, value))


def scatter__value(self, dim, index, value):
    _inplace("scatter_", self, _m.same(self, dim, index, value))
    _bump(self, "scatter_")
    return self

scatter__value.moves_versions = True


def scatter_reduce(self, dim, index, src, reduce):
    return _result(_m.same(self, dim, index, src, reduce=reduce))


def scatter__reduce(self, dim, index, src, reduce):
    _inplace("scatter_", self, _m.same(self, dim, index, src, reduce=reduce))
    _bump(self, "scatter_")
    return self

scatter__reduce.moves_versions = True


def scatter_value_reduce(self, dim, index, value, reduce):
    return _result(_m.same(self, dim, index, value, reduce=reduce))


def scatter__value_reduce(self, dim, index, value, reduce):
    _inplace("scatter_", self, _m.same(self, dim, index, value, reduce=reduce))
    _bump(self, "scatter_")
    return self

scatter__value_reduce.moves_versions = True


def scatter_add(self, dim, index, src):
    return _result(_m.same(self, dim, index, src))


def scatter_add_(self, dim, index, src):
    _inplace("scatter_add_", self, _m.same(self, dim, index, src))
    _bump(self, "scatter_add_")
    return self

scatter_add_.moves_versions = True


def scatter_reduce_two(self, dim, index, src, reduce, include_self=True):
    return _result(_m.same(self, dim, index, src, reduce, include_self=include_self))


def scatter_reduce__two(self, dim, index, src, reduce, include_self=True):
    _inplace("scatter_reduce_", self, _m.same(self, dim, index, src, reduce, include_self=include_self))
    _bump(self, "scatter_reduce_")
    return self

scatter_reduce__two.moves_versions = True
