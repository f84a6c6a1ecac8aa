"""Comparison, logical and bitwise array functions that are not plain ufuncs."""

from __future__ import annotations

from typing import Any


def isreal(xp: Any, self: Any) -> Any:
    return self.imag == 0 if self.dtype.kind == "c" else xp.ones(self.shape, bool)


def _width(a: Any) -> int:
    return a.dtype.itemsize * 8


def bitwise_left_shift_Tensor(xp: Any, self: Any, other: Any) -> Any:
    bad = (other < 0) | (other >= _width(self))
    return xp.where(bad, 0, xp.left_shift(self, xp.where(bad, 0, other))).astype(self.dtype)


def bitwise_right_shift_Tensor(xp: Any, self: Any, other: Any) -> Any:
    top = _width(self) - 1
    shift = xp.where((other < 0) | (other > top), top, other).astype(other.dtype)
    return xp.right_shift(self, shift)
