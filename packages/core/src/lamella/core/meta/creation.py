"""Shape rules of factories."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from ..kernels.creation import _linspace_dtype, arange_dtype, arange_length
from ..promotion import scalar_dtype


def empty_memory_format(size: Any, *, dtype: Any = None, **_: Any) -> Any:
    return size, dtype or dt.get_default_dtype()


def empty_strided(size: Any, stride: Any, *, dtype: Any = None, **_: Any) -> Any:
    return size, dtype or dt.get_default_dtype(), tuple(stride)


def full(size: Any, fill_value: Any, *, dtype: Any = None, **_: Any) -> Any:
    return size, dtype or scalar_dtype(fill_value)


def arange_start_step(start: Any, end: Any, step: Any = 1, *, dtype: Any = None, **_: Any) -> Any:
    d = dtype or arange_dtype(start, end, step)
    return (arange_length(start, end, step, d),), d


def linspace(start: Any, end: Any, steps: int, *, dtype: Any = None, **_: Any) -> Any:
    return (steps,), dtype or _linspace_dtype(start, end)


def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, **_: Any) -> Any:
    return (steps,), dtype or _linspace_dtype(start, end)


def eye_m(n: int, m: int, *, dtype: Any = None, **_: Any) -> Any:
    return (n, m), dtype or dt.get_default_dtype()


def rand(size: Any, *, dtype: Any = None, **_: Any) -> Any:
    return size, dtype or dt.get_default_dtype()


randn = rand


def randint_low(low: int, high: int, size: Any, *, dtype: Any = None, **_: Any) -> Any:
    return size, dtype or dt.int64


def randperm(n: int, *, dtype: Any = None, **_: Any) -> Any:
    return (n,), dtype or dt.int64
