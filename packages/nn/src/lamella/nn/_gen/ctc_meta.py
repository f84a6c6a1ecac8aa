# Generated from packages/nn/src/lamella/nn/ops/ctc.yaml (sha256 69dd7da3a729cf3e). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.ctc as _k
import lamella.nn.meta.ctc as _m


def _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
    return tuple([_result(x) for x in _m._ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, zero_infinity)])


def _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity=False):
    return _result(_m._ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity))
