# Generated from packages/core/src/lamella/core/ops/random.yaml (sha256 f46a3795b0b18123). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_uniform_,
    _T_normal_,
    _T_log_normal_,
    _T_cauchy_,
    _T_exponential_,
    _T_geometric_,
    _T_random__from,
    _T_bernoulli__float,
    _T_bernoulli__Tensor,
    _T_bernoulli,
    _T_multinomial,
    _T_poisson,
    _T_binomial,
    _T__standard_gamma,
    _T__sample_dirichlet,
) = _define(
    "aten",
    "random",
    (
        ('uniform_(Tensor(a!) self, float from=0, float to=1, *, Generator? generator=None) -> Tensor(a!)', True),
        ('normal_(Tensor(a!) self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor(a!)', True),
        ('log_normal_(Tensor(a!) self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor(a!)', True),
        ('cauchy_(Tensor(a!) self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor(a!)', True),
        ('exponential_(Tensor(a!) self, float lambd=1, *, Generator? generator=None) -> Tensor(a!)', True),
        ('geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)', True),
        ('random_.from(Tensor(a!) self, int? from=None, int? to=None, *, Generator? generator=None) -> Tensor(a!)', True),
        ('bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)', True),
        ('bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)', True),
        ('bernoulli(Tensor self, *, Generator? generator=None) -> Tensor', True),
        ('multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor', False),
        ('poisson(Tensor self, Generator? generator=None) -> Tensor', True),
        ('binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor', True),
        ('_standard_gamma(Tensor self, Generator? generator=None) -> Tensor', False),
        ('_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor', False),
    ),
    {1: "lamella.core._gen.random_cpu", 2: "lamella.core._gen.random_cuda", 3: "lamella.core._gen.random_meta", 65: "lamella.core.composite.random", },
    "lamella.core/ops/random.yaml",
)


def op_uniform_(self, from_=0, to=1, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("uniform_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if from_.__class__ is not float and from_.__class__ is not int:
        from_ = _as_float("uniform_", "from", from_)
    if to.__class__ is not float and to.__class__ is not int:
        to = _as_float("uniform_", "to", to)
    try:
        if generator is None:
            return _T_uniform_[ks](self, from_, to)
        return _T_uniform_[ks](self, from_, to, generator=generator)
    except Exception:
        _explain(_T_uniform_, (self, from_, to, generator, ))
        raise


def op_normal_(self, mean=0, std=1, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("normal_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if mean.__class__ is not float and mean.__class__ is not int:
        mean = _as_float("normal_", "mean", mean)
    if std.__class__ is not float and std.__class__ is not int:
        std = _as_float("normal_", "std", std)
    try:
        if generator is None:
            return _T_normal_[ks](self, mean, std)
        return _T_normal_[ks](self, mean, std, generator=generator)
    except Exception:
        _explain(_T_normal_, (self, mean, std, generator, ))
        raise


def op_log_normal_(self, mean=1, std=2, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("log_normal_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if mean.__class__ is not float and mean.__class__ is not int:
        mean = _as_float("log_normal_", "mean", mean)
    if std.__class__ is not float and std.__class__ is not int:
        std = _as_float("log_normal_", "std", std)
    try:
        if generator is None:
            return _T_log_normal_[ks](self, mean, std)
        return _T_log_normal_[ks](self, mean, std, generator=generator)
    except Exception:
        _explain(_T_log_normal_, (self, mean, std, generator, ))
        raise


def op_cauchy_(self, median=0, sigma=1, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("cauchy_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if median.__class__ is not float and median.__class__ is not int:
        median = _as_float("cauchy_", "median", median)
    if sigma.__class__ is not float and sigma.__class__ is not int:
        sigma = _as_float("cauchy_", "sigma", sigma)
    try:
        if generator is None:
            return _T_cauchy_[ks](self, median, sigma)
        return _T_cauchy_[ks](self, median, sigma, generator=generator)
    except Exception:
        _explain(_T_cauchy_, (self, median, sigma, generator, ))
        raise


def op_exponential_(self, lambd=1, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("exponential_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if lambd.__class__ is not float and lambd.__class__ is not int:
        lambd = _as_float("exponential_", "lambd", lambd)
    try:
        if generator is None:
            return _T_exponential_[ks](self, lambd)
        return _T_exponential_[ks](self, lambd, generator=generator)
    except Exception:
        _explain(_T_exponential_, (self, lambd, generator, ))
        raise


def op_geometric_(self, p, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("geometric_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("geometric_", "p", p)
    try:
        if generator is None:
            return _T_geometric_[ks](self, p)
        return _T_geometric_[ks](self, p, generator=generator)
    except Exception:
        _explain(_T_geometric_, (self, p, generator, ))
        raise


def op_random__from(self, from_=None, to=None, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("random_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if from_ is not None and from_.__class__ is not int:
        from_ = _as_int("random_", "from", from_)
    if to is not None and to.__class__ is not int:
        to = _as_int("random_", "to", to)
    try:
        if generator is None:
            return _T_random__from[ks](self, from_, to)
        return _T_random__from[ks](self, from_, to, generator=generator)
    except Exception:
        _explain(_T_random__from, (self, from_, to, generator, ))
        raise


def op_bernoulli__float(self, p=0.5, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("bernoulli_", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if p.__class__ is not float and p.__class__ is not int:
        p = _as_float("bernoulli_", "p", p)
    try:
        if generator is None:
            return _T_bernoulli__float[ks](self, p)
        return _T_bernoulli__float[ks](self, p, generator=generator)
    except Exception:
        _explain(_T_bernoulli__float, (self, p, generator, ))
        raise


def op_bernoulli__Tensor(self, p, *, generator=None):
    try:
        ks = self._ks | p._ks
    except AttributeError:
        raise _not_tensor("bernoulli_", {"self": self, "p": p, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if generator is None:
            return _T_bernoulli__Tensor[ks](self, p)
        return _T_bernoulli__Tensor[ks](self, p, generator=generator)
    except Exception:
        _explain(_T_bernoulli__Tensor, (self, p, generator, ))
        raise


def op_bernoulli(self, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("bernoulli", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if generator is None:
            return _T_bernoulli[ks](self)
        return _T_bernoulli[ks](self, generator=generator)
    except Exception:
        _explain(_T_bernoulli, (self, generator, ))
        raise


def op_multinomial(self, num_samples, replacement=False, *, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("multinomial", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_samples.__class__ is not int:
        num_samples = _as_int("multinomial", "num_samples", num_samples)
    if replacement is not False and replacement is not True:
        replacement = _as_bool("multinomial", "replacement", replacement)
    try:
        if generator is None:
            return _T_multinomial[ks](self, num_samples, replacement)
        return _T_multinomial[ks](self, num_samples, replacement, generator=generator)
    except Exception:
        _explain(_T_multinomial, (self, num_samples, replacement, generator, ))
        raise


def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    """multinomial: see torch.multinomial."""
    if out is not None:
        return _out("multinomial", out, op_multinomial(input, num_samples, replacement, generator=generator), True, inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("multinomial", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if num_samples.__class__ is not int:
        num_samples = _as_int("multinomial", "num_samples", num_samples)
    if replacement is not False and replacement is not True:
        replacement = _as_bool("multinomial", "replacement", replacement)
    try:
        if generator is None:
            return _T_multinomial[ks](input, num_samples, replacement)
        return _T_multinomial[ks](input, num_samples, replacement, generator=generator)
    except Exception:
        _explain(_T_multinomial, (input, num_samples, replacement, generator, ))
        raise


def op_poisson(self, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("poisson", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_poisson[ks](self, generator)
    except Exception:
        _explain(_T_poisson, (self, generator, ))
        raise


def poisson(input, generator=None):
    """poisson: see torch.poisson."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("poisson", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_poisson[ks](input, generator)
    except Exception:
        _explain(_T_poisson, (input, generator, ))
        raise


def op_binomial(count, prob, generator=None):
    try:
        ks = count._ks | prob._ks
    except AttributeError:
        raise _not_tensor("binomial", {"count": count, "prob": prob, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_binomial[ks](count, prob, generator)
    except Exception:
        _explain(_T_binomial, (count, prob, generator, ))
        raise


def binomial(count, prob, generator=None):
    """binomial: see torch.binomial."""
    try:
        ks = count._ks | prob._ks
    except AttributeError:
        raise _not_tensor("binomial", {"count": count, "prob": prob, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_binomial[ks](count, prob, generator)
    except Exception:
        _explain(_T_binomial, (count, prob, generator, ))
        raise


def op__standard_gamma(self, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_standard_gamma", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__standard_gamma[ks](self, generator)
    except Exception:
        _explain(_T__standard_gamma, (self, generator, ))
        raise


def _standard_gamma(input, generator=None):
    """_standard_gamma: see torch._standard_gamma."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("_standard_gamma", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__standard_gamma[ks](input, generator)
    except Exception:
        _explain(_T__standard_gamma, (input, generator, ))
        raise


def op__sample_dirichlet(self, generator=None):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_sample_dirichlet", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__sample_dirichlet[ks](self, generator)
    except Exception:
        _explain(_T__sample_dirichlet, (self, generator, ))
        raise


def _sample_dirichlet(input, generator=None):
    """_sample_dirichlet: see torch._sample_dirichlet."""
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("_sample_dirichlet", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__sample_dirichlet[ks](input, generator)
    except Exception:
        _explain(_T__sample_dirichlet, (input, generator, ))
        raise


METHODS = {
    "uniform_": op_uniform_,
    "normal_": op_normal_,
    "log_normal_": op_log_normal_,
    "cauchy_": op_cauchy_,
    "exponential_": op_exponential_,
    "geometric_": op_geometric_,
    "multinomial": op_multinomial,
}


FUNCTIONS = {
    "multinomial": multinomial,
    "poisson": poisson,
    "binomial": binomial,
    "_standard_gamma": _standard_gamma,
    "_sample_dirichlet": _sample_dirichlet,
}
