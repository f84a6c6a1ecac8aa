"""Distributions drawn by rejection, all elements at once: those that were refused draw again until none is left.

Poisson and binomial use Hoermann's transformed rejection for large means and counting for small ones, gamma uses
Marsaglia and Tsang's squeeze, as on the CPU. Each attempt is one draw of the generator.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from cupyx.scipy.special import gammaln

from lamella.dispatch.errors import message

from ...random.samplers import _tiny
from ...random.transforms import require_floating
from .transforms import cast

__all__ = ["binomial", "dirichlet", "poisson", "standard_gamma"]


def _until_accepted(result: Any, left: Any, attempt: Callable[[Any], tuple[Any, Any]]) -> None:
    """Call ``attempt(places) -> (values, accepted)`` until every place of ``left`` has a value in ``result``."""
    while left.size:
        values, accepted = attempt(left)
        result[left[accepted]] = values[accepted]
        left = left[~accepted]


def poisson(rate: Any, generator: Any) -> Any:
    """Poisson counts, one for each rate; see the CPU's.

    Args:
        rate: expected counts, floating, none negative.
        generator: what to draw from.

    Raises:
        RuntimeError: when a rate is negative or nan, for a dtype that is not floating.
    """
    dtype = require_floating("poisson", rate.dtype)
    flat = rate.astype(np.float64).ravel()
    if not bool(cupy.all(flat >= 0)):
        raise RuntimeError(message("poisson", "every rate must be at least 0"))
    result = cupy.zeros(flat.shape, np.float64)
    few = cupy.flatnonzero((flat < 10) & (flat > 0))
    floor, product = cupy.exp(-flat[few]), generator.doubles(few.size)
    while few.size:
        going = product > floor
        few, floor, product = few[going], floor[going], product[going]
        result[few] += 1
        product = product * generator.doubles(few.size)
    _until_accepted(result, cupy.flatnonzero(flat >= 10), lambda left: _many(flat[left], generator))
    return cast(result, dtype).reshape(rate.shape)


def _many(rate: Any, generator: Any) -> tuple[Any, Any]:
    b = 0.931 + 2.53 * cupy.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    u, v = generator.doubles(rate.size) - 0.5, generator.doubles(rate.size)
    us = 0.5 - cupy.abs(u)
    k = cupy.floor((2 * a / us + b) * u + rate + 0.43)
    height = cupy.log(v) + cupy.log(inverse_alpha) - cupy.log(a / (us * us) + b)
    fits = height <= -rate + k * cupy.log(rate) - gammaln(k + 1)
    quick = (us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
    bad = (k < 0) | ((us < 0.013) & (v > us)) | (us == 0)
    return k, quick | (~bad & fits)


def binomial(count: Any, prob: Any, generator: Any) -> Any:
    """Numbers of successes in ``count`` trials of probability ``prob``; see the CPU's.

    Args:
        count, prob: floating arrays of one dtype that broadcast together.
        generator: what to draw from.

    Raises:
        RuntimeError: when counts are negative or no whole numbers, or probabilities outside [0, 1].
    """
    dtype = require_floating("binomial", count.dtype)
    n, p = (x.astype(np.float64) for x in cupy.broadcast_arrays(count, prob))
    shape = n.shape
    n, p = n.ravel(), p.ravel()
    if not bool(cupy.all((n >= 0) & (p >= 0) & (p <= 1))):
        raise RuntimeError(message("binomial", "counts must be at least 0 and probabilities lie in [0, 1]"))
    mirrored = p > 0.5
    q = cupy.where(mirrored, 1 - p, p)
    result = cupy.zeros(n.shape, np.float64)
    few = cupy.flatnonzero((n * q < 10) & (q > 0) & (n > 0))
    step, waited = cupy.log1p(-q[few]), cupy.zeros(few.shape, np.float64)
    while few.size:
        waited = waited + cupy.ceil(cupy.log1p(-generator.doubles(few.size)) / step)
        going = waited <= n[few]
        few, step, waited = few[going], step[going], waited[going]
        result[few] += 1
    large = cupy.flatnonzero(n * q >= 10)
    _until_accepted(result, large, lambda left: _successes(n[left], q[left], generator))
    return cast(cupy.where(mirrored, n - result, result), dtype).reshape(shape)


def _successes(n: Any, p: Any, generator: Any) -> tuple[Any, Any]:
    spread = cupy.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    r = 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * spread
    m = cupy.floor((n + 1) * p)
    u, v = generator.doubles(n.size) - 0.5, generator.doubles(n.size)
    us = 0.5 - cupy.abs(u)
    k = cupy.floor((2 * a / us + b) * u + c)
    inside = (k >= 0) & (k <= n) & (us > 0)
    quick = (us >= 0.07) & (v <= r)
    height = cupy.log(v * alpha / (a / (us * us) + b))
    odds = cupy.log(p / (1 - p))
    bound = gammaln(m + 1) + gammaln(n - m + 1) - gammaln(k + 1) - gammaln(n - k + 1) + (k - m) * odds
    return k, inside & (quick | (height <= bound))


def _gammas(alpha: Any, generator: Any) -> Any:
    flat = alpha.astype(np.float64).ravel()
    small = flat < 1
    d = cupy.where(small, flat + 1, flat) - 1 / 3
    result = cupy.zeros(flat.shape, np.float64)

    def attempt(left: Any) -> tuple[Any, Any]:
        here = d[left]
        x, u = generator.normals(left.size), 1 - generator.doubles(left.size)
        y = 1 + x / cupy.sqrt(9 * here)
        v = y * y * y
        square = x * x
        bound = 0.5 * square + here * (1 - v + cupy.log(cupy.maximum(v, 1e-300)))
        return here * v, (y > 0) & ((u < 1 - 0.0331 * square * square) | (cupy.log(u) < bound))

    _until_accepted(result, cupy.flatnonzero(flat > 0), attempt)
    scale = (1 - generator.doubles(flat.size)) ** cupy.where(small & (flat > 0), 1 / cupy.maximum(flat, 1e-300), 0)
    return (result * scale).reshape(alpha.shape)


def standard_gamma(alpha: Any, generator: Any) -> Any:
    """Gamma numbers of shape ``alpha`` and scale 1; see the CPU's."""
    dtype = require_floating("_standard_gamma", alpha.dtype)
    return cast(cupy.maximum(_gammas(alpha, generator), float(_tiny(dtype))), dtype)


def dirichlet(alpha: Any, generator: Any) -> Any:
    """Points of the simplex: gamma numbers divided by their sum along the last dimension; see the CPU's."""
    dtype = require_floating("_sample_dirichlet", alpha.dtype)
    values = _gammas(alpha, generator)
    values /= values.sum(-1, keepdims=True)
    low = float(_tiny(dtype))
    high = {2: 1 - 2.0**-11 if dtype.name == "float16" else 1 - 2.0**-8, 4: 1 - 2.0**-24, 8: math.nextafter(1, 0)}
    return cast(cupy.clip(values, low, high[dtype.itemsize]), dtype)
