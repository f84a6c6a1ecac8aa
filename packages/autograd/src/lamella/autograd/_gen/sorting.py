# Generated from packages/autograd/src/lamella/autograd/derivatives/sorting.yaml (sha256 07fdcba79f5db762). Do not edit:
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

from lamella.autograd.formulas_indexing import placed, placed_kept


BIND = True


class SortBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "indices_", "indices_v", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = placed(grad, self_shape, dim, indices)
        return g0

    def release(node):
        node.indices_ = _FREED


class TopkBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "indices_", "indices_v", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = placed(grad, self_shape, dim, indices)
        return g0

    def release(node):
        node.indices_ = _FREED


class KthvalueBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "indices_", "indices_v", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        self_shape = node.self_shape_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = placed_kept(grad, self_shape, dim, indices, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


def bind_sort_stable(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sort(self, stable, dim=-1, descending=False):
        out = _lower(self, stable=stable, dim=dim, descending=descending)
        e0 = self._ag
        node = SortBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return sort


def bind_topk(op, ks, _lower):
    bits = _autograd_bits(ks)

    def topk(self, k, dim=-1, largest=True, sorted=True):
        out = _lower(self, k, dim, largest, sorted)
        e0 = self._ag
        node = TopkBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return topk


def bind_kthvalue(op, ks, _lower):
    bits = _autograd_bits(ks)

    def kthvalue(self, k, dim=-1, keepdim=False):
        out = _lower(self, k, dim, keepdim)
        e0 = self._ag
        node = KthvalueBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return kthvalue
