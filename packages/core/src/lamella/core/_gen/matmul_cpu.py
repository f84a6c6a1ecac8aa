# Generated from packages/core/src/lamella/core/ops/matmul.yaml (sha256 0e9a3f3b8985a205). Do not edit:
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
import lamella.core.kernels.matmul as _k

_KS = 1  # of new tensors


def mm(self, mat2):
    r = _k.mm(_xp, self._a, mat2._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def bmm(self, mat2):
    r = _k.bmm(_xp, self._a, mat2._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mv(self, vec):
    r = _k.mv(_xp, self._a, vec._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def dot(self, tensor):
    r = _k.dot(_xp, self._a, tensor._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def vdot(self, other):
    r = _k.vdot(_xp, self._a, other._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def matmul(self, other):
    r = _k.matmul(_xp, self._a, other._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addmm(self, mat1, mat2, beta=1, alpha=1):
    r = _k.addmm(_xp, self._a, mat1._a, mat2._a, beta, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addmm_(self, mat1, mat2, beta=1, alpha=1):
    if self._vc is not None:
        _refuse_clash("addmm_", self, (mat1, mat2, ))
    r = _k.addmm(_xp, self._a, mat1._a, mat2._a, beta, alpha)
    _write_back("addmm_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addmm_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addmm_.moves_versions = True


def addmv(self, mat, vec, beta=1, alpha=1):
    r = _k.addmv(_xp, self._a, mat._a, vec._a, beta, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addmv_(self, mat, vec, beta=1, alpha=1):
    if self._vc is not None:
        _refuse_clash("addmv_", self, (mat, vec, ))
    r = _k.addmv(_xp, self._a, mat._a, vec._a, beta, alpha)
    _write_back("addmv_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addmv_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addmv_.moves_versions = True


def addr(self, vec1, vec2, beta=1, alpha=1):
    r = _k.addr(_xp, self._a, vec1._a, vec2._a, beta, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addr_(self, vec1, vec2, beta=1, alpha=1):
    if self._vc is not None:
        _refuse_clash("addr_", self, (vec1, vec2, ))
    r = _k.addr(_xp, self._a, vec1._a, vec2._a, beta, alpha)
    _write_back("addr_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addr_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addr_.moves_versions = True


def baddbmm(self, batch1, batch2, beta=1, alpha=1):
    r = _k.baddbmm(_xp, self._a, batch1._a, batch2._a, beta, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def baddbmm_(self, batch1, batch2, beta=1, alpha=1):
    if self._vc is not None:
        _refuse_clash("baddbmm_", self, (batch1, batch2, ))
    r = _k.baddbmm(_xp, self._a, batch1._a, batch2._a, beta, alpha)
    _write_back("baddbmm_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "baddbmm_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

baddbmm_.moves_versions = True


def addbmm(self, batch1, batch2, beta=1, alpha=1):
    r = _k.addbmm(_xp, self._a, batch1._a, batch2._a, beta, alpha)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def addbmm_(self, batch1, batch2, beta=1, alpha=1):
    if self._vc is not None:
        _refuse_clash("addbmm_", self, (batch1, batch2, ))
    r = _k.addbmm(_xp, self._a, batch1._a, batch2._a, beta, alpha)
    _write_back("addbmm_", self, r)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "addbmm_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

addbmm_.moves_versions = True
