# Generated from packages/core/src/lamella/core/ops/slicing.yaml (sha256 7cfd7b6391f830e2). Do not edit:
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
import lamella.core.kernels.slicing as _k

_KS = 1  # of new tensors


def select_int(self, dim, index):
    r = _k.select_int(_xp, self._a, dim, index)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def slice_Tensor(self, dim=0, start=None, end=None, step=1):
    r = _k.slice_Tensor(_xp, self._a, dim, start, end, step)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def diagonal(self, offset=0, dim1=0, dim2=1):
    r = _k.diagonal(_xp, self._a, offset, dim1, dim2)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    r = _k.diag_embed(_xp, self._a, offset, dim1, dim2)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def unbind_int(self, dim=0):
    r = _k.unbind_int(_xp, self._a, dim)
    return tuple([_wrap_view(self, x) for x in r])


def split_Tensor(self, split_size, dim=0):
    r = _k.split_Tensor(_xp, self._a, split_size, dim)
    return tuple([_wrap_view(self, x) for x in r])


def split_with_sizes(self, split_sizes, dim=0):
    r = _k.split_with_sizes(_xp, self._a, split_sizes, dim)
    return tuple([_wrap_view(self, x) for x in r])


def unfold(self, dimension, size, step):
    r = _k.unfold(_xp, self._a, dimension, size, step)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    t = _new_tensor()
    t._a = r
    t._ks = self._ks & _BACKENDS
    t._ag = None
    t._vc = vc
    base = self._base
    t._base = self if base is None else base
    return t


def unfold_backward(grad_in, input_sizes, dim, size, step):
    r = _k.unfold_backward(_xp, grad_in._a, input_sizes, dim, size, step)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def slice_scatter(self, src, dim=0, start=None, end=None, step=1):
    r = _k.slice_scatter(_xp, self._a, src._a, dim, start, end, step)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def select_scatter(self, src, dim, index):
    r = _k.select_scatter(_xp, self._a, src._a, dim, index)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
    r = _k.diagonal_scatter(_xp, self._a, src._a, offset, dim1, dim2)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def select_backward(grad_output, input_sizes, dim, index):
    r = _k.select_backward(_xp, grad_output._a, input_sizes, dim, index)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def slice_backward(grad_output, input_sizes, dim, start, end, step):
    r = _k.slice_backward(_xp, grad_output._a, input_sizes, dim, start, end, step)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    r = _k.diagonal_backward(_xp, grad_output._a, input_sizes, offset, dim1, dim2)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
