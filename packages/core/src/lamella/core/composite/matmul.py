"""Products that are made of other operators."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from ..checks import wrap_dim


def outer(self: Any, vec2: Any) -> Any:
    if self.ndim != 1 or vec2.ndim != 1:
        raise RuntimeError(message("outer", f"expected 1-D tensors, but got {self.ndim}D and {vec2.ndim}D"))
    return self.unsqueeze(1) * vec2


def inner(self: Any, other: Any) -> Any:
    if self.ndim == 0 or other.ndim == 0:
        return self * other
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            message(
                "inner", "the last dimension must match on both input tensors", [list(self.shape), list(other.shape)]
            )
        )
    left, right = math.prod(self.shape[:-1]), math.prod(other.shape[:-1])
    flat = self.reshape(left, self.shape[-1]) @ other.reshape(right, self.shape[-1]).t()
    return flat.reshape(*self.shape[:-1], *other.shape[:-1])


def kron(self: Any, other: Any) -> Any:
    n = max(self.ndim, other.ndim)
    a = self.reshape([1] * (n - self.ndim) + list(self.shape))
    b = other.reshape([1] * (n - other.ndim) + list(other.shape))
    left = [s for x in a.shape for s in (x, 1)]
    right = [s for x in b.shape for s in (1, x)]
    return (a.reshape(left) * b.reshape(right)).reshape([x * y for x, y in zip(a.shape, b.shape, strict=True)])


def linalg_cross(self: Any, other: Any, *, dim: int = -1) -> Any:
    if self.ndim != other.ndim:
        raise RuntimeError(
            message("linalg.cross", f"inputs must have the same number of dimensions, got {self.ndim} and {other.ndim}")
        )
    if self.dtype is not other.dtype:
        raise RuntimeError(
            message("linalg.cross", f"expected scalar type {self.dtype.name} but found {other.dtype.name}")
        )
    d = wrap_dim("linalg.cross", dim, self.ndim)
    if self.shape[d] != 3 or other.shape[d] != 3:
        raise RuntimeError(
            message("linalg.cross", f"inputs dimension {dim} must have length 3", [self.shape[d], other.shape[d]])
        )
    return self.roll(-1, d) * other.roll(-2, d) - self.roll(-2, d) * other.roll(-1, d)
