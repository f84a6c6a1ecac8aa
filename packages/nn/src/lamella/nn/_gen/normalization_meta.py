# Generated from packages/nn/src/lamella/nn/ops/normalization.yaml (sha256 36b32273e626f68c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.normalization as _k
import lamella.nn.meta.normalization as _m


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    return tuple([_result(x) for x in _m.native_layer_norm(input, normalized_shape, weight, bias, eps)])


def native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
    return tuple([_result(x) for x in _m.native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask)])


def _fused_rms_norm(input, normalized_shape, weight, eps):
    return tuple([_result(x) for x in _m._fused_rms_norm(input, normalized_shape, weight, eps)])


def _fused_rms_norm_backward(grad_out, input, normalized_shape, rstd, weight, output_mask):
    return tuple([_result(x) for x in _m._fused_rms_norm_backward(grad_out, input, normalized_shape, rstd, weight, output_mask)])


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    return tuple([_result(x) for x in _m.native_group_norm(input, weight, bias, N, C, HxW, group, eps)])


def native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
    return tuple([_result(x) for x in _m.native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask)])
