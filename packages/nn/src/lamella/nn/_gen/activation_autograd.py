# Generated from packages/nn/src/lamella/nn/derivatives/activation.yaml (sha256 effe7ac0cdd3a8d1). Do not edit:
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

from lamella.core.functions import threshold_backward, where
from lamella.nn._gen.activation import gelu_backward, hardtanh_backward, leaky_relu_backward, silu_backward
from lamella.nn.formulas_activation import elu_gradient, gelu_curvature, hardsigmoid_gradient, hardswish_gradient, log_sigmoid_gradient, mish_gradient, shrink_gradient, silu_curvature, slope_times, softplus_gradient


BIND = True


class GeluBackward0(_Node):
    __slots__ = ("self_", "self_v", "approximate_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        approximate = node.approximate_
        g0 = gelu_backward(grad, self, approximate=approximate)
        return g0

    def release(node):
        node.self_ = _FREED


class GeluBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "approximate_", "grad_output_", "grad_output_v", "grad_output_s", "self_s", "grad_output_d", "self_d", )
    kind = _SAVES
    saved = ("self_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        approximate = node.approximate_
        if edges[0] is None:
            g0 = None
        else:
            g0 = gelu_backward(grad, self, approximate=approximate)
            if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
                g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * grad_output * gelu_curvature(self, approximate)
            if g1._a.shape != node.self_s or g1._a.dtype is not node.self_d:
                g1 = _fit(g1, node.self_s, node.self_d)
        return g0, g1

    def release(node):
        node.self_ = node.grad_output_ = _FREED


class GeluBackward0__gelu_with_slope(_Node):
    __slots__ = ("result1_", "result1_v", "self_", "self_v", "approximate_", )
    kind = _SAVES
    saved = ("self_", "result1_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result1 = _unpack_output(node, "result1_", 0)
        approximate = node.approximate_
        g0 = slope_times(grad, result1, self, approximate)
        return g0

    def release(node):
        node.self_ = node.result1_ = _FREED

GeluBackward0__gelu_with_slope.__name__ = GeluBackward0__gelu_with_slope.__qualname__ = "GeluBackward0"


class SiluBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = silu_backward(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class SiluBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "grad_output_", "grad_output_v", "grad_output_s", "self_s", "grad_output_d", "self_d", )
    kind = _SAVES
    saved = ("self_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = silu_backward(grad, self)
            if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
                g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * grad_output * silu_curvature(self)
            if g1._a.shape != node.self_s or g1._a.dtype is not node.self_d:
                g1 = _fit(g1, node.self_s, node.self_d)
        return g0, g1

    def release(node):
        node.self_ = node.grad_output_ = _FREED


class MishBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = mish_gradient(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class EluBackward0(_Node):
    __slots__ = ("self_", "self_v", "alpha_", "scale_", "input_scale_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        alpha = node.alpha_
        scale = node.scale_
        input_scale = node.input_scale_
        g0 = elu_gradient(grad, self, alpha, scale, input_scale)
        return g0

    def release(node):
        node.self_ = _FREED


class LeakyReluBackward0(_Node):
    __slots__ = ("self_", "self_v", "negative_slope_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        negative_slope = node.negative_slope_
        g0 = leaky_relu_backward(grad, self, negative_slope, False)
        return g0

    def release(node):
        node.self_ = _FREED


class LeakyReluBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "negative_slope_", "grad_output_s", "grad_output_d", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        negative_slope = node.negative_slope_
        g0 = leaky_relu_backward(grad, self, negative_slope, False)
        if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
            g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        return g0

    def release(node):
        node.self_ = _FREED


class HardtanhBackward0(_Node):
    __slots__ = ("self_", "self_v", "min_val_", "max_val_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        min_val = node.min_val_
        max_val = node.max_val_
        g0 = hardtanh_backward(grad, self, min_val, max_val)
        return g0

    def release(node):
        node.self_ = _FREED


class HardtanhBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "min_val_", "max_val_", "grad_output_s", "grad_output_d", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        min_val = node.min_val_
        max_val = node.max_val_
        g0 = hardtanh_backward(grad, self, min_val, max_val)
        if g0._a.shape != node.grad_output_s or g0._a.dtype is not node.grad_output_d:
            g0 = _fit(g0, node.grad_output_s, node.grad_output_d)
        return g0

    def release(node):
        node.self_ = _FREED


class HardsigmoidBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = hardsigmoid_gradient(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class HardswishBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = hardswish_gradient(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class SoftplusBackward0(_Node):
    __slots__ = ("self_", "self_v", "beta_", "threshold_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        beta = node.beta_
        threshold = node.threshold_
        g0 = softplus_gradient(grad, self, beta, threshold)
        return g0

    def release(node):
        node.self_ = _FREED


class LogSigmoidBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = log_sigmoid_gradient(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class HardshrinkBackward0(_Node):
    __slots__ = ("self_", "self_v", "lambd_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        lambd = node.lambd_
        g0 = shrink_gradient(grad, self, lambd)
        return g0

    def release(node):
        node.self_ = _FREED


class SoftshrinkBackward0(_Node):
    __slots__ = ("self_", "self_v", "lambd_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        lambd = node.lambd_
        g0 = shrink_gradient(grad, self, lambd)
        return g0

    def release(node):
        node.self_ = _FREED


class ThresholdBackward0(_Node):
    __slots__ = ("self_", "self_v", "threshold_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        threshold = node.threshold_
        g0 = threshold_backward(grad, self, threshold)
        return g0

    def release(node):
        node.self_ = _FREED


class PreluKernelBackward0(_Node):
    __slots__ = ("self_", "self_v", "weight_", "weight_v", "self_s", "weight_s", "self_d", "weight_d", )
    kind = _SAVES
    saved = ("self_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = where(self > 0, grad, weight * grad)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = where(self > 0, 0, self * grad)
            if g1._a.shape != node.weight_s or g1._a.dtype is not node.weight_d:
                g1 = _fit(g1, node.weight_s, node.weight_d)
        return g0, g1

    def release(node):
        node.self_ = node.weight_ = _FREED


def bind_gelu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def gelu(self, approximate='none'):
        out = _lower(self) if approximate == 'none' else _lower(self, approximate=approximate)
        e0 = self._ag
        node = GeluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.approximate_ = approximate
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return gelu


def bind_gelu_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def gelu_backward(grad_output, self, approximate='none'):
        out = _lower(grad_output, self) if approximate == 'none' else _lower(grad_output, self, approximate=approximate)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        e1 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        node = GeluBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e1 is not None:
            if isinstance(grad_output, _Tensor):
                node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
                node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
            else:
                node.grad_output_ = grad_output
        else:
            node.grad_output_ = None
        node.approximate_ = approximate
        if e0 is not None:
            node.grad_output_s = grad_output._a.shape
            node.grad_output_d = grad_output._a.dtype
        if e1 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return gelu_backward


def bind__gelu_with_slope(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _gelu_with_slope(self, approximate):
        out = _lower(self, approximate)
        e0 = self._ag
        node = GeluBackward0__gelu_with_slope()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.approximate_ = approximate
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result1_", out[1])
        if _packers:
            _pack(node)
        return out

    return _gelu_with_slope


def bind_silu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def silu(self):
        out = _lower(self)
        e0 = self._ag
        node = SiluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return silu


def bind_silu_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def silu_(self):
        _check_inplace("silu_", self)
        e0 = self._ag
        node = SiluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return silu_


def bind_silu_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def silu_backward(grad_output, self):
        out = _lower(grad_output, self)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        e1 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        node = SiluBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e1 is not None:
            if isinstance(grad_output, _Tensor):
                node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
                node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
            else:
                node.grad_output_ = grad_output
        else:
            node.grad_output_ = None
        if e0 is not None:
            node.grad_output_s = grad_output._a.shape
            node.grad_output_d = grad_output._a.dtype
        if e1 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return silu_backward


def bind_mish(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mish(self):
        out = _lower(self)
        e0 = self._ag
        node = MishBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mish


def bind_mish_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mish_(self):
        _check_inplace("mish_", self)
        e0 = self._ag
        node = MishBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return mish_


def bind_elu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def elu(self, alpha=1, scale=1, input_scale=1):
        out = _lower(self, alpha, scale, input_scale)
        e0 = self._ag
        node = EluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.alpha_ = alpha
        node.scale_ = scale
        node.input_scale_ = input_scale
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return elu


def bind_elu_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def elu_(self, alpha=1, scale=1, input_scale=1):
        _check_inplace("elu_", self)
        e0 = self._ag
        node = EluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.alpha_ = alpha
        node.scale_ = scale
        node.input_scale_ = input_scale
        _lower(self, alpha, scale, input_scale)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return elu_


def bind_leaky_relu(op, ks, _lower):
    bits = _autograd_bits(ks)

    def leaky_relu(self, negative_slope=0.01):
        out = _lower(self, negative_slope)
        e0 = self._ag
        node = LeakyReluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.negative_slope_ = negative_slope
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return leaky_relu


def bind_leaky_relu_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def leaky_relu_(self, negative_slope=0.01):
        _check_inplace("leaky_relu_", self)
        e0 = self._ag
        node = LeakyReluBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.negative_slope_ = negative_slope
        _lower(self, negative_slope)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return leaky_relu_


def bind_leaky_relu_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def leaky_relu_backward(grad_output, self, negative_slope, self_is_result):
        out = _lower(grad_output, self, negative_slope, self_is_result)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        node = LeakyReluBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.negative_slope_ = negative_slope
        node.grad_output_s = grad_output._a.shape
        node.grad_output_d = grad_output._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return leaky_relu_backward


def bind_hardtanh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardtanh(self, min_val=-1, max_val=1):
        out = _lower(self, min_val, max_val)
        e0 = self._ag
        node = HardtanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.min_val_ = min_val
        node.max_val_ = max_val
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return hardtanh


def bind_hardtanh_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardtanh_(self, min_val=-1, max_val=1):
        _check_inplace("hardtanh_", self)
        e0 = self._ag
        node = HardtanhBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.min_val_ = min_val
        node.max_val_ = max_val
        _lower(self, min_val, max_val)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return hardtanh_


def bind_hardtanh_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardtanh_backward(grad_output, self, min_val, max_val):
        out = _lower(grad_output, self, min_val, max_val)
        e0 = grad_output._ag if grad_output.__class__ is _Tensor else _edge_of(grad_output)
        node = HardtanhBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.min_val_ = min_val
        node.max_val_ = max_val
        node.grad_output_s = grad_output._a.shape
        node.grad_output_d = grad_output._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return hardtanh_backward


def bind_hardsigmoid(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardsigmoid(self):
        out = _lower(self)
        e0 = self._ag
        node = HardsigmoidBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return hardsigmoid


def bind_hardsigmoid_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardsigmoid_(self):
        _check_inplace("hardsigmoid_", self)
        e0 = self._ag
        node = HardsigmoidBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return hardsigmoid_


def bind_hardswish(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardswish(self):
        out = _lower(self)
        e0 = self._ag
        node = HardswishBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return hardswish


def bind_hardswish_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardswish_(self):
        _check_inplace("hardswish_", self)
        e0 = self._ag
        node = HardswishBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        _lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return hardswish_


def bind_softplus(op, ks, _lower):
    bits = _autograd_bits(ks)

    def softplus(self, beta=1, threshold=20):
        out = _lower(self, beta, threshold)
        e0 = self._ag
        node = SoftplusBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.beta_ = beta
        node.threshold_ = threshold
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return softplus


def bind_log_sigmoid(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log_sigmoid(self):
        out = _lower(self)
        e0 = self._ag
        node = LogSigmoidBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return log_sigmoid


def bind_hardshrink(op, ks, _lower):
    bits = _autograd_bits(ks)

    def hardshrink(self, lambd=0.5):
        out = _lower(self, lambd)
        e0 = self._ag
        node = HardshrinkBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.lambd_ = lambd
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return hardshrink


def bind_softshrink(op, ks, _lower):
    bits = _autograd_bits(ks)

    def softshrink(self, lambd=0.5):
        out = _lower(self, lambd)
        e0 = self._ag
        node = SoftshrinkBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.lambd_ = lambd
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return softshrink


def bind_threshold(op, ks, _lower):
    bits = _autograd_bits(ks)

    def threshold(self, threshold, value):
        out = _lower(self, threshold, value)
        e0 = self._ag
        node = ThresholdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        node.threshold_ = threshold
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return threshold


def bind_threshold_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def threshold_(self, threshold, value):
        _check_inplace("threshold_", self)
        e0 = self._ag
        node = ThresholdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        if isinstance(original, _Tensor):
            node.self_ = original if original._twin is None else original._twin
            node.self_v = 0 if original._vc is None else original._vc.n
        else:
            node.self_ = original
        node.threshold_ = threshold
        _lower(self, threshold, value)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return threshold_


def bind__prelu_kernel(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _prelu_kernel(self, weight):
        out = _lower(self, weight)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = weight._ag if weight.__class__ is _Tensor else _edge_of(weight)
        node = PreluKernelBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if e0 is not None:
            if isinstance(weight, _Tensor):
                node.weight_ = weight if weight._twin is None else weight._twin
                node.weight_v = 0 if weight._vc is None else weight._vc.n
            else:
                node.weight_ = weight
        else:
            node.weight_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.weight_s = weight._a.shape
            node.weight_d = weight._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _prelu_kernel
