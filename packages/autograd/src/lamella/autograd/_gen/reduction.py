# Generated from packages/autograd/src/lamella/autograd/derivatives/reduction.yaml (sha256 dadfec02a9a9cd2f). Do not edit:
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

from lamella.autograd.formulas import expand_reduced, expand_to, in_type, reduced_numel
from lamella.autograd.formulas_reduction import aminmax_backward, cum_selected, cumprod_backward, evenly, logcumsumexp_backward, logsumexp_backward, norm_backward, prod_backward, prod_dim_backward, reverse_cumsum, softmax_twice, std_backward, value_selected, var_backward
from lamella.core.functions import _log_softmax_backward_data, _softmax_backward_data, exp, isnan, neg, sum, where


BIND = True


class SumBackward0(_Node):
    __slots__ = ("self_dtype_", "self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        self_shape = node.self_shape_
        g0 = expand_to(in_type(grad, self_dtype), self_shape)
        return g0


class SumBackward1(_Node):
    __slots__ = ("self_dtype_", "self_shape_", "dim_", "keepdim_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        self_shape = node.self_shape_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = expand_reduced(in_type(grad, self_dtype), self_shape, dim, keepdim)
        return g0


class MeanBackward0(_Node):
    __slots__ = ("self_dtype_", "self_shape_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        self_shape = node.self_shape_
        g0 = expand_to(in_type(grad, self_dtype), self_shape) / reduced_numel(self_shape, None)
        return g0


class MeanBackward1(_Node):
    __slots__ = ("self_dtype_", "self_shape_", "dim_", "keepdim_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        self_shape = node.self_shape_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = expand_reduced(in_type(grad, self_dtype), self_shape, dim, keepdim) / reduced_numel(self_shape, dim)
        return g0


class NansumBackward0(_Node):
    __slots__ = ("self_", "self_v", "self_dtype_", "self_shape_", "dim_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        self_dtype = node.self_dtype_
        self_shape = node.self_shape_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = where(isnan(self), 0, expand_reduced(in_type(grad, self_dtype), self_shape, dim, keepdim))
        return g0

    def release(node):
        node.self_ = _FREED


class ProdBackward0(_Node):
    __slots__ = ("self_dtype_", "self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        self_dtype = node.self_dtype_
        g0 = prod_backward(in_type(grad, self_dtype), self, in_type(result, self_dtype))
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class ProdBackward1(_Node):
    __slots__ = ("self_dtype_", "self_", "self_v", "dim_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        self_dtype = node.self_dtype_
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = prod_dim_backward(in_type(grad, self_dtype), self, dim, keepdim)
        return g0

    def release(node):
        node.self_ = _FREED


class MaxBackward1(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = evenly(grad, self, result, None, False)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class MinBackward1(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = evenly(grad, self, result, None, False)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class MaxBackward0(_Node):
    __slots__ = ("dim_", "indices_", "indices_v", "self_shape_", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        dim = node.dim_
        self_shape = node.self_shape_
        keepdim = node.keepdim_
        g0 = value_selected(grad, dim, indices, self_shape, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


class MinBackward0(_Node):
    __slots__ = ("dim_", "indices_", "indices_v", "self_shape_", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        dim = node.dim_
        self_shape = node.self_shape_
        keepdim = node.keepdim_
        g0 = value_selected(grad, dim, indices, self_shape, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


class MedianBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = evenly(grad, self, result, None, False)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class NanmedianBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = evenly(grad, self, result, None, False)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class MedianBackward1(_Node):
    __slots__ = ("dim_", "indices_", "indices_v", "self_shape_", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        dim = node.dim_
        self_shape = node.self_shape_
        keepdim = node.keepdim_
        g0 = value_selected(grad, dim, indices, self_shape, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


class NanmedianBackward1(_Node):
    __slots__ = ("dim_", "indices_", "indices_v", "self_shape_", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        dim = node.dim_
        self_shape = node.self_shape_
        keepdim = node.keepdim_
        g0 = value_selected(grad, dim, indices, self_shape, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


class ModeBackward0(_Node):
    __slots__ = ("dim_", "indices_", "indices_v", "self_shape_", "keepdim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        dim = node.dim_
        self_shape = node.self_shape_
        keepdim = node.keepdim_
        g0 = value_selected(grad, dim, indices, self_shape, keepdim)
        return g0

    def release(node):
        node.indices_ = _FREED


class AmaxBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "dim_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = evenly(grad, self, result, dim, keepdim)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class AminBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "dim_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = evenly(grad, self, result, dim, keepdim)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class AminmaxBackward0(_Node):
    __slots__ = ("self_", "self_v", "min_", "min_v", "max_", "max_v", "dim_", "keepdim_", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("self_", "min_", "max_", )

    def apply(node, *grads):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        min = _unpack_output(node, "min_", 0)
        max = _unpack_output(node, "max_", 1)
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = aminmax_backward(grads, self, min, max, dim, keepdim)
        return g0

    def release(node):
        node.self_ = node.min_ = node.max_ = _FREED


class VarBackward0(_Node):
    __slots__ = ("self_", "self_v", "dim_", "correction_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        dim = node.dim_
        correction = node.correction_
        keepdim = node.keepdim_
        g0 = var_backward(grad, self, dim, correction, keepdim)
        return g0

    def release(node):
        node.self_ = _FREED


class StdBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "dim_", "correction_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        correction = node.correction_
        keepdim = node.keepdim_
        g0 = std_backward(grad, self, result, dim, correction, keepdim)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class LinalgVectorNormBackward0(_Node):
    __slots__ = ("self_", "self_v", "ord_", "result_", "result_v", "dim_", "keepdim_", "self_dtype_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        ord = node.ord_
        dim = node.dim_
        keepdim = node.keepdim_
        self_dtype = node.self_dtype_
        g0 = in_type(norm_backward(grad, self, ord, result, dim, keepdim), self_dtype)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class LogsumexpBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "dim_", "keepdim_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        keepdim = node.keepdim_
        g0 = logsumexp_backward(grad, self, result, dim, keepdim)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class SoftmaxBackward0(_Node):
    __slots__ = ("result_", "result_v", "dim_", "self_dtype_", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        self_dtype = node.self_dtype_
        g0 = _softmax_backward_data(grad, result, dim, self_dtype)
        return g0

    def release(node):
        node.result_ = _FREED


class LogSoftmaxBackward0(_Node):
    __slots__ = ("result_", "result_v", "dim_", "self_dtype_", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        self_dtype = node.self_dtype_
        g0 = _log_softmax_backward_data(grad, result, dim, self_dtype)
        return g0

    def release(node):
        node.result_ = _FREED


class SoftmaxBackwardDataBackward0(_Node):
    __slots__ = ("output_", "output_v", "dim_", "input_dtype_", "grad_output_", "grad_output_v", )
    kind = _SAVES
    saved = ("output_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        output = node.output_
        if output.__class__ is not _Tensor or (output._vc is not None and output._vc.n != node.output_v):
            output = _unpack(node, "output_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        dim = node.dim_
        input_dtype = node.input_dtype_
        if edges[0] is None:
            g0 = None
        else:
            g0 = _softmax_backward_data(grad, output, dim, input_dtype)
        if edges[1] is None:
            g1 = None
        else:
            g1 = softmax_twice(grad, grad_output, output, dim)
        return g0, g1

    def release(node):
        node.output_ = node.grad_output_ = _FREED


class LogSoftmaxBackwardDataBackward0(_Node):
    __slots__ = ("output_", "output_v", "dim_", "grad_output_", "grad_output_v", )
    kind = _SAVES
    saved = ("output_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        output = node.output_
        if output.__class__ is not _Tensor or (output._vc is not None and output._vc.n != node.output_v):
            output = _unpack(node, "output_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        dim = node.dim_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad - sum(grad * exp(output), dim, True)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * exp(output) * sum(grad_output, dim, True))
        return g0, g1

    def release(node):
        node.output_ = node.grad_output_ = _FREED


class CumsumBackward0(_Node):
    __slots__ = ("self_dtype_", "dim_", )

    def apply(node, grad):
        edges = node.edges
        self_dtype = node.self_dtype_
        dim = node.dim_
        g0 = reverse_cumsum(in_type(grad, self_dtype), dim)
        return g0


class CumprodBackward0(_Node):
    __slots__ = ("self_dtype_", "self_", "self_v", "dim_", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        self_dtype = node.self_dtype_
        dim = node.dim_
        g0 = cumprod_backward(in_type(grad, self_dtype), self, dim)
        return g0

    def release(node):
        node.self_ = _FREED


class LogcumsumexpBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "dim_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        dim = node.dim_
        g0 = logcumsumexp_backward(grad, self, result, dim)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class CummaxBackward0(_Node):
    __slots__ = ("self_shape_", "indices_", "indices_v", "dim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = cum_selected(grad, self_shape, indices, dim)
        return g0

    def release(node):
        node.indices_ = _FREED


class CumminBackward0(_Node):
    __slots__ = ("self_shape_", "indices_", "indices_v", "dim_", )
    kind = _SAVES
    saved = ("indices_", )

    def apply(node, grad):
        edges = node.edges
        indices = _unpack_output(node, "indices_", 0)
        self_shape = node.self_shape_
        dim = node.dim_
        g0 = cum_selected(grad, self_shape, indices, dim)
        return g0

    def release(node):
        node.indices_ = _FREED


def bind_sum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sum(self, dtype=None):
        out = _lower(self) if dtype is None else _lower(self, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = SumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sum


def bind_sum_dim_IntList(op, ks, _lower):
    bits = _autograd_bits(ks)

    def sum(self, dim, keepdim=False, dtype=None):
        out = _lower(self, dim, keepdim) if dtype is None else _lower(self, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = SumBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sum


def bind_mean(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mean(self, dtype=None):
        out = _lower(self) if dtype is None else _lower(self, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = MeanBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mean


def bind_mean_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mean(self, dim, keepdim=False, dtype=None):
        out = _lower(self, dim, keepdim) if dtype is None else _lower(self, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = MeanBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mean


def bind_nansum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nansum(self, dim=None, keepdim=False, dtype=None):
        out = _lower(self, dim, keepdim) if dtype is None else _lower(self, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = NansumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.self_dtype_ = self.dtype
        node.self_shape_ = self.shape
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return nansum


def bind_prod(op, ks, _lower):
    bits = _autograd_bits(ks)

    def prod(self, dtype=None):
        out = _lower(self) if dtype is None else _lower(self, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = ProdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.self_dtype_ = self.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return prod


def bind_prod_dim_int(op, ks, _lower):
    bits = _autograd_bits(ks)

    def prod(self, dim, keepdim=False, dtype=None):
        out = _lower(self, dim, keepdim) if dtype is None else _lower(self, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = ProdBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.self_dtype_ = self.dtype
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return prod


def bind_max(op, ks, _lower):
    bits = _autograd_bits(ks)

    def max(self):
        out = _lower(self)
        e0 = self._ag
        node = MaxBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return max


def bind_min(op, ks, _lower):
    bits = _autograd_bits(ks)

    def min(self):
        out = _lower(self)
        e0 = self._ag
        node = MinBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return min


def bind_max_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def max(self, dim, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = MaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_shape_ = self.shape
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return max


def bind_min_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def min(self, dim, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = MinBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_shape_ = self.shape
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return min


def bind_median(op, ks, _lower):
    bits = _autograd_bits(ks)

    def median(self):
        out = _lower(self)
        e0 = self._ag
        node = MedianBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return median


def bind_nanmedian(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nanmedian(self):
        out = _lower(self)
        e0 = self._ag
        node = NanmedianBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return nanmedian


def bind_median_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def median(self, dim, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = MedianBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_shape_ = self.shape
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return median


def bind_nanmedian_dim(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nanmedian(self, dim, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = NanmedianBackward1()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_shape_ = self.shape
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return nanmedian


def bind_mode(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mode(self, dim=-1, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = ModeBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_shape_ = self.shape
        node.keepdim_ = keepdim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return mode


def bind_amax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def amax(self, dim=(), keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = AmaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return amax


def bind_amin(op, ks, _lower):
    bits = _autograd_bits(ks)

    def amin(self, dim=(), keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = AminBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return amin


def bind_aminmax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def aminmax(self, dim=None, keepdim=False):
        out = _lower(self) if dim is None and keepdim is False else _lower(self, dim=dim, keepdim=keepdim)
        e0 = self._ag
        node = AminmaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.keepdim_ = keepdim
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "min_", out[0])
        _save_output(node, "max_", out[1])
        if _packers:
            _pack(node)
        return out

    return aminmax


def bind_var_correction(op, ks, _lower):
    bits = _autograd_bits(ks)

    def var(self, dim=None, correction=None, keepdim=False):
        out = _lower(self, dim) if correction is None and keepdim is False else _lower(self, dim, correction=correction, keepdim=keepdim)
        e0 = self._ag
        node = VarBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.correction_ = correction
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return var


def bind_std_correction(op, ks, _lower):
    bits = _autograd_bits(ks)

    def std(self, dim=None, correction=None, keepdim=False):
        out = _lower(self, dim) if correction is None and keepdim is False else _lower(self, dim, correction=correction, keepdim=keepdim)
        e0 = self._ag
        node = StdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.correction_ = correction
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return std


def bind_linalg_vector_norm(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, dtype=None):
        out = _lower(self, ord, dim, keepdim) if dtype is None else _lower(self, ord, dim, keepdim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = LinalgVectorNormBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.ord_ = ord
        node.dim_ = dim
        node.keepdim_ = keepdim
        node.self_dtype_ = self.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return linalg_vector_norm


def bind_logsumexp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logsumexp(self, dim, keepdim=False):
        out = _lower(self, dim, keepdim)
        e0 = self._ag
        node = LogsumexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        node.keepdim_ = keepdim
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return logsumexp


def bind__softmax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _softmax(self, dim, half_to_float):
        out = _lower(self, dim, half_to_float)
        e0 = self._ag
        node = SoftmaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_dtype_ = self.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return _softmax


def bind__log_softmax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _log_softmax(self, dim, half_to_float):
        out = _lower(self, dim, half_to_float)
        e0 = self._ag
        node = LogSoftmaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.dim_ = dim
        node.self_dtype_ = self.dtype
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return _log_softmax


def bind__softmax_backward_data(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _softmax_backward_data(grad_output, output, dim, input_dtype):
        out = _lower(grad_output, output, dim, input_dtype)
        if _is_integral(out):
            return out
        e0 = grad_output._ag
        e1 = output._ag
        node = SoftmaxBackwardDataBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.output_ = output if output._twin is None else output._twin
        node.output_v = 0 if output._vc is None else output._vc.n
        if e1 is not None:
            node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
            node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
        else:
            node.grad_output_ = None
        node.dim_ = dim
        node.input_dtype_ = input_dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _softmax_backward_data


def bind__log_softmax_backward_data(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _log_softmax_backward_data(grad_output, output, dim, input_dtype):
        out = _lower(grad_output, output, dim, input_dtype)
        if _is_integral(out):
            return out
        e0 = grad_output._ag
        e1 = output._ag
        node = LogSoftmaxBackwardDataBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.output_ = output if output._twin is None else output._twin
        node.output_v = 0 if output._vc is None else output._vc.n
        if e1 is not None:
            node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
            node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
        else:
            node.grad_output_ = None
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _log_softmax_backward_data


def bind_cumsum(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cumsum(self, dim, dtype=None):
        out = _lower(self, dim) if dtype is None else _lower(self, dim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = CumsumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return cumsum


def bind_cumsum_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cumsum_(self, dim, dtype=None):
        _check_inplace("cumsum_", self)
        e0 = self._ag
        node = CumsumBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        node.dim_ = dim
        _lower(self, dim, dtype=dtype)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return cumsum_


def bind_cumprod(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cumprod(self, dim, dtype=None):
        out = _lower(self, dim) if dtype is None else _lower(self, dim, dtype=dtype)
        if _is_integral(out):
            return out
        e0 = self._ag
        node = CumprodBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.self_dtype_ = self.dtype
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return cumprod


def bind_cumprod_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cumprod_(self, dim, dtype=None):
        _check_inplace("cumprod_", self)
        e0 = self._ag
        node = CumprodBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        original = _original(self)
        node.self_ = original if original._twin is None else original._twin
        node.self_v = 0 if original._vc is None else original._vc.n
        node.self_dtype_ = self.dtype
        node.dim_ = dim
        _lower(self, dim, dtype=dtype)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return cumprod_


def bind_logcumsumexp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def logcumsumexp(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = LogcumsumexpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.dim_ = dim
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return logcumsumexp


def bind_cummax(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cummax(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = CummaxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return cummax


def bind_cummin(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cummin(self, dim):
        out = _lower(self, dim)
        e0 = self._ag
        node = CumminBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_shape_ = self.shape
        node.dim_ = dim
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "indices_", out[1])
        if _packers:
            _pack(node)
        return out

    return cummin
