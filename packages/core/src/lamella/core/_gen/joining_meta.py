# Generated from packages/core/src/lamella/core/ops/joining.yaml (sha256 ed0c362d9d922849). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.joining as _k
import lamella.core.meta.joining as _m


def cat(tensors, dim=0):
    return _result(_m.cat(tensors, dim))


def stack(tensors, dim=0):
    return _result(_m.stack(tensors, dim))


def repeat(self, repeats):
    return _result(_m.repeat(self, repeats))


def repeat_interleave_Tensor(repeats, output_size=None):
    return _result(_m.repeat_interleave_Tensor(repeats, output_size=output_size))


def flip(self, dims):
    return _result(_m.flip(self, dims))


def roll(self, shifts, dims=()):
    return _result(_m.roll(self, shifts, dims))


def tril(self, diagonal=0):
    return _result(_m.same(self, diagonal))


def tril_(self, diagonal=0):
    _inplace("tril_", self, _m.same(self, diagonal))
    _bump(self, "tril_")
    return self

tril_.moves_versions = True


def triu(self, diagonal=0):
    return _result(_m.same(self, diagonal))


def triu_(self, diagonal=0):
    _inplace("triu_", self, _m.same(self, diagonal))
    _bump(self, "triu_")
    return self

triu_.moves_versions = True


def tril_indices(row, col, offset=0, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.tril_indices(row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def triu_indices(row, col, offset=0, dtype=None, layout=None, device=None, pin_memory=None):
    return _result(_m.triu_indices(row, col, offset, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory))


def constant_pad_nd(self, pad, value=0):
    return _result(_m.constant_pad_nd(self, pad, value))
