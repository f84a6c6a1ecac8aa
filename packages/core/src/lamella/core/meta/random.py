"""Shape rules of samples."""

from __future__ import annotations

from typing import Any

from .. import dtypes as dt
from . import same as same


def multinomial(self: Any, num_samples: int, replacement: bool = False, *, generator: Any = None) -> Any:
    return (*self._a.shape[:-1], num_samples), dt.int64
