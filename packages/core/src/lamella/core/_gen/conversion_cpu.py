# Generated from packages/core/src/lamella/core/ops/conversion.yaml (sha256 908eacc1519ee738). Do not edit:
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
import lamella.core.kernels.conversion as _k

_KS = 1  # of new tensors


def clone(self, memory_format=None):
    r = _k.clone(_xp, self._a, memory_format)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def copy_(self, src, non_blocking=False):
    if self._vc is not None:
        _refuse_clash("copy_", self, (src, ))
    _k.copy_(_xp, self._a, src._a, non_blocking)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "copy_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

copy_.moves_versions = True


def fill__Scalar(self, value):
    _k.fill__Scalar(_xp, self._a, value)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

fill__Scalar.moves_versions = True


def fill__Tensor(self, value):
    if self._vc is not None:
        _refuse_clash("fill_", self, (value, ))
    _k.fill__Tensor(_xp, self._a, value._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "fill_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

fill__Tensor.moves_versions = True


def zero_(self):
    _k.zero_(_xp, self._a)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "zero_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

zero_.moves_versions = True


def _local_scalar_dense(self):
    r = _k._local_scalar_dense(_xp, self._a)
    return r


def complex(real, imag):
    r = _k.complex(_xp, real._a, imag._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
