"""Data types of the standard: promotion, casting, limits, kinds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

import lamella.core as _core
from lamella.dispatch.errors import message

from .. import dtypes as dt
from ..dtypes import dtype
from ..tensor import Tensor

#: The types that the standard names. float16 and bfloat16 tensors may be passed too; they are real floating types.
STANDARD = tuple(d for d in dt.ALL if d not in (dt.float16, dt.bfloat16))
_SIGNED = {1: dt.int8, 2: dt.int16, 4: dt.int32, 8: dt.int64}
_UNSIGNED = {1: dt.uint8, 2: dt.uint16, 4: dt.uint32, 8: dt.uint64}
_KINDS: dict[str, Any] = {
    "bool": lambda d: d.category == 0,
    "signed integer": lambda d: d.category == 1 and d.is_signed,
    "unsigned integer": lambda d: d.category == 1 and not d.is_signed,
    "integral": lambda d: d.category == 1,
    "real floating": lambda d: d.category == 2,
    "complex floating": lambda d: d.category == 3,
    "numeric": lambda d: d.category > 0,
}


def _scalar_category(x: Any) -> int | None:
    """The promotion rank of a Python (or NumPy) number, None for anything else."""
    if isinstance(x, (bool, np.bool_)):
        return 0
    if isinstance(x, (int, np.integer)):
        return 1
    if isinstance(x, (float, np.floating)):
        return 2
    return 3 if isinstance(x, (complex, np.complexfloating)) else None


def _default_of(category: int) -> dtype:
    return (dt.bool_, dt.int64, dt.get_default_dtype(), dt.get_default_complex())[category]


def _promote(a: dtype, b: dtype) -> dtype:
    if a is b:
        return a
    if a.category == b.category == 1 and a.is_signed != b.is_signed:
        signed, unsigned = (a, b) if a.is_signed else (b, a)
        size = max(signed.itemsize, 2 * unsigned.itemsize)
        if size > 8:
            raise TypeError(message("result_type", f"there is no common type for {a} and {b}", hint="use astype"))
        return _SIGNED[size]
    return _core.promote_types(a, b)


def result_type(*arrays_and_dtypes: Any) -> dtype:
    """The type that the standard's promotion rules give to operands together.

    Args:
        arrays_and_dtypes: arrays, dtypes and Python numbers. Arrays without dimensions count as much as others; a
            number matters only where its kind is above that of all arrays and dtypes.

    Returns:
        A dtype. Integers with floating types, which the standard leaves open, give the floating type, as in torch.

    Raises:
        TypeError: for other arguments, and for uint64 with a signed integer type, which have no common type.

    Example:
        >>> result_type(int8, uint8), result_type(float32, 1.0)
        (torch.int16, torch.float32)
    """
    types: list[dtype] = []
    category = -1
    for x in arrays_and_dtypes:
        if isinstance(x, (Tensor, dtype)):
            types.append(x.dtype if isinstance(x, Tensor) else x)
            continue
        c = _scalar_category(x)
        if c is None:
            raise TypeError(message("result_type", f"it takes arrays, dtypes and numbers, not {type(x).__name__}"))
        category = max(category, c)
    if not types:
        if category < 0:
            raise TypeError(message("result_type", "at least one array or dtype is required"))
        return _default_of(category)
    d = reduce(_promote, types)
    if category <= d.category:
        return d
    return d.to_complex() if category == 3 and d.category == 2 else _default_of(category)


def promoted(*xs: Any) -> list[Any]:
    """Arrays and Python numbers as arrays of their common type."""
    first = xs[0]
    if isinstance(first, Tensor) and all(isinstance(x, Tensor) and x._a.dtype == first._a.dtype for x in xs):
        return list(xs)
    d = result_type(*xs)
    like = next((x for x in xs if isinstance(x, Tensor)), None)
    if like is None:
        raise TypeError(message("array_api", "at least one operand must be an array", list(xs)))
    return [cast(x, d) if isinstance(x, Tensor) else _core.full((), x, dtype=d, device=like.device) for x in xs]


def cast(x: Any, d: dtype | None) -> Any:
    """``x`` in type ``d`` (itself where it has it, or where ``d`` is None)."""
    return x if d is None or x.dtype is d else x.to(d)


def astype(x: Any, dtype: dtype, /, *, copy: bool = True, device: Any = None) -> Any:  # noqa: A002
    """An array's elements in another type.

    Args:
        x: an array. dtype: the type wanted.
        copy: False gives ``x`` itself where nothing has to be converted.
        device: where the result goes; by default where ``x`` is.

    Raises:
        TypeError: from complex to real, which would lose the imaginary part: use ``real`` first.

    Example:
        >>> astype(asarray([1.7, -1.7]), int64).tolist()
        [1, -1]
    """
    d = dt.as_dtype("astype", dtype)
    if x.dtype.category == 3 and d.category in (1, 2):
        raise TypeError(message("astype", f"{x.dtype} cannot be cast to {d}", hint="use real() or imag() first"))
    if device is not None:
        x = x.to(device)
    if x.dtype is d:
        return x.clone() if copy else x
    return x.to(d)


def can_cast(from_: Any, to: dtype, /) -> bool:
    """Whether promotion leads from one type to another: whether their common type is the second.

    Args:
        from_: an array or a dtype. to: a dtype.

    Example:
        >>> can_cast(int8, int16), can_cast(float64, float32)
        (True, False)
    """
    source = from_.dtype if isinstance(from_, Tensor) else from_
    for d in (source, to):
        if not isinstance(d, dtype):
            raise TypeError(message("can_cast", f"it takes dtypes (or an array first), not {type(d).__name__}"))
    try:
        return _promote(source, to) is to
    except TypeError:
        return False


@dataclass(frozen=True)
class finfo_object:
    """Limits of a floating type, as Python numbers; of a complex type, those of its parts."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype


@dataclass(frozen=True)
class iinfo_object:
    """Limits of an integer type."""

    bits: int
    max: int
    min: int
    dtype: dtype


def _type_of(type: Any) -> Any:  # noqa: A002
    return type.dtype if isinstance(type, Tensor) else type


def finfo(type: Any, /) -> finfo_object:  # noqa: A002 - the standard's name
    """The limits of a floating type.

    Args:
        type: a real or complex floating dtype, or an array.

    Example:
        >>> finfo(float32).bits, finfo(complex128).dtype
        (32, torch.float64)
    """
    d = _type_of(type)
    f = dt.finfo(d)
    return finfo_object(f.bits, f.eps, f.max, f.min, f.smallest_normal, d.to_real())


def iinfo(type: Any, /) -> iinfo_object:  # noqa: A002 - the standard's name
    """The limits of an integer type.

    Args:
        type: an integer dtype, or an array.

    Example:
        >>> iinfo(uint8).max
        255
    """
    d = _type_of(type)
    i = dt.iinfo(d)
    return iinfo_object(i.bits, i.max, i.min, d)


def isdtype(dtype: dtype, kind: Any) -> bool:  # noqa: A002 - the standard's name
    """Whether a type is of a kind.

    Args:
        dtype: a dtype.
        kind: a dtype; or ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
            ``"real floating"``, ``"complex floating"``, ``"numeric"``; or a tuple of these.

    Raises:
        TypeError, ValueError: for something else, or a word that is no kind.

    Example:
        >>> isdtype(uint8, "integral"), isdtype(uint8, (float32, "bool"))
        (True, False)
    """
    if not isinstance(dtype, dt.dtype):
        raise TypeError(message("isdtype", f"the first argument must be a dtype, not {type(dtype).__name__}"))
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(message("isdtype", f"there is no kind {kind!r}", hint="kinds are " + ", ".join(_KINDS)))
        return _KINDS[kind](dtype)
    if not isinstance(kind, dt.dtype):
        raise TypeError(message("isdtype", f"a kind must be a str, a dtype or a tuple, not {type(kind).__name__}"))
    return dtype is kind


def accumulated(x: Any, d: dtype | None) -> Any:
    """``x`` in the type that sums and products of it have: integers get 64 bits, unsigned ones stay unsigned."""
    if d is None and x.dtype.category < 2:
        d = dt.int64 if x.dtype.is_signed or x.dtype is dt.bool_ else dt.uint64
    return cast(x, d)
