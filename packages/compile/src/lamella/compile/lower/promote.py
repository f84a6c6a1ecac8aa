"""Types of operands: what they are brought to before an operation, as eager promotion does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.core import dtypes
from lamella.core.promotion import by_rank, promote_types

from ..graph.numbers import fits
from ..loops.index import Expr, Var
from ..loops.record import computing
from .registry import Unsupported
from .values import Scalar, Value, constant

FLOATS = ("float16", "bfloat16", "float32", "float64")
INTS = ("uint8", "int8", "int16", "int32", "int64")


def category(dtype: str) -> int:
    """0 for bool, 1 for integers, 2 for floating types."""
    return 0 if dtype == "bool" else 1 if dtype in INTS else 2


def promote(a: str, b: str) -> str:
    """The smallest type that both promote to."""
    return str(promote_types(getattr(dtypes, a), getattr(dtypes, b)).name)


def number_type(number: Any) -> str:
    """The type of a Python number; of a symbolic one by the kind of its symbol."""
    if isinstance(number, bool):
        return "bool"
    if isinstance(number, (int, Expr, Var)):
        return "int64"
    if isinstance(number, (float, Scalar)):
        return str(dtypes._default.name)
    raise Unsupported(f"a number of type {type(number).__name__}")


def result_type(args: Sequence[Any]) -> str:
    """The type of a mixed operation: tensors with dimensions, 0-d tensors, and numbers rank in this order."""
    ranks = []
    for arg in args:
        number = isinstance(arg, Scalar) or not isinstance(arg, Value)
        name, rank = (number_type(arg), 2) if number else (arg.dtype, 0 if arg.ndim else 1)
        ranks.append((getattr(dtypes, name), rank))
    return str(by_rank(ranks).name)


def cast(lo: Any, arg: Any, dtype: str) -> Value:
    """A value (or number) in an element type."""
    if isinstance(arg, (Expr, Var)):
        found: Value = lo.symbol(arg, dtype)
        return found
    if isinstance(arg, Scalar):
        k = arg.k
        return Value((), dtype, lambda ops, index: ops.scalar(k, dtype))
    if not isinstance(arg, Value):
        if isinstance(arg, int) and category(dtype) == 1 and not fits(arg, "int64"):
            raise Unsupported("a number of more than 64 bits")
        return constant(as_number(arg, dtype), (), dtype)
    if arg.dtype == dtype:
        return arg
    if arg.number is not None:
        return constant(as_number(arg.number, dtype), arg.shape, dtype)
    load = (arg if category(dtype) == 2 else stepped(lo, arg)).load
    free = computing(arg.dtype) == dtype
    return Value(arg.shape, dtype, lambda ops, index: ops.to(load(ops, index), dtype), cost=arg.cost + (not free),
                 reads=arg.reads)


def stepped(lo: Any, arg: Value) -> Value:
    """A value in half precision rounded as eager would have it, for functions with steps: a little decides much."""
    if arg.dtype not in ("float16", "bfloat16") or arg.buffer is not None or arg.number is not None:
        return arg
    dtype = arg.dtype
    found: Value = lo.pointwise(lambda ops, x: ops.to(x, dtype), arg, dtype=dtype)
    return found


def as_number(number: Any, dtype: str) -> Any:
    """A Python number as one of a type: cut off and wrapped for integers."""
    kind = category(dtype)
    if kind == 2:
        return float(number)
    if kind == 0:
        return bool(number)
    number = int(number)
    info = np.iinfo(dtype)
    if not info.min <= number <= info.max:
        bits = info.bits
        number &= (1 << bits) - 1
        if info.min < 0 and number > info.max:
            number -= 1 << bits
    return number


def fitting(number: Any, dtype: str) -> Any:
    """A number, or a 0-d value, that is to be an element of a type as it is.

    Raises:
        Unsupported: for an integer type, if it may not be one of it: that is an error, or wraps, by the operator.
    """
    if category(dtype) != 1:
        return number
    if isinstance(number, Value) and number.number is None:
        fit = promote(number.dtype, dtype) == dtype
    elif isinstance(number, (Expr, Var)):
        fit = dtype == "int64"
    else:
        fit = fits(number.number if isinstance(number, Value) else number, dtype)
    if not fit:
        raise Unsupported(f"a number that may not be one of {dtype}")
    return number


def common(lo: Any, *args: Any, dtype: str | None = None) -> list[Value]:
    """Operands in their common type, or in ``dtype``."""
    dtype = dtype or result_type(args)
    return [cast(lo, arg, dtype) for arg in args]


def spec_type(node: Any) -> str:
    """The element type of a node's (first) result."""
    spec = node.spec[0] if isinstance(node.spec, (tuple, list)) else node.spec
    return str(spec.dtype.name)
