# Generated from packages/autograd/src/lamella/autograd/derivatives/fft.yaml (sha256 5fb6ec3c28189d8c). Do not edit:
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

from lamella.autograd.formulas_fft import fft_backward, fft_half_backward, fft_real_backward


BIND = True


class FftC2CBackward0(_Node):
    __slots__ = ("dim_", "normalization_", "forward_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        normalization = node.normalization_
        forward = node.forward_
        g0 = fft_backward(grad, dim, normalization, not forward)
        return g0


class FftR2CBackward0(_Node):
    __slots__ = ("dim_", "normalization_", "onesided_", "self_shape_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        normalization = node.normalization_
        onesided = node.onesided_
        self_shape = node.self_shape_
        g0 = fft_real_backward(grad, dim, normalization, onesided, self_shape)
        return g0


class FftC2RBackward0(_Node):
    __slots__ = ("dim_", "normalization_", )

    def apply(node, grad):
        edges = node.edges
        dim = node.dim_
        normalization = node.normalization_
        g0 = fft_half_backward(grad, dim, normalization)
        return g0


def bind__fft_c2c(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _fft_c2c(self, dim, normalization, forward):
        out = _lower(self, dim, normalization, forward)
        e0 = self._ag
        node = FftC2CBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.normalization_ = normalization
        node.forward_ = forward
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _fft_c2c


def bind__fft_r2c(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _fft_r2c(self, dim, normalization, onesided):
        out = _lower(self, dim, normalization, onesided)
        e0 = self._ag
        node = FftR2CBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.normalization_ = normalization
        node.onesided_ = onesided
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _fft_r2c


def bind__fft_c2r(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _fft_c2r(self, dim, normalization, last_dim_size):
        out = _lower(self, dim, normalization, last_dim_size)
        e0 = self._ag
        node = FftC2RBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.normalization_ = normalization
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _fft_c2r
