# Generated from packages/autograd/src/lamella/autograd/derivatives/shape.yaml (sha256 6b0fee17d218d89e). Do not edit:
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


BIND = True
_new = object.__new__


class ViewBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class TBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad.t()
        return g0


class TransposeBackward0(_Node):
    __slots__ = ("dim0_", "dim1_", )

    def apply(node, grad):
        edges = node.edges
        dim0 = node.dim0_
        dim1 = node.dim1_
        g0 = grad.transpose(dim0, dim1)
        return g0


def bind_view(op, ks, lower):
    bits = _autograd_bits(ks)

    def view(self, size):
        out = lower(self, size)
        e0 = self._ag
        node = _new(ViewBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return view


def bind_t(op, ks, lower):
    bits = _autograd_bits(ks)

    def t(self):
        out = lower(self)
        e0 = self._ag
        node = _new(TBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return t


def bind_transpose_int(op, ks, lower):
    bits = _autograd_bits(ks)

    def transpose(self, dim0, dim1):
        out = lower(self, dim0, dim1)
        e0 = self._ag
        node = _new(TransposeBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        node.dim0_ = dim0
        node.dim1_ = dim1
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return transpose
