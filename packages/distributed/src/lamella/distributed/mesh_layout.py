"""How a mesh's dimensions step through its list of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

#: One dimension: its parts (size, step through the root's list of ranks); a flattened dimension has several.
Axis = tuple[tuple[int, int], ...]


def size_of(axis: Axis) -> int:
    """The number of ranks along a dimension."""
    return math.prod(n for n, _ in axis)


def collapsed(parts: Axis) -> Axis:
    """The same positions in the same order with as few parts as will do."""
    out: list[tuple[int, int]] = []
    for n, step in parts:
        if out and out[-1][1] == n * step:
            out[-1] = (out[-1][0] * n, step)
        elif n > 1 or not out:
            if out and out[-1][0] == 1:
                out.pop()
            out.append((n, step))
    return tuple(out)


def offsets(axes: Sequence[Axis]) -> np.ndarray:
    """Where each place of a grid lies, counted from its first place."""
    grid: Any = np.zeros((), np.int64)
    for axis in axes:
        along: Any = np.zeros((), np.int64)
        for n, step in axis:
            along = (along[..., None] + np.arange(n) * step).reshape(-1)
        grid = grid[..., None] + along
    return grid
