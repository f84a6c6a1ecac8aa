"""Random numbers written into arrays."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import random as rng


def _floating(op: str, self: Any) -> None:
    if self.dtype.kind in "biu":
        raise NotImplementedError(
            message(op, f"it is not implemented for {self.dtype.name}", hint="use a floating type")
        )


def uniform_(xp: Any, self: Any, low: float, high: float, generator: Any) -> None:
    _floating("uniform_", self)
    if low > high:
        raise RuntimeError(
            message("uniform_", f"expects to return a [from, to) range, but found from={low} > to={high}")
        )
    rng.fill(self, rng.uniform, low, high, generator)


def _spread(op: str, std: float) -> None:
    if std < 0:
        raise RuntimeError(message(op, f"expects std >= 0.0, but found std {std}"))


def normal_(xp: Any, self: Any, mean: float, std: float, generator: Any) -> None:
    _floating("normal_", self)
    _spread("normal_", std)
    rng.fill(self, rng.normal, mean, std, generator)


def log_normal_(xp: Any, self: Any, mean: float, std: float, generator: Any) -> None:
    _floating("log_normal_", self)
    if std <= 0:
        raise RuntimeError(message("log_normal_", f"expects std > 0.0, but found std={std}"))
    rng.fill(self, rng.log_normal, mean, std, generator)


def cauchy_(xp: Any, self: Any, median: float, sigma: float, generator: Any) -> None:
    _floating("cauchy_", self)
    if sigma <= 0:
        raise RuntimeError(message("cauchy_", f"expects sigma > 0.0, but found sigma={sigma}"))
    rng.fill(self, rng.cauchy, median, sigma, generator)


def exponential_(xp: Any, self: Any, lambd: float, generator: Any) -> None:
    _floating("exponential_", self)
    if lambd <= 0:
        raise RuntimeError(message("exponential_", f"expects lambda > 0.0, but found lambda={lambd}"))
    rng.fill(self, rng.exponential, lambd, generator)


def geometric_(xp: Any, self: Any, p: float, generator: Any) -> None:
    if not 0 < p < 1:
        raise RuntimeError(message("geometric_", f"expects p to be in (0, 1), but got p={p}"))
    rng.fill(self, rng.geometric, p, generator)


def random__from(xp: Any, self: Any, low: Any, high: Any, generator: Any) -> None:
    rng.fill(self, rng.random_, low, high, generator)


def _probability(op: str, p: Any) -> None:
    if not 0 <= p <= 1:
        raise RuntimeError(message(op, f"expects p to be in [0, 1], but got p={p}"))


def bernoulli__float(xp: Any, self: Any, p: float, generator: Any) -> None:
    _probability("bernoulli_", p)
    rng.fill(self, rng.bernoulli, p, generator)


def bernoulli__Tensor(xp: Any, self: Any, p: Any, generator: Any) -> None:
    _floating("bernoulli_", p)
    probs = xp.broadcast_to(p, self.shape)
    self[...] = rng.bernoulli(self.shape, self.dtype, _checked("bernoulli_", probs), generator)


def _checked(op: str, p: Any) -> Any:
    if p.size and not ((p >= 0) & (p <= 1)).all():
        raise RuntimeError(message(op, "expected all elements of p to be in [0, 1]"))
    return p


def bernoulli(xp: Any, self: Any, generator: Any) -> Any:
    _floating("bernoulli", self)
    return rng.bernoulli(self.shape, self.dtype, _checked("bernoulli", self), generator)


def multinomial(xp: Any, self: Any, num_samples: int, replacement: bool, generator: Any) -> Any:
    return rng.multinomial(self, num_samples, replacement, generator)


def poisson(xp: Any, self: Any, generator: Any) -> Any:
    return rng.poisson(self, generator)


def binomial(xp: Any, count: Any, prob: Any, generator: Any) -> Any:
    return rng.binomial(count, prob, generator)


def _standard_gamma(xp: Any, self: Any, generator: Any) -> Any:
    return rng.standard_gamma(self, generator)


def _sample_dirichlet(xp: Any, self: Any, generator: Any) -> Any:
    return rng.dirichlet(self, generator)
