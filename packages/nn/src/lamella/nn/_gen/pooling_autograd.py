# Generated from packages/nn/src/lamella/nn/derivatives/pooling.yaml (sha256 aba38d5dd3394b7e). Do not edit:
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

from lamella.nn._gen.pooling import op__avg_pool_backward, op__max_pool_put, op__max_pool_take
from lamella.nn.formulas_pooling import avg_pool_again


BIND = True


class MaxPool2DWithIndicesBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", "kernel_size_", "stride_", "padding_", "dilation_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        g0 = op__max_pool_put(grad, result1, self_shape, kernel_size, stride, padding, dilation)
        return g0

    def release(node):
        node.result1_ = _FREED


class MaxPool3DWithIndicesBackward0(_Node):
    __slots__ = ("result1_", "result1_v", "self_shape_", "kernel_size_", "stride_", "padding_", "dilation_", )
    kind = _SAVES
    saved = ("result1_", )

    def apply(node, grad):
        edges = node.edges
        result1 = _unpack_output(node, "result1_", 0)
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        g0 = op__max_pool_put(grad, result1, self_shape, kernel_size, stride, padding, dilation)
        return g0

    def release(node):
        node.result1_ = _FREED


class MaxPool2DWithIndicesBackwardBackward0(_Node):
    __slots__ = ("places_", "places_v", "kernel_size_", "stride_", "padding_", "dilation_", )
    kind = _SAVES
    saved = ("places_", )

    def apply(node, grad):
        edges = node.edges
        places = node.places_
        if places.__class__ is not _Tensor or (places._vc is not None and places._vc.n != node.places_v):
            places = _unpack(node, "places_")
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        g0 = op__max_pool_take(grad, places, kernel_size, stride, padding, dilation)
        return g0

    def release(node):
        node.places_ = _FREED


class MaxPoolTakeBackward0(_Node):
    __slots__ = ("places_", "places_v", "self_shape_", "kernel_size_", "stride_", "padding_", "dilation_", )
    kind = _SAVES
    saved = ("places_", )

    def apply(node, grad):
        edges = node.edges
        places = node.places_
        if places.__class__ is not _Tensor or (places._vc is not None and places._vc.n != node.places_v):
            places = _unpack(node, "places_")
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        dilation = node.dilation_
        g0 = op__max_pool_put(grad, places, self_shape, kernel_size, stride, padding, dilation)
        return g0

    def release(node):
        node.places_ = _FREED


class AvgPool1DBackward0(_Node):
    __slots__ = ("self_shape_", "kernel_size_", "stride_", "padding_", "ceil_mode_", "count_include_pad_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        ceil_mode = node.ceil_mode_
        count_include_pad = node.count_include_pad_
        g0 = op__avg_pool_backward(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, None)
        return g0


class AvgPool2DBackward0(_Node):
    __slots__ = ("self_shape_", "kernel_size_", "stride_", "padding_", "ceil_mode_", "count_include_pad_", "divisor_override_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        ceil_mode = node.ceil_mode_
        count_include_pad = node.count_include_pad_
        divisor_override = node.divisor_override_
        g0 = op__avg_pool_backward(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return g0


class AvgPool3DBackward0(_Node):
    __slots__ = ("self_shape_", "kernel_size_", "stride_", "padding_", "ceil_mode_", "count_include_pad_", "divisor_override_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        ceil_mode = node.ceil_mode_
        count_include_pad = node.count_include_pad_
        divisor_override = node.divisor_override_
        g0 = op__avg_pool_backward(grad, self_shape, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return g0


class AvgPool2DBackwardBackward0(_Node):
    __slots__ = ("kernel_size_", "stride_", "padding_", "ceil_mode_", "count_include_pad_", "divisor_override_", )

    def apply(node, grad):
        edges = node.edges
        kernel_size = node.kernel_size_
        stride = node.stride_
        padding = node.padding_
        ceil_mode = node.ceil_mode_
        count_include_pad = node.count_include_pad_
        divisor_override = node.divisor_override_
        g0 = avg_pool_again(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        return g0


def bind__max_pool2d_with_places(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _max_pool2d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
        out = _lower(self, kernel_size, stride, padding, dilation, ceil_mode)
        e0 = self._ag
        node = MaxPool2DWithIndicesBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return _max_pool2d_with_places


def bind__max_pool3d_with_places(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _max_pool3d_with_places(self, kernel_size, stride, padding, dilation, ceil_mode):
        out = _lower(self, kernel_size, stride, padding, dilation, ceil_mode)
        e0 = self._ag
        node = MaxPool3DWithIndicesBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return _max_pool3d_with_places


def bind__max_pool_put(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _max_pool_put(self, places, size, kernel_size, stride, padding, dilation):
        out = _lower(self, places, size, kernel_size, stride, padding, dilation)
        e0 = self._ag
        node = MaxPool2DWithIndicesBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.places_ = places if places._twin is None else places._twin
        node.places_v = 0 if places._vc is None else places._vc.n
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _max_pool_put


def bind__max_pool_take(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _max_pool_take(self, places, kernel_size, stride, padding, dilation):
        out = _lower(self, places, kernel_size, stride, padding, dilation)
        e0 = self._ag
        node = MaxPoolTakeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.places_ = places if places._twin is None else places._twin
        node.places_v = 0 if places._vc is None else places._vc.n
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.dilation_ = dilation
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _max_pool_take


def bind_avg_pool1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def avg_pool1d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True):
        out = _lower(self, kernel_size, stride, padding, ceil_mode, count_include_pad)
        e0 = self._ag
        node = AvgPool1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.ceil_mode_ = ceil_mode
        node.count_include_pad_ = count_include_pad
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return avg_pool1d


def bind_avg_pool2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def avg_pool2d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        out = _lower(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        e0 = self._ag
        node = AvgPool2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.ceil_mode_ = ceil_mode
        node.count_include_pad_ = count_include_pad
        node.divisor_override_ = divisor_override
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return avg_pool2d


def bind_avg_pool3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def avg_pool3d(self, kernel_size, stride=(), padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None):
        out = _lower(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        e0 = self._ag
        node = AvgPool3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.ceil_mode_ = ceil_mode
        node.count_include_pad_ = count_include_pad
        node.divisor_override_ = divisor_override
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return avg_pool3d


def bind__avg_pool_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _avg_pool_backward(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
        out = _lower(grad_output, size, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
        e0 = grad_output._ag
        node = AvgPool2DBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.kernel_size_ = kernel_size
        node.stride_ = stride
        node.padding_ = padding
        node.ceil_mode_ = ceil_mode
        node.count_include_pad_ = count_include_pad
        node.divisor_override_ = divisor_override
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _avg_pool_backward
