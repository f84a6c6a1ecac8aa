# Generated from packages/core/src/lamella/core/ops/scattering.yaml (sha256 9cdc20e7c9eda487). Do not edit:
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
import lamella.core.kernels.scattering as _k

_KS = 1  # of new tensors


def gather(self, dim, index, sparse_grad=False):
    r = _k.gather(_xp, self._a, dim, index._a, sparse_grad)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter_src(self, dim, index, src):
    r = _k.scatter_src(_xp, self._a, dim, index._a, src._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter__src(self, dim, index, src):
    if self._vc is not None:
        _refuse_clash("scatter_", self, (index, src, ))
    _k.scatter__src(_xp, self._a, dim, index._a, src._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter__src.moves_versions = True


def scatter_value(self, dim, index, value):
    r = _k.scatter_value(_xp, self._a, dim, index._a, value)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter__value(self, dim, index, value):
    if self._vc is not None:
        _refuse_clash("scatter_", self, (index, ))
    _k.scatter__value(_xp, self._a, dim, index._a, value)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter__value.moves_versions = True


def scatter_reduce(self, dim, index, src, reduce):
    r = _k.scatter_reduce(_xp, self._a, dim, index._a, src._a, reduce)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter__reduce(self, dim, index, src, reduce):
    if self._vc is not None:
        _refuse_clash("scatter_", self, (index, src, ))
    _k.scatter__reduce(_xp, self._a, dim, index._a, src._a, reduce)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter__reduce.moves_versions = True


def scatter_value_reduce(self, dim, index, value, reduce):
    r = _k.scatter_value_reduce(_xp, self._a, dim, index._a, value, reduce)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter__value_reduce(self, dim, index, value, reduce):
    if self._vc is not None:
        _refuse_clash("scatter_", self, (index, ))
    _k.scatter__value_reduce(_xp, self._a, dim, index._a, value, reduce)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter__value_reduce.moves_versions = True


def scatter_add(self, dim, index, src):
    r = _k.scatter_add(_xp, self._a, dim, index._a, src._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter_add_(self, dim, index, src):
    if self._vc is not None:
        _refuse_clash("scatter_add_", self, (index, src, ))
    _k.scatter_add_(_xp, self._a, dim, index._a, src._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_add_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter_add_.moves_versions = True


def scatter_reduce_two(self, dim, index, src, reduce, include_self=True):
    r = _k.scatter_reduce_two(_xp, self._a, dim, index._a, src._a, reduce, include_self)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def scatter_reduce__two(self, dim, index, src, reduce, include_self=True):
    if self._vc is not None:
        _refuse_clash("scatter_reduce_", self, (index, src, ))
    _k.scatter_reduce__two(_xp, self._a, dim, index._a, src._a, reduce, include_self)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "scatter_reduce_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

scatter_reduce__two.moves_versions = True
