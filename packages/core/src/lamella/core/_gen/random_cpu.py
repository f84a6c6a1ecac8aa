# Generated from packages/core/src/lamella/core/ops/random.yaml (sha256 f46a3795b0b18123). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.random as _k

_KS = 1  # of new tensors


def uniform_(self, from_=0, to=1, generator=None):
    _k.uniform_(_xp, self._a, from_, to, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "uniform_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

uniform_.moves_versions = True


def normal_(self, mean=0, std=1, generator=None):
    _k.normal_(_xp, self._a, mean, std, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "normal_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

normal_.moves_versions = True


def log_normal_(self, mean=1, std=2, generator=None):
    _k.log_normal_(_xp, self._a, mean, std, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "log_normal_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

log_normal_.moves_versions = True


def cauchy_(self, median=0, sigma=1, generator=None):
    _k.cauchy_(_xp, self._a, median, sigma, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "cauchy_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

cauchy_.moves_versions = True


def exponential_(self, lambd=1, generator=None):
    _k.exponential_(_xp, self._a, lambd, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "exponential_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

exponential_.moves_versions = True


def geometric_(self, p, generator=None):
    _k.geometric_(_xp, self._a, p, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "geometric_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

geometric_.moves_versions = True


def random__from(self, from_=None, to=None, generator=None):
    _k.random__from(_xp, self._a, from_, to, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "random_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

random__from.moves_versions = True


def bernoulli__float(self, p=0.5, generator=None):
    _k.bernoulli__float(_xp, self._a, p, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bernoulli_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bernoulli__float.moves_versions = True


def bernoulli__Tensor(self, p, generator=None):
    if self._vc is not None:
        _refuse_clash("bernoulli_", self, (p, ))
    _k.bernoulli__Tensor(_xp, self._a, p._a, generator)
    vc = self._vc
    if vc is None:
        vc = self._vc = _VersionCounter()
    vc.n += 1
    vc.writer = "bernoulli_"
    if _recorder.stack is not None:
        vc.stack = _recorder.stack()
    return self

bernoulli__Tensor.moves_versions = True


def bernoulli(self, generator=None):
    r = _k.bernoulli(_xp, self._a, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def multinomial(self, num_samples, replacement=False, generator=None):
    r = _k.multinomial(_xp, self._a, num_samples, replacement, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def poisson(self, generator=None):
    r = _k.poisson(_xp, self._a, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def binomial(count, prob, generator=None):
    r = _k.binomial(_xp, count._a, prob._a, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _standard_gamma(self, generator=None):
    r = _k._standard_gamma(_xp, self._a, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _sample_dirichlet(self, generator=None):
    r = _k._sample_dirichlet(_xp, self._a, generator)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t
