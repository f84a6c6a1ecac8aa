"""Factories whose CPU form makes an array over a buffer of the host."""

from __future__ import annotations

from typing import Any

from ... import dtypes as dt
from ..memory import strided
from ..xp import CUPY


def empty_strided(xp: Any, size: Any, stride: Any, dtype: Any) -> Any:
    """An array whose elements are not set, with steps (in elements) that are given."""
    d = (dtype or dt.get_default_dtype()).np
    if 0 in size:
        return CUPY.empty(size, d)
    span = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    return strided(CUPY.empty(span, d), tuple(size), tuple(s * d.itemsize for s in stride))
