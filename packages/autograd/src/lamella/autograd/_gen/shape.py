# Generated from packages/autograd/src/lamella/autograd/derivatives/shape.yaml (sha256 290ed200c1d4f962). Do not edit:
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

from lamella.autograd.formulas_matmul import sum_to
from lamella.autograd.formulas_shape import as_strided_backward, permute_backward, zeros_of
from lamella.core.functions import as_strided_scatter, view_as_complex, view_as_real


BIND = True


class ViewBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class UnsafeViewBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class SqueezeBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class SqueezeBackward1(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class SqueezeBackward2(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = grad.reshape(self_shape)
        return g0


class UnsqueezeBackward0(_Node):
    __slots__ = ("dim_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        g0 = grad.squeeze(dim)
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


class PermuteBackward0(_Node):
    __slots__ = ("dims_", )

    def apply(node, grad):
        edges = node.edges
        dims = node.dims_
        g0 = permute_backward(grad, dims)
        return g0


class ExpandBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = sum_to(grad, self_shape)
        return g0


class AsStridedBackward0(_Node):
    __slots__ = ("self__geometry_", "size_", "stride_", "storage_offset_", )

    def apply(node, grad):
        edges = node.edges
        self__geometry = node.self__geometry_
        size = node.size_
        stride = node.stride_
        storage_offset = node.storage_offset_
        g0 = as_strided_backward(grad, self__geometry, size, stride, storage_offset)
        return g0


class AsStridedScatterBackward0(_Node):
    __slots__ = ("src_shape_", "size_", "stride_", "storage_offset_", )

    def apply(node, grad):
        edges = node.edges
        src_shape = node.src_shape_
        size = node.size_
        stride = node.stride_
        storage_offset = node.storage_offset_
        if edges[0] is None:
            g0 = None
        else:
            g0 = as_strided_scatter(grad.contiguous(), zeros_of(grad, src_shape), size, stride, storage_offset)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad.contiguous().as_strided(size, stride, storage_offset)
        return g0, g1


class ViewAsRealBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = view_as_complex(grad.contiguous())
        return g0


class ViewAsComplexBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = view_as_real(grad)
        return g0


class AliasBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad
        return g0


def bind_view(op, ks, _lower):
    bits = _autograd_bits(ks)

    def view(self, size):
        out = _lower(self, size)
        e0 = self._ag
        node = ViewBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return view


def bind__unsafe_view(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _unsafe_view(self, size):
        out = _lower(self, size)
        e0 = self._ag
        node = UnsafeViewBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _unsafe_view


def bind_squeeze(op, ks, _lower):
    bits = _autograd_bits(ks)

    def squeeze(self):
        out = _lower(self)
        e0 = self._ag
        node = SqueezeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return squeeze


def bind_squeeze_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def squeeze(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = SqueezeBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return squeeze


def bind_squeeze_dims(op, ks, _lower):
    bits = _autograd_bits(ks)

    def squeeze(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = SqueezeBackward2()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return squeeze


def bind_unsqueeze(op, ks, _lower):
    bits = _autograd_bits(ks)

    def unsqueeze(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = UnsqueezeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return unsqueeze


def bind_t(op, ks, _lower):
    bits = _autograd_bits(ks)

    def t(self):
        out = _lower(self)
        e0 = self._ag
        node = TBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return t


def bind_transpose_int(op, ks, _lower):
    bits = _autograd_bits(ks)

    def transpose(self, dim0, dim1):
        out = _lower(self, dim0, dim1)
        e0 = self._ag
        node = TransposeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim0_ = dim0
        node.dim1_ = dim1
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return transpose


def bind_permute(op, ks, _lower):
    bits = _autograd_bits(ks)

    def permute(self, dims):
        out = _lower(self, dims)
        e0 = self._ag
        node = PermuteBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dims_ = dims
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return permute


def bind_expand(op, ks, _lower):
    bits = _autograd_bits(ks)

    def expand(self, size, implicit=False):
        out = _lower(self, size) if implicit is False else _lower(self, size, implicit=implicit)
        e0 = self._ag
        node = ExpandBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return expand


def bind_as_strided(op, ks, _lower):
    bits = _autograd_bits(ks)

    def as_strided(self, size, stride, storage_offset=None):
        out = _lower(self, size, stride, storage_offset)
        e0 = self._ag
        node = AsStridedBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self__geometry_ = self._geometry
        node.size_ = size
        node.stride_ = stride
        node.storage_offset_ = storage_offset
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return as_strided


def bind_as_strided_scatter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def as_strided_scatter(self, src, size, stride, storage_offset=None):
        out = _lower(self, src, size, stride, storage_offset)
        e0 = self._ag
        e1 = src._ag
        node = AsStridedScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.src_shape_ = src.shape
        node.size_ = size
        node.stride_ = stride
        node.storage_offset_ = storage_offset
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return as_strided_scatter


def bind_view_as_real(op, ks, _lower):
    bits = _autograd_bits(ks)

    def view_as_real(self):
        out = _lower(self)
        e0 = self._ag
        node = ViewAsRealBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return view_as_real


def bind_view_as_complex(op, ks, _lower):
    bits = _autograd_bits(ks)

    def view_as_complex(self):
        out = _lower(self)
        e0 = self._ag
        node = ViewAsComplexBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return view_as_complex


def bind_alias(op, ks, _lower):
    bits = _autograd_bits(ks)

    def alias(self):
        out = _lower(self)
        e0 = self._ag
        node = AliasBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return alias
