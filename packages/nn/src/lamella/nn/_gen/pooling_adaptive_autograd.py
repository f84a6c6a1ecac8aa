# Generated from packages/nn/src/lamella/nn/derivatives/pooling_adaptive.yaml (sha256 3d0e2d3b12b7b84f). Do not edit:
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

from lamella.nn._gen.pooling_adaptive import op__adaptive_avg_pool_backward
from lamella.nn.formulas_pooling_adaptive import adaptive_avg_again, at_indices


BIND = True


class AdaptiveAvgPool1DBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = op__adaptive_avg_pool_backward(grad, self_shape, 1)
        return g0


class AdaptiveAvgPool2DBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = op__adaptive_avg_pool_backward(grad, self_shape, 2)
        return g0


class AdaptiveAvgPool3DBackward0(_Node):
    __slots__ = ("self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        g0 = op__adaptive_avg_pool_backward(grad, self_shape, 3)
        return g0


class AdaptiveAvgPool2DBackwardBackward0(_Node):
    __slots__ = ("grad_output_shape_", "spatial_", )

    def apply(node, grad):
        edges = node.edges
        grad_output_shape = node.grad_output_shape_
        spatial = node.spatial_
        g0 = adaptive_avg_again(grad, grad_output_shape, spatial)
        return g0


class AdaptiveMaxPool1DBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        g0 = at_indices(grad, result1, self_shape, 1)
        return g0

    def release(node):
        node.result1_ = _FREED


class AdaptiveMaxPool2DBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        g0 = at_indices(grad, result1, self_shape, 2)
        return g0

    def release(node):
        node.result1_ = _FREED


class AdaptiveMaxPool3DBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        g0 = at_indices(grad, result1, self_shape, 3)
        return g0

    def release(node):
        node.result1_ = _FREED


class FractionalMaxPool2DBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        g0 = at_indices(grad, result1, self_shape, 2)
        return g0

    def release(node):
        node.result1_ = _FREED


class FractionalMaxPool3DBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        g0 = at_indices(grad, result1, self_shape, 3)
        return g0

    def release(node):
        node.result1_ = _FREED


def bind_adaptive_avg_pool1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def adaptive_avg_pool1d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveAvgPool1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return adaptive_avg_pool1d


def bind__adaptive_avg_pool2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _adaptive_avg_pool2d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveAvgPool2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _adaptive_avg_pool2d


def bind__adaptive_avg_pool3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _adaptive_avg_pool3d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveAvgPool3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _adaptive_avg_pool3d


def bind__adaptive_avg_pool_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _adaptive_avg_pool_backward(grad_output, size, spatial):
        out = _lower(grad_output, size, spatial)
        e0 = grad_output._ag
        node = AdaptiveAvgPool2DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.grad_output_shape_ = grad_output.shape
        node.spatial_ = spatial
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _adaptive_avg_pool_backward


def bind_adaptive_max_pool1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def adaptive_max_pool1d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveMaxPool1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return adaptive_max_pool1d


def bind_adaptive_max_pool2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def adaptive_max_pool2d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveMaxPool2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return adaptive_max_pool2d


def bind_adaptive_max_pool3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def adaptive_max_pool3d(self, output_size):
        out = _lower(self, output_size)
        e0 = self._ag
        node = AdaptiveMaxPool3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return adaptive_max_pool3d


def bind_fractional_max_pool2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fractional_max_pool2d(self, kernel_size, output_size, random_samples):
        out = _lower(self, kernel_size, output_size, random_samples)
        e0 = self._ag
        node = FractionalMaxPool2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return fractional_max_pool2d


def bind_fractional_max_pool3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def fractional_max_pool3d(self, kernel_size, output_size, random_samples):
        out = _lower(self, kernel_size, output_size, random_samples)
        e0 = self._ag
        node = FractionalMaxPool3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return fractional_max_pool3d
