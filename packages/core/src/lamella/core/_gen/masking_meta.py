# Generated from packages/core/src/lamella/core/ops/masking.yaml (sha256 ce645c2e13c19b07). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.masking as _k
import lamella.core.meta.masking as _m


def masked_fill_Scalar(self, mask, value):
    return _result(_m.masked_fill_Scalar(self, mask, value))


def masked_fill__Scalar(self, mask, value):
    _inplace("masked_fill_", self, _m.masked_fill_Scalar(self, mask, value))
    _bump(self, "masked_fill_")
    return self

masked_fill__Scalar.moves_versions = True


def masked_fill_Tensor(self, mask, value):
    return _result(_m.masked_fill_Tensor(self, mask, value))


def masked_fill__Tensor(self, mask, value):
    _inplace("masked_fill_", self, _m.masked_fill_Tensor(self, mask, value))
    _bump(self, "masked_fill_")
    return self

masked_fill__Tensor.moves_versions = True


def masked_select(self, mask):
    return _result(_m.masked_select(self, mask))


def masked_scatter(self, mask, source):
    return _result(_m.masked_scatter(self, mask, source))


def masked_scatter_(self, mask, source):
    _inplace("masked_scatter_", self, _m.masked_scatter(self, mask, source))
    _bump(self, "masked_scatter_")
    return self

masked_scatter_.moves_versions = True


def take(self, index):
    return _result(_m.take(self, index))


def put(self, index, source, accumulate=False):
    return _result(_m.same(self, index, source, accumulate))


def put_(self, index, source, accumulate=False):
    _inplace("put_", self, _m.same(self, index, source, accumulate))
    _bump(self, "put_")
    return self

put_.moves_versions = True


def where_self(condition, self, other):
    return _result(_m.where_self(condition, self, other))


def nonzero(self):
    return _result(_m.nonzero(self))


def nonzero_static(self, size, fill_value=-1):
    return _result(_m.nonzero_static(self, size=size, fill_value=fill_value))
