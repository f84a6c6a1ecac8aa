"""Reductions over arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import reduce_dims, wrap_dim
from .medians import (
    median as median,
    median_dim as median_dim,
    mode as mode,
    nanmedian as nanmedian,
    nanmedian_dim as nanmedian_dim,
)
from .pointwise import unsupported
from .reducing import F32, F64, SMALL, float_only, is_low, no_complex, not_empty, sum_dtype
from .running import (
    cummax as cummax,
    cummin as cummin,
    cumprod as cumprod,
    cumsum as cumsum,
    logcumsumexp as logcumsumexp,
)
from .scan import tree
from .select import any_true
from .softmax import (
    _log_softmax as _log_softmax,
    _log_softmax_backward_data as _log_softmax_backward_data,
    _softmax as _softmax,
    _softmax_backward_data as _softmax_backward_data,
    logsumexp as logsumexp,
    square_of,
)
from .strides import in_order
from .sums import add_reduce, line_sums, number_of, ones_of, square_reduce, steps


def sum(xp: Any, self: Any, dtype: Any) -> Any:
    d = self.dtype
    if dtype is None and (d is F32 or d is F64) and self.size <= SMALL:
        flat = self.reshape(-1)
        return flat.dot(ones_of(xp, flat.size, d))
    return sum_dim_IntList(xp, self, None, False, dtype)


def sum_dim_IntList(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    d = self.dtype
    if dim.__class__ is int and dtype is None:
        r = line_sums(xp, self, dim, keepdim)
        if r is not None:
            return r
    if dtype is not None or (d is not F32 and d is not F64):
        d = sum_dtype(self, dtype)
    axis = None if dim is None else reduce_dims("sum", dim, self.ndim)
    if self.ndim == 0:
        return self.astype(d)
    if is_low(d):
        return add_reduce(xp, self.astype(F32), axis, F32, keepdim).astype(d)
    return add_reduce(xp, self, axis, d, keepdim)


def _mean_check(self: Any, dtype: Any) -> None:
    d = self.dtype if dtype is None else dtype.np
    if d.kind in "biu":
        raise RuntimeError(
            message(
                "mean",
                f"the input dtype must be floating point or complex, got {d.name}",
                hint="convert it: x.float().mean()",
            )
        )


def mean(xp: Any, self: Any, dtype: Any) -> Any:
    return mean_dim(xp, self, None, False, dtype)


def mean_dim(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if dim.__class__ is int and dtype is None:
        r = line_sums(xp, self, dim, keepdim)
        if r is not None and r.size:
            return xp.true_divide(r, number_of(xp, self.size // r.size, r.dtype), r)
    _mean_check(self, dtype)
    d = self.dtype if dtype is None else dtype.np
    total = xp.asarray(sum_dim_IntList(xp, self if d is self.dtype else self.astype(d), dim, keepdim, None))
    n = self.size // total.size if total.size else self.size
    if n == 1:
        return total
    total /= xp.asarray(n, total.dtype) if n else xp.asarray(math.nan, total.dtype)
    return total


def nansum(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    if self.dtype.kind == "c":
        raise RuntimeError(message("nansum", "it does not support complex inputs"))
    a = self
    if self.dtype.kind not in "biu":
        bad = xp.isnan(self)
        if any_true(xp, bad):
            a = xp.where(bad, number_of(xp, 0, self.dtype), self)
    return sum_dim_IntList(xp, a, dim, keepdim, dtype)


def prod(xp: Any, self: Any, dtype: Any) -> Any:
    d = sum_dtype(self, dtype)
    if self.size > SMALL:
        return tree(xp, xp.multiply, self.reshape(-1), 0, d, False)
    return xp.multiply.reduce(self, None, d)


def prod_dim_int(xp: Any, self: Any, dim: int, keepdim: bool, dtype: Any) -> Any:
    axis = wrap_dim("prod", dim, self.ndim)
    if self.ndim == 0:
        return self.astype(sum_dtype(self, dtype))
    d = sum_dtype(self, dtype)
    if self.size > SMALL and self.shape[axis] > 16 and math.prod(self.shape[axis + 1 :]) < 16:
        return in_order(xp, tree(xp, xp.multiply, self, axis, d, keepdim))
    return in_order(xp, xp.asarray(xp.multiply.reduce(self, axis, d, None, keepdim)))


def _first(xp: Any, a: Any, values: Any, axis: int) -> Any:
    """Where each extreme value stands first; nan is found where nan is the value."""
    hit = a == values
    if a.dtype.kind not in "biu" and xp.isnan(values).any():
        hit |= xp.isnan(a)
    return hit.argmax(axis)


def _extreme(name: str, ufunc: str, arg: str) -> tuple[Any, Any, Any]:
    def full(xp: Any, self: Any) -> Any:
        no_complex(name, self)
        not_empty(name, self, None)
        if self.size <= SMALL:
            flat = self.reshape(-1)
            return flat[getattr(flat, arg)()]  # the first nan, if there is one
        return getattr(xp, ufunc).reduce(self, None)

    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        no_complex(name, self)
        axis = wrap_dim(name, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        not_empty(name, self, axis)
        if axis < self.ndim - 1 and self.size > SMALL:
            values = getattr(xp, ufunc).reduce(self, axis, None, None, True)
            index = xp.expand_dims(_first(xp, self, values, axis), axis)
        elif axis == self.ndim - 1 and self.flags.c_contiguous:
            index = xp.asarray(getattr(self, arg)(axis))
            n = self.shape[axis]
            values = self.reshape(-1).take(steps(xp, self.size, n).reshape(index.shape) + index)
            return (values[..., None], index[..., None]) if keepdim else (values, index)
        elif self.ndim == 2:
            index = getattr(self, arg)(axis)
            other = steps(xp, index.size, 1)
            if axis == 0 and self.flags.c_contiguous:
                values = self.reshape(-1).take(index * self.shape[1] + other)
            else:
                values = self[index, other] if axis == 0 else self[other, index]
            return (values[None], index[None]) if keepdim and axis == 0 else (
                values[:, None], index[:, None]) if keepdim else (values, index)
        else:
            index = xp.expand_dims(xp.asarray(getattr(self, arg)(axis)), axis)
            values = xp.take_along_axis(self, index, axis)
        return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))

    def over(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        no_complex(f"a{name}", self)
        if dim.__class__ is int and self.ndim == 2 and self.size <= SMALL:
            return along(xp, self, dim, keepdim)[0]
        axis = reduce_dims(f"a{name}", dim, self.ndim)
        if self.ndim == 0:
            return self.copy()
        not_empty(f"a{name}", self, axis)
        return in_order(xp, xp.asarray(getattr(xp, ufunc).reduce(self, axis, None, None, keepdim)))

    return full, along, over


max, max_dim, amax = _extreme("max", "maximum", "argmax")
min, min_dim, amin = _extreme("min", "minimum", "argmin")


def aminmax(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    no_complex("aminmax", self)
    axis = None if dim is None else wrap_dim("aminmax", dim, self.ndim)
    not_empty("aminmax", self, axis)
    if self.ndim == 0:
        return self.copy(), self.copy()
    return xp.minimum.reduce(self, axis, None, None, keepdim), xp.maximum.reduce(self, axis, None, None, keepdim)


def _places(xp: Any, name: str, a: Any, axis: int | None) -> Any:
    """Where the extremes of many elements stand first; the first nan, if there is one."""
    if axis is None or axis == a.ndim - 1:
        return xp.asarray(getattr(a, name)(axis))
    best = xp.maximum if name == "argmax" else xp.minimum
    return _first(xp, a, best.reduce(a, axis, None, None, True), axis)


def _arg(name: str) -> Any:
    def arg(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        no_complex(name, self)
        axis = None if dim is None else wrap_dim(name, dim, self.ndim)
        if self.dtype.kind == "b":
            raise unsupported(name, self.dtype)
        not_empty(name, self, axis, IndexError)
        if self.ndim == 0:
            return xp.zeros((), xp.int64)
        r = _places(xp, name, self, axis) if self.size > SMALL else xp.asarray(getattr(self, name)(axis))
        if not keepdim:
            return r
        return r.reshape((1,) * self.ndim) if axis is None else xp.expand_dims(r, axis)

    return arg


argmax, argmin = _arg("argmax"), _arg("argmin")


def any_dims(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    return _logical(xp, "any", xp.logical_or, self, dim, keepdim)


def all_dims(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    return _logical(xp, "all", xp.logical_and, self, dim, keepdim)


def _logical(xp: Any, op: str, ufunc: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    if self.dtype.kind == "b" and not keepdim:
        if dim is None:
            n = xp.count_nonzero(self)
            return xp.asarray(n == self.size if op == "all" else n > 0)
        if dim.__class__ is int and self.ndim == 2 and self.size <= SMALL and -2 <= dim < 2:
            a = xp.invert(self) if op == "all" else self
            ones = ones_of(xp, self.shape[dim], self.dtype)  # a product of truth values: whether any pair holds
            r = a.dot(ones) if dim & 1 else ones.dot(a)
            return xp.invert(r, r) if op == "all" else r
    axis = None if dim is None else reduce_dims(op, dim, self.ndim)
    out = self.dtype if self.dtype == xp.uint8 else xp.dtype(bool)
    # Unlike sum's, an empty list of dimensions reduces over none.
    none = self.ndim == 0 or dim is not None and not isinstance(dim, int) and len(dim) == 0
    r = self.astype(bool) if none else ufunc.reduce(self, axis, None, None, keepdim)
    return xp.asarray(r).astype(out, copy=False)


def var_correction(xp: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    float_only("var", self)
    axis = None if dim is None else reduce_dims("var", dim, self.ndim)
    correction = 1 if correction is None else correction
    if self.size <= SMALL:
        r = _small_var(xp, self, dim, correction, keepdim)
        if r is not None:
            return r
    a = self.astype(F32) if is_low(self.dtype) else self
    if a.ndim == 0:
        centre, total, n = a, xp.zeros((), a.real.dtype), 1
    else:
        n = math.prod(a.shape if axis is None else [a.shape[i] for i in axis])
        centre = a - add_reduce(xp, a, axis, None, True) / a.dtype.type(n)
        if a.dtype.kind == "c":
            total = add_reduce(xp, centre.real**2 + centre.imag**2, axis, None, keepdim)
        else:
            total = square_reduce(xp, centre, axis, keepdim)
    d = n - correction
    total = xp.asarray(total)
    r = total / total.dtype.type(d if d > 0 else 0)
    return xp.asarray(r).astype(self.real.dtype, copy=False)


def _small_var(xp: Any, a: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """The variance of a small array, or along a dimension of a small matrix; None where this way does not fit."""
    d = a.dtype
    if d is not F32 and d is not F64 or a.size < 2:
        return None
    if dim is None and not keepdim:
        flat = a.reshape(-1)
        n = flat.size
        c = flat - flat.dot(ones_of(xp, n, d)) / d.type(n)
        return c.dot(c) / d.type(n - correction if n > correction else 0)
    if dim.__class__ is not int or a.ndim != 2 or not -2 <= dim < 2:
        return None
    m, n = a.shape
    if dim & 1:
        mean = a.dot(square_of(xp, (m, n), d))  # each row's sum beside all of its elements
    else:
        mean, n = square_of(xp, (n, m), d).dot(a), m
    c = xp.subtract(a, xp.true_divide(mean, number_of(xp, n, d), mean), mean)
    r = line_sums(xp, xp.multiply(c, c, c), dim, keepdim)
    return xp.true_divide(r, number_of(xp, n - correction if n > correction else 0, d), r)


def std_correction(xp: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    float_only("std", self)
    r = var_correction(xp, self, dim, correction, keepdim)
    return xp.sqrt(r, r) if r.__class__ is np.ndarray and r.ndim else xp.sqrt(r)


def linalg_vector_norm(xp: Any, self: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    float_only("linalg.vector_norm", self)
    a = self if dtype is None else self.astype(dtype.np)
    out = a.real.dtype
    if is_low(a.dtype):
        a = a.astype(F32)
    axis = None if dim is None else reduce_dims("linalg.vector_norm", dim, a.ndim)
    if ord == math.inf or ord < 0:
        for i in range(a.ndim) if axis is None else axis:
            if a.shape[i] == 0:
                rule = f"it cannot compute the {ord} norm over a dimension of size 0, which has no neutral element"
                raise RuntimeError(message("linalg.vector_norm", rule, {"dim": i}))
    if ord == 2 and a.size <= SMALL and (a.dtype is F32 or a.dtype is F64):
        if dim is None and not keepdim:
            flat = a.reshape(-1)
            return xp.asarray(math.sqrt(flat.dot(flat)), out)
        if dim.__class__ is not int and dim is not None and len(dim) == 1:
            dim = dim[0]
        r = line_sums(xp, a * a, dim, keepdim) if dim.__class__ is int else None
        if r is not None:
            return xp.sqrt(r, r).astype(out, copy=False)
    if ord == 2 and a.ndim and a.dtype.kind == "f":
        return xp.asarray(xp.sqrt(square_reduce(xp, a, axis, keepdim))).astype(out, copy=False)
    size = xp.abs(a)
    if a.ndim == 0:
        r = (size != 0).astype(out) if ord == 0 else size
    elif ord in (math.inf, -math.inf):
        not_empty("linalg.vector_norm", a, axis)
        r = (xp.maximum if ord > 0 else xp.minimum).reduce(size, axis, None, None, keepdim)
    elif ord == 2:
        r = xp.sqrt(add_reduce(xp, size * size, axis, None, keepdim))
    elif ord == 1:
        r = add_reduce(xp, size, axis, None, keepdim)
    elif ord == 0:
        r = xp.add.reduce(size != 0, axis, size.dtype, None, keepdim)
    else:
        r = xp.add.reduce(size ** size.dtype.type(ord), axis, None, None, keepdim) ** size.dtype.type(1 / ord)
    return xp.asarray(r).astype(out, copy=False)


def count_nonzero_dim_IntList(xp: Any, self: Any, dim: Any) -> Any:
    axis = None if dim is None else reduce_dims("count_nonzero", dim, self.ndim)
    return xp.asarray(
        xp.count_nonzero(self) if axis is None or self.ndim == 0 else xp.count_nonzero(self, axis), xp.int64
    )


