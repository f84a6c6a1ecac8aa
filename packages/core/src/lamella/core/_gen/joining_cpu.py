# Generated from packages/core/src/lamella/core/ops/joining.yaml (sha256 ed0c362d9d922849). Do not edit:
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
import lamella.core.kernels.joining as _k

_KS = 1  # of new tensors


def cat(tensors, dim=0):
    r = _k.cat(_xp, [t._a for t in tensors], dim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def stack(tensors, dim=0):
    r = _k.stack(_xp, [t._a for t in tensors], dim)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def repeat(self, repeats):
    r = _k.repeat(_xp, self._a, repeats)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def repeat_interleave_Tensor(repeats, output_size=None):
    r = _k.repeat_interleave_Tensor(_xp, repeats._a, output_size)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def flip(self, dims):
    r = _k.flip(_xp, self._a, dims)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def roll(self, shifts, dims=()):
    r = _k.roll(_xp, self._a, shifts, dims)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def tril(self, diagonal=0):
    r = _k.tril(_xp, self._a, diagonal)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def tril_(self, diagonal=0):
    r = _k.tril(_xp, self._a, diagonal)
    _write_back("tril_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "tril_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

tril_.moves_versions = True


def triu(self, diagonal=0):
    r = _k.triu(_xp, self._a, diagonal)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def triu_(self, diagonal=0):
    r = _k.triu(_xp, self._a, diagonal)
    _write_back("triu_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "triu_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

triu_.moves_versions = True


def tril_indices(row, col, offset=0, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.tril_indices(_xp, row, col, offset, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def triu_indices(row, col, offset=0, dtype=None, layout=None, device=None, pin_memory=None):
    r = _k.triu_indices(_xp, row, col, offset, dtype)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def constant_pad_nd(self, pad, value=0):
    r = _k.constant_pad_nd(_xp, self._a, pad, value)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
