# Generated from packages/nn/src/lamella/nn/derivatives/loss.yaml (sha256 419a9d2d38feaac2). Do not edit:
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

from lamella.core.functions import neg, sigmoid
from lamella.nn._gen.loss import _nll_loss_backward, mse_loss_backward, nll_loss
from lamella.nn.formulas_loss import bce_slope, bce_target_slope, collected, cross_entropy_gradient, huber_gradient, logits_slope, logits_target_slope, shared, smooth_l1_gradient


BIND = True


class NllLossBackward0(_Node):
    __slots__ = ("self_", "self_v", "target_", "target_v", "weight_", "weight_v", "probs_", "probs_v", "reduction_", "ignore_index_", "label_smoothing_", )
    kind = _SAVES
    saved = ("self_", "target_", "weight_", "probs_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        probs = _unpack_output(node, "probs_", 0)
        reduction = node.reduction_
        ignore_index = node.ignore_index_
        label_smoothing = node.label_smoothing_
        g0 = cross_entropy_gradient(grad, self, target, weight, probs, reduction, ignore_index, label_smoothing)
        return g0

    def release(node):
        node.self_ = node.target_ = node.weight_ = node.probs_ = _FREED


class NllLossBackward0_nll_loss(_Node):
    __slots__ = ("target_", "target_v", "weight_", "weight_v", "reduction_", "ignore_index_", "self_shape_", )
    kind = _SAVES
    saved = ("target_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        reduction = node.reduction_
        ignore_index = node.ignore_index_
        self_shape = node.self_shape_
        g0 = _nll_loss_backward(grad, target, weight, reduction, ignore_index, self_shape)
        return g0

    def release(node):
        node.target_ = node.weight_ = _FREED

NllLossBackward0_nll_loss.__name__ = NllLossBackward0_nll_loss.__qualname__ = "NllLossBackward0"


class NllLossBackwardBackward0(_Node):
    __slots__ = ("target_", "target_v", "weight_", "weight_v", "reduction_", "ignore_index_", )
    kind = _SAVES
    saved = ("target_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        reduction = node.reduction_
        ignore_index = node.ignore_index_
        g0 = nll_loss(grad, target, weight, reduction, ignore_index)
        return g0

    def release(node):
        node.target_ = node.weight_ = _FREED


class MseLossBackward0(_Node):
    __slots__ = ("self_", "self_v", "target_", "target_v", "reduction_", )
    kind = _SAVES
    saved = ("self_", "target_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        reduction = node.reduction_
        if edges[0] is None:
            g0 = None
        else:
            g0 = mse_loss_backward(grad, self, target, reduction)
        if edges[1] is None:
            g1 = None
        else:
            g1 = mse_loss_backward(grad, target, self, reduction)
        return g0, g1

    def release(node):
        node.self_ = node.target_ = _FREED


class MseLossBackwardBackward0(_Node):
    __slots__ = ("self_", "self_v", "target_", "target_v", "reduction_", "grad_output_", "grad_output_v", "self_shape_", )
    kind = _SAVES
    saved = ("self_", "target_", "grad_output_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        grad_output = node.grad_output_
        if grad_output.__class__ is not _Tensor or (grad_output._vc is not None and grad_output._vc.n != node.grad_output_v):
            grad_output = _unpack(node, "grad_output_")
        reduction = node.reduction_
        self_shape = node.self_shape_
        if edges[0] is None:
            g0 = None
        else:
            g0 = collected(grad * (self - target) * 2, reduction)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * shared(grad_output, self_shape, reduction) * 2
        if edges[2] is None:
            g2 = None
        else:
            g2 = neg(grad * shared(grad_output, self_shape, reduction) * 2)
        return g0, g1, g2

    def release(node):
        node.self_ = node.target_ = node.grad_output_ = _FREED


class SmoothL1LossBackward0(_Node):
    __slots__ = ("self_", "self_v", "target_", "target_v", "reduction_", "beta_", )
    kind = _SAVES
    saved = ("self_", "target_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        reduction = node.reduction_
        beta = node.beta_
        if edges[0] is None:
            g0 = None
        else:
            g0 = smooth_l1_gradient(grad, self, target, reduction, beta)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(smooth_l1_gradient(grad, self, target, reduction, beta))
        return g0, g1

    def release(node):
        node.self_ = node.target_ = _FREED


class HuberLossBackward0(_Node):
    __slots__ = ("self_", "self_v", "target_", "target_v", "reduction_", "delta_", )
    kind = _SAVES
    saved = ("self_", "target_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        reduction = node.reduction_
        delta = node.delta_
        if edges[0] is None:
            g0 = None
        else:
            g0 = huber_gradient(grad, self, target, reduction, delta)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(huber_gradient(grad, self, target, reduction, delta))
        return g0, g1

    def release(node):
        node.self_ = node.target_ = _FREED


class SoftMarginLossBackward0(_Node):
    __slots__ = ("self_shape_", "reduction_", "target_", "target_v", "self_", "self_v", )
    kind = _SAVES
    saved = ("target_", "self_", )

    def apply(node, grad):
        edges = node.edges
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        self_shape = node.self_shape_
        reduction = node.reduction_
        g0 = neg(shared(grad, self_shape, reduction) * target * sigmoid(neg(self * target)))
        return g0

    def release(node):
        node.target_ = node.self_ = _FREED


class BinaryCrossEntropyBackward0(_Node):
    __slots__ = ("self_shape_", "reduction_", "self_", "self_v", "target_", "target_v", "weight_", "weight_v", )
    kind = _SAVES
    saved = ("self_", "target_", "weight_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        self_shape = node.self_shape_
        reduction = node.reduction_
        if edges[0] is None:
            g0 = None
        else:
            g0 = shared(grad, self_shape, reduction) * bce_slope(self, target, weight)
        if edges[1] is None:
            g1 = None
        else:
            g1 = shared(grad, self_shape, reduction) * bce_target_slope(self, weight)
        return g0, g1

    def release(node):
        node.self_ = node.target_ = node.weight_ = _FREED


class BinaryCrossEntropyWithLogitsBackward0(_Node):
    __slots__ = ("self_shape_", "reduction_", "self_", "self_v", "target_", "target_v", "weight_", "weight_v", "pos_weight_", "pos_weight_v", )
    kind = _SAVES
    saved = ("self_", "target_", "weight_", "pos_weight_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        target = node.target_
        if target.__class__ is not _Tensor or (target._vc is not None and target._vc.n != node.target_v):
            target = _unpack(node, "target_")
        weight = node.weight_
        if weight.__class__ is not _Tensor or (weight._vc is not None and weight._vc.n != node.weight_v):
            weight = _unpack(node, "weight_")
        pos_weight = node.pos_weight_
        if pos_weight.__class__ is not _Tensor or (pos_weight._vc is not None and pos_weight._vc.n != node.pos_weight_v):
            pos_weight = _unpack(node, "pos_weight_")
        self_shape = node.self_shape_
        reduction = node.reduction_
        if edges[0] is None:
            g0 = None
        else:
            g0 = shared(grad, self_shape, reduction) * logits_slope(self, target, weight, pos_weight)
        if edges[1] is None:
            g1 = None
        else:
            g1 = shared(grad, self_shape, reduction) * logits_target_slope(self, weight, pos_weight)
        return g0, g1

    def release(node):
        node.self_ = node.target_ = node.weight_ = node.pos_weight_ = _FREED


def bind__cross_entropy(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _cross_entropy(self, target, weight, reduction, ignore_index, label_smoothing):
        out = _lower(self, target, weight, reduction, ignore_index, label_smoothing)
        e0 = self._ag
        node = NllLossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.reduction_ = reduction
        node.ignore_index_ = ignore_index
        node.label_smoothing_ = label_smoothing
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "probs_", out[1])
        if _packers:
            _pack(node)
        return out

    return _cross_entropy


def bind_nll_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def nll_loss(self, target, weight=None, reduction=1, ignore_index=-100):
        out = _lower(self, target, weight, reduction, ignore_index)
        e0 = self._ag
        node = NllLossBackward0_nll_loss()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.reduction_ = reduction
        node.ignore_index_ = ignore_index
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return nll_loss


def bind__nll_loss_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _nll_loss_backward(grad_output, target, weight, reduction, ignore_index, shape):
        out = _lower(grad_output, target, weight, reduction, ignore_index, shape)
        e0 = grad_output._ag
        node = NllLossBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.reduction_ = reduction
        node.ignore_index_ = ignore_index
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return _nll_loss_backward


def bind_mse_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mse_loss(self, target, reduction=1):
        out = _lower(self, target, reduction)
        e0 = self._ag
        e1 = target._ag
        node = MseLossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        node.reduction_ = reduction
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mse_loss


def bind_mse_loss_backward(op, ks, _lower):
    bits = _autograd_bits(ks)

    def mse_loss_backward(grad_output, self, target, reduction):
        out = _lower(grad_output, self, target, reduction)
        e0 = grad_output._ag
        e1 = self._ag
        e2 = target._ag
        node = MseLossBackwardBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, e2, )
        if e0 is not None:
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = None
        if e0 is not None:
            node.target_ = target if target._twin is None else target._twin
            node.target_v = 0 if target._vc is None else target._vc.n
        else:
            node.target_ = None
        if e1 is not None or e2 is not None:
            node.grad_output_ = grad_output if grad_output._twin is None else grad_output._twin
            node.grad_output_v = 0 if grad_output._vc is None else grad_output._vc.n
        else:
            node.grad_output_ = None
        node.reduction_ = reduction
        node.self_shape_ = self.shape
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mse_loss_backward


def bind_smooth_l1_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def smooth_l1_loss(self, target, reduction=1, beta=1.0):
        out = _lower(self, target, reduction, beta)
        e0 = self._ag
        e1 = target._ag
        node = SmoothL1LossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        node.reduction_ = reduction
        node.beta_ = beta
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return smooth_l1_loss


def bind_huber_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def huber_loss(self, target, reduction=1, delta=1.0):
        out = _lower(self, target, reduction, delta)
        e0 = self._ag
        e1 = target._ag
        node = HuberLossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        node.reduction_ = reduction
        node.delta_ = delta
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return huber_loss


def bind_soft_margin_loss(op, ks, _lower):
    bits = _autograd_bits(ks)

    def soft_margin_loss(self, target, reduction=1):
        out = _lower(self, target, reduction)
        e0 = self._ag
        node = SoftMarginLossBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.target_ = target if target._twin is None else target._twin
        node.target_v = 0 if target._vc is None else target._vc.n
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.self_shape_ = self.shape
        node.reduction_ = reduction
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return soft_margin_loss


def bind_binary_cross_entropy(op, ks, _lower):
    bits = _autograd_bits(ks)

    def binary_cross_entropy(self, target, weight=None, reduction=1):
        out = _lower(self, target, weight, reduction)
        e0 = self._ag
        e1 = target._ag
        node = BinaryCrossEntropyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        if e0 is not None:
            node.target_ = target if target._twin is None else target._twin
            node.target_v = 0 if target._vc is None else target._vc.n
        else:
            node.target_ = None
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        node.self_shape_ = self.shape
        node.reduction_ = reduction
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return binary_cross_entropy


def bind_binary_cross_entropy_with_logits(op, ks, _lower):
    bits = _autograd_bits(ks)

    def binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=1):
        out = _lower(self, target, weight, pos_weight, reduction)
        e0 = self._ag
        e1 = target._ag
        node = BinaryCrossEntropyWithLogitsBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        if e0 is not None:
            node.target_ = target if target._twin is None else target._twin
            node.target_v = 0 if target._vc is None else target._vc.n
        else:
            node.target_ = None
        if isinstance(weight, _Tensor):
            node.weight_ = weight if weight._twin is None else weight._twin
            node.weight_v = 0 if weight._vc is None else weight._vc.n
        else:
            node.weight_ = weight
        if isinstance(pos_weight, _Tensor):
            node.pos_weight_ = pos_weight if pos_weight._twin is None else pos_weight._twin
            node.pos_weight_v = 0 if pos_weight._vc is None else pos_weight._vc.n
        else:
            node.pos_weight_ = pos_weight
        node.self_shape_ = self.shape
        node.reduction_ = reduction
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return binary_cross_entropy_with_logits
