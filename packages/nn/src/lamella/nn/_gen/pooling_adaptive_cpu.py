# Generated from packages/nn/src/lamella/nn/ops/pooling_adaptive.yaml (sha256 975d808a7e26d0ff). Do not edit:
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
import lamella.nn.kernels.pooling_adaptive as _k

_KS = 1  # of new tensors


def adaptive_avg_pool1d(self, output_size):
    r = _k.adaptive_avg_pool(_xp, self._a, output_size)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _adaptive_avg_pool2d(self, output_size):
    r = _k.adaptive_avg_pool(_xp, self._a, output_size)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _adaptive_avg_pool3d(self, output_size):
    r = _k.adaptive_avg_pool(_xp, self._a, output_size)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _adaptive_avg_pool_backward(grad_output, size, spatial):
    r = _k._adaptive_avg_pool_backward(_xp, grad_output._a, size, spatial)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def adaptive_max_pool1d(self, output_size):
    r = _k.adaptive_max_pool(_xp, self._a, output_size)
    return tuple([_wrap_result(x) for x in r])


def adaptive_max_pool2d(self, output_size):
    r = _k.adaptive_max_pool(_xp, self._a, output_size)
    return tuple([_wrap_result(x) for x in r])


def adaptive_max_pool3d(self, output_size):
    r = _k.adaptive_max_pool(_xp, self._a, output_size)
    return tuple([_wrap_result(x) for x in r])


def fractional_max_pool2d(self, kernel_size, output_size, random_samples):
    r = _k.fractional_max_pool(_xp, self._a, kernel_size, output_size, random_samples._a)
    return tuple([_wrap_result(x) for x in r])


def fractional_max_pool3d(self, kernel_size, output_size, random_samples):
    r = _k.fractional_max_pool(_xp, self._a, kernel_size, output_size, random_samples._a)
    return tuple([_wrap_result(x) for x in r])
