# Generated from packages/nn/src/lamella/nn/ops/attention.yaml (sha256 c87c1ddc3712cc8c). Do not edit:
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
import lamella.nn.kernels.attention as _k

_KS = 1  # of new tensors

_R__attention = _return_type("_attention", ("output", "weights", ))


def _attention(query, key, value, attn_mask, dropout_mask, is_causal, scale):
    r = _k._attention(_xp, query._a, key._a, value._a, None if attn_mask is None else attn_mask._a, None if dropout_mask is None else dropout_mask._a, is_causal, scale)
    return _R__attention([_wrap_result(x) for x in r])


def _attention_backward(grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask):
    r = _k._attention_backward(_xp, grad_output._a, query._a, key._a, value._a, None if attn_mask is None else attn_mask._a, None if dropout_mask is None else dropout_mask._a, weights._a, scale, output_mask)
    return tuple([_wrap_result(x) for x in r])
