"""Extremes on a GPU: values by one reduction, places by another, and nothing that the host would have to wait for."""

from __future__ import annotations

from typing import Any

from ...checks import wrap_dim
from ...kernels.reducing import no_complex, not_empty
from ..xp import CUPY

__all__ = ["_places", "max_dim", "min_dim"]


def _places(xp: Any, name: str, a: Any, axis: int | None) -> Any:
    """Where the extremes stand first; CuPy finds no places of bfloat16 and bool."""
    if a.dtype.kind == "V":
        a = a.astype(CUPY.float32)
    elif a.dtype.kind == "b":
        a = a.astype(CUPY.uint8)
    return getattr(a, name)(axis)


def _along(name: str) -> Any:
    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        no_complex(name, self)
        axis = wrap_dim(name, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), CUPY.zeros((), CUPY.int64)
        not_empty(name, self, axis)
        index = CUPY.expand_dims(_places(xp, f"arg{name}", self, axis), axis)
        values = CUPY.take_along_axis(self, index, axis)
        return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))

    return along


max_dim, min_dim = _along("max"), _along("min")
