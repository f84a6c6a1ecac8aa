"""Distributions drawn by rejection, where one result takes an unknown number of uniforms.

Poisson and binomial use Hoermann's transformed rejection (PTRS and BTRS, 1993) for large means and counting for small
ones, gamma uses Marsaglia and Tsang's squeeze (2000). Which method applies, and in which order it draws, is torch's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .engine import Engine
from .generator import Generator, default_generator
from .transforms import cast, require_floating

_THIRD = float(np.float32(1) / np.float32(3))  # torch writes the paper's 1/3 in float32
_AHEAD = 4096
_FEW = 256
# Stirling's series leaves these for k = 0 to 9 (log k! minus the leading terms).
_TAIL = (0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.0207906721037650, 0.0166446911898211,
         0.0138761288230707, 0.0118967099458917, 0.0104112652619720, 0.0092554621827127, 0.0083305634333594)


class Doubles:
    """53-bit uniforms one at a time, read ahead in blocks; `close` gives back to the engine what was not used.

    Args:
        engine: the source.
        expected: how many uniforms will be drawn, roughly; few are drawn singly.
    """

    def __init__(self, engine: Engine, expected: float) -> None:
        self._engine = engine
        self._start = engine.copy() if expected > _FEW else None
        self._blocks = 0
        self._block: list[float] = []

    def next(self) -> float:
        """The next uniform in [0, 1)."""
        if not self._block:
            if self._start is None:
                return self._engine.double()
            self._block = self._engine.doubles(_AHEAD)[::-1].tolist()
            self._blocks += 1
        return self._block.pop()

    def close(self) -> None:
        """Leave the engine right behind the last uniform that was drawn."""
        if self._start is not None:
            used = self._blocks * _AHEAD - len(self._block)
            self._engine.set_position(self._engine.seed32, *self._start.position())
            self._engine.raw(2 * used, False)


def _each(
    arrays: tuple[np.ndarray, ...], draw: Callable[..., float], generator: Generator | None, expected: float
) -> np.ndarray:
    """Apply `draw(stream, generator, *elements)` to the elements in index order; float64 of the arrays' shape."""
    generator = generator or default_generator
    stream = Doubles(generator.engine, expected * arrays[0].size)
    lists = [a.astype(np.float64).ravel().tolist() for a in arrays]
    try:
        values = [draw(stream, generator, *elements) for elements in zip(*lists)]
    finally:
        stream.close()
    return np.array(values, np.float64).reshape(arrays[0].shape)


def poisson(rate: np.ndarray, generator: Generator | None = None) -> np.ndarray:
    """Poisson counts, one for each rate.

    Args:
        rate: expected counts, floating, none negative.
        generator: the source, default the default generator.

    Returns:
        an array of the shape and dtype of `rate`.

    Raises:
        RuntimeError: when a rate is negative or nan, for a dtype that is not floating.

    Example:
        >>> poisson(np.full(3, 3.0), Generator().manual_seed(3)).tolist()
        [0.0, 2.0, 3.0]
    """
    dtype = require_floating("poisson", rate.dtype)
    if not np.all(rate >= 0):
        raise RuntimeError(message("poisson", "every rate must be at least 0"))
    return cast(_each((rate,), _poisson, generator, 4), dtype)


def _poisson(stream: Doubles, generator: Generator, rate: float) -> float:
    if rate >= 10:
        return _poisson_rejection(stream, rate)
    if rate == 0:
        return 0.0
    floor, product, count = math.exp(-rate), stream.next(), 0
    while product > floor:
        product *= stream.next()
        count += 1
    return float(count)


def _poisson_rejection(stream: Doubles, rate: float) -> float:
    b = 0.931 + 2.53 * math.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2)
    log_rate = math.log(rate)
    while True:
        u = stream.next() - 0.5
        v = stream.next()
        us = 0.5 - abs(u)
        if us == 0:
            continue
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= squeeze:
            return float(k)
        if k < 0 or (us < 0.013 and v > us):
            continue
        height = _log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b)
        if height <= -rate + k * log_rate - math.lgamma(k + 1):
            return float(k)


def _log(x: float) -> float:
    return math.log(x) if x > 0 else -math.inf


def binomial(count: np.ndarray, prob: np.ndarray, generator: Generator | None = None) -> np.ndarray:
    """Numbers of successes in `count` trials of probability `prob`.

    Args:
        count, prob: floating arrays of one dtype that broadcast together.
        generator: the source, default the default generator.

    Returns:
        an array of their common shape and their dtype. A count or probability of 0 or less gives 0, a probability of
        1 or more gives the count, nan gives nan.

    Raises:
        ValueError: for a dtype that is not floating.
        RuntimeError: when the dtypes differ or the shapes do not broadcast.

    Example:
        >>> binomial(np.full(3, 20.0), np.full(3, 0.3), Generator().manual_seed(3)).tolist()
        [4.0, 6.0, 4.0]
    """
    for name, a in (("count", count), ("prob", prob)):
        if a.dtype.kind != "f" and a.dtype.name != "bfloat16":
            raise ValueError(message("binomial", f"{name} must be floating point (got {a.dtype.name})"))
    if count.dtype != prob.dtype:
        raise RuntimeError(message("binomial", "the dtypes must agree", {"count": count.dtype, "prob": prob.dtype}))
    try:
        pair = np.broadcast_arrays(count, prob)
    except ValueError:
        shapes = {"count": list(count.shape), "prob": list(prob.shape)}
        raise RuntimeError(message("binomial", "the shapes must broadcast together", shapes)) from None
    # What decides between the methods is rounded to the arrays' own dtype.
    rare = np.where(pair[1] > 0.5, 1 - pair[1], pair[1]).astype(prob.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        expected = (pair[0] * rare).astype(prob.dtype)
    return cast(_each((*pair, rare, expected), _binomial, generator, 6), count.dtype)


def _binomial(
    stream: Doubles, generator: Generator, count: float, prob: float, rare: float, expected: float
) -> float:
    if count <= 0 or prob <= 0:
        return 0.0
    if prob >= 1:
        return count
    if math.isnan(prob) or math.isnan(count):
        return math.nan
    method = _binomial_rejection if expected >= 10 else _binomial_waiting
    hits = method(stream, count, rare)
    return count - hits if prob > 0.5 else hits


def _binomial_waiting(stream: Doubles, count: float, prob: float) -> float:
    """Add up geometric waiting times until they pass `count`."""
    log_miss, waited, hits = math.log1p(-prob), 0.0, 0
    while True:
        u = stream.next()
        waited += math.ceil(math.log(u) / log_miss) if u > 0 else math.inf
        if waited > count:
            return float(hits)
        hits += 1


def _binomial_rejection(stream: Doubles, count: float, prob: float) -> float:
    spread = math.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    center = count * prob + 0.5
    squeeze = 0.92 - 4.2 / b
    odds = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * spread
    mode = math.floor((count + 1) * prob)
    while True:
        u = stream.next() - 0.5
        v = stream.next()
        us = 0.5 - abs(u)
        if us == 0:
            continue
        k = math.floor((2 * a / us + b) * u + center)
        if us >= 0.07 and v <= squeeze:
            return float(k)
        if k < 0 or k > count:
            continue
        bound = (
            (mode + 0.5) * math.log((mode + 1) / (odds * (count - mode + 1)))
            + (count + 1) * math.log((count - mode + 1) / (count - k + 1))
            + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
            + _stirling_tail(mode) + _stirling_tail(count - mode) - _stirling_tail(k) - _stirling_tail(count - k)
        )  # fmt: skip
        if _log(v * alpha / (a / (us * us) + b)) <= bound:
            return float(k)


def _stirling_tail(k: float) -> float:
    if k <= 9:
        return _TAIL[int(k)]
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def standard_gamma(alpha: np.ndarray, generator: Generator | None = None) -> np.ndarray:
    """Gamma numbers of shape `alpha` and scale 1, at least the dtype's smallest normal number.

    Args:
        alpha: shape parameters, floating.
        generator: the source, default the default generator.

    Returns:
        an array of the shape and dtype of `alpha`.

    Raises:
        RuntimeError: for a dtype that is not floating.

    Example:
        >>> standard_gamma(np.ones(2, np.float32), Generator().manual_seed(3)).shape
        (2,)
    """
    dtype = require_floating("_standard_gamma", alpha.dtype)
    values = _gammas(alpha, generator)
    return cast(np.maximum(values, _tiny(dtype), out=values), dtype)


def dirichlet(alpha: np.ndarray, generator: Generator | None = None) -> np.ndarray:
    """Points of the simplex: gamma numbers divided by their sum along the last dimension.

    Args:
        alpha: concentrations [..., k], floating.
        generator: the source, default the default generator.

    Returns:
        an array of the shape and dtype of `alpha`, every entry inside (0, 1).

    Raises:
        RuntimeError: for a dtype that is not floating.

    Example:
        >>> round(float(dirichlet(np.ones(3), Generator().manual_seed(3)).sum()), 6)
        1.0
    """
    dtype = require_floating("_sample_dirichlet", alpha.dtype)
    values = _gammas(alpha.astype(np.float64), generator)
    values /= values.sum(-1, keepdims=True)
    result = cast(values, dtype)
    return np.clip(result, _tiny(dtype), np.nextafter(dtype.type(1), dtype.type(0)))


def _tiny(dtype: np.dtype) -> Any:
    """The smallest normal number."""
    return dtype.type(2.0**-14 if dtype.name == "float16" else 2.0**-1022 if dtype.itemsize == 8 else 2.0**-126)


def _gammas(alpha: np.ndarray, generator: Generator | None) -> np.ndarray:
    # The parameters of the squeeze are rounded to the array's own dtype, the rest of it is float64.
    small = alpha < 1
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(small, 1 / alpha, 0).astype(alpha.dtype)
    d = (np.where(small, alpha + 1, alpha) - np.float32(_THIRD)).astype(alpha.dtype)
    return _each((alpha, power, d), _gamma, generator, 4)


def _gamma(stream: Doubles, generator: Generator, alpha: float, power: float, d: float) -> float:
    if not alpha > 0:
        return 0.0
    scale = (1 - stream.next()) ** power if power else 1.0
    c = 1 / math.sqrt(9 * d)
    while True:
        x = _next_normal(stream, generator)
        y = 1 + c * x
        if y <= 0:
            continue
        v = y * y * y
        u = 1 - stream.next()
        square = x * x
        if u < 1 - 0.0331 * square * square or math.log(u) < 0.5 * square + d * (1 - v + math.log(v)):
            return scale * d * v


def _next_normal(stream: Doubles, generator: Generator) -> float:
    ready = generator.next_normal
    if ready is not None:
        generator.next_normal = None
        return ready
    angle = stream.next() * (2 * math.pi)
    radius = math.sqrt(-2 * math.log1p(-stream.next()))
    generator.next_normal = radius * math.sin(angle)
    return radius * math.cos(angle)
