"""Python numbers as elements of a type."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def fits(number: Any, dtype: str) -> bool:
    """Whether a Python number, without its fraction, is one of an integer type; never of one that is not known."""
    if not isinstance(number, (int, float)) or not math.isfinite(number):
        return False
    info = np.iinfo(dtype)
    return int(info.min) <= int(number) <= int(info.max)
