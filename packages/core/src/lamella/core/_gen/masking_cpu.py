# Generated from packages/core/src/lamella/core/ops/masking.yaml (sha256 ce645c2e13c19b07). Do not edit:
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
import lamella.core.kernels.masking as _k

_KS = 1  # of new tensors


def masked_fill_Scalar(self, mask, value):
    r = _k.masked_fill_Scalar(_xp, self._a, mask._a, value)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def masked_fill__Scalar(self, mask, value):
    if self._vc is not None:
        _refuse_clash("masked_fill_", self, (mask, ))
    _k.masked_fill__Scalar(_xp, self._a, mask._a, value)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "masked_fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

masked_fill__Scalar.moves_versions = True


def masked_fill_Tensor(self, mask, value):
    r = _k.masked_fill_Tensor(_xp, self._a, mask._a, value._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def masked_fill__Tensor(self, mask, value):
    if self._vc is not None:
        _refuse_clash("masked_fill_", self, (mask, value, ))
    _k.masked_fill__Tensor(_xp, self._a, mask._a, value._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "masked_fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

masked_fill__Tensor.moves_versions = True


def masked_select(self, mask):
    r = _k.masked_select(_xp, self._a, mask._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def masked_scatter(self, mask, source):
    r = _k.masked_scatter(_xp, self._a, mask._a, source._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def masked_scatter_(self, mask, source):
    if self._vc is not None:
        _refuse_clash("masked_scatter_", self, (mask, source, ))
    r = _k.masked_scatter(_xp, self._a, mask._a, source._a)
    _write_back("masked_scatter_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "masked_scatter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

masked_scatter_.moves_versions = True


def take(self, index):
    r = _k.take(_xp, self._a, index._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def put(self, index, source, accumulate=False):
    r = _k.put(_xp, self._a, index._a, source._a, accumulate)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def put_(self, index, source, accumulate=False):
    if self._vc is not None:
        _refuse_clash("put_", self, (index, source, ))
    _k.put_(_xp, self._a, index._a, source._a, accumulate)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "put_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

put_.moves_versions = True


def where_self(condition, self, other):
    r = _k.where_self(_xp, condition._a, self._a, other._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nonzero(self):
    r = _k.nonzero(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nonzero_static(self, size, fill_value=-1):
    r = _k.nonzero_static(_xp, self._a, size, fill_value)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
