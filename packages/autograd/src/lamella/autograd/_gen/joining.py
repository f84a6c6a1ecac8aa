# Generated from packages/autograd/src/lamella/autograd/derivatives/joining.yaml (sha256 38263216be73c9d0). Do not edit:
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

from lamella.autograd.formulas_shape import cat_backward, negated, repeat_backward, stack_backward
from lamella.core.functions import constant_pad_nd, flip, roll, tril, triu


BIND = True


class CatBackward0(_Node):
    __slots__ = ("tensors_shape_", "tensors_dtype_", "dim_", )

    def apply(node, grad):
        edges = node.edges
        tensors_shape = node.tensors_shape_
        tensors_dtype = node.tensors_dtype_
        dim = node.dim_
        needs = tuple([e is not None for e in edges])
        g0 = cat_backward(grad, tensors_shape, tensors_dtype, dim, needs)
        return (*g0,)


class StackBackward0(_Node):
    __slots__ = ("tensors_dtype_", "dim_", )

    def apply(node, grad):
        edges = node.edges
        tensors_dtype = node.tensors_dtype_
        dim = node.dim_
        needs = tuple([e is not None for e in edges])
        g0 = stack_backward(grad, tensors_dtype, dim, needs)
        return (*g0,)


class RepeatBackward0(_Node):
    __slots__ = ("repeats_", "self_shape_", )

    def apply(node, grad):
        edges = node.edges
        repeats = node.repeats_
        self_shape = node.self_shape_
        g0 = repeat_backward(grad, repeats, self_shape)
        return g0


class FlipBackward0(_Node):
    __slots__ = ("dims_", )

    def apply(node, grad):
        edges = node.edges
        dims = node.dims_
        g0 = flip(grad, dims)
        return g0


class RollBackward0(_Node):
    __slots__ = ("shifts_", "dims_", )

    def apply(node, grad):
        edges = node.edges
        shifts = node.shifts_
        dims = node.dims_
        g0 = roll(grad, negated(shifts), dims)
        return g0


class TrilBackward0(_Node):
    __slots__ = ("diagonal_", )

    def apply(node, grad):
        edges = node.edges
        diagonal = node.diagonal_
        g0 = tril(grad, diagonal)
        return g0


class TriuBackward0(_Node):
    __slots__ = ("diagonal_", )

    def apply(node, grad):
        edges = node.edges
        diagonal = node.diagonal_
        g0 = triu(grad, diagonal)
        return g0


class ConstantPadNdBackward0(_Node):
    __slots__ = ("pad_", )

    def apply(node, grad):
        edges = node.edges
        pad = node.pad_
        g0 = constant_pad_nd(grad, negated(pad))
        return g0


def bind_cat(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cat(tensors, dim=0):
        out = _lower(tensors, dim)
        node = CatBackward0()
        node.seq = next(_counter)
        node.edges = (*tuple([None if t is None else t._ag for t in tensors]),)
        node.tensors_shape_ = tuple([t.shape for t in tensors])
        node.tensors_dtype_ = tuple([t.dtype for t in tensors])
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return cat


def bind_stack(op, ks, _lower):
    bits = _autograd_bits(ks)

    def stack(tensors, dim=0):
        out = _lower(tensors, dim)
        node = StackBackward0()
        node.seq = next(_counter)
        node.edges = (*tuple([None if t is None else t._ag for t in tensors]),)
        node.tensors_dtype_ = tuple([t.dtype for t in tensors])
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return stack


def bind_repeat(op, ks, _lower):
    bits = _autograd_bits(ks)

    def repeat(self, repeats):
        out = _lower(self, repeats)
        e0 = self._ag
        node = RepeatBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.repeats_ = repeats
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return repeat


def bind_flip(op, ks, _lower):
    bits = _autograd_bits(ks)

    def flip(self, dims):
        out = _lower(self, dims)
        e0 = self._ag
        node = FlipBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dims_ = dims
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return flip


def bind_roll(op, ks, _lower):
    bits = _autograd_bits(ks)

    def roll(self, shifts, dims=()):
        out = _lower(self, shifts, dims)
        e0 = self._ag
        node = RollBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.shifts_ = shifts
        node.dims_ = dims
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return roll


def bind_tril(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tril(self, diagonal=0):
        out = _lower(self, diagonal)
        e0 = self._ag
        node = TrilBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.diagonal_ = diagonal
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return tril


def bind_tril_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def tril_(self, diagonal=0):
        _check_inplace("tril_", self)
        e0 = self._ag
        node = TrilBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.diagonal_ = diagonal
        _lower(self, diagonal)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return tril_


def bind_triu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def triu(self, diagonal=0):
        out = _lower(self, diagonal)
        e0 = self._ag
        node = TriuBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.diagonal_ = diagonal
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return triu


def bind_triu_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def triu_(self, diagonal=0):
        _check_inplace("triu_", self)
        e0 = self._ag
        node = TriuBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.diagonal_ = diagonal
        _lower(self, diagonal)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return triu_


def bind_constant_pad_nd(op, ks, _lower):
    bits = _autograd_bits(ks)

    def constant_pad_nd(self, pad, value=0):
        out = _lower(self, pad, value)
        e0 = self._ag
        node = ConstantPadNdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.pad_ = pad
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return constant_pad_nd
