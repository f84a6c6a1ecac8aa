"""Which type the result of mixed operands has: torch's promotion rules.

Operands come in three ranks: tensors with dimensions, zero-dimensional tensors, Python numbers. A lower rank changes
the
result's type only where its category (bool < integer < floating < complex) is higher than that of the ranks above it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from . import dtypes as dt
from .dtypes import dtype

_ORDER = {d: i for i, d in enumerate((*dt.ALL, *dt.FLOAT8))}
_UNSIGNED = {dt.uint8, dt.uint16, dt.uint32, dt.uint64}


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The smallest type that both types promote to.

    Args:
        type1, type2: dtypes.

    Returns:
        A dtype.

    Raises:
        RuntimeError: for a signed integer with uint16, uint32 or uint64, which have no common integer type.

    Example:
        >>> promote_types(dt.int64, dt.float16)
        torch.float16
    """
    if type1 is type2:
        return type1
    try:
        found = _PROMOTED.get((type1, type2))
    except TypeError:
        found = None
    if found is None:
        found = _PROMOTED[type1, type2] = _promote(type1, type2)
    return found


_PROMOTED: dict[tuple[dtype, dtype], dtype] = {}


def _promote(a: dtype, b: dtype) -> dtype:
    _only_types("promote_types", a, b)
    if a in dt.FLOAT8 or b in dt.FLOAT8:
        raise RuntimeError(
            message(
                "promote_types",
                "types of 8 bits are not promoted",
                [a.name, b.name],
                hint="convert one of them with .to()",
            )
        )
    if a.category > b.category:
        a, b = b, a
    if b.category == 3:
        if a.category == 3:
            return dt.complex128
        return dt.complex128 if a is dt.float64 or b is dt.complex128 else b
    if b.category == 2:
        if a.category < 2:
            return b
        if a.itemsize == b.itemsize:
            return dt.float32  # float16 with bfloat16
        return a if a.itemsize > b.itemsize else b
    if a.category == 0:
        return b
    if a.is_signed == b.is_signed:
        return a if a.itemsize > b.itemsize else b
    signed, unsigned = (a, b) if a.is_signed else (b, a)
    if unsigned is not dt.uint8:
        raise RuntimeError(
            message(
                "promote_types",
                f"there is no common type for {signed!r} and {unsigned!r}",
                hint="convert one of them with .to()",
            )
        )
    return dt.int16 if signed is dt.int8 else signed


def scalar_dtype(value: Any) -> dtype:
    """The type of a Python number: bool, int64, or the default floating or complex type."""
    if isinstance(value, (bool, np.bool_)):
        return dt.bool_
    if isinstance(value, (int, np.integer)):
        return dt.int64
    if isinstance(value, (float, np.floating)):
        return dt._default
    return dt.get_default_complex()


def result_dtype(*operands: Any) -> dtype:
    """The promoted type of tensors (anything with ``_a``) and Python numbers."""
    ranks = []
    for x in operands:
        if x is None:
            continue
        a = getattr(x, "_a", None)
        ranks.append((scalar_dtype(x), 2) if a is None else (dt.from_numpy_dtype(a.dtype), 0 if a.ndim else 1))
    return by_rank(ranks)


def by_rank(given: Iterable[tuple[dtype, int]]) -> dtype:
    """The promoted type of (type, rank) pairs; ranks are 0 for tensors with dimensions, 1 for 0-d ones, 2 for numbers.

    Args:
        given: the pairs, in any order; of none, the default floating type.

    Returns:
        A dtype.

    Example:
        >>> by_rank([(dt.float64, 1), (dt.float32, 0)])
        torch.float32
    """
    ranks: list[dtype | None] = [None, None, None]
    for d, rank in given:
        old = ranks[rank]
        ranks[rank] = d if old is None else promote_types(old, d)
    out: dtype | None = None
    for found in ranks:
        if found is None:
            continue
        if out is None:
            out = found
        elif found.category > out.category:
            out = _lift(out, found)
    return dt._default if out is None else out


def _lift(high: dtype, low: dtype) -> dtype:
    """A lower rank's category wins: its type, but complex keeps the precision of a floating high rank."""
    if low.category == 3 and high.category == 2:
        return high.to_complex()
    return low


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The type that an arithmetic operation on two tensors or numbers would have.

    Example:
        >>> result_type(1, 2.0)
        torch.float32
    """
    return result_dtype(tensor1, tensor2)


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether torch allows writing ``from_`` into ``to``: never to a lower category, and bool only from bool.

    Example:
        >>> can_cast(dt.float64, dt.float32), can_cast(dt.float32, dt.int64)
        (True, False)
    """
    if from_.__class__ is not dtype or to.__class__ is not dtype:
        _only_types("can_cast", from_, to)
    return from_.category <= to.category


def _only_types(op: str, *given: Any) -> None:
    for x in given:
        if not isinstance(x, dtype):
            raise TypeError(message(op, f"arguments must be torch.dtype, not {type(x).__name__}"))


def float_dtype(d: dtype) -> dtype:
    """``d``, or the default floating type for integers and bools: what ``sin`` and ``div`` compute in."""
    return d if d.category >= 2 else dt._default
