# Generated from packages/autograd/src/lamella/autograd/derivatives/conversion.yaml (sha256 97cbcb75628c8f2f). Do not edit:
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
from lamella.autograd.formulas_shape import converted, copy_backward, imaginary_part, real_part
from lamella.core.functions import sum, zeros_like


BIND = True


class CloneBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = grad
        return g0


class ToCopyBackward0(_Node):
    __slots__ = ("self_dtype_", "self_device_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        self_device = node.self_device_
        g0 = converted(grad, self_dtype, self_device)
        return g0


class CopyBackwards(_Node):
    __slots__ = ("src_shape_", "src_dtype_", "src_device_", )

    def apply(node, grad):
        edges = node.edges
        src_shape = node.src_shape_
        src_dtype = node.src_dtype_
        src_device = node.src_device_
        if edges[0] is None:
            g0 = None
        else:
            g0 = zeros_like(grad)
        if edges[1] is None:
            g1 = None
        else:
            g1 = copy_backward(grad, src_shape, src_dtype, src_device)
        return g0, g1


class FillBackward2(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class FillBackward3(_Node):
    __slots__ = ("value_dtype_", "value_device_", )

    def apply(node, grad):
        edges = node.edges
        value_dtype = node.value_dtype_
        value_device = node.value_device_
        if edges[0] is None:
            g0 = None
        else:
            g0 = zeros_like(grad)
        if edges[1] is None:
            g1 = None
        else:
            g1 = converted(sum(grad), value_dtype, value_device)
        return g0, g1


class ZeroBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class ComplexBackward0(_Node):
    __slots__ = ("real_shape_", "imag_shape_", )

    def apply(node, grad):
        edges = node.edges
        real_shape = node.real_shape_
        imag_shape = node.imag_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = sum_to(real_part(grad), real_shape)
        if edges[1] is None:
            g1 = None
        else:
            g1 = sum_to(imaginary_part(grad), imag_shape)
        return g0, g1


def bind_clone(op, ks, _lower):
    bits = _autograd_bits(ks)

    def clone(self, memory_format=None):
        out = _lower(self) if memory_format is None else _lower(self, memory_format=memory_format)
        e0 = self._ag
        node = CloneBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return clone


def bind__to_copy(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _to_copy(self, dtype=None, layout=None, device=None, pin_memory=None, non_blocking=False, memory_format=None):
        out = _lower(self) if dtype is None and layout is None and device is None and pin_memory is None and non_blocking is False and memory_format is None else _lower(self, dtype=dtype, layout=layout, device=device, pin_memory=pin_memory, non_blocking=non_blocking, memory_format=memory_format)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = ToCopyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.self_device_ = self.device
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _to_copy


def bind_copy_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def copy_(self, src, non_blocking=False):
        _check_inplace("copy_", self)
        e0 = self._ag
        e1 = src._ag
        node = CopyBackwards()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.src_shape_ = src.shape
        node.src_dtype_ = src.dtype
        node.src_device_ = src.device
        _lower(self, src, non_blocking)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return copy_


def bind_fill__Scalar(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fill_(self, value):
        _check_inplace("fill_", self)
        e0 = self._ag
        node = FillBackward2()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return fill_


def bind_fill__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fill_(self, value):
        _check_inplace("fill_", self)
        e0 = self._ag
        e1 = value._ag
        node = FillBackward3()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.value_dtype_ = value.dtype
        node.value_device_ = value.device
        _lower(self, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return fill_


def bind_zero_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def zero_(self):
        _check_inplace("zero_", self)
        e0 = self._ag
        node = ZeroBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return zero_


def bind_complex(op, ks, _lower):
    bits = _autograd_bits(ks)

    def complex(real, imag):
        out = _lower(real, imag)
        e0 = real._ag
        e1 = imag._ag
        node = ComplexBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.real_shape_ = real.shape
        node.imag_shape_ = imag.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return complex
