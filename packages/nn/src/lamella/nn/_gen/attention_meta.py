# Generated from packages/nn/src/lamella/nn/ops/attention.yaml (sha256 c87c1ddc3712cc8c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.nn.kernels.attention as _k
import lamella.nn.meta.attention as _m

_R__attention = _return_type("_attention", ("output", "weights", ))


def _attention(query, key, value, attn_mask, dropout_mask, is_causal, scale):
    return _R__attention([_result(x) for x in _m._attention(query, key, value, attn_mask, dropout_mask, is_causal, scale)])


def _attention_backward(grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask):
    return tuple([_result(x) for x in _m._attention_backward(grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask)])
