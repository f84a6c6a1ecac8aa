# Generated from packages/core/src/lamella/core/ops/indexing.yaml (sha256 16f006509885e2a5). Do not edit:
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
import lamella.core.kernels.indexing as _k

_KS = 1  # of new tensors


def index_Tensor(self, indices):
    r = _k.index_Tensor(_xp, self._a, [None if t is None else t._a for t in indices])
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_put(self, indices, values, accumulate=False):
    r = _k.index_put(_xp, self._a, [None if t is None else t._a for t in indices], values._a, accumulate)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_put_(self, indices, values, accumulate=False):
    if self._vc is not None:
        _refuse_clash("index_put_", self, (values, indices, ))
    _k.index_put_(_xp, self._a, [None if t is None else t._a for t in indices], values._a, accumulate)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_put_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_put_.moves_versions = True


def index_select(self, dim, index):
    r = _k.index_select(_xp, self._a, dim, index._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_add(self, dim, index, source, alpha=1):
    r = _k.index_add(_xp, self._a, dim, index._a, source._a, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_add_(self, dim, index, source, alpha=1):
    if self._vc is not None:
        _refuse_clash("index_add_", self, (index, source, ))
    _k.index_add_(_xp, self._a, dim, index._a, source._a, alpha)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_add_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_add_.moves_versions = True


def index_copy(self, dim, index, source):
    r = _k.index_copy(_xp, self._a, dim, index._a, source._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_copy_(self, dim, index, source):
    if self._vc is not None:
        _refuse_clash("index_copy_", self, (index, source, ))
    _k.index_copy_(_xp, self._a, dim, index._a, source._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_copy_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_copy_.moves_versions = True


def index_fill_int_Scalar(self, dim, index, value):
    r = _k.index_fill_int_Scalar(_xp, self._a, dim, index._a, value)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_fill__int_Scalar(self, dim, index, value):
    if self._vc is not None:
        _refuse_clash("index_fill_", self, (index, ))
    _k.index_fill__int_Scalar(_xp, self._a, dim, index._a, value)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_fill__int_Scalar.moves_versions = True


def index_fill_int_Tensor(self, dim, index, value):
    r = _k.index_fill_int_Tensor(_xp, self._a, dim, index._a, value._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_fill__int_Tensor(self, dim, index, value):
    if self._vc is not None:
        _refuse_clash("index_fill_", self, (index, value, ))
    _k.index_fill__int_Tensor(_xp, self._a, dim, index._a, value._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_fill__int_Tensor.moves_versions = True


def index_reduce(self, dim, index, source, reduce, include_self=True):
    r = _k.index_reduce(_xp, self._a, dim, index._a, source._a, reduce, include_self)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def index_reduce_(self, dim, index, source, reduce, include_self=True):
    if self._vc is not None:
        _refuse_clash("index_reduce_", self, (index, source, ))
    _k.index_reduce_(_xp, self._a, dim, index._a, source._a, reduce, include_self)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "index_reduce_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

index_reduce_.moves_versions = True
