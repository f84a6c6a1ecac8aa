# Generated from packages/core/src/lamella/core/ops/shape.yaml (sha256 0ca9c9c6dd701f94). Do not edit:
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
import lamella.core.kernels.shape as _k

_KS = 1  # of new tensors


def view(self, size):
    r = _k.view(_xp, self._a, size)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def view_dtype(self, dtype):
    r = _k.view_dtype(_xp, self._a, dtype)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def _unsafe_view(self, size):
    r = _k._unsafe_view(_xp, self._a, size)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def squeeze(self):
    r = _k.squeeze(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def squeeze_dim(self, dim):
    r = _k.squeeze_dim(_xp, self._a, dim)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def squeeze_dims(self, dim):
    r = _k.squeeze_dims(_xp, self._a, dim)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def unsqueeze(self, dim):
    r = _k.unsqueeze(_xp, self._a, dim)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def t(self):
    r = _k.t(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def transpose_int(self, dim0, dim1):
    r = _k.transpose_int(_xp, self._a, dim0, dim1)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def permute(self, dims):
    r = _k.permute(_xp, self._a, dims)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def expand(self, size, implicit=False):
    r = _k.expand(_xp, self._a, size, implicit)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def as_strided(self, size, stride, storage_offset=None):
    r = _k.as_strided(_xp, self._a, size, stride, storage_offset)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def as_strided_scatter(self, src, size, stride, storage_offset=None):
    r = _k.as_strided_scatter(_xp, self._a, src._a, size, stride, storage_offset)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def view_as_real(self):
    r = _k.view_as_real(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def view_as_complex(self):
    r = _k.view_as_complex(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def alias(self):
    r = _k.alias(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t
