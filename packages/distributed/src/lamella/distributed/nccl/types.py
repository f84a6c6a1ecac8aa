"""Which of NCCL's element types and operations stand for an array's and for a ReduceOp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lamella.dispatch.errors import message

#: The numbers of nccl.h, which CuPy passes on.
TYPES = {
    "int8": 0, "uint8": 1, "int32": 2, "uint32": 3, "int64": 4, "uint64": 5, "float16": 6, "float32": 7, "float64": 8,
    "bfloat16": 9,
}  # fmt: skip
OPERATIONS = {"SUM": 0, "PRODUCT": 1, "MAX": 2, "MIN": 3, "AVG": 4}
BYTE = TYPES["uint8"]
#: Truth values are bytes of 0 and 1: a sum would leave them, so whether any is true is the largest.
_OF_BOOL = {"SUM": "MAX", "MAX": "MAX", "BOR": "MAX", "PRODUCT": "MIN", "MIN": "MIN", "BAND": "MIN"}
#: Types that NCCL cannot reduce, and those in which the same comes out.
_WIDER = {"int16": "int32", "uint16": "uint32"}
_COMPLEX = {"complex64": "float32", "complex128": "float64"}


@dataclass(frozen=True)
class Reduction:
    """How NCCL is told to reduce an array.

    Attributes:
        type: NCCL's number of the element type.
        op: NCCL's number of the operation.
        parts: NCCL's elements in one of the array (2 for complex numbers).
        through: the type that the array is converted to, and back afterwards; None where NCCL knows its own.
        factor: what the array is multiplied with first; None where it is not.
    """

    type: int
    op: int
    parts: int = 1
    through: Any = None
    factor: float | None = None


def reduction(name: str, op: str, dtype: Any) -> Reduction:
    """How to reduce arrays of an element type.

    Args:
        name: the collective, for errors.
        op: a ReduceOp's name; that of PREMUL_SUM says its factor, too.
        dtype: NumPy's.

    Raises:
        ValueError: NCCL has no such operation (torch's does not take it either).
        TypeError: not for this element type.
        RuntimeError: an operation on complex numbers that is not one on their parts.

    Example:
        >>> reduction("all_reduce", "SUM", np.dtype("complex64"))
        Reduction(type=7, op=0, parts=2, through=None, factor=None)
        >>> reduction("all_reduce", "SUM", np.dtype("bool")).op == OPERATIONS["MAX"]
        True
    """
    dtype = np.dtype(dtype)
    op, _, number_first = op.partition(":")
    factor = float(number_first) if number_first else None
    if dtype == np.bool_:
        return _of_bool(name, op)
    if op in ("BAND", "BOR", "BXOR"):
        hint = "tensors on the CPU have it, and truth values BAND and BOR"
        raise ValueError(message(name, f"Cannot use ReduceOp.{op} with NCCL", dtype.name, hint=hint))
    number = OPERATIONS.get("SUM" if factor is not None else op)
    if number is None:
        raise ValueError(message(name, "Unhandled ReduceOp", op))
    if factor is not None and dtype.name not in ("float16", "bfloat16", "float32", "float64"):
        raise TypeError(message(name, "PreMulSum Data type must be half, float, bfloat16 or double", dtype.name))
    if dtype.name in _COMPLEX:
        if op not in ("SUM", "AVG"):
            raise RuntimeError(message(name, f"{name} does not support ReduceOp.{op} on complex tensors", dtype.name))
        return Reduction(TYPES[_COMPLEX[dtype.name]], number, 2)
    if dtype.name in _WIDER:
        wider = np.dtype(_WIDER[dtype.name])
        return Reduction(TYPES[wider.name], number, 1, wider)
    if dtype.name not in TYPES:
        hint = "send it as it is, or convert it first: x.to(torch.float16)"
        raise TypeError(message(name, "Input tensor data type is not supported for NCCL process group", dtype.name,
                                hint=hint))  # fmt: skip
    return Reduction(TYPES[dtype.name], number, 1, None, factor)


def _of_bool(name: str, op: str) -> Reduction:
    if op == "AVG":
        raise TypeError(message(name, "Cannot use ReduceOp.AVG with Boolean inputs"))
    if op not in _OF_BOOL:
        raise ValueError(message(name, f"Cannot use ReduceOp.{op} with NCCL", "bool"))
    return Reduction(BYTE, OPERATIONS[_OF_BOOL[op]])
