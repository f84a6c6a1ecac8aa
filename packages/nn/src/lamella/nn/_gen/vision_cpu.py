# Generated from packages/nn/src/lamella/nn/ops/vision.yaml (sha256 39c0aaa5401101bf). Do not edit:
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
import lamella.nn.kernels.vision as _k

_KS = 1  # of new tensors


def upsample_nearest1d(self, output_size, scales=None):
    r = _k.upsample_nearest(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_nearest2d(self, output_size, scales=None):
    r = _k.upsample_nearest(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_nearest3d(self, output_size, scales=None):
    r = _k.upsample_nearest(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_nearest_exact1d(self, output_size, scales=None):
    r = _k.upsample_nearest_exact(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_nearest_exact2d(self, output_size, scales=None):
    r = _k.upsample_nearest_exact(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_nearest_exact3d(self, output_size, scales=None):
    r = _k.upsample_nearest_exact(_xp, self._a, output_size, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_linear1d(self, output_size, align_corners, scales=None):
    r = _k.upsample_linear(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_bilinear2d(self, output_size, align_corners, scales=None):
    r = _k.upsample_linear(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_trilinear3d(self, output_size, align_corners, scales=None):
    r = _k.upsample_linear(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def upsample_bicubic2d(self, output_size, align_corners, scales=None):
    r = _k.upsample_cubic(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_bilinear2d_aa(self, output_size, align_corners, scales=None):
    r = _k.upsample_linear_aa(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_bicubic2d_aa(self, output_size, align_corners, scales=None):
    r = _k.upsample_cubic_aa(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_lanczos2d_aa(self, output_size, align_corners, scales=None):
    r = _k.upsample_lanczos_aa(_xp, self._a, output_size, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _upsample_backward(grad_output, size, mode, align_corners, scales):
    r = _k._upsample_backward(_xp, grad_output._a, size, mode, align_corners, scales)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
