# Generated from packages/autograd/src/lamella/autograd/derivatives/indexing.yaml (sha256 4218d9194a09a2c8). Do not edit:
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

from lamella.autograd.formulas_indexing import index_backward, index_cleared, index_filled, index_reduce_backward, index_select_backward, scaled
from lamella.autograd.formulas_matmul import sum_to
from lamella.core.functions import index_fill, op_index_Tensor


BIND = True


class IndexBackward0(_Node):
    __slots__ = ("self_shape_", "indices_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        indices = node.indices_
        g0 = index_backward(grad, self_shape, indices)
        return g0


class IndexPutBackward0(_Node):
    __slots__ = ("accumulate_", "indices_", "values_shape_", )

    def apply(node, grad):
        edges = node.edges
        accumulate = node.accumulate_
        indices = node.indices_
        values_shape = node.values_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad if accumulate else index_cleared(grad, indices)
        if edges[1] is None:
            g1 = None
        else:
            g1 = sum_to(op_index_Tensor(grad, indices), values_shape)
        return g0, g1


class IndexSelectBackward0(_Node):
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
        g0 = index_select_backward(grad, self_shape, dim, index)
        return g0

    def release(node):
        node.index_ = _FREED


class IndexAddBackward0(_Node):
    __slots__ = ("dim_", "index_", "index_v", "source_shape_", "alpha_", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        source_shape = node.source_shape_
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
        if edges[1] is None:
            g1 = None
        else:
            g1 = scaled(grad.index_select(dim, index).reshape(source_shape), alpha)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class IndexCopyBackward0(_Node):
    __slots__ = ("dim_", "index_", "index_v", "source_shape_", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        source_shape = node.source_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = index_fill(grad, dim, index, 0)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad.index_select(dim, index).reshape(source_shape)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class IndexFillBackward0(_Node):
    __slots__ = ("dim_", "index_", "index_v", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        g0 = index_fill(grad, dim, index, 0)
        return g0

    def release(node):
        node.index_ = _FREED


class IndexFillBackward1(_Node):
    __slots__ = ("dim_", "index_", "index_v", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        dim = node.dim_
        if edges[0] is None:
            g0 = None
        else:
            g0 = index_fill(grad, dim, index, 0)
        if edges[1] is None:
            g1 = None
        else:
            g1 = index_filled(grad, dim, index)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class IndexReduceBackward0(_Node):
    __slots__ = ("self_", "self_v", "dim_", "index_", "index_v", "source_", "source_v", "reduce_", "include_self_", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "index_", "source_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        source = node.source_
        if source.__class__ is not _Tensor or (source._vc is not None and source._vc.n != node.source_v):
            source = _unpack(node, "source_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        reduce = node.reduce_
        include_self = node.include_self_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = index_reduce_backward(grad, self, dim, index, source, reduce, include_self, result)
        return g0, g1

    def release(node):
        node.self_ = node.index_ = node.source_ = node.result_ = _FREED


def bind_index_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index(self, indices):
        out = _lower(self, indices)
        e0 = self._ag
        node = IndexBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.indices_ = tuple(indices)
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return index


def bind_index_put(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_put(self, indices, values, accumulate=False):
        out = _lower(self, indices, values, accumulate)
        e0 = self._ag
        e1 = values._ag
        node = IndexPutBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.accumulate_ = accumulate
        node.indices_ = tuple(indices)
        node.values_shape_ = values.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return index_put


def bind_index_put_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_put_(self, indices, values, accumulate=False):
        _check_inplace("index_put_", self)
        e0 = self._ag
        e1 = values._ag
        node = IndexPutBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.accumulate_ = accumulate
        node.indices_ = tuple(indices)
        node.values_shape_ = values.shape
        _lower(self, indices, values, accumulate)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return index_put_


def bind_index_select(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_select(self, dim, index):
        out = _lower(self, dim, index)
        e0 = self._ag
        node = IndexSelectBackward0()
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

    return index_select


def bind_index_add(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_add(self, dim, index, source, alpha=1):
        out = _lower(self, dim, index, source) if alpha == 1 else _lower(self, dim, index, source, alpha=alpha)
        e0 = self._ag
        e1 = source._ag
        node = IndexAddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            node.index_ = index if index._twin is None else index._twin
            node.index_v = 0 if index._vc is None else index._vc.n
        else:
            node.index_ = None
        node.dim_ = dim
        node.source_shape_ = source.shape
        node.alpha_ = alpha
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return index_add


def bind_index_add_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_add_(self, dim, index, source, alpha=1):
        _check_inplace("index_add_", self)
        e0 = self._ag
        e1 = source._ag
        node = IndexAddBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            node.index_ = index if index._twin is None else index._twin
            node.index_v = 0 if index._vc is None else index._vc.n
        else:
            node.index_ = None
        node.dim_ = dim
        node.source_shape_ = source.shape
        node.alpha_ = alpha
        _lower(self, dim, index, source, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return index_add_


def bind_index_copy(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_copy(self, dim, index, source):
        out = _lower(self, dim, index, source)
        e0 = self._ag
        e1 = source._ag
        node = IndexCopyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        node.source_shape_ = source.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return index_copy


def bind_index_copy_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_copy_(self, dim, index, source):
        _check_inplace("index_copy_", self)
        e0 = self._ag
        e1 = source._ag
        node = IndexCopyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        node.source_shape_ = source.shape
        _lower(self, dim, index, source)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return index_copy_


def bind_index_fill_int_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_fill(self, dim, index, value):
        out = _lower(self, dim, index, value)
        e0 = self._ag
        node = IndexFillBackward0()
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

    return index_fill


def bind_index_fill__int_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_fill_(self, dim, index, value):
        _check_inplace("index_fill_", self)
        e0 = self._ag
        node = IndexFillBackward0()
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

    return index_fill_


def bind_index_fill_int_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_fill(self, dim, index, value):
        out = _lower(self, dim, index, value)
        e0 = self._ag
        e1 = value._ag
        node = IndexFillBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return index_fill


def bind_index_fill__int_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_fill_(self, dim, index, value):
        _check_inplace("index_fill_", self)
        e0 = self._ag
        e1 = value._ag
        node = IndexFillBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.dim_ = dim
        _lower(self, dim, index, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return index_fill_


def bind_index_reduce(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_reduce(self, dim, index, source, reduce, include_self=True):
        out = _lower(self, dim, index, source, reduce) if include_self is True else _lower(self, dim, index, source, reduce, include_self=include_self)
        e0 = self._ag
        e1 = source._ag
        node = IndexReduceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.source_ = source if source._twin is None else source._twin
        node.source_v = 0 if source._vc is None else source._vc.n
        node.dim_ = dim
        node.reduce_ = reduce
        node.include_self_ = include_self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return index_reduce


def bind_index_reduce_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def index_reduce_(self, dim, index, source, reduce, include_self=True):
        _check_inplace("index_reduce_", self)
        e0 = self._ag
        e1 = source._ag
        node = IndexReduceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self)
        node.self_ = original if original._twin is None else original._twin
        node.self_v = 0 if original._vc is None else original._vc.n
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.source_ = source if source._twin is None else source._twin
        node.source_v = 0 if source._vc is None else source._vc.n
        node.dim_ = dim
        node.reduce_ = reduce
        node.include_self_ = include_self
        _lower(self, dim, index, source, reduce, include_self=include_self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return index_reduce_
