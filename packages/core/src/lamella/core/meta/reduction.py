"""Shape rules of reductions."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..checks import reduce_dims, wrap_dim
from ..kernels.reducing import not_empty
from ..tensor import Tensor
from . import same as same


def reduced(op: str, self: Tensor, dim: Any, keepdim: bool) -> tuple[int, ...]:
    """The shape after reducing ``dim`` (None: all)."""
    shape = self._a.shape
    axis = reduce_dims(op, dim, len(shape))
    if axis is None:
        return (1,) * len(shape) if keepdim else ()
    if keepdim:
        return tuple(1 if i in axis else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axis)


def _sum_dtype(self: Tensor, dtype: Any) -> dt.dtype:
    return dtype or (dt.int64 if self.dtype.category < 2 else self.dtype)


def _mean_dtype(self: Tensor, dtype: Any) -> dt.dtype:
    d = dtype or self.dtype
    if d.category < 2:
        raise RuntimeError(message("mean", f"the input dtype must be floating point or complex, got {d.name}"))
    return d


def sum(self: Tensor, *, dtype: Any = None) -> Any:
    return (), _sum_dtype(self, dtype)


def sum_dim_IntList(self: Tensor, dim: Any, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("sum", self, dim, keepdim), _sum_dtype(self, dtype)


def mean(self: Tensor, *, dtype: Any = None) -> Any:
    return (), _mean_dtype(self, dtype)


def mean_dim(self: Tensor, dim: Any, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("mean", self, dim, keepdim), _mean_dtype(self, dtype)


def nansum(self: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("nansum", self, dim, keepdim), _sum_dtype(self, dtype)


prod = sum


def prod_dim_int(self: Tensor, dim: int, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("prod", self, dim, keepdim), _sum_dtype(self, dtype)


def max(self: Tensor) -> Any:
    return (), self.dtype


def max_dim(self: Tensor, dim: int, keepdim: bool = False) -> Any:
    shape = reduced("max", self, dim, keepdim)
    return (shape, self.dtype), (shape, dt.int64)


min, min_dim, median, nanmedian = max, max_dim, max, max
median_dim = nanmedian_dim = max_dim


def mode(self: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    return max_dim(self, dim, keepdim)


def amax(self: Tensor, dim: Any = (), keepdim: bool = False) -> Any:
    if self._a.ndim:
        not_empty("amax", self._a, reduce_dims("amax", dim, self._a.ndim))
    return reduced("amax", self, dim, keepdim), self.dtype


amin = amax


def aminmax(self: Tensor, *, dim: Any = None, keepdim: bool = False) -> Any:
    shape = reduced("aminmax", self, dim, keepdim)
    return (shape, self.dtype), (shape, self.dtype)


def argmax(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    not_empty("argmax", self._a, None if dim is None else wrap_dim("argmax", dim, self._a.ndim), IndexError)
    return reduced("argmax", self, dim, keepdim), dt.int64


argmin = argmax


def any_dims(self: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    none = dim is not None and not isinstance(dim, int) and len(dim) == 0
    shape = tuple(self._a.shape) if none else reduced("any", self, dim, keepdim)
    return shape, dt.uint8 if self.dtype is dt.uint8 else dt.bool_


all_dims = any_dims


def var_correction(self: Tensor, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    return reduced("var", self, dim, keepdim), self.dtype.to_real()


std_correction = var_correction


def linalg_vector_norm(self: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return reduced("linalg.vector_norm", self, dim, keepdim), (dtype or self.dtype).to_real()


def logsumexp(self: Tensor, dim: Any, keepdim: bool = False) -> Any:
    return reduced("logsumexp", self, dim, keepdim), self.dtype if self.dtype.category > 1 else dt.get_default_dtype()


def _softmax(self: Tensor, dim: int, half_to_float: bool) -> Any:
    wrap_dim("softmax", dim, self._a.ndim)
    return self._a.shape, self.dtype


_log_softmax = _softmax


def cumsum(self: Tensor, dim: int, *, dtype: Any = None) -> Any:
    wrap_dim("cumsum", dim, self._a.ndim)
    return self._a.shape, _sum_dtype(self, dtype)


cumprod = cumsum


def cummax(self: Tensor, dim: int) -> Any:
    wrap_dim("cummax", dim, self._a.ndim)
    return (self._a.shape, self.dtype), (self._a.shape, dt.int64)


cummin = cummax


def count_nonzero_dim_IntList(self: Tensor, dim: Any = None) -> Any:
    return reduced("count_nonzero", self, dim, False), dt.int64
