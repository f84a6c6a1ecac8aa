# Generated from packages/nn/src/lamella/nn/derivatives/normalization.yaml (sha256 9cb7bc2c6b899931). Do not edit:
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

from lamella.nn.formulas_normalization import group_norm_grads, layer_norm_grads, rms_norm_grads


BIND = True


class NativeLayerNormBackward0(_Node):
    __slots__ = ("input_", "input_v", "normalized_shape_", "result1_", "result1_v", "result2_", "result2_v", "weight_", "weight_v", "bias_", "bias_v", "eps_", )
    kind = _SAVES
    saved = ("input_", "weight_", "bias_", "result1_", "result2_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        bias = node.bias_
        if bias.__class__ is not _Tensor or (bias._vc is not None and bias._vc.n != node.bias_v):
            bias = _unpack(node, "bias_")
        result1 = _unpack_output(node, "result1_", 0)
        result2 = _unpack_output(node, "result2_", 0)
        normalized_shape = node.normalized_shape_
        eps = node.eps_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = layer_norm_grads(grad, input, normalized_shape, result1, result2, weight, bias, eps, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = node.bias_ = node.result1_ = node.result2_ = _FREED


class FusedRmsNormBackward0(_Node):
    __slots__ = ("input_", "input_v", "normalized_shape_", "result1_", "result1_v", "weight_", "weight_v", "eps_", )
    kind = _SAVES
    saved = ("input_", "weight_", "result1_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        result1 = _unpack_output(node, "result1_", 0)
        normalized_shape = node.normalized_shape_
        eps = node.eps_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = rms_norm_grads(grad, input, normalized_shape, result1, weight, eps, needs)
        return g0, g1

    def release(node):
        node.input_ = node.weight_ = node.result1_ = _FREED


class NativeGroupNormBackward0(_Node):
    __slots__ = ("input_", "input_v", "result1_", "result1_v", "result2_", "result2_v", "weight_", "weight_v", "N_", "C_", "HxW_", "group_", "eps_", )
    kind = _SAVES
    saved = ("input_", "weight_", "result1_", "result2_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        result1 = _unpack_output(node, "result1_", 0)
        result2 = _unpack_output(node, "result2_", 0)
        N = node.N_
        C = node.C_
        HxW = node.HxW_
        group = node.group_
        eps = node.eps_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = group_norm_grads(grad, input, result1, result2, weight, N, C, HxW, group, eps, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = node.result1_ = node.result2_ = _FREED


def bind_native_layer_norm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def native_layer_norm(input, normalized_shape, weight, bias, eps):
        out = _lower(input, normalized_shape, weight, bias, eps)
        e0 = input._ag
        e1 = None if weight is None else weight._ag
        e2 = None if bias is None else bias._ag
        node = NativeLayerNormBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        if isinstance(bias, _Tensor):
            node.bias_ = bias if bias._twin is None else bias._twin
            node.bias_v = 0 if bias._vc is None else bias._vc.n
        else:
            node.bias_ = bias
        node.normalized_shape_ = normalized_shape
        node.eps_ = eps
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        _save_output(node, "result2_", out[2])
        if _packers:
            _pack(node)
        return out

    return native_layer_norm


def bind__fused_rms_norm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _fused_rms_norm(input, normalized_shape, weight, eps):
        out = _lower(input, normalized_shape, weight, eps)
        e0 = input._ag
        e1 = None if weight is None else weight._ag
        node = FusedRmsNormBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.normalized_shape_ = normalized_shape
        node.eps_ = eps
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return _fused_rms_norm


def bind_native_group_norm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
        out = _lower(input, weight, bias, N, C, HxW, group, eps)
        e0 = input._ag
        e1 = None if weight is None else weight._ag
        e2 = None if bias is None else bias._ag
        node = NativeGroupNormBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.N_ = N
        node.C_ = C
        node.HxW_ = HxW
        node.group_ = group
        node.eps_ = eps
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        _save_output(node, "result2_", out[2])
        if _packers:
            _pack(node)
        return out

    return native_group_norm
