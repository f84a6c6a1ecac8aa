# Generated from packages/nn/src/lamella/nn/ops/attention.yaml (sha256 c87c1ddc3712cc8c). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T__attention,
    _T__attention_backward,
) = _define(
    "aten",
    "lamella.nn.attention",
    (
        ('_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask, Tensor? dropout_mask, bool is_causal, float scale) -> (Tensor output, Tensor weights)', True),
        ('_attention_backward(Tensor grad_output, Tensor query, Tensor key, Tensor value, Tensor? attn_mask, Tensor? dropout_mask, Tensor weights, float scale, bool[4] output_mask) -> (Tensor, Tensor, Tensor, Tensor)', False),
    ),
    {1: "lamella.nn._gen.attention_cpu", 2: "lamella.nn._gen.attention_cuda", 3: "lamella.nn._gen.attention_meta", 65: "lamella.nn.composite.attention", },
    "lamella.nn/ops/attention.yaml",
)


def op__attention(query, key, value, attn_mask, dropout_mask, is_causal, scale):
    try:
        ks = query._ks | key._ks | value._ks | (0 if attn_mask is None else attn_mask._ks) | (0 if dropout_mask is None else dropout_mask._ks)
    except AttributeError:
        raise _not_tensor("_attention", {"query": query, "key": key, "value": value, "attn_mask": attn_mask, "dropout_mask": dropout_mask, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if is_causal is not False and is_causal is not True:
        is_causal = _as_bool("_attention", "is_causal", is_causal)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_float("_attention", "scale", scale)
    try:
        return _T__attention[ks](query, key, value, attn_mask, dropout_mask, is_causal, scale)
    except Exception:
        _explain(_T__attention, (query, key, value, attn_mask, dropout_mask, is_causal, scale, ))
        raise


def op__attention_backward(grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask):
    try:
        ks = grad_output._ks | query._ks | key._ks | value._ks | (0 if attn_mask is None else attn_mask._ks) | (0 if dropout_mask is None else dropout_mask._ks) | weights._ks
    except AttributeError:
        raise _not_tensor("_attention_backward", {"grad_output": grad_output, "query": query, "key": key, "value": value, "attn_mask": attn_mask, "dropout_mask": dropout_mask, "weights": weights, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_float("_attention_backward", "scale", scale)
    try:
        return _T__attention_backward[ks](grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask)
    except Exception:
        _explain(_T__attention_backward, (grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask, ))
        raise


def _attention_backward(grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask):
    """_attention_backward: see torch._attention_backward."""
    try:
        ks = grad_output._ks | query._ks | key._ks | value._ks | (0 if attn_mask is None else attn_mask._ks) | (0 if dropout_mask is None else dropout_mask._ks) | weights._ks
    except AttributeError:
        raise _not_tensor("_attention_backward", {"grad_output": grad_output, "query": query, "key": key, "value": value, "attn_mask": attn_mask, "dropout_mask": dropout_mask, "weights": weights, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if scale.__class__ is not float and scale.__class__ is not int:
        scale = _as_float("_attention_backward", "scale", scale)
    try:
        return _T__attention_backward[ks](grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask)
    except Exception:
        _explain(_T__attention_backward, (grad_output, query, key, value, attn_mask, dropout_mask, weights, scale, output_mask, ))
        raise


METHODS = {
}


FUNCTIONS = {
    "_attention_backward": _attention_backward,
}
