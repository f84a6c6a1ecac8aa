# Generated from packages/core/src/lamella/core/ops/random.yaml (sha256 f46a3795b0b18123). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.random as _k
import lamella.core.meta.random as _m


def uniform_(self, from_=0, to=1, generator=None):
    _bump(self, "uniform_")
    return self

uniform_.moves_versions = True


def normal_(self, mean=0, std=1, generator=None):
    _bump(self, "normal_")
    return self

normal_.moves_versions = True


def log_normal_(self, mean=1, std=2, generator=None):
    _bump(self, "log_normal_")
    return self

log_normal_.moves_versions = True


def cauchy_(self, median=0, sigma=1, generator=None):
    _bump(self, "cauchy_")
    return self

cauchy_.moves_versions = True


def exponential_(self, lambd=1, generator=None):
    _bump(self, "exponential_")
    return self

exponential_.moves_versions = True


def geometric_(self, p, generator=None):
    _bump(self, "geometric_")
    return self

geometric_.moves_versions = True


def random__from(self, from_=None, to=None, generator=None):
    _bump(self, "random_")
    return self

random__from.moves_versions = True


def bernoulli__float(self, p=0.5, generator=None):
    _bump(self, "bernoulli_")
    return self

bernoulli__float.moves_versions = True


def bernoulli__Tensor(self, p, generator=None):
    _bump(self, "bernoulli_")
    return self

bernoulli__Tensor.moves_versions = True


def bernoulli(self, generator=None):
    return _result(_m.same(self, generator=generator))


def multinomial(self, num_samples, replacement=False, generator=None):
    return _result(_m.multinomial(self, num_samples, replacement, generator=generator))


def poisson(self, generator=None):
    return _result(_m.same(self, generator))


def binomial(count, prob, generator=None):
    return _result(_m.same(count, prob, generator))


def _standard_gamma(self, generator=None):
    return _result(_m.same(self, generator))


def _sample_dirichlet(self, generator=None):
    return _result(_m.same(self, generator))
