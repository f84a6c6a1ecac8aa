# Generated from packages/autograd/src/lamella/autograd/derivatives/slicing.yaml (sha256 0a36800a2334977d). Do not edit:
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
from lamella.autograd.formulas_shape import split_backward, unbind_backward, zeros_of
from lamella.core.functions import diagonal, diagonal_backward, diagonal_scatter, op_slice_Tensor, op_unfold_backward, select_backward, select_scatter, slice_backward, slice_scatter


BIND = True


class SelectBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "index_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        dim = node.dim_
        index = node.index_
        g0 = select_backward(grad, self_shape, dim, index)
        return g0


class SliceBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", "start_", "end_", "step_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        dim = node.dim_
        start = node.start_
        end = node.end_
        step = node.step_
        g0 = slice_backward(grad, self_shape, dim, 0 if start is None else start, 2 ** 63 - 1 if end is None else end, step)
        return g0


class DiagonalBackward0(_Node):
    __slots__ = ("self_shape_", "offset_", "dim1_", "dim2_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        offset = node.offset_
        dim1 = node.dim1_
        dim2 = node.dim2_
        g0 = diagonal_backward(grad, self_shape, offset, dim1, dim2)
        return g0


class SelectBackwardBackward0(_Node):
    __slots__ = ("dim_", "index_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        index = node.index_
        g0 = grad.select(dim, index)
        return g0


class SliceBackwardBackward0(_Node):
    __slots__ = ("dim_", "start_", "end_", "step_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        start = node.start_
        end = node.end_
        step = node.step_
        g0 = op_slice_Tensor(grad, dim, start, end, step)
        return g0


class DiagonalBackwardBackward0(_Node):
    __slots__ = ("offset_", "dim1_", "dim2_", )

    def apply(node, grad):
        edges = node.edges
        offset = node.offset_
        dim1 = node.dim1_
        dim2 = node.dim2_
        g0 = diagonal(grad, offset, dim1, dim2)
        return g0


class DiagEmbedBackward0(_Node):
    __slots__ = ("offset_", "dim1_", "dim2_", )

    def apply(node, grad):
        edges = node.edges
        offset = node.offset_
        dim1 = node.dim1_
        dim2 = node.dim2_
        g0 = diagonal(grad, offset, dim1, dim2)
        return g0


class UnbindBackward0(_Node):
    __slots__ = ("self_shape_", "dim_", )
    kind = _MULTI

    def apply(node, *grads):
        edges = node.edges
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = unbind_backward(grads, self_shape, dim)
        return g0


class SplitBackward0(_Node):
    __slots__ = ("self_shape_", "split_size_", "dim_", )
    kind = _MULTI

    def apply(node, *grads):
        edges = node.edges
        self_shape = node.self_shape_
        split_size = node.split_size_
        dim = node.dim_
        g0 = split_backward(grads, self_shape, [split_size] * len(grads), dim)
        return g0


class SplitWithSizesBackward0(_Node):
    __slots__ = ("self_shape_", "split_sizes_", "dim_", )
    kind = _MULTI

    def apply(node, *grads):
        edges = node.edges
        self_shape = node.self_shape_
        split_sizes = node.split_sizes_
        dim = node.dim_
        g0 = split_backward(grads, self_shape, split_sizes, dim)
        return g0


class UnfoldBackward0(_Node):
    __slots__ = ("self_shape_", "dimension_", "size_", "step_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        dimension = node.dimension_
        size = node.size_
        step = node.step_
        g0 = op_unfold_backward(grad, self_shape, dimension, size, step)
        return g0


class UnfoldBackwardBackward0(_Node):
    __slots__ = ("dim_", "size_", "step_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        size = node.size_
        step = node.step_
        g0 = grad.unfold(dim, size, step)
        return g0


class SliceScatterBackward0(_Node):
    __slots__ = ("src_shape_", "dim_", "start_", "end_", "step_", )

    def apply(node, grad):
        edges = node.edges
        src_shape = node.src_shape_
        dim = node.dim_
        start = node.start_
        end = node.end_
        step = node.step_
        if edges[0] is None:
            g0 = None
        else:
            g0 = slice_scatter(grad, zeros_of(grad, src_shape), dim, start, end, step)
        if edges[1] is None:
            g1 = None
        else:
            g1 = sum_to(op_slice_Tensor(grad, dim, start, end, step), src_shape)
        return g0, g1


class SelectScatterBackward0(_Node):
    __slots__ = ("src_shape_", "dim_", "index_", )

    def apply(node, grad):
        edges = node.edges
        src_shape = node.src_shape_
        dim = node.dim_
        index = node.index_
        if edges[0] is None:
            g0 = None
        else:
            g0 = select_scatter(grad, zeros_of(grad, src_shape), dim, index)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad.select(dim, index)
        return g0, g1


class DiagonalScatterBackward0(_Node):
    __slots__ = ("src_shape_", "offset_", "dim1_", "dim2_", )

    def apply(node, grad):
        edges = node.edges
        src_shape = node.src_shape_
        offset = node.offset_
        dim1 = node.dim1_
        dim2 = node.dim2_
        if edges[0] is None:
            g0 = None
        else:
            g0 = diagonal_scatter(grad, zeros_of(grad, src_shape), offset, dim1, dim2)
        if edges[1] is None:
            g1 = None
        else:
            g1 = diagonal(grad, offset, dim1, dim2)
        return g0, g1


def bind_select_int(op, ks, _lower):
    bits = _autograd_bits(ks)

    def select(self, dim, index):
        out = _lower(self, dim, index)
        e0 = self._ag
        node = SelectBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.index_ = index
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return select


def bind_slice_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def slice(self, dim=0, start=None, end=None, step=1):
        out = _lower(self, dim, start, end, step)
        e0 = self._ag
        node = SliceBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.start_ = start
        node.end_ = end
        node.step_ = step
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return slice


def bind_diagonal(op, ks, _lower):
    bits = _autograd_bits(ks)

    def diagonal(self, offset=0, dim1=0, dim2=1):
        out = _lower(self, offset, dim1, dim2)
        e0 = self._ag
        node = DiagonalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.offset_ = offset
        node.dim1_ = dim1
        node.dim2_ = dim2
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return diagonal


def bind_select_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def select_backward(grad_output, input_sizes, dim, index):
        out = _lower(grad_output, input_sizes, dim, index)
        e0 = grad_output._ag
        node = SelectBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.index_ = index
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return select_backward


def bind_slice_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def slice_backward(grad_output, input_sizes, dim, start, end, step):
        out = _lower(grad_output, input_sizes, dim, start, end, step)
        e0 = grad_output._ag
        node = SliceBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.start_ = start
        node.end_ = end
        node.step_ = step
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return slice_backward


def bind_diagonal_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
        out = _lower(grad_output, input_sizes, offset, dim1, dim2)
        e0 = grad_output._ag
        node = DiagonalBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.offset_ = offset
        node.dim1_ = dim1
        node.dim2_ = dim2
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return diagonal_backward


def bind_diag_embed(op, ks, _lower):
    bits = _autograd_bits(ks)

    def diag_embed(self, offset=0, dim1=-2, dim2=-1):
        out = _lower(self, offset, dim1, dim2)
        e0 = self._ag
        node = DiagEmbedBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.offset_ = offset
        node.dim1_ = dim1
        node.dim2_ = dim2
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return diag_embed


def bind_unbind_int(op, ks, _lower):
    bits = _autograd_bits(ks)

    def unbind(self, dim=0):
        out = _lower(self, dim)
        e0 = self._ag
        node = UnbindBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.num_outputs = len(out)
        for i, x in enumerate(out):
            x._ag = (node, i)
            x._ks |= bits
        if _packers:
            _pack(node)
        return out

    return unbind


def bind_split_Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def split(self, split_size, dim=0):
        out = _lower(self, split_size, dim)
        e0 = self._ag
        node = SplitBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.split_size_ = split_size
        node.dim_ = dim
        node.num_outputs = len(out)
        for i, x in enumerate(out):
            x._ag = (node, i)
            x._ks |= bits
        if _packers:
            _pack(node)
        return out

    return split


def bind_split_with_sizes(op, ks, _lower):
    bits = _autograd_bits(ks)

    def split_with_sizes(self, split_sizes, dim=0):
        out = _lower(self, split_sizes, dim)
        e0 = self._ag
        node = SplitWithSizesBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.split_sizes_ = split_sizes
        node.dim_ = dim
        node.num_outputs = len(out)
        for i, x in enumerate(out):
            x._ag = (node, i)
            x._ks |= bits
        if _packers:
            _pack(node)
        return out

    return split_with_sizes


def bind_unfold(op, ks, _lower):
    bits = _autograd_bits(ks)

    def unfold(self, dimension, size, step):
        out = _lower(self, dimension, size, step)
        e0 = self._ag
        node = UnfoldBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dimension_ = dimension
        node.size_ = size
        node.step_ = step
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return unfold


def bind_unfold_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def unfold_backward(grad_in, input_sizes, dim, size, step):
        out = _lower(grad_in, input_sizes, dim, size, step)
        e0 = grad_in._ag
        node = UnfoldBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.size_ = size
        node.step_ = step
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return unfold_backward


def bind_slice_scatter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def slice_scatter(self, src, dim=0, start=None, end=None, step=1):
        out = _lower(self, src, dim, start, end, step)
        e0 = self._ag
        e1 = src._ag
        node = SliceScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.src_shape_ = src.shape
        node.dim_ = dim
        node.start_ = start
        node.end_ = end
        node.step_ = step
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return slice_scatter


def bind_select_scatter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def select_scatter(self, src, dim, index):
        out = _lower(self, src, dim, index)
        e0 = self._ag
        e1 = src._ag
        node = SelectScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.src_shape_ = src.shape
        node.dim_ = dim
        node.index_ = index
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return select_scatter


def bind_diagonal_scatter(op, ks, _lower):
    bits = _autograd_bits(ks)

    def diagonal_scatter(self, src, offset=0, dim1=0, dim2=1):
        out = _lower(self, src, offset, dim1, dim2)
        e0 = self._ag
        e1 = src._ag
        node = DiagonalScatterBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.src_shape_ = src.shape
        node.offset_ = offset
        node.dim1_ = dim1
        node.dim2_ = dim2
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return diagonal_scatter
