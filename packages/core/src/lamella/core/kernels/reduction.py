"""Reductions over arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..checks import reduce_dims, wrap_dim
from .pointwise import logaddexp, unsupported
from .scan import scan, tree
from .sums import add_reduce, line_sums, number_of, ones_of, square_reduce

_F32, _F64, _I64 = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64)


#: Up to this many elements a product with ones is quicker than a reduction.
_SMALL = 256
_squares32: dict[tuple[int, ...], Any] = {}
_squares64: dict[tuple[int, ...], Any] = {}
_no_squares: dict[tuple[int, ...], Any] = {}


def _is_low(d: Any) -> bool:
    return d.itemsize == 2 and d.kind not in "iu"


def _sum_dtype(self: Any, dtype: Any) -> Any:
    if dtype is not None:
        return dtype.np
    d = self.dtype
    return _I64 if d.kind in "biu" else d


def sum(xp: Any, self: Any, dtype: Any) -> Any:
    d = self.dtype
    if dtype is None and (d is _F32 or d is _F64) and self.size <= _SMALL:
        flat = self.reshape(-1)
        return flat.dot(ones_of(xp, flat.size, d))
    return sum_dim_IntList(xp, self, None, False, dtype)


def sum_dim_IntList(xp: Any, self: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    d = self.dtype
    if dim.__class__ is int and dtype is None:
        r = line_sums(xp, self, dim, keepdim)
        if r is not None:
            return r
    if dtype is not None or (d is not _F32 and d is not _F64):
        d = _sum_dtype(self, dtype)
    axis = None if dim is None else reduce_dims("sum", dim, self.ndim)
    if self.ndim == 0:
        return self.astype(d)
    if _is_low(d):
        return add_reduce(xp, self.astype(_F32), axis, _F32, keepdim).astype(d)
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
        if bad.any():
            a = xp.where(bad, xp.asarray(0, self.dtype), self)
    return sum_dim_IntList(xp, a, dim, keepdim, dtype)


def prod(xp: Any, self: Any, dtype: Any) -> Any:
    d = _sum_dtype(self, dtype)
    if self.size > _SMALL:
        return tree(xp, xp.multiply, self.reshape(-1), 0, d, False)
    return xp.multiply.reduce(self, None, d)


def prod_dim_int(xp: Any, self: Any, dim: int, keepdim: bool, dtype: Any) -> Any:
    axis = wrap_dim("prod", dim, self.ndim)
    if self.ndim == 0:
        return self.astype(_sum_dtype(self, dtype))
    d = _sum_dtype(self, dtype)
    if self.size > _SMALL and self.shape[axis] > 16 and math.prod(self.shape[axis + 1 :]) < 16:
        return tree(xp, xp.multiply, self, axis, d, keepdim)
    return xp.multiply.reduce(self, axis, d, None, keepdim)


def _not_empty(op: str, self: Any, axis: Any, error: type[Exception] = RuntimeError) -> None:
    """Reductions without a neutral element need something to reduce."""
    if axis is None:
        if self.size == 0:
            raise error(
                message(
                    op,
                    "Expected reduction dim to be specified for input.numel() == 0. Specify the "
                    "reduction dim with the 'dim' argument.",
                )
            )
        return
    for i in (axis,) if isinstance(axis, int) else axis:
        if self.ndim and self.shape[i] == 0:
            raise IndexError(message(op, f"Expected reduction dim {i} to have non-zero size."))


def _no_complex(op: str, self: Any) -> None:
    if self.dtype.kind == "c":
        raise unsupported(op, self.dtype)


def _first(xp: Any, a: Any, values: Any, axis: int) -> Any:
    """Where each extreme value stands first; nan is found where nan is the value."""
    hit = a == values
    if a.dtype.kind not in "biu" and xp.isnan(values).any():
        hit |= xp.isnan(a)
    return xp.expand_dims(hit.argmax(axis), axis)


def _extreme(name: str, ufunc: str, arg: str) -> tuple[Any, Any, Any]:
    def full(xp: Any, self: Any) -> Any:
        _no_complex(name, self)
        _not_empty(name, self, None)
        if self.size <= _SMALL:
            flat = self.reshape(-1)
            return flat[getattr(flat, arg)()]  # the first nan, if there is one
        return getattr(xp, ufunc).reduce(self, None)

    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        _no_complex(name, self)
        axis = wrap_dim(name, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        _not_empty(name, self, axis)
        if axis < self.ndim - 1 and self.size > _SMALL:
            values = getattr(xp, ufunc).reduce(self, axis, None, None, True)
            index = _first(xp, self, values, axis)
        elif axis == self.ndim - 1 and self.flags.c_contiguous:
            index = xp.asarray(getattr(self, arg)(axis))
            n = self.shape[axis]
            starts = xp.arange(0, self.size, n).reshape(index.shape)
            starts += index
            values = self.reshape(-1).take(starts)
            return (values[..., None], index[..., None]) if keepdim else (values, index)
        elif self.ndim == 2:
            index = getattr(self, arg)(axis)
            other = xp.arange(index.size)
            values = self[index, other] if axis == 0 else self[other, index]
            return (values[None], index[None]) if keepdim and axis == 0 else (
                values[:, None], index[:, None]) if keepdim else (values, index)
        else:
            index = xp.expand_dims(xp.asarray(getattr(self, arg)(axis)), axis)
            values = xp.take_along_axis(self, index, axis)
        return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))

    def over(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        _no_complex(f"a{name}", self)
        if dim.__class__ is int and self.ndim == 2 and self.size <= _SMALL:
            return along(xp, self, dim, keepdim)[0]
        axis = reduce_dims(f"a{name}", dim, self.ndim)
        if self.ndim == 0:
            return self.copy()
        _not_empty(f"a{name}", self, axis)
        return getattr(xp, ufunc).reduce(self, axis, None, None, keepdim)

    return full, along, over


max, max_dim, amax = _extreme("max", "maximum", "argmax")
min, min_dim, amin = _extreme("min", "minimum", "argmin")


def aminmax(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    _no_complex("aminmax", self)
    axis = None if dim is None else wrap_dim("aminmax", dim, self.ndim)
    _not_empty("aminmax", self, axis)
    if self.ndim == 0:
        return self.copy(), self.copy()
    return xp.minimum.reduce(self, axis, None, None, keepdim), xp.maximum.reduce(self, axis, None, None, keepdim)


def _arg(name: str) -> Any:
    def arg(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
        _no_complex(name, self)
        axis = None if dim is None else wrap_dim(name, dim, self.ndim)
        if self.dtype.kind == "b":
            raise unsupported(name, self.dtype)
        _not_empty(name, self, axis, IndexError)
        if self.ndim == 0:
            return xp.zeros((), xp.int64)
        if axis is not None and axis < self.ndim - 1 and self.size > _SMALL:
            best = xp.maximum if name == "argmax" else xp.minimum
            r = _first(xp, self, best.reduce(self, axis, None, None, True), axis)
            return r if keepdim else r.squeeze(axis)
        r = xp.asarray(getattr(self, name)(axis))
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
        if dim.__class__ is int and self.ndim == 2 and self.size <= _SMALL and -2 <= dim < 2:
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


def _float_only(op: str, self: Any) -> None:
    if self.dtype.kind in "biu":
        raise RuntimeError(message(op, f"only floating point and complex dtypes are supported, got {self.dtype.name}"))


def var_correction(xp: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    _float_only("var", self)
    axis = None if dim is None else reduce_dims("var", dim, self.ndim)
    correction = 1 if correction is None else correction
    if self.size <= _SMALL:
        r = _small_var(xp, self, dim, correction, keepdim)
        if r is not None:
            return r
    a = self.astype(_F32) if _is_low(self.dtype) else self
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
    if d is not _F32 and d is not _F64 or a.size < 2:
        return None
    if dim is None and not keepdim:
        flat = a.reshape(-1)
        n = flat.size
        c = flat - flat.dot(ones_of(xp, n, d)) / d.type(n)
        return c.dot(c) / d.type(n - correction if n > correction else 0)
    if dim.__class__ is not int:
        return None
    total = line_sums(xp, a, dim, True)
    if total is None:
        return None
    n = a.shape[dim]
    c = xp.subtract(a, total / number_of(xp, n, d))
    r = line_sums(xp, xp.multiply(c, c, c), dim, keepdim)
    return xp.true_divide(r, number_of(xp, n - correction if n > correction else 0, d), r)


def std_correction(xp: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    _float_only("std", self)
    return xp.sqrt(var_correction(xp, self, dim, correction, keepdim))


def linalg_vector_norm(xp: Any, self: Any, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    _float_only("linalg.vector_norm", self)
    a = self if dtype is None else self.astype(dtype.np)
    out = a.real.dtype
    if _is_low(a.dtype):
        a = a.astype(_F32)
    axis = None if dim is None else reduce_dims("linalg.vector_norm", dim, a.ndim)
    if ord == math.inf or ord < 0:
        for i in range(a.ndim) if axis is None else axis:
            if a.shape[i] == 0:
                rule = f"it cannot compute the {ord} norm over a dimension of size 0, which has no neutral element"
                raise RuntimeError(message("linalg.vector_norm", rule, {"dim": i}))
    if ord == 2 and dim is None and a.size <= _SMALL and (a.dtype is _F32 or a.dtype is _F64) and not keepdim:
        flat = a.reshape(-1)
        return xp.asarray(math.sqrt(flat.dot(flat)), out)
    if ord == 2 and a.ndim and a.dtype.kind == "f":
        return xp.asarray(xp.sqrt(square_reduce(xp, a, axis, keepdim))).astype(out, copy=False)
    size = xp.abs(a)
    if a.ndim == 0:
        r = (size != 0).astype(out) if ord == 0 else size
    elif ord in (math.inf, -math.inf):
        _not_empty("linalg.vector_norm", a, axis)
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


def logsumexp(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    a = self if self.dtype.kind not in "biu" else self.astype(dt.get_default_dtype().np)
    axis = reduce_dims("logsumexp", dim, a.ndim)
    if a.ndim == 0:
        return a.copy() if a.dtype.kind != "c" else xp.asarray(xp.log(xp.exp(a - a.real)) + a.real, a.dtype)
    if a.size <= _SMALL and dim.__class__ is int:
        s = line_sums(xp, xp.exp(a), dim, keepdim)
        if s is not None and _in_range(s):
            return xp.log(s, s)
    if a.size == 0:
        return xp.log(xp.add.reduce(xp.exp(a), axis, None, None, keepdim))
    top = xp.maximum.reduce(a.real, axis, None, None, True)
    top = xp.where(xp.isfinite(top), top, 0).astype(a.dtype, copy=False)
    r = xp.log(add_reduce(xp, xp.exp(a - top), axis, None, keepdim))
    return (r + (top if keepdim else top.squeeze(axis if axis is not None else None))).astype(a.dtype, copy=False)


def _in_range(sums: Any) -> bool:
    """Whether sums of exponentials show no over- or underflow."""
    for v in sums.ravel().tolist():
        if v < 1e38 and v > 1e-30:  # noqa: SIM300 - CPython compares floats so without making a bool
            continue
        return False
    return True


def _ones_beside(xp: Any, shape: tuple[int, ...], d: Any) -> Any:
    """The square of ones that puts each row's sum beside every element of a small matrix, else None."""
    if d is not _F32 and d is not _F64 or len(shape) != 2 or not 0 < shape[0] * shape[1] <= _SMALL:
        return None
    known = _squares32 if d is _F32 else _squares64
    ones = next((known[k] for k in known if k[1] == shape[1]), None)
    if ones is None:
        ones = xp.ones((shape[1], shape[1]), d)
    known[shape] = ones
    return ones


def _softmax(xp: Any, self: Any, dim: int, half_to_float: bool) -> Any:
    """exp, divided by its sums.

    Rows of a small matrix go without the shift by the maximum, unless a sum shows over- or underflow; their sums are a
    product with a square of ones, because equal shapes divide in a quarter of the time that a broadcast column takes.
    """
    d = self.dtype
    if dim == 1 or dim == -1:
        try:
            ones = (_squares32 if d is _F32 else _squares64 if d is _F64 else _no_squares)[self.shape]
        except KeyError:
            ones = _ones_beside(xp, self.shape, d)
        if ones is not None:
            e = xp.exp(self)
            s = e.dot(ones)
            for v in s.diagonal().tolist() if len(s) <= len(ones) else s[:, 0].tolist():
                if v < 1e38 and v > 1e-30:  # noqa: SIM300 - CPython compares floats so without making a bool
                    continue
                break
            else:
                return xp.true_divide(e, s, e)
    axis = wrap_dim("softmax", dim, self.ndim)
    if d.kind in "biuc":
        rule = f"it is not implemented for {'complex' if d.kind == 'c' else 'integer'} tensors"
        raise NotImplementedError(message("softmax", rule, hint="pass dtype=torch.float32"))
    if self.ndim == 0:
        return xp.ones_like(self)
    a = self.astype(_F32) if _is_low(d) else self
    if a.size == 0:
        return a.astype(d)
    if axis == a.ndim - 1 and a.dtype.kind == "f":
        e, s, _ = _exp_rows(xp, a)
    else:
        e = xp.exp(xp.subtract(a, xp.maximum.reduce(a, axis, None, None, True)))
        s = xp.add.reduce(e, axis, None, None, True)
    e /= s
    return e.astype(d, copy=False)


def _exp_rows(xp: Any, a: Any) -> tuple[Any, Any, Any]:
    """exp along the last dimension, its sums (kept), and the maximum it was shifted by: None where none was needed.

    The sums are a product with ones, which for short rows costs a fraction of a reduction.
    """
    n = a.shape[-1]
    e = xp.exp(a)
    s = xp.asarray(xp.matmul(e, ones_of(xp, n, a.dtype)))
    if xp.minimum.reduce(s, None) > 1e-20 and xp.maximum.reduce(s, None) < 1e30:
        return e, s[..., None], None
    top = xp.maximum.reduce(a, -1, None, None, True)
    e = xp.exp(xp.subtract(a, top))
    return e, xp.add.reduce(e, -1, None, None, True), top


def _log_softmax(xp: Any, self: Any, dim: int, half_to_float: bool) -> Any:
    axis = wrap_dim("log_softmax", dim, self.ndim)
    d = self.dtype
    if d.kind in "biuc":
        rule = f"it is not implemented for {'complex' if d.kind == 'c' else 'integer'} tensors"
        raise NotImplementedError(message("log_softmax", rule, hint="pass dtype=torch.float32"))
    if self.ndim == 0:
        return xp.zeros_like(self)
    a = self.astype(_F32) if _is_low(d) else self
    if a.size == 0:
        return a.astype(d)
    if axis == 1 and a.size <= _SMALL:
        ones = _ones_beside(xp, a.shape, a.dtype)
        if ones is not None:
            s = xp.exp(a).dot(ones)  # each row's sum beside all of its elements
            if _in_range(s[:, 0]):
                return xp.subtract(a, xp.log(s, s), s).astype(d, copy=False)
    if axis == a.ndim - 1 and a.dtype.kind == "f":
        _, s, top = _exp_rows(xp, a)
        r = a - xp.log(s) if top is None else a - top - xp.log(s)
        return r.astype(d, copy=False)
    r = a - xp.maximum.reduce(a, axis, None, None, True)
    r -= xp.log(xp.add.reduce(xp.exp(r), axis, None, None, True))
    return r.astype(d, copy=False)


def _softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return xp.zeros_like(output)
    if output.size > 1024 and dim in (-1, output.ndim - 1) and output.dtype.kind == "f":
        g = grad_output - xp.einsum("...j,...j->...", grad_output, output)[..., None]
        g *= output
        return g
    g = grad_output * output
    g -= output * xp.add.reduce(g, dim, None, None, True)
    return g


def _log_softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return xp.zeros_like(output)
    r = xp.exp(output)
    r *= xp.add.reduce(grad_output, dim, None, None, True)
    return xp.subtract(grad_output, r, r)


def cumsum(xp: Any, self: Any, dim: int, dtype: Any) -> Any:
    return _scan(xp, xp.add, "cumsum", self, dim, dtype)


def cumprod(xp: Any, self: Any, dim: int, dtype: Any) -> Any:
    return _scan(xp, xp.multiply, "cumprod", self, dim, dtype)


def _scan(xp: Any, ufunc: Any, op: str, self: Any, dim: int, dtype: Any) -> Any:
    axis = wrap_dim(op, dim, self.ndim)
    d = self.dtype
    if dtype is None and (d is _F32 or d is _F64) and 0 < self.size <= _SMALL and self.ndim:
        return ufunc.accumulate(self, axis)
    d = _sum_dtype(self, dtype)
    if self.ndim == 0:
        return self.astype(d)
    if _is_low(d):
        return scan(xp, ufunc, self.astype(_F32), axis, _F32).astype(d)
    return scan(xp, ufunc, self, axis, d)


def logcumsumexp(xp: Any, self: Any, dim: int) -> Any:
    axis = wrap_dim("logcumsumexp", dim, self.ndim)
    if self.ndim == 0:
        return self.copy()
    if self.dtype.kind in "biu":
        raise unsupported("logcumsumexp", self.dtype)
    if self.dtype.kind == "c":
        return _complex_scan(xp, xp.moveaxis(self, axis, 0), axis)
    if _is_low(self.dtype):
        return xp.logaddexp.accumulate(self.astype(_F32), axis).astype(self.dtype)
    return xp.logaddexp.accumulate(self, axis)


def _complex_scan(xp: Any, a: Any, axis: int) -> Any:
    """logcumsumexp of complex numbers along the first dimension; each step adds to the larger of the two."""
    r = xp.empty_like(a)
    if a.shape[0]:
        r[0] = a[0]
    for i in range(1, a.shape[0]):
        r[i] = logaddexp(xp, r[i - 1], a[i])
    return xp.moveaxis(r, 0, axis)


def _cum_extreme(op: str, ufunc: str) -> Any:
    def cum(xp: Any, self: Any, dim: int) -> Any:
        axis = wrap_dim(op, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        best = getattr(xp, ufunc)
        if 0 < self.size <= _SMALL and self.dtype.kind == "f" and self.itemsize > 2:
            values = best.accumulate(self, axis)
            hit, flat = self == values, values.ravel()
            if math.isnan(flat.dot(flat)):
                hit |= xp.isnan(self)
            place = xp.arange(self.shape[axis])
            if axis < self.ndim - 1:
                place = place.reshape((-1,) + (1,) * (self.ndim - 1 - axis))
            return values, xp.maximum.accumulate(hit * place, axis)
        values = scan(xp, best, self, axis, self.dtype)
        if not self.size:
            return values, xp.zeros(self.shape, xp.int64)
        # An element starts a new run where it is as good as all before it; nan is as good as nan.
        hit = self == values
        if self.dtype.kind not in "biu" and xp.isnan(values.take(-1, axis)).any():
            hit |= xp.isnan(self)
        n = self.shape[axis]
        if axis == self.ndim - 1:
            starts = xp.flatnonzero(hit)
            return values, xp.repeat(starts % n, xp.diff(starts, append=hit.size)).reshape(self.shape)
        where = xp.where(hit, xp.arange(n).reshape([n if k == axis else 1 for k in range(self.ndim)]), 0)
        return values, scan(xp, xp.maximum, where, axis, where.dtype)

    return cum


cummax, cummin = _cum_extreme("cummax", "maximum"), _cum_extreme("cummin", "minimum")


def count_nonzero_dim_IntList(xp: Any, self: Any, dim: Any) -> Any:
    axis = None if dim is None else reduce_dims("count_nonzero", dim, self.ndim)
    return xp.asarray(
        xp.count_nonzero(self) if axis is None or self.ndim == 0 else xp.count_nonzero(self, axis), xp.int64
    )


def _middle(xp: Any, a: Any, skip_nan: bool) -> tuple[Any, Any]:
    """Lower median along the last dimension with its index."""
    if a.dtype.kind == "V":  # bfloat16, whose nan NumPy does not sort to the end
        values, index = _middle(xp, a.astype(xp.float32), skip_nan)
        return values.astype(a.dtype), index
    n = a.shape[-1]
    if a.size > _SMALL and (a.dtype.kind in "iu" or a.dtype.kind == "f" and not xp.isnan(a).any()):
        values = xp.partition(a, (n - 1) // 2, -1)[..., (n - 1) // 2]
        return values, (a == values[..., None]).argmax(-1)
    order = a.argsort(-1, "stable")  # nan sorts last
    if a.ndim == 2 and a.dtype.kind == "f" and a.itemsize > 2:
        flat = a.reshape(-1)
        index, rows = order[:, (n - 1) // 2], xp.arange(0, a.size, n)
        if not math.isnan(flat.dot(flat)):
            return flat.take(index + rows), index
    if a.dtype.kind in "biu":
        k = xp.full(a.shape[:-1], (n - 1) // 2)
    else:
        bad = xp.isnan(a).sum(-1)
        k = xp.maximum((n - bad - 1) // 2, 0) if skip_nan else xp.where(bad > 0, n - bad, (n - 1) // 2)
    index = xp.take_along_axis(order, k[..., None], -1)
    return xp.take_along_axis(a, index, -1)[..., 0], index[..., 0]


def _median(op: str, skip_nan: bool) -> tuple[Any, Any]:
    def full(xp: Any, self: Any) -> Any:
        _no_complex(op, self)
        if self.size == 0:
            return xp.asarray(math.nan, self.dtype) if self.dtype.kind == "f" else xp.asarray(0, self.dtype)
        return _middle(xp, self.reshape(-1), skip_nan)[0]

    def along(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
        _no_complex(op, self)
        axis = wrap_dim(op, dim, self.ndim)
        if self.ndim == 0:
            return self.copy(), xp.zeros((), xp.int64)
        _not_empty(op, self, axis)
        values, index = _middle(xp, xp.moveaxis(self, axis, -1), skip_nan)
        return (xp.expand_dims(values, axis), xp.expand_dims(index, axis)) if keepdim else (values, index)

    return full, along


median, median_dim = _median("median", False)
nanmedian, nanmedian_dim = _median("nanmedian", True)


def mode(xp: Any, self: Any, dim: int, keepdim: bool) -> Any:
    axis = wrap_dim("mode", dim, self.ndim)
    if self.ndim == 0:
        return self.copy(), xp.zeros((), xp.int64)
    _not_empty("mode", self, axis)
    a = xp.moveaxis(self, axis, -1)
    order = xp.argsort(a.astype(xp.float32) if a.dtype.kind == "V" else a, -1, kind="stable")
    s = xp.take_along_axis(a, order, -1)
    # Runs of equal elements in sorted order; the first longest run is the smallest most frequent value.
    start = xp.concatenate([xp.ones((*s.shape[:-1], 1), bool), s[..., 1:] != s[..., :-1]], -1)
    place = xp.arange(s.shape[-1])
    length = place - xp.maximum.accumulate(xp.where(start, place, 0), -1)
    last = xp.expand_dims(xp.argmax(length, -1), -1)
    values, index = xp.take_along_axis(s, last, -1), xp.take_along_axis(order, last, -1)
    if not keepdim:
        return values[..., 0], index[..., 0]
    return xp.moveaxis(values, -1, axis), xp.moveaxis(index, -1, axis)
