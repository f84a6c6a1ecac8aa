# Generated from packages/autograd/src/lamella/autograd/derivatives/pointwise.yaml (sha256 a2f8a328d44ac2c0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, sequence as _sequence
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.autograd.formulas import conj_of
from lamella.core.functions import neg


BIND = True
_new = object.__new__


class AddBackward0(_Node):
    __slots__ = ("alpha_", "self_s", "other_s", "self_d", "other_d", )

    def apply(node, grad):
        edges = node.edges
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad if alpha == 1 else grad * alpha
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1


class SubBackward0(_Node):
    __slots__ = ("alpha_", "self_s", "other_s", "self_d", "other_d", )

    def apply(node, grad):
        edges = node.edges
        alpha = node.alpha_
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad) if alpha == 1 else grad * -alpha
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1


class MulBackward0(_Node):
    __slots__ = ("other_", "other_v", "self_", "self_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("other_", "self_", )

    def apply(node, grad):
        edges = node.edges
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * conj_of(other)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * conj_of(self)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.other_ = node.self_ = _FREED


class NegBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = neg(grad)
        return g0


class ExpBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * conj_of(result)
        return g0

    def release(node):
        node.result_ = _FREED


class SigmoidBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * (1 - conj_of(result)) * conj_of(result)
        return g0

    def release(node):
        node.result_ = _FREED


def add_Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def add(self, other, *, alpha=1):
        out = lower(self, other) if alpha == 1 else lower(self, other, alpha=alpha)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(AddBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return add


def add__Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def add_(self, other, *, alpha=1):
        _check_inplace("add_", self)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(AddBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        lower(self, other, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return add_


def sub_Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def sub(self, other, *, alpha=1):
        out = lower(self, other) if alpha == 1 else lower(self, other, alpha=alpha)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(SubBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return sub


def sub__Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def sub_(self, other, *, alpha=1):
        _check_inplace("sub_", self)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(SubBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        node.alpha_ = alpha
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        lower(self, other, alpha=alpha)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return sub_


def mul_Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def mul(self, other):
        out = lower(self, other)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(MulBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return mul


def mul__Tensor(op, ks, lower):
    bits = _autograd_bits(ks)

    def mul_(self, other):
        _check_inplace("mul_", self)
        e0 = self._ag if isinstance(self, _Tensor) else None
        e1 = other._ag if isinstance(other, _Tensor) else None
        node = _new(MulBackward0)
        node.seq = _sequence()
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e0 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return mul_


def neg(op, ks, lower):
    bits = _autograd_bits(ks)

    def neg(self):
        out = lower(self)
        e0 = self._ag
        node = _new(NegBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        out._ag = (node, 0)
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return neg


def neg_(op, ks, lower):
    bits = _autograd_bits(ks)

    def neg_(self):
        _check_inplace("neg_", self)
        e0 = self._ag
        node = _new(NegBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        lower(self)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return neg_


def exp(op, ks, lower):
    bits = _autograd_bits(ks)

    def exp(self):
        out = lower(self)
        e0 = self._ag
        node = _new(ExpBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        out._ag = (node, 0)
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return exp


def exp_(op, ks, lower):
    bits = _autograd_bits(ks)

    def exp_(self):
        _check_inplace("exp_", self)
        e0 = self._ag
        node = _new(ExpBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return exp_


def sigmoid(op, ks, lower):
    bits = _autograd_bits(ks)

    def sigmoid(self):
        out = lower(self)
        e0 = self._ag
        node = _new(SigmoidBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        out._ag = (node, 0)
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return sigmoid


def sigmoid_(op, ks, lower):
    bits = _autograd_bits(ks)

    def sigmoid_(self):
        _check_inplace("sigmoid_", self)
        e0 = self._ag
        node = _new(SigmoidBackward0)
        node.seq = _sequence()
        node.edges = (e0, )
        lower(self)
        _rebase(self, node, bits)
        _save_output(node, "result_", self)
        if _packers:
            _pack(node)
        return self

    return sigmoid_
