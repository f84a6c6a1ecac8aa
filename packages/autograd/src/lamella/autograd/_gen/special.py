# Generated from packages/autograd/src/lamella/autograd/derivatives/special.yaml (sha256 6de62907d2f9c732). Do not edit:
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

from lamella.autograd.formulas_pointwise import bessel_slope, gamma_density, log1p_of, log_unless, no_derivative
from lamella.core.functions import exp, i0, log, neg, sgn, special_erfcx, special_i0e, special_i1e, special_zeta


BIND = True


class SpecialI0EBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = grad * (special_i1e(self) - sgn(self) * result)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class SpecialI1Backward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = grad * bessel_slope(i0(self), self, result)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class SpecialI1EBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = grad * (bessel_slope(special_i0e(self), self, result) - sgn(self) * result)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class SpecialNdtrBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad * exp(self * self * -0.5) * 0.3989422804014327
        return g0

    def release(node):
        node.self_ = _FREED


class SpecialNdtriBackward0(_Node):
    __slots__ = ("result_", "result_v", )
    kind = _SAVES
    saved = ("result_", )

    def apply(node, grad):
        edges = node.edges
        result = _unpack_output(node, "result_", 0)
        g0 = grad * exp(result * result * 0.5) * 2.5066282746310002
        return g0

    def release(node):
        node.result_ = _FREED


class SpecialLogNdtrBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = grad / special_erfcx(self * -0.7071067811865476) * 0.7978845608028654
        return g0

    def release(node):
        node.self_ = _FREED


class SpecialEntrBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = neg(grad * (log(self) + 1))
        return g0

    def release(node):
        node.self_ = _FREED


class SpecialErfcxBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        g0 = grad * (self * result * 2 - 1.1283791670955126)
        return g0

    def release(node):
        node.self_ = node.result_ = _FREED


class SpecialXlog1PyBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = grad * log_unless(self, log1p_of(other), other <= -1)
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * self / (other + 1)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class SpecialZetaBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = no_derivative('special_zeta', 'self')
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * self * special_zeta(self + 1, other))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class IgammaBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = no_derivative('igamma', 'input')
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = grad * gamma_density(self, other)
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


class IgammacBackward0(_Node):
    __slots__ = ("self_", "self_v", "other_", "other_v", "self_s", "other_s", "self_d", "other_d", )
    kind = _SAVES
    saved = ("self_", "other_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        other = node.other_
        if other.__class__ is not _Tensor or (other._vc is not None and other._vc.n != node.other_v):
            other = _unpack(node, "other_")
        if edges[0] is None:
            g0 = None
        else:
            g0 = no_derivative('igammac', 'input')
            if g0._a.shape != node.self_s or g0._a.dtype is not node.self_d:
                g0 = _fit(g0, node.self_s, node.self_d)
        if edges[1] is None:
            g1 = None
        else:
            g1 = neg(grad * gamma_density(self, other))
            if g1._a.shape != node.other_s or g1._a.dtype is not node.other_d:
                g1 = _fit(g1, node.other_s, node.other_d)
        return g0, g1

    def release(node):
        node.self_ = node.other_ = _FREED


def bind_special_i0e(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_i0e(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialI0EBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return special_i0e


def bind_special_i1(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_i1(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialI1Backward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return special_i1


def bind_special_i1e(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_i1e(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialI1EBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return special_i1e


def bind_special_ndtr(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_ndtr(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialNdtrBackward0()
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

    return special_ndtr


def bind_special_ndtri(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_ndtri(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialNdtriBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return special_ndtri


def bind_special_log_ndtr(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_log_ndtr(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialLogNdtrBackward0()
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

    return special_log_ndtr


def bind_special_entr(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_entr(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialEntrBackward0()
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

    return special_entr


def bind_special_erfcx(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_erfcx(self):
        out = _lower(self)
        e0 = self._ag
        node = SpecialErfcxBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return special_erfcx


def bind_special_xlog1py(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_xlog1py(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = SpecialXlog1PyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if isinstance(self, _Tensor):
            node.self_ = self if self._twin is None else self._twin
            node.self_v = 0 if self._vc is None else self._vc.n
        else:
            node.self_ = self
        if isinstance(other, _Tensor):
            node.other_ = other if other._twin is None else other._twin
            node.other_v = 0 if other._vc is None else other._vc.n
        else:
            node.other_ = other
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return special_xlog1py


def bind_special_zeta(op, ks, _lower):
    bits = _autograd_bits(ks)

    def special_zeta(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = SpecialZetaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return special_zeta


def bind_igamma(op, ks, _lower):
    bits = _autograd_bits(ks)

    def igamma(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = IgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return igamma


def bind_igamma_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def igamma_(self, other):
        _check_inplace("igamma_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = IgammaBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return igamma_


def bind_igammac(op, ks, _lower):
    bits = _autograd_bits(ks)

    def igammac(self, other):
        out = _lower(self, other)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = IgammacBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        if e1 is not None:
            if isinstance(self, _Tensor):
                node.self_ = self if self._twin is None else self._twin
                node.self_v = 0 if self._vc is None else self._vc.n
            else:
                node.self_ = self
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return igammac


def bind_igammac_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def igammac_(self, other):
        _check_inplace("igammac_", self)
        e0 = self._ag if self.__class__ is _Tensor else _edge_of(self)
        e1 = other._ag if other.__class__ is _Tensor else _edge_of(other)
        node = IgammacBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        original = _original(self) if e1 is not None else None
        if e1 is not None:
            if isinstance(original, _Tensor):
                node.self_ = original if original._twin is None else original._twin
                node.self_v = 0 if original._vc is None else original._vc.n
            else:
                node.self_ = original
        else:
            node.self_ = None
        if e1 is not None:
            if isinstance(other, _Tensor):
                node.other_ = other if other._twin is None else other._twin
                node.other_v = 0 if other._vc is None else other._vc.n
            else:
                node.other_ = other
        else:
            node.other_ = None
        if e0 is not None:
            node.self_s = self._a.shape
            node.self_d = self._a.dtype
        if e1 is not None:
            node.other_s = other._a.shape
            node.other_d = other._a.dtype
        _lower(self, other)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return igammac_
