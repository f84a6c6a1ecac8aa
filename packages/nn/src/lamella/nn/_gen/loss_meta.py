# Generated from packages/nn/src/lamella/nn/ops/loss.yaml (sha256 a0e58c2905d9fa6b). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.loss as _k
import lamella.nn.meta.loss as _m

_R__cross_entropy = _return_type("_cross_entropy", ("loss", "probs", ))


def _cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing):
    return _R__cross_entropy([_result(x) for x in _m._cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing)])


def _cross_entropy_backward(grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape):
    return _result(_m._cross_entropy_backward(grad_output, probs, target, weight, reduction, ignore_index, label_smoothing, shape))


def nll_loss(self, target, weight=None, reduction=1, ignore_index=-100):
    return _result(_m.nll_loss(self, target, weight, reduction, ignore_index))


def _nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape):
    return _result(_m._nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape))


def mse_loss(self, target, reduction=1):
    return _result(_m.mse_loss(self, target, reduction))


def mse_loss_backward(grad_output, self, target, reduction):
    return _result(_m.mse_loss_backward(grad_output, self, target, reduction))


def smooth_l1_loss(self, target, reduction=1, beta=1.0):
    return _result(_m.smooth_l1_loss(self, target, reduction, beta))


def huber_loss(self, target, reduction=1, delta=1.0):
    return _result(_m.huber_loss(self, target, reduction, delta))


def _limited_difference(self, target, grad_output, reduction, bound, scale):
    return _result(_m._limited_difference(self, target, grad_output, reduction, bound, scale))


def soft_margin_loss(self, target, reduction=1):
    return _result(_m.soft_margin_loss(self, target, reduction))


def binary_cross_entropy(self, target, weight=None, reduction=1):
    return _result(_m.binary_cross_entropy(self, target, weight, reduction))


def binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=1):
    return _result(_m.binary_cross_entropy_with_logits(self, target, weight, pos_weight, reduction))
