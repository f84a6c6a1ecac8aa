# Generated from packages/autograd/src/lamella/autograd/derivatives/scattering.yaml (sha256 86165ccae31bb4d1). Do not edit:
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

from lamella.autograd.formulas_indexing import gather_backward, gathered, scatter_reduce_backward
from lamella.core.functions import scatter


BIND = True


class GatherBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "index_", "index_v", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = gather_backward(grad, self_shape, dim, index)
        return g0

    def release(node):
        node.index_ = _FREED


class ScatterBackward0(_Node):
    __slots__ = ("dim_", "index_", "index_v", "src_shape_", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        src_shape = node.src_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = scatter(grad, dim, index, 0)
        if edges[1] is None:
            g1 = None
        else:
            g1 = gathered(grad, dim, index, src_shape)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class ScatterBackward1(_Node):
    __slots__ = ("dim_", "index_", "index_v", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        g0 = scatter(grad, dim, index, 0)
        return g0

    def release(node):
        node.index_ = _FREED


class ScatterAddBackward0(_Node):
    __slots__ = ("dim_", "index_", "index_v", "src_shape_", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        src_shape = node.src_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
        if edges[1] is None:
            g1 = None
        else:
            g1 = gathered(grad, dim, index, src_shape)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class ScatterReduceBackward0(_Node):
    __slots__ = ("self_", "self_v", "dim_", "index_", "index_v", "src_", "src_v", "reduce_", "include_self_", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "index_", "src_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        src = node.src_
        if src.__class__ is not _Tensor or (src._vc is not None and src._vc.n != node.src_v):
            src = _unpack(node, "src_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        reduce = node.reduce_
        include_self = node.include_self_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = scatter_reduce_backward(grad, self, dim, index, src, reduce, include_self, result)
        return g0, g1

    def release(node):
        node.self_ = node.index_ = node.src_ = node.result_ = _FREED


def bind_gather(op, ks, _lower):
    bits = _autograd_bits(ks)

    def gather(self, dim, index, sparse_grad=False):
        out = _lower(self, dim, index) if sparse_grad is False else _lower(self, dim, index, sparse_grad=sparse_grad)
        e0 = self._ag
        node = GatherBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.self_shape_ = self.shape
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return gather


def bind_scatter_src(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter(self, dim, index, src):
        out = _lower(self, dim, index, src)
        e0 = self._ag
        e1 = src._ag
        node = ScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        node.src_shape_ = src.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return scatter


def bind_scatter__src(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_(self, dim, index, src):
        _check_inplace("scatter_", self)
        e0 = self._ag
        e1 = src._ag
        node = ScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        node.src_shape_ = src.shape
        _lower(self, dim, index, src)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return scatter_


def bind_scatter_value(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter(self, dim, index, value):
        out = _lower(self, dim, index, value)
        e0 = self._ag
        node = ScatterBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return scatter


def bind_scatter__value(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_(self, dim, index, value):
        _check_inplace("scatter_", self)
        e0 = self._ag
        node = ScatterBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        _lower(self, dim, index, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return scatter_


def bind_scatter_add(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_add(self, dim, index, src):
        out = _lower(self, dim, index, src)
        e0 = self._ag
        e1 = src._ag
        node = ScatterAddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            node.index_ = index if index._twin is None else index._twin
            node.index_v = 0 if index._vc is None else index._vc.n
        else:
            node.index_ = None
        node.dim_ = dim
        node.src_shape_ = src.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return scatter_add


def bind_scatter_add_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_add_(self, dim, index, src):
        _check_inplace("scatter_add_", self)
        e0 = self._ag
        e1 = src._ag
        node = ScatterAddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            node.index_ = index if index._twin is None else index._twin
            node.index_v = 0 if index._vc is None else index._vc.n
        else:
            node.index_ = None
        node.dim_ = dim
        node.src_shape_ = src.shape
        _lower(self, dim, index, src)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return scatter_add_


def bind_scatter_reduce_two(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_reduce(self, dim, index, src, reduce, include_self=True):
        out = _lower(self, dim, index, src, reduce) if include_self is True else _lower(self, dim, index, src, reduce, include_self=include_self)
        e0 = self._ag
        e1 = src._ag
        node = ScatterReduceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.src_ = src if src._twin is None else src._twin
        node.src_v = 0 if src._vc is None else src._vc.n
        node.dim_ = dim
        node.reduce_ = reduce
        node.include_self_ = include_self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return scatter_reduce


def bind_scatter_reduce__two(op, ks, _lower):
    bits = _autograd_bits(ks)

    def scatter_reduce_(self, dim, index, src, reduce, include_self=True):
        _check_inplace("scatter_reduce_", self)
        e0 = self._ag
        e1 = src._ag
        node = ScatterReduceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self)
        node.self_ = original if original._twin is None else original._twin
        node.self_v = 0 if original._vc is None else original._vc.n
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.src_ = src if src._twin is None else src._twin
        node.src_v = 0 if src._vc is None else src._vc.n
        node.dim_ = dim
        node.reduce_ = reduce
        node.include_self_ = include_self
        _lower(self, dim, index, src, reduce, include_self=include_self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return scatter_reduce_
