# Generated from packages/autograd/src/lamella/autograd/derivatives/reduction.yaml (sha256 e97d1c207e7b575f). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, sequence as _sequence
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.autograd.formulas import expand_reduced, expand_to


BIND = True
_new = object.__new__


class SumBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = expand_to(grad, self_shape)
        return g0


class SumBackward1(_Node):
    __slots__ = ("self_shape_", "dim_", "keepdim_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = expand_reduced(grad, self_shape, dim, keepdim)
        return g0


def sum(op, ks, lower):
    bits = _autograd_bits(ks)

    def sum(self, *, dtype=None):
        out = lower(self) if dtype is None else lower(self, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = _new(SumBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sum


def sum_dim_IntList(op, ks, lower):
    bits = _autograd_bits(ks)

    def sum(self, dim, keepdim=False, *, dtype=None):
        out = lower(self, dim, keepdim) if dtype is None else lower(self, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = _new(SumBackward1)
        node.seq = _sequence()
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sum
