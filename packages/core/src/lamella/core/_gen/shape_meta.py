# Generated from packages/core/src/lamella/core/ops/shape.yaml (sha256 0ca9c9c6dd701f94). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.shape as _k
import lamella.core.meta.shape as _m


def view(self, size):
    r = _k.view(_xp, self._a, size)
    return _wrap_view(self, r)


def view_dtype(self, dtype):
    r = _k.view_dtype(_xp, self._a, dtype)
    return _wrap_view(self, r)


def _unsafe_view(self, size):
    return _result(_m._unsafe_view(self, size))


def squeeze(self):
    r = _k.squeeze(_xp, self._a)
    return _wrap_view(self, r)


def squeeze_dim(self, dim):
    r = _k.squeeze_dim(_xp, self._a, dim)
    return _wrap_view(self, r)


def squeeze_dims(self, dim):
    r = _k.squeeze_dims(_xp, self._a, dim)
    return _wrap_view(self, r)


def unsqueeze(self, dim):
    r = _k.unsqueeze(_xp, self._a, dim)
    return _wrap_view(self, r)


def t(self):
    r = _k.t(_xp, self._a)
    return _wrap_view(self, r)


def transpose_int(self, dim0, dim1):
    r = _k.transpose_int(_xp, self._a, dim0, dim1)
    return _wrap_view(self, r)


def permute(self, dims):
    r = _k.permute(_xp, self._a, dims)
    return _wrap_view(self, r)


def expand(self, size, implicit=False):
    r = _k.expand(_xp, self._a, size, implicit)
    return _wrap_view(self, r)


def as_strided(self, size, stride, storage_offset=None):
    r = _k.as_strided(_xp, self._a, size, stride, storage_offset)
    return _wrap_view(self, r)


def as_strided_scatter(self, src, size, stride, storage_offset=None):
    return _result(_m.as_strided_scatter(self, src, size, stride, storage_offset))


def view_as_real(self):
    r = _k.view_as_real(_xp, self._a)
    return _wrap_view(self, r)


def view_as_complex(self):
    r = _k.view_as_complex(_xp, self._a)
    return _wrap_view(self, r)


def alias(self):
    r = _k.alias(_xp, self._a)
    return _wrap_view(self, r)
