# Generated from packages/nn/src/lamella/nn/derivatives/attention.yaml (sha256 1dc9d22f28bfe25b). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, counter as _counter
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import edge_of as _edge_of, fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.nn.formulas_attention import attention_gradient


BIND = True


class ScaledDotProductFlashAttentionForCpuBackward0(_Node):
    __slots__ = ("query_", "query_v", "key_", "key_v", "value_", "value_v", "attn_mask_", "attn_mask_v", "dropout_mask_", "dropout_mask_v", "weights_", "weights_v", "is_causal_", "scale_", )
    kind = _SAVES
    saved = ("query_", "key_", "value_", "attn_mask_", "dropout_mask_", "weights_", )

    def apply(node, grad):
        edges = node.edges
        query = node.query_
        if query.__class__ is not _Tensor or (query._vc is not None and query._vc.n != node.query_v):
            query = _unpack(node, "query_")
        key = node.key_
        if key.__class__ is not _Tensor or (key._vc is not None and key._vc.n != node.key_v):
            key = _unpack(node, "key_")
        value = node.value_
        if value.__class__ is not _Tensor or (value._vc is not None and value._vc.n != node.value_v):
            value = _unpack(node, "value_")
        attn_mask = node.attn_mask_
        if attn_mask.__class__ is not _Tensor or (attn_mask._vc is not None and attn_mask._vc.n != node.attn_mask_v):
            attn_mask = _unpack(node, "attn_mask_")
        dropout_mask = node.dropout_mask_
        if dropout_mask.__class__ is not _Tensor or (dropout_mask._vc is not None and dropout_mask._vc.n != node.dropout_mask_v):
            dropout_mask = _unpack(node, "dropout_mask_")
        weights = _unpack_output(node, "weights_", 0)
        is_causal = node.is_causal_
        scale = node.scale_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, edges[3] is not None, )
        g0, g1, g2, g3,  = attention_gradient(grad, query, key, value, attn_mask, dropout_mask, weights, is_causal, scale, needs)
        return g0, g1, g2, g3

    def release(node):
        node.query_ = node.key_ = node.value_ = node.attn_mask_ = node.dropout_mask_ = node.weights_ = _FREED


def bind__attention(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _attention(query, key, value, attn_mask, dropout_mask, is_causal, scale):
        out = _lower(query, key, value, attn_mask, dropout_mask, is_causal, scale)
        e0 = query._ag
        e1 = key._ag
        e2 = value._ag
        e3 = None if attn_mask is None else attn_mask._ag
        node = ScaledDotProductFlashAttentionForCpuBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, e3, )
        node.query_ = query if query._twin is None else query._twin
        node.query_v = 0 if query._vc is None else query._vc.n
        node.key_ = key if key._twin is None else key._twin
        node.key_v = 0 if key._vc is None else key._vc.n
        node.value_ = value if value._twin is None else value._twin
        node.value_v = 0 if value._vc is None else value._vc.n
        if isinstance(attn_mask, _Tensor):
            node.attn_mask_ = attn_mask if attn_mask._twin is None else attn_mask._twin
            node.attn_mask_v = 0 if attn_mask._vc is None else attn_mask._vc.n
        else:
            node.attn_mask_ = attn_mask
        if isinstance(dropout_mask, _Tensor):
            node.dropout_mask_ = dropout_mask if dropout_mask._twin is None else dropout_mask._twin
            node.dropout_mask_v = 0 if dropout_mask._vc is None else dropout_mask._vc.n
        else:
            node.dropout_mask_ = dropout_mask
        node.is_causal_ = is_causal
        node.scale_ = scale
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "weights_", out[1])
        if _packers:
            _pack(node)
        return out

    return _attention
