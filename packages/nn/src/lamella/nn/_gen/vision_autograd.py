# Generated from packages/nn/src/lamella/nn/derivatives/vision.yaml (sha256 22ff0b43b70beab0). Do not edit:
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

from lamella.nn._gen.vision import op__upsample_backward
from lamella.nn.formulas_vision import upsample_again


BIND = True


class UpsampleNearest1DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest', False, scales)
        return g0


class UpsampleNearest2DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest', False, scales)
        return g0


class UpsampleNearest3DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest', False, scales)
        return g0


class UpsampleNearestExact1DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest-exact', False, scales)
        return g0


class UpsampleNearestExact2DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest-exact', False, scales)
        return g0


class UpsampleNearestExact3DBackward0(_Node):
    __slots__ = ("self_shape_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'nearest-exact', False, scales)
        return g0


class UpsampleLinear1DBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'linear', align_corners, scales)
        return g0


class UpsampleBilinear2DBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'linear', align_corners, scales)
        return g0


class UpsampleTrilinear3DBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'linear', align_corners, scales)
        return g0


class UpsampleBicubic2DBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'cubic', align_corners, scales)
        return g0


class UpsampleBilinear2DAaBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'linear-aa', align_corners, scales)
        return g0


class UpsampleBicubic2DAaBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'cubic-aa', align_corners, scales)
        return g0


class UpsampleLanczos2DAaBackward0(_Node):
    __slots__ = ("self_shape_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        self_shape = node.self_shape_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = op__upsample_backward(grad, self_shape, 'lanczos-aa', align_corners, scales)
        return g0


class UpsampleBackwardBackward0(_Node):
    __slots__ = ("grad_output_shape_", "mode_", "align_corners_", "scales_", )

    def apply(node, grad):
        edges = node.edges
        grad_output_shape = node.grad_output_shape_
        mode = node.mode_
        align_corners = node.align_corners_
        scales = node.scales_
        g0 = upsample_again(grad, grad_output_shape, mode, align_corners, scales)
        return g0


def bind_upsample_nearest1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_nearest1d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearest1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_nearest1d


def bind_upsample_nearest2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_nearest2d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearest2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_nearest2d


def bind_upsample_nearest3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_nearest3d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearest3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_nearest3d


def bind__upsample_nearest_exact1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_nearest_exact1d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearestExact1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_nearest_exact1d


def bind__upsample_nearest_exact2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_nearest_exact2d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearestExact2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_nearest_exact2d


def bind__upsample_nearest_exact3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_nearest_exact3d(self, output_size, scales=None):
        out = _lower(self, output_size, scales)
        e0 = self._ag
        node = UpsampleNearestExact3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_nearest_exact3d


def bind_upsample_linear1d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_linear1d(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleLinear1DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_linear1d


def bind_upsample_bilinear2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_bilinear2d(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleBilinear2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_bilinear2d


def bind_upsample_trilinear3d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_trilinear3d(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleTrilinear3DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_trilinear3d


def bind_upsample_bicubic2d(op, ks, _lower):
    bits = _autograd_bits(ks)

    def upsample_bicubic2d(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleBicubic2DBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return upsample_bicubic2d


def bind__upsample_bilinear2d_aa(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_bilinear2d_aa(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleBilinear2DAaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_bilinear2d_aa


def bind__upsample_bicubic2d_aa(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_bicubic2d_aa(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleBicubic2DAaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_bicubic2d_aa


def bind__upsample_lanczos2d_aa(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_lanczos2d_aa(self, output_size, align_corners, scales=None):
        out = _lower(self, output_size, align_corners, scales)
        e0 = self._ag
        node = UpsampleLanczos2DAaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_lanczos2d_aa


def bind__upsample_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _upsample_backward(grad_output, size, mode, align_corners, scales):
        out = _lower(grad_output, size, mode, align_corners, scales)
        e0 = grad_output._ag
        node = UpsampleBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.grad_output_shape_ = grad_output.shape
        node.mode_ = mode
        node.align_corners_ = align_corners
        node.scales_ = scales
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _upsample_backward
