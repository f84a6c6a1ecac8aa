"""Sums on a GPU: CuPy's reductions add in a tree, along any dimension."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY


def ones_of(xp: Any, n: int, d: Any) -> Any:
    """A vector of ones."""
    return CUPY.ones(n, d)


def well_scaled(xp: Any, sums: Any) -> bool:
    """False: looking at sums would make the host wait for the GPU."""
    return False


def number_of(xp: Any, n: Any, d: Any) -> Any:
    """A number as a NumPy scalar, which CuPy passes to a kernel by value."""
    return d.type(n)


def steps(xp: Any, stop: int, step: int) -> Any:
    """``arange(0, stop, step)``."""
    return CUPY.arange(0, stop, step)


def line_sums(xp: Any, a: Any, dim: Any, keepdim: bool = False) -> Any:
    """None: reductions are as quick as products with ones."""
    return None


def square_reduce(xp: Any, a: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """The sum of squares of real numbers."""
    return add_reduce(xp, a * a, axis, None, keepdim)


def add_reduce(xp: Any, a: Any, axis: Any, d: Any = None, keepdim: bool = False) -> Any:
    """The sums along dimensions."""
    return CUPY.add.reduce(a, axis, d, None, keepdim)
