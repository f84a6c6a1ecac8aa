# Generated from packages/nn/src/lamella/nn/ops/batchnorm.yaml (sha256 0f8c16ed9f9d405f). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.batchnorm as _k
import lamella.nn.meta.batchnorm as _m


def _batch_norm_training(input, weight, bias, eps):
    return tuple([_result(x) for x in _m._batch_norm_training(input, weight, bias, eps)])


def _batch_norm_inference(input, weight, bias, running_mean, running_var, eps):
    return _result(_m._batch_norm_inference(input, weight, bias, running_mean, running_var, eps))


def native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask):
    return tuple([_result(x) for x in _m.native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask)])


def _update_running_stats(running_mean, running_var, mean, var, momentum):
    _bump(running_mean, "_update_running_stats")
    _bump(running_var, "_update_running_stats")

_update_running_stats.moves_versions = True
