# Generated from packages/nn/src/lamella/nn/ops/padding.yaml (sha256 cdb259f590a3cb3b). Do not edit:
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
import lamella.nn.kernels.padding as _k

_KS = 1  # of new tensors


def reflection_pad1d(self, padding):
    r = _k.reflect(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reflection_pad1d_backward(grad_output, self, padding):
    r = _k.reflect_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reflection_pad2d(self, padding):
    r = _k.reflect(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reflection_pad2d_backward(grad_output, self, padding):
    r = _k.reflect_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reflection_pad3d(self, padding):
    r = _k.reflect(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def reflection_pad3d_backward(grad_output, self, padding):
    r = _k.reflect_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad1d(self, padding):
    r = _k.replicate(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad1d_backward(grad_output, self, padding):
    r = _k.replicate_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad2d(self, padding):
    r = _k.replicate(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad2d_backward(grad_output, self, padding):
    r = _k.replicate_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad3d(self, padding):
    r = _k.replicate(_xp, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def replication_pad3d_backward(grad_output, self, padding):
    r = _k.replicate_backward(_xp, grad_output._a, self._a, padding)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _pad_circular(self, pad):
    r = _k.circular(_xp, self._a, pad)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _pad_circular_backward(grad_output, self, pad):
    r = _k.circular_backward(_xp, grad_output._a, self._a, pad)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
