# Generated from packages/nn/src/lamella/nn/derivatives/linear.yaml (sha256 8be954218525a920). Do not edit:
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

from lamella.nn._gen.linear import linear_backward
from lamella.nn.formulas_linear import linear_twice


BIND = True


class AddmmBackward0(_Node):
    __slots__ = ("input_", "input_v", "weight_", "weight_v", )
    kind = _SAVES
    saved = ("input_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        input = node.input_
        if input.__class__ is not _Tensor or (input._vc is not None and input._vc.n != node.input_v):
            input = _unpack(node, "input_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = linear_backward(input, grad, weight, needs)
        return g0, g1, g2

    def release(node):
        node.input_ = node.weight_ = _FREED


class LinearBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "grad_output_", "grad_output_v", "weight_", "weight_v", )
    kind = _SAVES | _MULTI
    num_outputs = 3
    saved = ("self_", "grad_output_", "weight_", )

    def apply(node, *grads):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        needs = (edges[0] is not None, edges[1] is not None, edges[2] is not None, )
        g0, g1, g2,  = linear_twice(grads, self, grad_output, weight, needs)
        return g0, g1, g2

    def release(node):
        node.self_ = node.grad_output_ = node.weight_ = _FREED


def bind_linear(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linear(input, weight, bias=None):
        out = _lower(input, weight, bias)
        e0 = input._ag
        e1 = weight._ag
        e2 = None if bias is None else bias._ag
        node = AddmmBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.input_ = input if input._twin is None else input._twin
        node.input_v = 0 if input._vc is None else input._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return linear


def bind_linear_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linear_backward(self, grad_output, weight, output_mask):
        out = _lower(self, grad_output, weight, output_mask)
        e0 = self._ag
        e1 = grad_output._ag
        e2 = weight._ag
        node = LinearBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
        node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
        node.weight_ = weight if weight._twin is None else weight._twin
        node.weight_v = 0 if weight._vc is None else weight._vc.n
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        x = out[2]
        if x is not None and not _is_integral(x):
            x._ag = (node, 2)
            x._ks |= bits
        if _packers:
            _pack(node)
        return out

    return linear_backward
