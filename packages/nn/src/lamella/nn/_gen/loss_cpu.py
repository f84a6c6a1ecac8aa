# Generated from packages/nn/src/lamella/nn/ops/loss.yaml (sha256 a0e58c2905d9fa6b). Do not edit:
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
import lamella.nn.kernels.loss as _k

_KS = 1  # of new tensors

_R__cross_entropy = _return_type("_cross_entropy", ("loss", "probs", ))


def _cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing):
    r = _k._cross_entropy(_xp, self._a, target._a, None if weight is None else weight._a, reduction, ignore_index, label_smoothing)
    return _R__cross_entropy([_wrap_result(x) for x in r])


def _cross_entropy_backward(grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape):
    r = _k._cross_entropy_backward(_xp, grad_output._a, probs._a, target._a, None if weight is None else weight._a, reduction, ignore_index, label_smoothing, shape)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def nll_loss(self, target, weight=None, reduction=1, ignore_index=-100):
    r = _k.nll_loss(_xp, self._a, target._a, None if weight is None else weight._a, reduction, ignore_index)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape):
    r = _k._nll_loss_backward(_xp, grad_output._a, target._a, None if weight is None else weight._a, reduction, ignore_index, shape)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mse_loss(self, target, reduction=1):
    r = _k.mse_loss(_xp, self._a, target._a, reduction)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def mse_loss_backward(grad_output, self, target, reduction):
    r = _k.mse_loss_backward(_xp, grad_output._a, self._a, target._a, reduction)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def smooth_l1_loss(self, target, reduction=1, beta=1.0):
    r = _k.smooth_l1_loss(_xp, self._a, target._a, reduction, beta)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def huber_loss(self, target, reduction=1, delta=1.0):
    r = _k.huber_loss(_xp, self._a, target._a, reduction, delta)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _limited_difference(self, target, grad_output, reduction, bound, scale):
    r = _k._limited_difference(_xp, self._a, target._a, grad_output._a, reduction, bound, scale)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def soft_margin_loss(self, target, reduction=1):
    r = _k.soft_margin_loss(_xp, self._a, target._a, reduction)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def binary_cross_entropy(self, target, weight=None, reduction=1):
    r = _k.binary_cross_entropy(_xp, self._a, target._a, None if weight is None else weight._a, reduction)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=1):
    r = _k.binary_cross_entropy_with_logits(_xp, self._a, target._a, None if weight is None else weight._a, None if pos_weight is None else pos_weight._a, reduction)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
