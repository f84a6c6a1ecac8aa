# Generated from packages/autograd/src/lamella/autograd/derivatives/random.yaml (sha256 aa03f6e05e7c0986). Do not edit:
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

from lamella.core.functions import zeros_like


BIND = True


class UniformBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class NormalBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class LogNormalBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class CauchyBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class ExponentialBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class GeometricBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class RandomBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class BernoulliBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class BernoulliBackward0_bernoulli__Tensor(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0

BernoulliBackward0_bernoulli__Tensor.__name__ = BernoulliBackward0_bernoulli__Tensor.__qualname__ = "BernoulliBackward0"


class BernoulliBackward0_bernoulli(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0

BernoulliBackward0_bernoulli.__name__ = BernoulliBackward0_bernoulli.__qualname__ = "BernoulliBackward0"


class PoissonBackward0(_Node):
    __slots__ = ()

    def apply(node, grad):
        edges = node.edges
        g0 = zeros_like(grad)
        return g0


class BinomialBackward0(_Node):
    __slots__ = ("prob_", "prob_v", )
    kind = _SAVES
    saved = ("prob_", )

    def apply(node, grad):
        edges = node.edges
        prob = node.prob_
        if prob.__class__ is not _Tensor or (prob._vc is not None and prob._vc.n != node.prob_v):
            prob = _unpack(node, "prob_")
        g0 = zeros_like(prob)
        return g0

    def release(node):
        node.prob_ = _FREED


def bind_uniform_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def uniform_(self, from_=0, to=1, generator=None):
        _check_inplace("uniform_", self)
        e0 = self._ag
        node = UniformBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, from_, to, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return uniform_


def bind_normal_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def normal_(self, mean=0, std=1, generator=None):
        _check_inplace("normal_", self)
        e0 = self._ag
        node = NormalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, mean, std, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return normal_


def bind_log_normal_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def log_normal_(self, mean=1, std=2, generator=None):
        _check_inplace("log_normal_", self)
        e0 = self._ag
        node = LogNormalBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, mean, std, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return log_normal_


def bind_cauchy_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def cauchy_(self, median=0, sigma=1, generator=None):
        _check_inplace("cauchy_", self)
        e0 = self._ag
        node = CauchyBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, median, sigma, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return cauchy_


def bind_exponential_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def exponential_(self, lambd=1, generator=None):
        _check_inplace("exponential_", self)
        e0 = self._ag
        node = ExponentialBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, lambd, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return exponential_


def bind_geometric_(op, ks, _lower):
    bits = _autograd_bits(ks)

    def geometric_(self, p, generator=None):
        _check_inplace("geometric_", self)
        e0 = self._ag
        node = GeometricBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, p, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return geometric_


def bind_random__from(op, ks, _lower):
    bits = _autograd_bits(ks)

    def random_(self, from_=None, to=None, generator=None):
        _check_inplace("random_", self)
        e0 = self._ag
        node = RandomBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, from_, to, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return random_


def bind_bernoulli__float(op, ks, _lower):
    bits = _autograd_bits(ks)

    def bernoulli_(self, p=0.5, generator=None):
        _check_inplace("bernoulli_", self)
        e0 = self._ag
        node = BernoulliBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, p, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return bernoulli_


def bind_bernoulli__Tensor(op, ks, _lower):
    bits = _autograd_bits(ks)

    def bernoulli_(self, p, generator=None):
        _check_inplace("bernoulli_", self)
        e0 = self._ag
        node = BernoulliBackward0_bernoulli__Tensor()
        node.seq = next(_counter)
        node.edges = (e0, )
        _lower(self, p, generator=generator)
        _rebase(self, node, bits)
        if _packers:
            _pack(node)
        return self

    return bernoulli_


def bind_bernoulli(op, ks, _lower):
    bits = _autograd_bits(ks)

    def bernoulli(self, generator=None):
        out = _lower(self) if generator is None else _lower(self, generator=generator)
        e0 = self._ag
        node = BernoulliBackward0_bernoulli()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return bernoulli


def bind_poisson(op, ks, _lower):
    bits = _autograd_bits(ks)

    def poisson(self, generator=None):
        out = _lower(self, generator)
        e0 = self._ag
        node = PoissonBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return poisson


def bind_binomial(op, ks, _lower):
    bits = _autograd_bits(ks)

    def binomial(count, prob, generator=None):
        out = _lower(count, prob, generator)
        e0 = prob._ag
        node = BinomialBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.prob_ = prob if prob._twin is None else prob._twin
        node.prob_v = 0 if prob._vc is None else prob._vc.n
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return binomial
