"""Integers, permutations, coin flips and draws from a table of weights, as torch's CPU kernels make them."""

from __future__ import annotations

import math
import warnings
from functools import lru_cache
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .generator import Generator, default_generator
from .transforms import Shape, cast, exponential, is_floating, largest, require_floating

_WIDE_RANGE = 1 << 28  # ranges from here on take two words, so that the remainder's bias stays small
_SMALL_PERM = (2**32 - 1) // 20  # permutations up to here take one word an element
_DIGITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}


def random_(
    shape: Shape, dtype: Any, low: int | None = None, high: int | None = None, generator: Generator | None = None
) -> np.ndarray:
    """Whole numbers, uniform over a range; what `Tensor.random_` does.

    Without `low` and `high` the range is all values of the dtype from 0 up (for floats: up to 2**digits, the last
    whole number before gaps). With `low` alone it runs from there to the same end. With both it is [low, high).

    Args:
        shape: of the result.
        dtype: an integer, bool or floating NumPy dtype.
        low, high: the ends. `Tensor.random_(to)` is low=0, high=to.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when the range is empty or does not fit the dtype, for a complex dtype.

    Example:
        >>> random_((4,), np.int64, 0, 10, Generator().manual_seed(3)).tolist()
        [6, 8, 7, 7]
    """
    dtype = np.dtype(dtype)
    engine = (generator or default_generator).engine
    n = math.prod(shape)
    if dtype.kind == "c":
        raise RuntimeError(message("random_", f"only integer, floating and bool dtypes (got {dtype.name})"))
    top = _whole_numbers(dtype)[1]
    if low is None and high is None:
        if dtype == np.float64 or top >= 2**62:
            values = engine.words64(n)
        else:
            values = engine.raw(n)
        return _offset(_remainder(values, top + 1), 0, dtype).reshape(shape)
    low = 0 if low is None else low
    if high is None:
        if dtype == np.int64 and low == -(2**63):
            return engine.words64(n).view(np.int64).reshape(shape)
        _check_end(dtype, "from", low)
        low = _reachable_low(dtype, low)
        if low > top:
            raise RuntimeError(message("random_", f"from must not exceed {dtype.name}'s {top}", {"from": low}))
        high = top + 1
    else:
        low, high = _check_range(dtype, low, high)
    span = high - low
    values = engine.words64(n) if span >= _WIDE_RANGE else engine.raw(n)
    return _offset(_remainder(values, span), low, dtype).reshape(shape)


def randint(shape: Shape, dtype: Any, low: int, high: int, generator: Generator | None = None) -> np.ndarray:
    """Whole numbers, uniform over [low, high).

    Args:
        shape: of the result.
        dtype: an integer, bool or floating NumPy dtype.
        low, high: the ends.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when the range is empty or does not fit the dtype, for a complex dtype.

    Example:
        >>> randint((4,), np.int64, 3, 100, Generator().manual_seed(3)).tolist()
        [97, 22, 74, 92]
    """
    return random_(shape, dtype, low, high, generator)


@lru_cache(64)
def _whole_numbers(dtype: np.dtype) -> tuple[int, int]:
    """The least value, and the largest whole number up to which the dtype has all."""
    if dtype.kind == "b":
        return 0, 1
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return int(info.min), int(info.max)
    most = 1 << _DIGITS[dtype.name]
    return -most, most


def _remainder(values: np.ndarray, span: int) -> np.ndarray:
    """values % span, in place; span up to 2**64."""
    if span & (span - 1) == 0:
        values &= np.uint64(span - 1)
    else:
        values %= np.uint64(span)
    return values


def _offset(values: np.ndarray, low: int, dtype: np.dtype) -> np.ndarray:
    """values + low modulo 2**64, read as int64, in `dtype`."""
    if low:
        values += np.uint64(low % 2**64)
    return cast(values if dtype == np.uint64 else values.view(np.int64), dtype)


def _check_range(dtype: np.dtype, low: int, high: int) -> tuple[int, int]:
    if low < high:
        _check_end(dtype, "from", low)
        _check_end(dtype, "to - 1", high - 1)
        low, high = _reachable_low(dtype, low), _reachable_high(dtype, high)
    if low >= high:
        raise RuntimeError(message("random_", "from must be less than to", {"from": low, "to": high}))
    return low, high


def _check_end(dtype: np.dtype, name: str, end: int) -> None:
    least, most = _whole_numbers(dtype)
    if least <= end <= most:
        return
    if is_floating(dtype) and abs(end) <= largest(dtype):
        rule = f"{name} lies outside [{least}, {most}], where {dtype.name} has every whole number"
        warnings.warn(message("random_", rule, {name: end}), UserWarning, stacklevel=2)
        return
    raise RuntimeError(message("random_", f"{name} is out of bounds for {dtype.name}", {name: end}))


def _rounded(dtype: np.dtype, value: int) -> int:
    return int(cast(np.array([value], np.int64), dtype)[0])


def _reachable_low(dtype: np.dtype, low: int) -> int:
    """The first whole number from `low` on that does not round below it."""
    if not is_floating(dtype):
        return low
    rounded = _rounded(dtype, low + 1)
    if rounded < low:
        return rounded + (1 << (abs(low + 1).bit_length() - _DIGITS[dtype.name]))
    return low


def _reachable_high(dtype: np.dtype, high: int) -> int:
    """The last end before `high` that no drawn number rounds up to."""
    rounded = _rounded(dtype, high - 1)
    if rounded >= high:
        return rounded - (1 << (abs(high - 1).bit_length() - _DIGITS[dtype.name]))
    return high


def randperm(n: int, dtype: Any = np.int64, generator: Generator | None = None) -> np.ndarray:
    """The numbers 0 to n - 1 in random order.

    Args:
        n: how many.
        dtype: an integer or floating NumPy dtype that holds n exactly.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when n is negative or too large for the dtype.

    Example:
        >>> randperm(10, np.int64, Generator().manual_seed(3)).tolist()
        [6, 0, 3, 7, 8, 5, 1, 9, 2, 4]
    """
    dtype = np.dtype(dtype)
    if n < 0:
        raise RuntimeError(message("randperm", "n must not be negative", {"n": n}))
    if dtype.kind in "bc":
        raise RuntimeError(message("randperm", f"not implemented for {dtype.name}"))
    if n > _whole_numbers(dtype)[1] + 1:
        raise RuntimeError(message("randperm", f"n is too large for {dtype.name}", {"n": n}))
    engine = (generator or default_generator).engine
    if n >= _SMALL_PERM:
        return cast(_large_permutation(n, engine), dtype)
    if n < 2:
        return np.zeros(n, dtype)
    partner = engine.raw(n - 1).view(np.int64)
    steps = np.arange(n - 1)
    partner %= n - steps
    partner += steps
    if n > 256:
        return cast(_swapped(partner), dtype)
    items = list(range(n))
    for i, j in enumerate(partner.tolist()):
        items[i], items[j] = items[j], items[i]
    return cast(np.array(items, np.int64), dtype)


def _swapped(partner: np.ndarray) -> np.ndarray:
    """What 0, 1, 2, ... becomes when place i swaps with place partner[i] >= i, for i = 0, 1, 2, ... in turn.

    Place p changes before its own turn only through the earlier i with partner[i] = p, and then takes what i held at
    its turn. So what p holds at its turn is found by following "the last earlier i that chose me" to a place that
    nobody chose, which holds its own number.
    """
    count = len(partner)
    bits = count.bit_length()
    order = np.sort((partner << bits) | np.arange(count))
    who, place = order & ((1 << bits) - 1), order >> bits
    again = place[1:] == place[:-1]
    earlier = np.full(count, -1)  # the last step before i that chose the same place
    earlier[who[1:][again]] = who[:-1][again]
    last = np.flatnonzero(np.append(~again, True))
    source, chosen = who[last], place[last]
    source = np.where(source == chosen, earlier[source], source)  # a swap with oneself changes nothing
    held = np.arange(count + 1)
    held[chosen] = np.where(source < 0, chosen, source)
    while True:
        further = held[held]
        if np.array_equal(further, held):
            break
        held = further
    result = np.empty(count + 1, np.int64)
    result[:count] = np.where(earlier < 0, partner, held[earlier])
    result[count] = held[count]
    return result


def _large_permutation(n: int, engine: Any) -> np.ndarray:
    """Fisher and Yates from the inside out with 64-bit draws."""
    items = np.arange(n)
    block = 1 << 20
    for start in range(0, n, block):
        stop = min(start + block, n)
        partner = (engine.words64(stop - start) % np.arange(start + 1, stop + 1, dtype=np.uint64)).tolist()
        for i, j in enumerate(partner, start):
            items[i] = items[j]
            items[j] = i
    return items


def geometric(shape: Shape, dtype: Any, p: float, generator: Generator | None = None) -> np.ndarray:
    """How many trials until the first success, at success probability 0 < p < 1.

    Args:
        shape: of the result.
        dtype: a floating or integer NumPy dtype.
        p: probability of success.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when p is not inside (0, 1).

    Example:
        >>> geometric((4,), np.int64, 0.2, Generator().manual_seed(3)).tolist()
        [16, 6, 2, 8]
    """
    if not 0 < p < 1:
        raise RuntimeError(message("geometric_", "p must lie in (0, 1)", {"p": p}))
    values = (generator or default_generator).engine.doubles(math.prod(shape))
    with np.errstate(divide="ignore"):
        np.log(values, out=values)
    values /= math.log1p(-p)
    np.ceil(values, out=values)
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        # C++ narrows through a 64-bit integer and keeps the low bits.
        values = np.minimum(values, 2.0**62).astype(np.int64)
    return cast(values, dtype).reshape(shape)


def bernoulli(
    shape: Shape, dtype: Any, p: float | np.ndarray = 0.5, generator: Generator | None = None
) -> np.ndarray:
    """Coin flips: 1 with probability p, else 0.

    Args:
        shape: of the result.
        dtype: any NumPy dtype.
        p: one probability, or an array of them (floating, broadcast to `shape`). A number and a float64 array are
            compared with 53-bit uniforms, arrays of the smaller types with 24-bit ones.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when a probability lies outside [0, 1] or the array of them is not floating or does not broadcast.

    Example:
        >>> bernoulli((4,), np.int64, 0.5, Generator().manual_seed(3)).tolist()
        [1, 1, 0, 1]
    """
    engine = (generator or default_generator).engine
    if not isinstance(p, np.ndarray):
        if not 0 <= p <= 1:
            raise RuntimeError(message("bernoulli_", "p must lie in [0, 1]", {"p": p}))
        return _coins(engine, shape, dtype, p)
    require_floating("bernoulli_", p.dtype)
    wide = p.dtype.itemsize == 8
    chance = p if wide else p.astype(np.float32, copy=False)
    _refuse_chances(chance)
    if chance.shape != shape:
        try:
            chance = np.broadcast_to(chance, shape)
        except ValueError:
            rule = "the probabilities must broadcast to the result"
            raise RuntimeError(message("bernoulli_", rule, {"p": list(p.shape), "self": list(shape)})) from None
    n = math.prod(shape)
    flips = (engine.doubles(n) if wide else engine.floats(n)).reshape(shape) < chance
    return np.asarray(flips, dtype)  # a comparison of 0-d arrays is no array


def _coins(engine: Any, shape: Shape, dtype: Any, p: float) -> np.ndarray:
    return (engine.doubles(math.prod(shape)) < p).astype(dtype).reshape(shape)


def _refuse_chances(chance: np.ndarray) -> None:
    if chance.size and not (chance.min() >= 0 and chance.max() <= 1):
        raise RuntimeError(message("bernoulli_", "every p must lie in [0, 1]"))


def dropout_mask(shape: Shape, dtype: Any, p: float, generator: Generator | None = None) -> np.ndarray:
    """The factors that dropout multiplies by: 0 with probability p, else 1 / (1 - p).

    Args:
        shape: of the result.
        dtype: a floating or complex NumPy dtype.
        p: probability of dropping, 0 <= p < 1. (At p = 0 and p = 1 torch's dropout draws nothing: handle them first.)
        generator: the source, default the default generator.

    Raises:
        ValueError: when p is not in [0, 1).

    Example:
        >>> dropout_mask((4,), np.float32, 0.5, Generator().manual_seed(3)).tolist()
        [2.0, 2.0, 0.0, 2.0]
    """
    if not 0 <= p < 1:
        raise ValueError(message("dropout", "p must lie in [0, 1)", {"p": p}))
    dtype = np.dtype(dtype)
    mask = _coins((generator or default_generator).engine, shape, dtype, 1.0 - p)
    keep = np.float64(1.0 - p) if dtype in (np.float64, np.complex128) else np.float32(1.0 - p)
    mask *= (1 / keep).astype(dtype)
    return mask


def multinomial(
    weights: np.ndarray, num_samples: int, replacement: bool = False, generator: Generator | None = None
) -> np.ndarray:
    """Indices drawn from rows of weights, which need not sum to one.

    Without replacement (and for a single sample) each weight is divided by an exponential number and the largest
    quotients win; with replacement the running sums of a row are searched.

    Args:
        weights: [c] or [m, c], floating, finite, not negative, a positive sum per row.
        num_samples: how many per row.
        replacement: whether an index can come twice.
        generator: the source, default the default generator.

    Returns:
        int64 [num_samples] or [m, num_samples].

    Raises:
        RuntimeError: when the shape, the weights or the count is not as above.

    Example:
        >>> multinomial(np.array([0.1, 0.2, 0.3, 0.4]), 3, False, Generator().manual_seed(3)).tolist()
        [0, 3, 1]
    """
    _check_multinomial(weights, num_samples, replacement)
    if weights.size == 0:
        return np.empty((*weights.shape[:-1], num_samples), np.int64)
    if not np.all((weights >= 0) & (weights < np.inf)):
        raise RuntimeError(message("multinomial", "the weights must be finite and not negative"))
    if np.any(weights.astype(np.float64).sum(-1) <= 0):
        raise RuntimeError(message("multinomial", "the weights of a row must have a positive sum"))
    if replacement and num_samples > 1:
        return _search_sums(weights, num_samples, generator or default_generator)
    luck = exponential(weights.shape, weights.dtype, 1.0, generator)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        luck = weights / luck
    if num_samples == 1:
        return luck.argmax(-1, keepdims=True)
    return np.argsort(-luck, axis=-1, kind="stable")[..., :num_samples].astype(np.int64, copy=False)


def _check_multinomial(weights: np.ndarray, num_samples: int, replacement: bool) -> None:
    require_floating("multinomial", weights.dtype)
    shape = list(weights.shape)
    if weights.ndim not in (1, 2):
        raise RuntimeError(message("multinomial", "the weights must have one or two dimensions", {"input": shape}))
    if num_samples <= 0:
        raise RuntimeError(message("multinomial", "num_samples must be positive", {"num_samples": num_samples}))
    if not replacement and num_samples > shape[-1]:
        raise RuntimeError(
            message("multinomial", "more samples than categories", {"num_samples": num_samples, "input": shape},
                    hint="replacement=True allows it")
        )  # fmt: skip
    if shape[-1] > 1 << 24:
        raise RuntimeError(message("multinomial", "at most 2**24 categories", {"input": shape}))
    if shape[-1] == 0 and weights.ndim == 1 or weights.ndim == 2 and shape[1] == 0 < shape[0]:
        raise RuntimeError(message("multinomial", "there are no categories", {"input": shape}))


def _search_sums(weights: np.ndarray, num_samples: int, generator: Generator) -> np.ndarray:
    rows = weights.reshape(-1, weights.shape[-1])
    sums = np.cumsum(rows, axis=-1, dtype=np.result_type(rows.dtype, np.float32))
    sums /= sums[:, -1:].copy()
    table = sums.astype(np.float64)
    table[:, -1] = 1
    points = generator.engine.doubles(len(rows) * num_samples).reshape(len(rows), num_samples)
    drawn = np.empty(points.shape, np.int64)
    for row, (edges, at) in enumerate(zip(table, points)):
        drawn[row] = np.searchsorted(edges, at, side="left")
    return drawn.reshape(*weights.shape[:-1], num_samples)
