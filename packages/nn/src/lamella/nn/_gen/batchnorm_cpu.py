# Generated from packages/nn/src/lamella/nn/ops/batchnorm.yaml (sha256 0f8c16ed9f9d405f). Do not edit:
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
import lamella.nn.kernels.batchnorm as _k

_KS = 1  # of new tensors


def _batch_norm_training(input, weight, bias, eps):
    r = _k._batch_norm_training(_xp, input._a, None if weight is None else weight._a, None if bias is None else bias._a, eps)
    return tuple([_wrap_result(x) for x in r])


def _batch_norm_inference(input, weight, bias, running_mean, running_var, eps):
    r = _k._batch_norm_inference(_xp, input._a, None if weight is None else weight._a, None if bias is None else bias._a, running_mean._a, running_var._a, eps)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
    r = _k.native_batch_norm_backward(_xp, grad_out._a, input._a, None if weight is None else weight._a, None if running_mean is None else running_mean._a, None if running_var is None else running_var._a, None if save_mean is None else save_mean._a, None if save_invstd is None else save_invstd._a, train, eps, output_mask)
    return tuple([_wrap_result(x) for x in r])


def _update_running_stats(running_mean, running_var, mean, var, momentum):
    _k._update_running_stats(_xp, running_mean._a, running_var._a, mean._a, var._a, momentum)
    vc = running_mean._vc
    if vc is None:
        vc = running_mean._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "_update_running_stats"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    vc = running_var._vc
    if vc is None:
        vc = running_var._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "_update_running_stats"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()

_update_running_stats.moves_versions = True
