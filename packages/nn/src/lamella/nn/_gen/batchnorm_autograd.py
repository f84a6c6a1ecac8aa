# Generated from packages/nn/src/lamella/nn/derivatives/batchnorm.yaml (sha256 3e1745b12e6bb896). Do not edit:
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

from lamella.nn.formulas_batchnorm import batch_norm_fixed_grads, batch_norm_grads


BIND = True


class NativeBatchNormBackward0(_Node):
    __slots__ = ("input_", "input_v", "weight_", "weight_v", "result1_", "result1_v", "result2_", "result2_v", "eps_", )
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
        eps = node.eps_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = batch_norm_grads(grad, input, weight, result1, result2, eps, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = node.result1_ = node.result2_ = _FREED


class NativeBatchNormBackward0__batch_norm_inference(_Node):
    __slots__ = ("input_", "input_v", "weight_", "weight_v", "running_mean_", "running_mean_v", "running_var_", "running_var_v", "eps_", )
    kind = _SAVES
    saved = ("input_", "weight_", "running_mean_", "running_var_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        running_mean = node.running_mean_
        if running_mean.__class__ is not _Tensor or (running_mean._vc is not None and running_mean._vc.n != node.running_mean_v):
            running_mean = _unpack(node, "running_mean_")
        running_var = node.running_var_
        if running_var.__class__ is not _Tensor or (running_var._vc is not None and running_var._vc.n != node.running_var_v):
            running_var = _unpack(node, "running_var_")
        eps = node.eps_
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = batch_norm_fixed_grads(grad, input, weight, running_mean, running_var, eps, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = node.running_mean_ = node.running_var_ = _FREED

NativeBatchNormBackward0__batch_norm_inference.__name__ = NativeBatchNormBackward0__batch_norm_inference.__qualname__ = "NativeBatchNormBackward0"


def bind__batch_norm_training(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _batch_norm_training(input, weight, bias, eps):
        out = _lower(input, weight, bias, eps)
        e0 = input._ag
        e1 = None if weight is None else weight._ag
        e2 = None if bias is None else bias._ag
        node = NativeBatchNormBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.eps_ = eps
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        _save_output(node, "result2_", out[2])
        if _packers:
            _pack(node)
        return out

    return _batch_norm_training


def bind__batch_norm_inference(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _batch_norm_inference(input, weight, bias, running_mean, running_var, eps):
        out = _lower(input, weight, bias, running_mean, running_var, eps)
        e0 = input._ag
        e1 = None if weight is None else weight._ag
        e2 = None if bias is None else bias._ag
        node = NativeBatchNormBackward0__batch_norm_inference()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.running_mean_ = running_mean if running_mean._twin is None else running_mean._twin
        node.running_mean_v = 0 if running_mean._vc is None else running_mean._vc.n
        node.running_var_ = running_var if running_var._twin is None else running_var._twin
        node.running_var_v = 0 if running_var._vc is None else running_var._vc.n
        node.eps_ = eps
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _batch_norm_inference
