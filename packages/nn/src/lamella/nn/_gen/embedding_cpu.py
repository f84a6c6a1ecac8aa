# Generated from packages/nn/src/lamella/nn/ops/embedding.yaml (sha256 d9a8747a7aaf86c5). Do not edit:
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
import lamella.nn.kernels.embedding as _k

_KS = 1  # of new tensors


def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    r = _k.embedding(_xp, weight._a, indices._a, padding_idx, scale_grad_by_freq, sparse)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def embedding_dense_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq):
    r = _k.embedding_dense_backward(_xp, grad_output._a, indices._a, num_weights, padding_idx, scale_grad_by_freq)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def embedding_renorm_(self, indices, max_norm, norm_type):
    if self._vc is not None:
        _refuse_clash("embedding_renorm_", self, (indices, ))
    _k.embedding_renorm_(_xp, self._a, indices._a, max_norm, norm_type)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "embedding_renorm_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

embedding_renorm_.moves_versions = True


def one_hot(self, num_classes=-1):
    r = _k.one_hot(_xp, self._a, num_classes)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
