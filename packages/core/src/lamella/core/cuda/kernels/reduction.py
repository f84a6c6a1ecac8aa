"""Extremes on a GPU: values by one reduction, places by another, and nothing that the host would have to wait for."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from ...checks import reduce_dims, wrap_dim
from ...kernels.pointwise import unsupported
from ...kernels.reducing import no_complex, not_empty
from ..twins import twin
from ..xp import CUPY

__all__ = ["amax", "amin", "argmax", "argmin", "max", "max_dim", "min", "min_dim", "nansum"]


def nansum(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """The sum of what is a number."""
    if self.dtype.kind == "c":
        raise RuntimeError(message("nansum", "it does not support complex inputs"))
    a = self if self.dtype.kind in "biu" else CUPY.where(CUPY.isnan(self), self.dtype.type(0), self)
    return twin("lamella.core.kernels.reduction").sum_dim_IntList(xp, a, dim, keepdim, dtype)


def _comparable(a: Any) -> Any:
    """An array in a type whose places CuPy can find."""
    if a.dtype.kind == "V":
        return a.astype(CUPY.float32)
    return a.astype(CUPY.uint8) if a.dtype.kind == "b" else a


def _places(arg: str, a: Any, axis: int | None) -> Any:
    """Where the extreme stands first (the first nan, if there is one)."""
    return getattr(_comparable(a), arg)(axis)


def _extreme(name: str, ufunc: str, arg: str) -> tuple[Any, Any, Any]:
    def full(xp: Any, self: Any) -> Any:
        no_complex(name, self)
        not_empty(name, self, None)
        return getattr(CUPY, ufunc).reduce(self, None)

    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        no_complex(name, self)
        axis = wrap_dim(name, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), CUPY.zeros((), CUPY.int64)
        not_empty(name, self, axis)
        index = CUPY.expand_dims(_places(arg, self, axis), axis)
        values = CUPY.take_along_axis(self, index, axis)
        return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))

    def over(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        no_complex(f"a{name}", self)
        axis = reduce_dims(f"a{name}", dim, self.ndim)
        if self.ndim == 0:
            return self.copy()
        not_empty(f"a{name}", self, axis)
        r = getattr(CUPY, ufunc).reduce(self, axis, None, None, keepdim)
        return r if r.flags.c_contiguous else CUPY.ascontiguousarray(r)

    return full, along, over


max, max_dim, amax = _extreme("max", "maximum", "argmax")  # noqa: A001 - the operators' names
min, min_dim, amin = _extreme("min", "minimum", "argmin")  # noqa: A001


def _arg(name: str) -> Any:
    def arg(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        no_complex(name, self)
        axis = None if dim is None else wrap_dim(name, dim, self.ndim)
        if self.dtype.kind == "b":
            raise unsupported(name, self.dtype)
        not_empty(name, self, axis, IndexError)
        if self.ndim == 0:
            return CUPY.zeros((), CUPY.int64)
        r = _places(name, self, axis)
        if not keepdim:
            return r
        return r.reshape((1,) * self.ndim) if axis is None else CUPY.expand_dims(r, axis)

    return arg


argmax, argmin = _arg("argmax"), _arg("argmin")
