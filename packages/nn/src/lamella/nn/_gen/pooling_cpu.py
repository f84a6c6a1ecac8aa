# Generated from packages/nn/src/lamella/nn/ops/pooling.yaml (sha256 d72bce4a02a185cd). Do not edit:
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
import lamella.nn.kernels.pooling as _k

_KS = 1  # of new tensors


def _max_pool(self, kernel_size, stride, padding, dilation, ceil_mode):
    r = _k._max_pool(_xp, self._a, kernel_size, stride, padding, dilation, ceil_mode)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _max_pool2d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    r = _k.max_pool_with_places(_xp, self._a, kernel_size, stride, padding, dilation, ceil_mode)
    return tuple([_wrap_result(x) for x in r])


def _max_pool3d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
    r = _k.max_pool_with_places(_xp, self._a, kernel_size, stride, padding, dilation, ceil_mode)
    return tuple([_wrap_result(x) for x in r])


def _max_pool_put(self, places, size, kernel_size, stride, padding, dilation):
    r = _k._max_pool_put(_xp, self._a, places._a, size, kernel_size, stride, padding, dilation)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _max_pool_take(self, places, kernel_size, stride, padding, dilation):
    r = _k._max_pool_take(_xp, self._a, places._a, kernel_size, stride, padding, dilation)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _max_pool_index(places, size, kernel_size, stride, padding, dilation):
    r = _k._max_pool_index(_xp, places._a, size, kernel_size, stride, padding, dilation)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def avg_pool1d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True):
    r = _k.avg_pool(_xp, self._a, kernel_size, stride, padding, ceil_mode, count_include_pad)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def avg_pool2d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    r = _k.avg_pool(_xp, self._a, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def avg_pool3d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
    r = _k.avg_pool(_xp, self._a, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _avg_pool_backward(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    r = _k._avg_pool_backward(_xp, grad_output._a, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
