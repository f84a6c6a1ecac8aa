"""Continuous distributions: what torch's CPU kernels make of the generator's words.

Every function takes a shape and a NumPy dtype and returns a new C-contiguous array; the order in which elements take
their numbers is the order of that array. `fill` gives an array of any strides the order that torch uses for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .generator import Generator, default_generator

_CHUNK = 1 << 16  # elements that are made and transformed while they sit in the cache; a multiple of 16
_BLOCK = 16  # torch pairs uniform i with uniform i + 8 of each block of 16 for Box-Muller
_TWO_PI = 2 * math.pi
_LOW53 = (1 << 53) - 1
_REAL = {np.dtype(np.complex64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.float64)}
Shape = tuple[int, ...]


def is_floating(dtype: np.dtype) -> bool:
    """Whether a NumPy dtype is one of torch's real floating types (bfloat16 is a foreign type to NumPy)."""
    return dtype.kind == "f" or (dtype.kind == "V" and dtype.name == "bfloat16")


@lru_cache(16)
def largest(dtype: np.dtype) -> float:
    """The largest finite number of a floating dtype."""
    return 255 * 2.0**120 if dtype.name == "bfloat16" else float(np.finfo(dtype).max)


def require_floating(op: str, dtype: Any) -> np.dtype:
    """The dtype, or an error when a continuous distribution cannot be stored in it."""
    dtype = np.dtype(dtype)
    if not is_floating(dtype):
        raise NotImplementedError(message(op, f"the dtype must be floating point (got {dtype.name})"))
    return dtype


def cast(values: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Convert as C++ does: to the 16-bit types by way of float32, to the others directly."""
    if dtype.itemsize == 2 and is_floating(dtype):
        values = values.astype(np.float32, copy=False)
    return values.astype(dtype, copy=False)


def fill(out: np.ndarray, sampler: Callable[..., np.ndarray], *args: Any, **kwargs: Any) -> np.ndarray:
    """Fill an array of any strides in place with `sampler(shape, dtype, *args, **kwargs)`.

    torch's iterator walks memory, not indices: a transposed matrix takes its numbers down its columns.

    Args:
        out: the array to write.
        sampler: one of this package's array functions.
        args, kwargs: the rest of its arguments; arrays among `args` broadcast to `out` and are walked along with it.

    Returns:
        `out`.

    Example:
        >>> a = np.zeros((2, 3)).T
        >>> b = fill(a, uniform, generator=Generator().manual_seed(0))
        >>> bool((b.T == uniform((2, 3), np.float64, generator=Generator().manual_seed(0))).all())
        True
    """
    if out.flags.c_contiguous:
        out[...] = sampler(out.shape, out.dtype, *args, **kwargs)
        return out
    order = sorted(range(out.ndim), key=lambda d: -abs(out.strides[d]))
    walked = out.transpose(order)
    if sampler is normal:
        kwargs["contiguous"] = False
    args = tuple(
        np.broadcast_to(a, out.shape).transpose(order) if isinstance(a, np.ndarray) else a for a in args
    )
    walked[...] = sampler(walked.shape, out.dtype, *args, **kwargs)
    return out


def uniform(
    shape: Shape, dtype: Any, low: float = 0.0, high: float = 1.0, generator: Generator | None = None
) -> np.ndarray:
    """Numbers uniform in [low, high): 53 random bits for float64, 24 for the smaller types.

    Args:
        shape: of the result.
        dtype: a floating or complex NumPy dtype (complex: both parts uniform).
        low, high: the ends; equal ends give a constant.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when low > high, when an end or their distance does not fit the dtype, for an integer dtype.

    Example:
        >>> uniform((2,), np.float32, generator=Generator().manual_seed(0)).tolist()
        [0.49625658988952637, 0.7682217955589294]
    """
    dtype = np.dtype(dtype)
    engine = (generator or default_generator).engine
    if dtype in _REAL:
        parts = uniform((*shape, 2), _REAL[dtype], low, high, generator)
        return parts.view(dtype).reshape(shape)
    dtype = require_floating("uniform_", dtype)
    n = math.prod(shape)
    unit = low == 0.0 and high == 1.0
    if not unit:
        _check_uniform(dtype, low, high)
    if dtype.itemsize == 8:
        values = engine.doubles(n)
        if not unit:
            values *= high - low
            values += low
    else:
        values = engine.floats(n)
        if not unit:
            values = _stretch(values, low, high)
        if dtype.itemsize == 2:
            values = cast(values, dtype)
    if not unit or dtype.itemsize == 2:
        # Rounding can land on the open end; torch sends those to the closed one.
        values[values == dtype.type(high)] = low
    return values.reshape(shape)


def _stretch(unit: np.ndarray, low: float, high: float) -> np.ndarray:
    """unit * (high - low) + low in float32 with one rounding, as the fused multiply-add in torch's kernel has it."""
    start = np.float32(low)
    width = np.float32(high) - start
    if low == 0:
        unit *= width
        return unit
    wide = np.multiply(unit, width, dtype=np.float64)
    return np.add(wide, start, out=unit, casting="same_kind")


def _check_uniform(dtype: np.dtype, low: float, high: float) -> None:
    limit = largest(dtype)
    for name, end in (("from", low), ("to", high)):
        if not -limit <= end <= limit:
            raise RuntimeError(message("uniform_", f"{name} is out of bounds for {dtype.name}", {name: end}))
    if low > high:
        raise RuntimeError(message("uniform_", "from must not exceed to", {"from": low, "to": high}))
    if high - low > limit:
        raise RuntimeError(message("uniform_", f"to - from exceeds {dtype.name}'s range", {"from": low, "to": high}))


def normal(
    shape: Shape,
    dtype: Any,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
    contiguous: bool = True,
) -> np.ndarray:
    """Normal numbers by Box and Muller's method, through the same two paths as torch.

    Fewer than 16 elements, or memory with gaps, take float64 pairs one by one; the second half of an odd pair waits in
    the generator for the next such call. Otherwise whole blocks of 16 uniforms are turned at once, and the last 16
    elements are drawn again when the size is no multiple of 16.

    Args:
        shape: of the result.
        dtype: a floating or complex NumPy dtype. The two parts of a complex number share the variance std**2 equally,
            and both have the given mean.
        mean, std: of the distribution; std may be 0.
        generator: the source, default the default generator.
        contiguous: False for a destination that is not contiguous.

    Raises:
        RuntimeError: when std is negative or nan, for an integer dtype.

    Example:
        >>> normal((2,), np.float32, generator=Generator().manual_seed(0)).tolist()
        [1.5409960746765137, -0.293428897857666]
    """
    if not std >= 0:
        raise RuntimeError(message("normal", "std must be at least 0", {"std": std}))
    dtype = np.dtype(dtype)
    generator = generator or default_generator
    if dtype in _REAL:
        parts = normal((*shape, 2), _REAL[dtype], mean, std / math.sqrt(2), generator, contiguous)
        return parts.view(dtype).reshape(shape)
    dtype = require_floating("normal_", dtype)
    n = math.prod(shape)
    if n >= _BLOCK and contiguous:
        return cast(_normal_blocks(n, dtype, mean, std, generator), dtype).reshape(shape)
    values = standard_normals(n, generator)
    if std != 1:
        values *= std
    if mean != 0:
        values += mean
    return cast(values, dtype).reshape(shape)


def standard_normals(n: int, generator: Generator) -> np.ndarray:
    """`n` float64 normals drawn in pairs; an odd one out stays in the generator for the next call."""
    ready = [] if generator.next_normal is None or n == 0 else [generator.next_normal]
    pairs = (n - len(ready) + 1) // 2
    if n == 0:
        return np.empty(0)
    if pairs < 32:
        values = _few_normals(pairs, generator)
        made = np.array(ready + values)
    else:
        u = generator.engine.doubles(2 * pairs).reshape(pairs, 2)
        radius = np.sqrt(-2.0 * np.log1p(-u[:, 1]))
        angle = u[:, 0] * _TWO_PI
        made = np.empty(len(ready) + 2 * pairs)
        made[: len(ready)] = ready
        np.multiply(radius, np.cos(angle), out=made[len(ready) :: 2])
        np.multiply(radius, np.sin(angle), out=made[len(ready) + 1 :: 2])
    generator.next_normal = float(made[n]) if len(made) > n else None
    return made[:n]


def _few_normals(pairs: int, generator: Generator) -> list[float]:
    """The same by Python floats: a fifth of the time for a handful, and the C library's own rounding."""
    words = generator.engine.raw(4 * pairs).tolist()
    values = []
    for i in range(0, 4 * pairs, 4):
        angle = (((words[i] << 32) | words[i + 1]) & _LOW53) * 2.0**-53 * _TWO_PI
        radius = math.sqrt(-2.0 * math.log1p(-((((words[i + 2] << 32) | words[i + 3]) & _LOW53) * 2.0**-53)))
        values.append(radius * math.cos(angle))
        values.append(radius * math.sin(angle))
    return values


def _normal_blocks(n: int, dtype: np.dtype, mean: float, std: float, generator: Generator) -> np.ndarray:
    """At least 16 normals in blocks; float32 also for the 16-bit types."""
    wide = dtype.itemsize == 8
    out = np.empty(n, np.float64 if wide else np.float32)
    draw = generator.engine.doubles if wide else generator.engine.floats
    whole = n - n % _BLOCK
    for start in range(0, whole, _CHUNK):
        part = out[start : min(start + _CHUNK, whole)]
        draw(len(part), part)
        _box_muller(part.reshape(-1, _BLOCK), mean, std)
    if whole < n:
        if dtype.itemsize > 2:
            # torch draws a uniform for every element before it starts over on the last 16.
            generator.engine.raw((n - whole) * (2 if wide else 1), False)
        part = out[n - _BLOCK :]
        draw(_BLOCK, part)
        _box_muller(part.reshape(1, _BLOCK), mean, std)
    return out


def _box_muller(blocks: np.ndarray, mean: float, std: float) -> None:
    """Turn uniforms into normals in place, [m, 16]: the first eight give the radius, the last eight the angle."""
    first, second = blocks[:, :8], blocks[:, 8:]
    radius = np.subtract(1, first)
    np.log(radius, out=radius)
    radius *= -2
    np.sqrt(radius, out=radius)
    angle = np.multiply(second, _TWO_PI)
    np.multiply(radius, np.cos(angle), out=first)
    np.sin(angle, out=angle)
    np.multiply(radius, angle, out=second)
    if std != 1:
        blocks *= std
    if mean != 0:
        blocks += mean


def exponential(shape: Shape, dtype: Any, lambd: float = 1.0, generator: Generator | None = None) -> np.ndarray:
    """Exponential numbers with rate `lambd` > 0, by inversion in float64.

    Args:
        shape: of the result.
        dtype: a floating NumPy dtype.
        lambd: the rate; infinity gives zeros.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when lambd is not positive, for a dtype that is not floating.

    Example:
        >>> exponential((1,), np.float32, 2.0, Generator().manual_seed(3)).tolist()
        [0.017351727932691574]
    """
    dtype = require_floating("exponential_", dtype)
    if not lambd > 0:
        raise RuntimeError(message("exponential_", "lambda must be positive", {"lambda": lambd}))
    values = (generator or default_generator).engine.doubles(math.prod(shape))
    np.negative(values, out=values)
    np.log1p(values, out=values)
    values *= -1.0 / lambd
    return cast(values, dtype).reshape(shape)


def cauchy(
    shape: Shape, dtype: Any, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None
) -> np.ndarray:
    """Cauchy numbers around `median` with half-width `sigma` > 0, by inversion in float64.

    Args:
        shape: of the result.
        dtype: a floating NumPy dtype.
        median, sigma: place and scale.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when sigma is not positive, for a dtype that is not floating.

    Example:
        >>> cauchy((1,), np.float32, 1.0, 2.0, Generator().manual_seed(3)).tolist()
        [-17.593225479125977]
    """
    dtype = require_floating("cauchy_", dtype)
    if not sigma > 0:
        raise RuntimeError(message("cauchy_", "sigma must be positive", {"sigma": sigma}))
    values = (generator or default_generator).engine.doubles(math.prod(shape))
    values -= 0.5
    values *= math.pi
    np.tan(values, out=values)
    values *= sigma
    values += median
    with np.errstate(over="ignore"):
        return cast(values, dtype).reshape(shape)


def log_normal(
    shape: Shape, dtype: Any, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None
) -> np.ndarray:
    """Numbers whose logarithm is normal with `mean` and `std` > 0; drawn in pairs, as small `normal` calls are.

    Args:
        shape: of the result.
        dtype: a floating NumPy dtype.
        mean, std: of the logarithm.
        generator: the source, default the default generator.

    Raises:
        RuntimeError: when std is not positive, for a dtype that is not floating.

    Example:
        >>> log_normal((1,), np.float32, 1.0, 0.5, Generator().manual_seed(3)).tolist()
        [4.061848163604736]
    """
    dtype = require_floating("log_normal_", dtype)
    if not std > 0:
        raise RuntimeError(message("log_normal_", "std must be positive", {"std": std}))
    values = standard_normals(math.prod(shape), generator or default_generator)
    values *= std
    values += mean
    with np.errstate(over="ignore"):
        np.exp(values, out=values)
        return cast(values, dtype).reshape(shape)
