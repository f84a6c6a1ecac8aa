# Generated from packages/nn/src/lamella/nn/ops/ctc.yaml (sha256 69dd7da3a729cf3e). Do not edit:
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
import lamella.nn.kernels.ctc as _k

_KS = 1  # of new tensors


def _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, zero_infinity=False):
    r = _k._ctc_loss(_xp, log_probs._a, targets._a, input_lengths, target_lengths, blank, zero_infinity)
    return tuple([_wrap_result(x) for x in r])


def _ctc_loss_backward(grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity=False):
    r = _k._ctc_loss_backward(_xp, grad._a, log_probs._a, targets._a, input_lengths, target_lengths, neg_log_likelihood._a, log_alpha._a, blank, zero_infinity)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
