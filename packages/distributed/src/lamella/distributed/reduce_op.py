"""ReduceOp: how a collective makes one value of every rank's."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.dispatch.errors import message


class ReduceOp(enum.Enum):
    """How values of several ranks become one.

    Example:
        >>> ReduceOp.SUM.name
        'SUM'
    """

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7

    __hash__ = object.__hash__  # Enum's own is a function in Python

    def __repr__(self) -> str:
        return f"<RedOpType.{self.name}: {self.value}>"


ReduceOp.RedOpType = ReduceOp  # type: ignore[attr-defined]  # torch's name for the enumeration inside


class _PremulSum:
    """A sum of what ranks have, each multiplied with a number first; its name says the number, too."""

    def __init__(self, factor: float) -> None:
        self.name = f"PREMUL_SUM:{float(factor)!r}"

    def __repr__(self) -> str:
        return f"<RedOpType.{self.name}>"


def _make_nccl_premul_sum(factor: Any) -> Any:
    """The operation PREMUL_SUM, for floats.

    Args:
        factor: a number, or a tensor of one element; the same on all ranks.

    Example:
        >>> _make_nccl_premul_sum(0.5)
        <RedOpType.PREMUL_SUM:0.5>
    """
    return _PremulSum(float(factor))


_UFUNCS = {
    "SUM": np.add,
    "AVG": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
    "BAND": np.bitwise_and,
    "BOR": np.bitwise_or,
    "BXOR": np.bitwise_xor,
}
#: Of truth values, a sum is whether any is true and a product whether all are.
_OF_BOOL = {
    "SUM": np.logical_or,
    "PRODUCT": np.logical_and,
    "MIN": np.logical_and,
    "MAX": np.logical_or,
    "BAND": np.logical_and,
    "BOR": np.logical_or,
    "BXOR": np.logical_xor,
}


#: (operation, NumPy's element type) -> its name, of those that `check` has let through
_checked: dict[Any, str] = {}


def check(name: str, op: Any, dtype: Any) -> str:
    """The name of a ReduceOp that can be taken over an element type.

    Raises:
        TypeError: no ReduceOp.
        ValueError: not defined for the type (bits of floats, order of complex numbers, the mean of integers).
    """
    if op.__class__ is _PremulSum:
        if not dtype.is_floating_point:
            raise TypeError(message(name, "PreMulSum Data type must be half, float, bfloat16 or double", dtype.name))
        return op.name
    if op.__class__ is not ReduceOp:
        raise TypeError(message(name, "op must be a ReduceOp", type(op).__name__))
    kind = op.name
    if dtype.is_floating_point or kind in ("SUM", "PRODUCT"):
        wrong = kind in ("BAND", "BOR", "BXOR")
    elif dtype.is_complex:
        wrong = kind != "AVG"
    else:
        wrong = kind == "AVG"
    if wrong:
        raise ValueError(message(name, f"ReduceOp.{kind} is not defined for {dtype.name}"))
    _checked[op, dtype.np] = kind
    return kind


def ufunc(op: str, dtype: np.dtype) -> Any:
    """The NumPy function of two arrays that an operation is."""
    return _OF_BOOL[op] if dtype == np.bool_ else _UFUNCS[op]


def combined(op: str, arrays: Sequence[Any]) -> Any:
    """The reduction of arrays in the order of ranks: every rank that computes it gets the same bits."""
    op, _, factor = op.partition(":")
    if factor:
        op, arrays = "SUM", [a * a.dtype.type(factor) for a in arrays]
    fn = ufunc(op, arrays[0].dtype)
    out = arrays[0].copy()
    for a in arrays[1:]:
        fn(out, a, out=out)
    if op == "AVG":
        out /= np.asarray(len(arrays), out.dtype)
    return out
