# Generated from packages/autograd/src/lamella/autograd/derivatives/masking.yaml (sha256 9ccfa6f74aa3f201). Do not edit:
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

from lamella.autograd.formulas_indexing import masked_scatter_backward, masked_select_backward, take_backward
from lamella.autograd.formulas_matmul import sum_to
from lamella.autograd.formulas_shape import converted, zeros_of
from lamella.core.functions import masked_fill, put, sum, take, where


BIND = True


class MaskedFillBackward0(_Node):
    __slots__ = ("mask_", "mask_v", "self_shape_", )
    kind = _SAVES
    saved = ("mask_", )

    def apply(node, grad):
        edges = node.edges
        mask = node.mask_
        if mask.__class__ is not _Tensor or (mask._vc is not None and mask._vc.n != node.mask_v):
            mask = _unpack(node, "mask_")
        self_shape = node.self_shape_
        g0 = sum_to(masked_fill(grad, mask, 0), self_shape)
        return g0

    def release(node):
        node.mask_ = _FREED


class MaskedFillBackward1(_Node):
    __slots__ = ("mask_", "mask_v", "self_shape_", "value_dtype_", "value_device_", )
    kind = _SAVES
    saved = ("mask_", )

    def apply(node, grad):
        edges = node.edges
        mask = node.mask_
        if mask.__class__ is not _Tensor or (mask._vc is not None and mask._vc.n != node.mask_v):
            mask = _unpack(node, "mask_")
        self_shape = node.self_shape_
        value_dtype = node.value_dtype_
        value_device = node.value_device_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(masked_fill(grad, mask, 0), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = converted(sum(where(mask, grad, 0)), value_dtype, value_device)
        return g0, g1

    def release(node):
        node.mask_ = _FREED


class MaskedSelectBackward0(_Node):
    __slots__ = ("self_shape_", "mask_", "mask_v", )
    kind = _SAVES
    saved = ("mask_", )

    def apply(node, grad):
        edges = node.edges
        mask = node.mask_
        if mask.__class__ is not _Tensor or (mask._vc is not None and mask._vc.n != node.mask_v):
            mask = _unpack(node, "mask_")
        self_shape = node.self_shape_
        g0 = masked_select_backward(grad, self_shape, mask)
        return g0

    def release(node):
        node.mask_ = _FREED


class MaskedScatterBackward0(_Node):
    __slots__ = ("mask_", "mask_v", "self_shape_", "source_shape_", )
    kind = _SAVES
    saved = ("mask_", )

    def apply(node, grad):
        edges = node.edges
        mask = node.mask_
        if mask.__class__ is not _Tensor or (mask._vc is not None and mask._vc.n != node.mask_v):
            mask = _unpack(node, "mask_")
        self_shape = node.self_shape_
        source_shape = node.source_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(masked_fill(grad, mask, 0), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = masked_scatter_backward(grad, mask, source_shape)
        return g0, g1

    def release(node):
        node.mask_ = _FREED


class TakeBackward0(_Node):
    __slots__ = ("self_shape_", "index_", "index_v", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        self_shape = node.self_shape_
        g0 = take_backward(grad, self_shape, index)
        return g0

    def release(node):
        node.index_ = _FREED


class PutBackward0(_Node):
    __slots__ = ("accumulate_", "index_", "index_v", "source_shape_", )
    kind = _SAVES
    saved = ("index_", )

    def apply(node, grad):
        edges = node.edges
        index = node.index_
        if index.__class__ is not _Tensor or (index._vc is not None and index._vc.n != node.index_v):
            index = _unpack(node, "index_")
        accumulate = node.accumulate_
        source_shape = node.source_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad if accumulate else put(grad, index, zeros_of(grad, source_shape))
        if edges[1] is None:
            g1 = None
        else:
            g1 = take(grad, index).reshape(source_shape)
        return g0, g1

    def release(node):
        node.index_ = _FREED


class WhereBackward0(_Node):
    __slots__ = ("condition_", "condition_v", "self_shape_", "other_shape_", )
    kind = _SAVES
    saved = ("condition_", )

    def apply(node, grad):
        edges = node.edges
        condition = node.condition_
        if condition.__class__ is not _Tensor or (condition._vc is not None and condition._vc.n != node.condition_v):
            condition = _unpack(node, "condition_")
        self_shape = node.self_shape_
        other_shape = node.other_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(where(condition, grad, 0), self_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = sum_to(where(condition, 0, grad), other_shape)
        return g0, g1

    def release(node):
        node.condition_ = _FREED


def bind_masked_fill_Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_fill(self, mask, value):
        out = _lower(self, mask, value)
        e0 = self._ag
        node = MaskedFillBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return masked_fill


def bind_masked_fill__Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_fill_(self, mask, value):
        _check_inplace("masked_fill_", self)
        e0 = self._ag
        node = MaskedFillBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        _lower(self, mask, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return masked_fill_


def bind_masked_fill_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_fill(self, mask, value):
        out = _lower(self, mask, value)
        e0 = self._ag
        e1 = value._ag
        node = MaskedFillBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        node.value_dtype_ = value.dtype
        node.value_device_ = value.device
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return masked_fill


def bind_masked_fill__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_fill_(self, mask, value):
        _check_inplace("masked_fill_", self)
        e0 = self._ag
        e1 = value._ag
        node = MaskedFillBackward1()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        node.value_dtype_ = value.dtype
        node.value_device_ = value.device
        _lower(self, mask, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return masked_fill_


def bind_masked_select(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_select(self, mask):
        out = _lower(self, mask)
        e0 = self._ag
        node = MaskedSelectBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return masked_select


def bind_masked_scatter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_scatter(self, mask, source):
        out = _lower(self, mask, source)
        e0 = self._ag
        e1 = source._ag
        node = MaskedScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        node.source_shape_ = source.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return masked_scatter


def bind_masked_scatter_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def masked_scatter_(self, mask, source):
        _check_inplace("masked_scatter_", self)
        e0 = self._ag
        e1 = source._ag
        node = MaskedScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.mask_ = mask if mask._twin is None else mask._twin
        node.mask_v = 0 if mask._vc is None else mask._vc.n
        node.self_shape_ = self.shape
        node.source_shape_ = source.shape
        _lower(self, mask, source)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return masked_scatter_


def bind_take(op, ks, _lower):
    bits = _autograd_bits(ks)

    def take(self, index):
        out = _lower(self, index)
        e0 = self._ag
        node = TakeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return take


def bind_put(op, ks, _lower):
    bits = _autograd_bits(ks)

    def put(self, index, source, accumulate=False):
        out = _lower(self, index, source, accumulate)
        e0 = self._ag
        e1 = source._ag
        node = PutBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.accumulate_ = accumulate
        node.source_shape_ = source.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return put


def bind_put_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def put_(self, index, source, accumulate=False):
        _check_inplace("put_", self)
        e0 = self._ag
        e1 = source._ag
        node = PutBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.index_ = index if index._twin is None else index._twin
        node.index_v = 0 if index._vc is None else index._vc.n
        node.accumulate_ = accumulate
        node.source_shape_ = source.shape
        _lower(self, index, source, accumulate)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return put_


def bind_where_self(op, ks, _lower):
    bits = _autograd_bits(ks)

    def where(condition, self, other):
        out = _lower(condition, self, other)
        e0 = self._ag
        e1 = other._ag
        node = WhereBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.condition_ = condition if condition._twin is None else condition._twin
        node.condition_v = 0 if condition._vc is None else condition._vc.n
        node.self_shape_ = self.shape
        node.other_shape_ = other.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return where
