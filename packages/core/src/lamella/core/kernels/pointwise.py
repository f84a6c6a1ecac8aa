"""Elementwise array functions. Operands come promoted to one type (floating where the row says `promote: float`)."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..parallel import PIECE, in_pieces
from ..xp import NUMPY
from .division import (
    floor_divide as floor_divide,
    fmod_Tensor as fmod_Tensor,
    remainder_Tensor as remainder_Tensor,
    trunc_divide,
)
from .erf import erf as erf
from .select import all_true, any_true, keep_where_false
from .sums import number_of

#: Up to this many elements one call to a slower ufunc is quicker than several to fast ones.
_FEW = 512
_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_REAL = (int, float)


def special() -> Any:
    """scipy.special, loaded when first needed."""
    import scipy.special

    return scipy.special


def unsupported(op: str, d: Any) -> NotImplementedError:
    """The error for a type of elements that an operator is not defined for."""
    return NotImplementedError(message(op, f"it is not implemented for {d.name} tensors"))


def _is_int(a: Any) -> bool:
    return a.dtype.kind in "iu"


def add_Tensor(xp: Any, self: Any, other: Any, alpha: Any) -> Any:
    _check_alpha("add", self, alpha)
    return self + _scale(xp, other, alpha)


def sub_Tensor(xp: Any, self: Any, other: Any, alpha: Any) -> Any:
    _check_alpha("sub", self, alpha)
    return self - _scale(xp, other, alpha)


def rsub_Tensor(xp: Any, self: Any, other: Any, alpha: Any) -> Any:
    return sub_Tensor(xp, xp.asarray(other, self.dtype), self, alpha)


def _check_alpha(op: str, a: Any, alpha: Any) -> None:
    kind = a.dtype.kind
    if isinstance(alpha, bool) and kind != "b":
        raise RuntimeError(message(op, "Boolean alpha only supported for Boolean results"))
    if kind in "iub" and isinstance(alpha, (float, complex)) and not isinstance(alpha, bool):
        raise RuntimeError(message(op, "for integral input tensors, argument alpha must not be a floating point number",
                                   {"alpha": alpha}))
    if kind != "c" and isinstance(alpha, complex):
        raise RuntimeError(message(op, "for non-complex input tensors, argument alpha must not be a complex number"))


def _scale(xp: Any, a: Any, alpha: Any) -> Any:
    return a if alpha == 1 else a * xp.asarray(alpha, a.dtype)


def div_Tensor_mode(xp: Any, self: Any, other: Any, rounding_mode: Any) -> Any:
    if rounding_mode == "floor":
        return floor_divide(xp, self, other)
    if rounding_mode == "trunc":
        return trunc_divide(xp, self, other)
    if rounding_mode is not None:
        raise RuntimeError(message("div", f"expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
                                          f"{rounding_mode!r}"))
    return xp.true_divide(self, other)


def pow_Tensor_Tensor(xp: Any, self: Any, exponent: Any) -> Any:
    if _is_int(self) and (exponent < 0).any():
        # torch: only 1 and -1 have integer inverses; all else rounds to 0.
        base = xp.power(self, xp.where(exponent < 0, 0, exponent))
        inverse = xp.where(self == 1, 1, xp.where(self == -1, xp.where(exponent % 2 == 0, 1, -1), 0))
        return xp.where(exponent < 0, inverse, base).astype(self.dtype)
    if exponent.ndim == 0:
        if exponent == 2:
            return self * self
        if exponent == 0.5 and self.dtype.kind == "f":
            return xp.sqrt(self)
        if exponent == 3:
            return self * self * self
    return xp.power(self, exponent)


def logaddexp(xp: Any, self: Any, other: Any) -> Any:
    if self.dtype.kind == "c":
        high = xp.where(self.real >= other.real, self, other)
        low = xp.where(self.real >= other.real, other, self)
        return high + xp.log1p(xp.exp(low - high))
    if self.size + other.size < _FEW:
        return xp.logaddexp(self, other)
    gap = self - other
    r = xp.log1p(xp.exp(-xp.abs(gap)))
    r += xp.maximum(self, other)
    same = xp.isnan(gap)
    # The same infinity twice has no gap.
    return xp.where(same & (self == other), self, r) if same.any() else r


def logaddexp2(xp: Any, self: Any, other: Any) -> Any:
    return xp.logaddexp2(self, other)


def xlogy_Tensor(xp: Any, self: Any, other: Any) -> Any:
    other = in_type_of(xp, self, other)
    return _zero_times(xp, self, other, xp.log(other))


def in_type_of(xp: Any, self: Any, other: Any) -> Any:
    """A number as an array of the other operand's type: NumPy's functions of numbers are float64, which would win."""
    return xp.asarray(other, self.dtype) if other.__class__ is float or other.__class__ is int else other


def _zero_times(xp: Any, self: Any, other: Any, log: Any) -> Any:
    """``self * log``, which is 0 where ``self`` is, unless ``other`` is nan."""
    r = xp.asarray(xp.multiply(self, log))
    zero = xp.equal(self, 0)
    if any_true(xp, zero):
        r = xp.where(zero & ~xp.isnan(other), number_of(xp, 0, r.dtype), r)
    return r


def ldexp_Tensor(xp: Any, self: Any, other: Any) -> Any:
    return self * xp.exp2(other)


def hypot(xp: Any, self: Any, other: Any) -> Any:
    if self.dtype is not _F32 or self.size + other.size < _FEW:
        return xp.hypot(self, other)
    # Squares of float32 neither over- nor underflow in double precision.
    x, y = self.astype(xp.float64), other.astype(xp.float64)
    r = x * x + y * y
    xp.sqrt(r, r)
    bad = xp.isnan(r)
    return (xp.where(bad & (xp.isinf(x) | xp.isinf(y)), xp.inf, r) if bad.any() else r).astype(self.dtype)


def heaviside(xp: Any, self: Any, values: Any) -> Any:
    if self.dtype != values.dtype:
        raise RuntimeError(message("heaviside", "both tensors must have the same dtype",
                                   [self.dtype.name, values.dtype.name]))
    if self.dtype.kind == "c":
        raise RuntimeError(message("heaviside", "it is not implemented for complex tensors"))
    return xp.where(self == 0, values, (self > 0).astype(self.dtype))


def abs(xp: Any, self: Any) -> Any:
    return xp.abs(self)


def sign(xp: Any, self: Any) -> Any:
    if self.dtype.kind == "b":
        return self.copy()
    return ((self > 0).view(xp.int8) - (self < 0).view(xp.int8)).astype(self.dtype)


def sgn(xp: Any, self: Any) -> Any:
    if self.dtype.kind != "c":
        return sign(xp, self)
    size = xp.abs(self)
    return xp.where(size == 0, 0, self / xp.where(size == 0, 1, size)).astype(self.dtype)


def square(xp: Any, self: Any) -> Any:
    return xp.square(self) if self.dtype.kind != "b" else self.astype(xp.int64)


def conj_physical(xp: Any, self: Any) -> Any:
    return xp.conjugate(self) if self.dtype.kind == "c" else self.copy()


def rsqrt(xp: Any, self: Any) -> Any:
    return 1 / xp.sqrt(self)


def reciprocal(xp: Any, self: Any) -> Any:
    return 1 / self


def _scipy(name: str) -> Any:
    def apply(xp: Any, self: Any) -> Any:
        r = getattr(special(), name)(self)
        return r if r.dtype == self.dtype else r.astype(self.dtype)

    apply.__name__ = name
    return apply


erfc, erfinv, digamma, i0 = (_scipy(n) for n in ("erfc", "erfinv", "psi", "i0"))


def lgamma(xp: Any, self: Any) -> Any:
    return xp.asarray(_log_gamma(xp, self)).astype(self.dtype, copy=False)


def _log_gamma(xp: Any, a: Any) -> Any:
    r = special().gammaln(a)
    lowest = xp.equal(a, -xp.inf)  # where SciPy says -inf, C and torch inf
    return xp.where(lowest, xp.inf, r) if any_true(xp, lowest) else r


def sinc(xp: Any, self: Any) -> Any:
    return xp.sinc(self).astype(self.dtype, copy=False)


def sigmoid(xp: Any, self: Any) -> Any:
    if self.size > 2 * PIECE and xp is NUMPY:
        r = in_pieces(partial(sigmoid, xp), self)
        if r is not None:
            return r
    r = xp.negative(self)
    if r.ndim == 0:
        return 1 / (1 + xp.exp(r))
    xp.exp(r, r)
    xp.add(r, number_of(xp, 1, r.dtype), r)
    return xp.reciprocal(r, r)


def relu(xp: Any, self: Any) -> Any:
    if self.size > 4096 and self.shape[-1] >= 32:
        # NumPy's vector loop wants two arrays; a row of zeros is one.
        return xp.maximum(self, xp.zeros(self.shape[-1], self.dtype))
    return xp.maximum(self, 0)


def round_decimals(xp: Any, self: Any, decimals: int) -> Any:
    if decimals == 0:
        return xp.rint(self) if self.dtype.kind not in "iu" else self.copy()
    if self.dtype.kind in "iu":
        raise NotImplementedError(message("round", "decimals is not supported for integer tensors"))
    ten = xp.asarray(10.0 ** abs_(decimals), self.dtype)
    return xp.rint(self * ten) / ten if decimals > 0 else xp.rint(self / ten) * ten


def abs_(x: int) -> int:
    """The size of a Python number (this module's `abs` is an operator)."""
    return x if x >= 0 else -x


def frac(xp: Any, self: Any) -> Any:
    return self - xp.trunc(self)


def deg2rad(xp: Any, self: Any) -> Any:
    return self * xp.asarray(math.pi / 180, self.dtype)


def rad2deg(xp: Any, self: Any) -> Any:
    return self * xp.asarray(180 / math.pi, self.dtype)


def logit(xp: Any, self: Any, eps: Any) -> Any:
    x = self if eps is None else xp.clip(self, xp.asarray(eps, self.dtype), xp.asarray(1 - eps, self.dtype))
    return xp.log(x / (1 - x))


def nan_to_num(xp: Any, self: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if self.dtype.kind in "iub":
        return self.copy()
    # NumPy knows no NaN in bfloat16
    a = self.astype(xp.float32) if self.dtype.kind == "V" else self
    if all_true(xp, xp.isfinite(a)):
        return self.copy()
    info = dt.finfo(dt.from_numpy_dtype(self.dtype))
    r = xp.nan_to_num(a, nan=0.0 if nan is None else nan, posinf=info.max if posinf is None else posinf,
                      neginf=info.min if neginf is None else neginf)
    return r.astype(self.dtype, copy=False)


def clamp(xp: Any, self: Any, min: Any, max: Any) -> Any:  # noqa: A002 - torch's names
    if min is None and max is None:
        raise RuntimeError(message("clamp", "at least one of 'min' or 'max' must not be None"))
    if self.dtype is _F32 and self.size < _FEW and _plain(min) and _plain(max):
        r = xp.maximum(self, number_of(xp, min, _F32))
        return xp.minimum(r, number_of(xp, max, _F32), out=r) if r.ndim else xp.minimum(r, max)
    d = clamp_dtype(self, min, max).np
    r = self if self.dtype is d else self.astype(d)
    try:
        low, high = (None if x is None else xp.asarray(x, d) for x in (min, max))
    except OverflowError as e:
        limits = {"min": min, "max": max}
        raise RuntimeError(message("clamp", f"a limit is out of the range of {d.name}", limits)) from e
    if r.size >= _FEW and d.kind == "f" and not any(x is not None and xp.isnan(x) for x in (low, high)):
        return xp.clip(r, low, high)
    if low is not None:
        r = xp.maximum(r, low)
    return r if high is None else xp.minimum(r, high)


def _plain(x: Any) -> bool:
    """Whether a limit is an ordinary number: nan, and what a type does not hold, have rules of their own."""
    return x.__class__ in _REAL and -1e38 < x < 1e38


def clamp_dtype(a: Any, *limits: Any) -> dt.dtype:
    """The type of a tensor's array limited by numbers."""
    d = dt.from_numpy_dtype(a.dtype)
    for x in limits:
        if x is not None:
            d = _with_number(d, x)
    return d


def clamp_Tensor(xp: Any, self: Any, min: Any, max: Any) -> Any:  # noqa: A002 - torch's names
    if min is None and max is None:
        raise RuntimeError(message("clamp", "at least one of 'min' or 'max' must not be None"))
    if self.dtype.kind == "b" and min is not None and max is not None:
        raise unsupported("clamp", self.dtype)
    r = self
    if min is not None:
        r = xp.maximum(r, min)
    if max is not None:
        r = xp.minimum(r, max)
    return r


def lerp_Scalar(xp: Any, self: Any, end: Any, weight: Any) -> Any:
    # The nearer end is the base, so that both ends are hit exactly.
    near = (weight if weight >= 0 else -weight) < 0.5 if weight.__class__ in _REAL else abs(xp, weight) < 0.5
    r = xp.asarray(end - self)
    w = number_of(xp, weight, self.dtype)
    r *= w if near else 1 - w
    return xp.add(self, r) if near else xp.subtract(end, r)


def lerp_Tensor(xp: Any, self: Any, end: Any, weight: Any) -> Any:
    near = xp.abs(weight) < 0.5
    gap = xp.subtract(end, self)
    r = self + weight * gap
    return r if all_true(xp, near) else xp.where(near, r, end - gap * (1 - weight))


def addcmul(xp: Any, self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    r = tensor1 * tensor2
    return self + (r if value == 1 else r * xp.asarray(value, self.dtype))


def addcdiv(xp: Any, self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    r = tensor1 / tensor2
    return self + (r if value == 1 else r * xp.asarray(value, self.dtype))


def angle(xp: Any, self: Any) -> Any:
    if self.dtype.kind == "c":
        return xp.arctan2(self.imag, self.real)
    return xp.where(xp.isnan(self), self, xp.where(self < 0, math.pi, 0)).astype(self.dtype)


def mvlgamma(xp: Any, self: Any, p: int) -> Any:
    if p < 1:
        raise RuntimeError(message("mvlgamma", "p has to be greater than or equal to 1", {"p": p}))
    r = sum_of(_log_gamma(xp, self - 0.5 * i) for i in range(p)) + p * (p - 1) / 4 * math.log(math.pi)
    return xp.asarray(r).astype(self.dtype)


def sum_of(terms: Any) -> Any:
    """The sum of arrays."""
    total: Any = None
    for t in terms:
        total = t if total is None else total + t
    return total


def polygamma(xp: Any, self: Any, n: int) -> Any:
    if n < 0:
        raise RuntimeError(message("polygamma", "polygamma(n, x) does not support negative n", {"n": n}))
    return xp.asarray(special().polygamma(n, self)).astype(self.dtype)


def pow_Tensor_Scalar(xp: Any, self: Any, exponent: Any) -> Any:
    d = self.dtype
    if d is _F32 or d is _F64:
        if exponent == 2:
            return self * self
        if exponent.__class__ in _REAL and exponent not in (0.5, 1, 3, -1):
            return xp.power(self, number_of(xp, exponent, d))
    d = power_dtype(self, exponent).np
    a = self if self.dtype is d else self.astype(d)
    if d.itemsize == 2 and d.kind not in "iu":  # the number is one of the narrow type, as the tensor's are
        return pow_Tensor_Scalar(xp, a.astype(xp.float32), float(xp.asarray(exponent, d))).astype(d)
    if exponent == 2:
        return a * a
    if exponent == 1:
        return a.copy()
    if exponent == 0.5:
        return xp.sqrt(a)
    if exponent == -1 and d.kind not in "iub":
        return 1 / a
    if exponent == 3:
        r = a * a
        return xp.multiply(r, a, r) if r.ndim else r * a
    if d.kind in "iu" and exponent < 0:
        raise RuntimeError(message("pow", "Integers to negative integer powers are not allowed."))
    if d.kind == "b":
        return xp.power(a.astype(xp.uint8), exponent).astype(bool)
    return xp.power(a, xp.asarray(exponent, d))


def power_dtype(a: Any, exponent: Any) -> dt.dtype:
    """The type of a tensor's array to the power of a number."""
    return _with_number(dt.from_numpy_dtype(a.dtype), exponent)


def _with_number(have: dt.dtype, number: Any) -> dt.dtype:
    """The type of ``have`` with a Python number."""
    from ..promotion import scalar_dtype

    other = scalar_dtype(number)
    if other.category > have.category:
        return have.to_complex() if other.category == 3 and have.category == 2 else other
    return have


def pow_Scalar(xp: Any, self: Any, exponent: Any) -> Any:
    d = power_dtype(exponent, self).np
    b = exponent if exponent.dtype is d else exponent.astype(d)
    if d.itemsize == 2 and d.kind not in "iu":
        return pow_Scalar(xp, float(xp.asarray(self, d)), b.astype(xp.float32)).astype(d)
    if d.kind in "iu" and (b < 0).any() and self not in (1, -1):
        return xp.where(b < 0, 0, xp.power(xp.asarray(self, d), xp.where(b < 0, 0, b))).astype(d)
    if self == 2 and d.kind == "f":
        return xp.exp2(b)
    return xp.power(xp.asarray(self, d), b)


def sigmoid_backward(xp: Any, grad_output: Any, output: Any) -> Any:
    c = output.conj()
    r = xp.asarray(1 - c)
    r *= c
    if grad_output.shape != r.shape:
        return r * grad_output
    r *= grad_output
    return r


def tanh_backward(xp: Any, grad_output: Any, output: Any) -> Any:
    c = output.conj()
    r = xp.asarray(c * c)
    xp.subtract(1, r, r)
    if grad_output.shape != r.shape:
        return r * grad_output
    r *= grad_output
    return r


def threshold_backward(xp: Any, grad_output: Any, self: Any, threshold: Any) -> Any:
    # A product with 0 would not do: nothing passes where the result is flat, not even infinity or nan.
    flat, d = self <= threshold, grad_output.dtype
    if self.size > 512 and (d is _F32 or d is _F64) and flat.shape == grad_output.shape and xp is NUMPY:
        return keep_where_false(flat, grad_output)
    return xp.where(flat, 0 if d.kind == "f" else xp.zeros((), d), grad_output)


def frexp_Tensor(xp: Any, self: Any) -> Any:
    if self.dtype.kind not in "fV":
        raise RuntimeError(message("frexp", f"only floating-point dtypes are supported, not {self.dtype.name}"))
    low = self.dtype.itemsize == 2
    mantissa, exponent = xp.frexp(self.astype(xp.float32) if low else self)
    exponent = xp.where(xp.isfinite(self), exponent, 0).astype(xp.int32)
    return mantissa.astype(self.dtype) if low else mantissa, exponent
