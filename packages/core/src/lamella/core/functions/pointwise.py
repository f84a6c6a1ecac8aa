"""Elementwise functions with several call forms."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import comparison as _comp, pointwise as _gen
from ..runtime import is_number, write_out
from ..tensor import Tensor


def div(input: Any, other: Any, *, rounding_mode: str | None = None, out: Any = None) -> Tensor:  # noqa: A002
    """The quotient of two tensors or of a tensor and a number.

    Args:
        input, other: tensors that broadcast together, or numbers.
        rounding_mode: None (true division: integers give floats), ``"trunc"`` or ``"floor"``.
        out: where the result goes.

    Raises:
        RuntimeError: for sizes that do not broadcast, another rounding mode, or integer division by zero.

    Example:
        >>> from lamella import core
        >>> div(core.tensor([7, -7]), 2, rounding_mode="floor")
        tensor([ 3, -4])
    """
    if rounding_mode is None:
        r = _gen.op_div_Tensor(_tensor_first("div", input, other), other)
    else:
        r = _gen.op_div_Tensor_mode(_tensor_first("div", input, other), other, rounding_mode=rounding_mode)
    return r if out is None else write_out("div", out, r, inputs=(input, other))


def _tensor_first(op: str, x: Any, other: Any) -> Any:
    if isinstance(x, Tensor):
        return x
    if is_number(x) and (isinstance(other, Tensor) or is_number(other)):
        from ..creation import tensor

        return tensor(x, device=other.device if isinstance(other, Tensor) else None)
    raise TypeError(message(op, f"argument 'input' must be Tensor, not {type(x).__name__}"))


def _div(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode is None:
        return _gen.op_div_Tensor(self, other)
    return _gen.op_div_Tensor_mode(self, other, rounding_mode=rounding_mode)


def _div_(self: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    if rounding_mode is None:
        return _gen.op_div__Tensor(self, other)
    return _gen.op_div__Tensor_mode(self, other, rounding_mode=rounding_mode)


def true_divide(input: Any, other: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """As `div` without rounding."""
    return div(input, other, out=out)


def pow(input: Any, exponent: Any, *, out: Any = None) -> Tensor:  # noqa: A001, A002
    """``input`` to the power of ``exponent``.

    Args:
        input: a tensor, or a number when ``exponent`` is a tensor.
        exponent: a tensor or a number.
        out: where the result goes.

    Raises:
        RuntimeError: for an integer to a negative integer power.

    Example:
        >>> from lamella import core
        >>> pow(core.tensor([1.0, 2.0]), 3)
        tensor([1., 8.])
    """
    r = _pow(input, exponent) if isinstance(input, Tensor) else _rpow(exponent, input)
    return r if out is None else write_out("pow", out, r, inputs=(input, exponent))


def _pow(self: Tensor, exponent: Any) -> Tensor:
    if exponent.__class__ in (int, float) or is_number(exponent):
        return _gen.op_pow_Tensor_Scalar(self, exponent)
    return _gen.op_pow_Tensor_Tensor(self, exponent)


def _pow_(self: Tensor, exponent: Any) -> Tensor:
    if is_number(exponent):
        return _gen.op_pow__Tensor_Scalar(self, exponent)
    return _gen.op_pow__Tensor_Tensor(self, exponent)


def __pow__(self: Tensor, exponent: Any) -> Any:
    return _pow(self, exponent) if isinstance(exponent, Tensor) or is_number(exponent) else NotImplemented


def _rpow(self: Any, base: Any) -> Any:
    if not isinstance(self, Tensor):
        raise TypeError(message("pow", "one of the arguments must be a Tensor"))
    if isinstance(base, Tensor):
        return _gen.op_pow_Tensor_Tensor(base, self)
    return _gen.op_pow_Scalar(base, self) if is_number(base) else NotImplemented


def float_power(input: Any, exponent: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """As `pow`, computed in double precision."""
    from .. import dtypes as dt

    def wide(x: Any) -> Any:
        if not isinstance(x, Tensor):
            return x
        return x.to(dt.complex128 if x.is_complex() else dt.float64)  # type: ignore[attr-defined]

    a, b = wide(input), wide(exponent)
    if not isinstance(a, Tensor):
        return pow(a if isinstance(a, complex) else float(a), b, out=out)
    return pow(a, b, out=out)


def clamp(input: Tensor, min: Any = None, max: Any = None, *, out: Any = None) -> Tensor:  # noqa: A002
    """Elements limited to [min, max].

    Args:
        input: a tensor.
        min, max: numbers or tensors; either may be missing. Where min > max, the result is max.
        out: where the result goes.

    Raises:
        RuntimeError: if both limits are missing.

    Example:
        >>> from lamella import core
        >>> clamp(core.tensor([-2.0, 0.5, 2.0]), -1, 1)
        tensor([-1.0000,  0.5000,  1.0000])
    """
    r = _clamp(input, min, max)
    return r if out is None else write_out("clamp", out, r, True, inputs=(input, min, max))


def _clamp(self: Tensor, min: Any = None, max: Any = None) -> Tensor:  # noqa: A002
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _gen.op_clamp_Tensor(self, _limit(self, min), _limit(self, max))
    return _gen.op_clamp(self, min, max)


def _clamp_(self: Tensor, min: Any = None, max: Any = None) -> Tensor:  # noqa: A002
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return _gen.op_clamp__Tensor(self, _limit(self, min), _limit(self, max))
    return _gen.op_clamp_(self, min, max)


def _limit(self: Tensor, x: Any) -> Any:
    return x if x is None or isinstance(x, Tensor) else self.new_full((), x)  # type: ignore[attr-defined]


def clamp_min(input: Tensor, min: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """Elements limited from below."""
    return clamp(input, min, out=out)


def clamp_max(input: Tensor, max: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """Elements limited from above."""
    return clamp(input, None, max, out=out)


def lerp(input: Tensor, end: Any, weight: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """``input + weight * (end - input)``; the weight is a number or a tensor."""
    r = _lerp(input, end, weight)
    return r if out is None else write_out("lerp", out, r, True, inputs=(input, end, weight))


def _lerp(self: Tensor, end: Any, weight: Any) -> Tensor:
    _same_dtype("lerp", self, end, None if isinstance(weight, Tensor) and weight.ndim == 0 else weight)
    f = _gen.op_lerp_Tensor if isinstance(weight, Tensor) else _gen.op_lerp_Scalar
    return f(self, end, weight)


def _lerp_(self: Tensor, end: Any, weight: Any) -> Tensor:
    _same_dtype("lerp_", self, end, None if isinstance(weight, Tensor) and weight.ndim == 0 else weight)
    f = _gen.op_lerp__Tensor if isinstance(weight, Tensor) else _gen.op_lerp__Scalar
    return f(self, end, weight)


def _same_dtype(op: str, *tensors: Any) -> None:
    found = [t.dtype for t in tensors if isinstance(t, Tensor)]
    if any(d is not found[0] for d in found):
        raise RuntimeError(message(op, f"expected dtype {found[0]} for all tensors", [d.name for d in found]))


def round(input: Tensor, *, decimals: int = 0, out: Any = None) -> Tensor:  # noqa: A001, A002
    """Elements rounded to the nearest integer (ties to even), or to ``decimals`` places."""
    r = _gen.op_round_decimals(input, decimals=decimals)
    return r if out is None else write_out("round", out, r, True, inputs=(input,))


def conj(input: Tensor) -> Tensor:  # noqa: A002
    """The complex conjugate (real tensors as they are)."""
    return _gen.op_conj_physical(input) if input.is_complex() else input


def resolve_conj(input: Tensor) -> Tensor:  # noqa: A002
    """The tensor itself: conjugates are never lazy here."""
    return input


def rsub(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:  # noqa: A002
    """``other - alpha * input``."""
    return _gen.op_rsub_Tensor(input, other, alpha=alpha)


def __invert__(self: Tensor) -> Tensor:
    if self._a.dtype.kind not in "biu":
        raise TypeError(message("~", "it is only implemented on integer and bool tensors", [self.dtype.name]))
    return _comp.op_bitwise_not(self)


def _reverse(op: Any) -> Any:
    def method(self: Tensor, other: Any) -> Any:
        return op(other, self) if is_number(other) else NotImplemented

    return method


def is_nonzero(input: Tensor) -> bool:  # noqa: A002
    """The truth of a tensor with one element."""
    return bool(input)


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:  # noqa: A002
    """Whether ``|input - other| <= atol + rtol * |other|``, element by element."""
    if input.dtype is not other.dtype:
        raise RuntimeError(message("isclose", f"{input.dtype} did not match {other.dtype}"))
    if rtol < 0 or atol < 0:
        raise RuntimeError(
            message("isclose", "rtol and atol must be greater than or equal to zero", {"rtol": rtol, "atol": atol})
        )
    same: Any = input == other
    if not (input.is_floating_point() or input.is_complex()):
        if rtol == 0 and atol == 0:
            return same
        input, other = input.double(), other.double()  # type: ignore[attr-defined]
    near = (input - other).abs() <= atol + (rtol * other).abs()  # type: ignore[attr-defined]
    r = same | (near & (input - other).abs().isfinite())  # type: ignore[attr-defined]
    return r | (input.isnan() & other.isnan()) if equal_nan else r  # type: ignore[attr-defined]


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:  # noqa: A002
    """Whether all elements are close (see `isclose`)."""
    return bool(isclose(input, other, rtol, atol, equal_nan).all())  # type: ignore[attr-defined]


def equal(input: Tensor, other: Tensor) -> bool:  # noqa: A002
    """Whether two tensors have the same size and elements."""
    if not isinstance(other, Tensor):
        raise TypeError(message("equal", f"argument 'other' must be Tensor, not {type(other).__name__}"))
    if input._a.shape != other._a.shape:
        return False
    return bool((input == other).all())  # type: ignore[attr-defined]


FUNCTIONS = {
    f.__name__: f
    for f in (
        div,
        true_divide,
        pow,
        float_power,
        clamp,
        clamp_min,
        clamp_max,
        lerp,
        round,
        conj,
        resolve_conj,
        rsub,
        is_nonzero,
        isclose,
        allclose,
        equal,
    )
}
FUNCTIONS |= {"divide": div, "clip": clamp, "resolve_neg": resolve_conj}
METHODS = {
    "div": _div,
    "div_": _div_,
    "divide": _div,
    "divide_": _div_,
    "true_divide": lambda self, other: _div(self, other),
    "true_divide_": lambda self, other: _div_(self, other),
    "pow": _pow,
    "pow_": _pow_,
    "__pow__": __pow__,
    "__rpow__": _rpow,
    "__ipow__": _pow_,
    "float_power": lambda self, e: float_power(self, e),
    "clamp": _clamp,
    "clamp_": _clamp_,
    "clip": _clamp,
    "clip_": _clamp_,
    "clamp_min": lambda self, min: _clamp(self, min),
    "clamp_min_": lambda self, min: _clamp_(self, min),
    "clamp_max": lambda self, max: _clamp(self, None, max),
    "clamp_max_": lambda self, max: _clamp_(self, None, max),
    "lerp": _lerp,
    "lerp_": _lerp_,
    "conj": conj,
    "resolve_conj": resolve_conj,
    "resolve_neg": resolve_conj,
    "is_conj": lambda self: False,
    "is_neg": lambda self: False,
    "is_nonzero": is_nonzero,
    "isclose": isclose,
    "allclose": allclose,
    "equal": equal,
    "__invert__": __invert__,
    "__neg__": _gen.op_neg,
    "__pos__": _gen.op_positive,
    "__abs__": _gen.op_abs,
    "__div__": _div,
    "rsub": rsub,
}


def before_write(self: Tensor) -> Tensor:
    """What a tensor with a history holds before it is written to: backward needs it."""
    return self if self._ag is None and self.__class__ is Tensor else self.clone()  # type: ignore[attr-defined]


def float_power_(self: Tensor, exponent: Any) -> Tensor:
    """As `float_power`, in place; the tensor must be of double precision already."""
    r = float_power(before_write(self), exponent)
    if r.dtype is not self.dtype:
        raise RuntimeError(
            message("float_power_", f"the base given is {self.dtype} but the operation's result requires {r.dtype}")
        )
    return self.copy_(r)  # type: ignore[attr-defined]


METHODS["float_power_"] = float_power_


def _polygamma(self: Tensor, n: int) -> Tensor:
    return _gen.op_polygamma(n, self)


def _polygamma_(self: Tensor, n: int) -> Tensor:
    return self.copy_(_gen.op_polygamma(n, before_write(self)))  # type: ignore[attr-defined]


METHODS |= {"polygamma": _polygamma, "polygamma_": _polygamma_}
METHODS["__rdiv__"] = _gen.__rtruediv__
