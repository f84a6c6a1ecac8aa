"""Exponentials over their sums, and the logarithms of such sums."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..checks import reduce_dims, wrap_dim
from .reducing import F32, F64, SMALL, is_low
from .strides import in_order
from .sums import add_reduce, line_sums, ones_of, well_scaled

_squares32: dict[tuple[int, ...], Any] = {}
_squares64: dict[tuple[int, ...], Any] = {}
_no_squares: dict[tuple[int, ...], Any] = {}


def logsumexp(xp: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    a = self if self.dtype.kind not in "biu" else self.astype(dt.get_default_dtype().np)
    axis = reduce_dims("logsumexp", dim, a.ndim)
    if a.ndim == 0:
        return a.copy() if a.dtype.kind != "c" else xp.asarray(xp.log(xp.exp(a - a.real)) + a.real, a.dtype)
    if a.size <= SMALL and dim.__class__ is int:
        s = line_sums(xp, xp.exp(a), dim, keepdim)
        if s is not None and well_scaled(xp, s):
            return xp.log(s, s)
    if a.size == 0:
        return xp.log(xp.add.reduce(xp.exp(a), axis, None, None, keepdim))
    top = xp.maximum.reduce(a.real, axis, None, None, True)
    top = xp.where(xp.isfinite(top), top, 0).astype(a.dtype, copy=False)
    r = xp.log(add_reduce(xp, xp.exp(a - top), axis, None, keepdim))
    return (r + (top if keepdim else top.squeeze(axis if axis is not None else None))).astype(a.dtype, copy=False)


def square_of(xp: Any, shape: tuple[int, ...], d: Any) -> Any:
    """`_ones_beside`, looked up."""
    try:
        return (_squares32 if d is F32 else _squares64 if d is F64 else _no_squares)[shape]
    except KeyError:
        return _ones_beside(xp, shape, d)


def _ones_beside(xp: Any, shape: tuple[int, ...], d: Any) -> Any:
    """The square of ones that puts each row's sum beside every element of a small matrix, else None."""
    if d is not F32 and d is not F64 or len(shape) != 2 or not 0 < shape[0] * shape[1] <= SMALL:
        return None
    known = _squares32 if d is F32 else _squares64
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
            ones = (_squares32 if d is F32 else _squares64 if d is F64 else _no_squares)[self.shape]
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
                return xp.true_divide(e, s, s)  # into what lies in the order of its dimensions
    axis = wrap_dim("softmax", dim, self.ndim)
    self = in_order(xp, self)
    if d.kind in "biuc":
        rule = f"it is not implemented for {'complex' if d.kind == 'c' else 'integer'} tensors"
        raise NotImplementedError(message("softmax", rule, hint="pass dtype=torch.float32"))
    if self.ndim == 0:
        return _softmax(xp, self.reshape(1), 0, half_to_float).reshape(())
    a = self.astype(F32) if is_low(d) else self
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
    if well_scaled(xp, s):
        return e, s[..., None], None
    top = xp.maximum.reduce(a, -1, None, None, True)
    e = xp.exp(xp.subtract(a, top))
    return e, xp.add.reduce(e, -1, None, None, True), top


def _log_softmax(xp: Any, self: Any, dim: int, half_to_float: bool) -> Any:
    d = self.dtype
    if not self.flags.c_contiguous:
        self = in_order(xp, self)
    if dim == 1 or dim == -1:
        ones = square_of(xp, self.shape, d)
        if ones is not None:
            s = xp.exp(self).dot(ones)
            if well_scaled(xp, s.diagonal() if len(s) <= len(ones) else s[:, 0]):
                return xp.subtract(self, xp.log(s, s), s)
    axis = wrap_dim("log_softmax", dim, self.ndim)
    if d.kind in "biuc":
        rule = f"it is not implemented for {'complex' if d.kind == 'c' else 'integer'} tensors"
        raise NotImplementedError(message("log_softmax", rule, hint="pass dtype=torch.float32"))
    if self.ndim == 0:
        return _log_softmax(xp, self.reshape(1), 0, half_to_float).reshape(())
    a = self.astype(F32) if is_low(d) else self
    if a.size == 0:
        return a.astype(d)
    if axis == a.ndim - 1 and a.dtype.kind == "f":
        _, s, top = _exp_rows(xp, a)
        r = a - xp.log(s) if top is None else a - top - xp.log(s)
        return r.astype(d, copy=False)
    r = a - xp.maximum.reduce(a, axis, None, None, True)
    r -= xp.log(xp.add.reduce(xp.exp(r), axis, None, None, True))
    return r.astype(d, copy=False)


def _softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return _softmax_backward_data(xp, grad_output.reshape(1), output.reshape(1), 0, input_dtype).reshape(())
    if output.size > 1024 and dim in (-1, output.ndim - 1) and output.dtype.kind == "f":
        g = grad_output - xp.einsum("...j,...j->...", grad_output, output)[..., None]
        g *= output
        return g
    g = grad_output * output
    g -= output * xp.add.reduce(g, dim, None, None, True)
    return g


def _log_softmax_backward_data(xp: Any, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    if output.ndim == 0:
        return _log_softmax_backward_data(xp, grad_output.reshape(1), output.reshape(1), 0, input_dtype).reshape(())
    r = xp.exp(output)
    r *= xp.add.reduce(grad_output, dim, None, None, True)
    return xp.subtract(grad_output, r, r)
