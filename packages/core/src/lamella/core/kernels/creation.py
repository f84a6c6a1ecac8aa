"""Array factories."""

from __future__ import annotations

import math
from typing import Any

from .. import dtypes as dt, random as rng
from ..promotion import scalar_dtype
from .conversion import scalar_for


def empty_memory_format(xp: Any, size: Any, dtype: Any) -> Any:
    return xp.empty(size, (dtype or dt.get_default_dtype()).np)


def empty_strided(xp: Any, size: Any, stride: Any, dtype: Any) -> Any:
    d = (dtype or dt.get_default_dtype()).np
    if 0 in size:
        return xp.empty(size, d)
    span = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    return xp.ndarray(tuple(size), d, xp.empty(span, d), 0, tuple(s * d.itemsize for s in stride))


#: Half the range of int64: numbers whose difference is one, too.
_HALF = 1 << 62


def full(xp: Any, size: Any, fill_value: Any, dtype: Any) -> Any:
    d = (dtype or scalar_dtype(fill_value)).np
    if fill_value == 0 and not isinstance(fill_value, complex) and math.copysign(1.0, fill_value) > 0:
        return xp.zeros(size, d)
    r = xp.empty(size, d)
    r.fill(scalar_for("full", d, fill_value) if d.kind in "iu" else fill_value)
    return r


def arange_start_step(xp: Any, start: Any, end: Any, step: Any, dtype: Any) -> Any:
    whole = start.__class__ is end.__class__ is step.__class__ is int and (dtype is None or dtype is dt.int64)
    if whole and -_HALF < start < _HALF and -_HALF < end < _HALF:
        return xp.arange(start, end, step, xp.int64)
    d = dtype or arange_dtype(start, end, step)
    n = arange_length(start, end, step, d)
    if d.category == 1:
        return (int(start) + int(step) * xp.arange(n, dtype=xp.int64)).astype(d.np, copy=False)
    # torch computes start + i * step in double and rounds once.
    return (float(start) + float(step) * xp.arange(n, dtype=xp.float64)).astype(d.np)


def arange_dtype(*values: Any) -> dt.dtype:
    return dt.int64 if all(isinstance(v, int) for v in values) else dt.get_default_dtype()


def arange_length(start: Any, end: Any, step: Any, d: dt.dtype) -> int:
    if d is dt.int64:
        # torch cuts the numbers to integers before it counts, for this type alone.
        start, end, step = int(start), int(end), int(step)
    if all(isinstance(v, int) for v in (start, end, step)):
        return max(0, -((start - end) // step))
    return max(0, math.ceil((end - start) / step))


def linspace(xp: Any, start: Any, end: Any, steps: int, dtype: Any) -> Any:
    d = dtype or _linspace_dtype(start, end)
    work = xp.complex128 if d.is_complex else xp.float64
    if steps == 0:
        return xp.empty(0, d.np)
    if steps == 1:
        return xp.full(1, int(start) if d.category == 1 else start, work).astype(d.np)
    # Counted from both ends, as torch does: both end points are exact.
    i = xp.arange(steps)
    if d.category == 2 and d.itemsize == 4:
        f = xp.float32
        step = (f(end) - f(start)) / f(steps - 1)
        ramp = i.astype(f)
        return xp.where(i < steps // 2, f(start) + ramp * step, f(end) - step * (f(steps - 1) - ramp))
    if d.category == 1:
        start, end = int(start), int(end)
        step = (float(end) - float(start)) / (steps - 1)
        low = xp.trunc(start + step * i)
        return xp.where(i < steps // 2, low, xp.trunc(end - step * (steps - 1 - i))).astype(d.np)
    step = (work(end) - work(start)) / (steps - 1)
    return xp.where(i < steps // 2, start + step * i, end - step * (steps - 1 - i)).astype(d.np)


def _linspace_dtype(start: Any, end: Any) -> dt.dtype:
    return (
        dt.get_default_complex() if isinstance(start, complex) or isinstance(end, complex) else dt.get_default_dtype()
    )


def logspace(xp: Any, start: Any, end: Any, steps: int, base: float, dtype: Any) -> Any:
    d = dtype or _linspace_dtype(start, end)
    wide = dt.complex128 if d.is_complex else dt.float64
    if d.category == 1:
        start, end = int(start), int(end)
    return xp.power(base, linspace(xp, start, end, steps, wide)).astype(d.np)


def eye_m(xp: Any, n: int, m: int, dtype: Any) -> Any:
    return xp.eye(n, m, dtype=(dtype or dt.get_default_dtype()).np)


def rand(xp: Any, size: Any, generator: Any, dtype: Any) -> Any:
    return rng.uniform(size, (dtype or dt.get_default_dtype()).np, 0.0, 1.0, generator)


def randn(xp: Any, size: Any, generator: Any, dtype: Any) -> Any:
    return rng.normal(size, (dtype or dt.get_default_dtype()).np, 0.0, 1.0, generator)


def randint_low(xp: Any, low: int, high: int, size: Any, generator: Any, dtype: Any) -> Any:
    return rng.randint(size, (dtype or dt.int64).np, low, high, generator)


def randperm(xp: Any, n: int, generator: Any, dtype: Any) -> Any:
    return rng.randperm(n, (dtype or dt.int64).np, generator)
