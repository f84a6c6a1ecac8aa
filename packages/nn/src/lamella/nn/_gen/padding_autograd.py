# Generated from packages/nn/src/lamella/nn/derivatives/padding.yaml (sha256 df77dc8f15e9a5b9). Do not edit:
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

from lamella.nn._gen.padding import op__pad_circular, op__pad_circular_backward, op_reflection_pad1d, op_reflection_pad1d_backward, op_reflection_pad2d, op_reflection_pad2d_backward, op_reflection_pad3d, op_reflection_pad3d_backward, op_replication_pad1d, op_replication_pad1d_backward, op_replication_pad2d, op_replication_pad2d_backward, op_replication_pad3d, op_replication_pad3d_backward


BIND = True


class ReflectionPad1DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_reflection_pad1d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReflectionPad1DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_reflection_pad1d(grad, padding)
        return g0


class ReflectionPad2DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_reflection_pad2d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReflectionPad2DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_reflection_pad2d(grad, padding)
        return g0


class ReflectionPad3DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_reflection_pad3d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReflectionPad3DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_reflection_pad3d(grad, padding)
        return g0


class ReplicationPad1DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_replication_pad1d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReplicationPad1DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_replication_pad1d(grad, padding)
        return g0


class ReplicationPad2DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_replication_pad2d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReplicationPad2DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_replication_pad2d(grad, padding)
        return g0


class ReplicationPad3DBackward0(_Node):
    __slots__ = ("self_", "self_v", "padding_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        padding = node.padding_
        g0 = op_replication_pad3d_backward(grad, self, padding)
        return g0

    def release(node):
        node.self_ = _FREED


class ReplicationPad3DBackwardBackward0(_Node):
    __slots__ = ("padding_", )

    def apply(node, grad):
        edges = node.edges
        padding = node.padding_
        g0 = op_replication_pad3d(grad, padding)
        return g0


class PadCircularBackward0(_Node):
    __slots__ = ("self_", "self_v", "pad_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        pad = node.pad_
        g0 = op__pad_circular_backward(grad, self, pad)
        return g0

    def release(node):
        node.self_ = _FREED


class PadCircularBackwardBackward0(_Node):
    __slots__ = ("pad_", )

    def apply(node, grad):
        edges = node.edges
        pad = node.pad_
        g0 = op__pad_circular(grad, pad)
        return g0


def bind_reflection_pad1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad1d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReflectionPad1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad1d


def bind_reflection_pad1d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad1d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReflectionPad1DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad1d_backward


def bind_reflection_pad2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad2d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReflectionPad2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad2d


def bind_reflection_pad2d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad2d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReflectionPad2DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad2d_backward


def bind_reflection_pad3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad3d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReflectionPad3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad3d


def bind_reflection_pad3d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def reflection_pad3d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReflectionPad3DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return reflection_pad3d_backward


def bind_replication_pad1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad1d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReplicationPad1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad1d


def bind_replication_pad1d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad1d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReplicationPad1DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad1d_backward


def bind_replication_pad2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad2d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReplicationPad2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad2d


def bind_replication_pad2d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad2d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReplicationPad2DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad2d_backward


def bind_replication_pad3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad3d(self, padding):
        out = _lower(self, padding)
        e0 = self._ag
        node = ReplicationPad3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad3d


def bind_replication_pad3d_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def replication_pad3d_backward(grad_output, self, padding):
        out = _lower(grad_output, self, padding)
        e0 = grad_output._ag
        node = ReplicationPad3DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.padding_ = padding
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return replication_pad3d_backward


def bind__pad_circular(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _pad_circular(self, pad):
        out = _lower(self, pad)
        e0 = self._ag
        node = PadCircularBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.pad_ = pad
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _pad_circular


def bind__pad_circular_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _pad_circular_backward(grad_output, self, pad):
        out = _lower(grad_output, self, pad)
        e0 = grad_output._ag
        node = PadCircularBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.pad_ = pad
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _pad_circular_backward
