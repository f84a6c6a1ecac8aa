# Generated from packages/nn/src/lamella/nn/ops/normalization.yaml (sha256 36b32273e626f68c). Do not edit:
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
import lamella.nn.kernels.normalization as _k

_KS = 1  # of new tensors


def native_layer_norm(input, normalized_shape, weight, bias, eps):
    r = _k.native_layer_norm(_xp, input._a, normalized_shape, None if weight is None else weight._a, None if bias is None else bias._a, eps)
    return tuple([_wrap_result(x) for x in r])


def native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask):
    r = _k.native_layer_norm_backward(_xp, grad_out._a, input._a, normalized_shape, mean._a, rstd._a, None if weight is None else weight._a, None if bias is None else bias._a, output_mask)
    return tuple([_wrap_result(x) for x in r])


def _fused_rms_norm(input, normalized_shape, weight, eps):
    r = _k._fused_rms_norm(_xp, input._a, normalized_shape, None if weight is None else weight._a, eps)
    return tuple([_wrap_result(x) for x in r])


def _fused_rms_norm_backward(grad_out, input, normalized_shape, rstd, weight, output_mask):
    r = _k._fused_rms_norm_backward(_xp, grad_out._a, input._a, normalized_shape, rstd._a, None if weight is None else weight._a, output_mask)
    return tuple([_wrap_result(x) for x in r])


def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    r = _k.native_group_norm(_xp, input._a, None if weight is None else weight._a, None if bias is None else bias._a, N, C, HxW, group, eps)
    return tuple([_wrap_result(x) for x in r])


def native_group_norm_backward(grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask):
    r = _k.native_group_norm_backward(_xp, grad_out._a, input._a, mean._a, rstd._a, None if weight is None else weight._a, N, C, HxW, group, output_mask)
    return tuple([_wrap_result(x) for x in r])
