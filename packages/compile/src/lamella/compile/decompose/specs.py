"""Shapes and element types of primitives, worked out from specs: quicker than shape rules over meta tensors, and for
symbolic sizes too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lamella.core import dtypes as dt
from lamella.core.promotion import by_rank, float_dtype, scalar_dtype
from lamella.dispatch.errors import message

from ..graph.node import Node, Spec
from ..graph.numbers import fits
from ..loops.index import Expr
from .table import Eager

Shape = tuple[Any, ...]
LOW = (dt.float16, dt.bfloat16)
_KINDS = {bool: dt.bool_, int: dt.int64}


def is_number(x: Any) -> bool:
    """Whether an operand stands for a Python number: it is one, a symbolic size, or a run-time scalar."""
    return not isinstance(x, Node) or x.kind == "scalar"


def fitting(number: Any, d: Any) -> Any:
    """A number as one of an integer type, without its fraction; for other types as it is.

    Raises:
        Eager: it is not one, or may not be: operators have rules of their own for such numbers.
    """
    if d.category != 1 or isinstance(number, Expr) and d is dt.int64:
        return number
    if not fits(number, d.name):
        raise Eager(f"a number that may not be one of {d.name}")
    return int(number)


def floating(x: Node, dtype: Any = None) -> Any:
    """The type of a tensor, or the one that it is to be taken in.

    Raises:
        Eager: it is no floating one.
    """
    d = x.spec.dtype if dtype is None else dtype
    if d.category != 2:
        raise Eager("an error of the operator")
    return d


def broadcast(op: str, shapes: list[Shape]) -> Shape:
    """The shape that shapes broadcast to.

    Raises:
        RuntimeError: if they do not.
    """
    first = shapes[0]
    if all(s == first for s in shapes):
        return first
    rank = max(map(len, shapes))
    out: list[Any] = [1] * rank
    for s in shapes:
        for i, n in enumerate(s, rank - len(s)):
            have = out[i]
            if have == 1 or (not isinstance(have, int) and isinstance(n, int) and n != 1):
                out[i] = n
            elif n != 1 and n != have and isinstance(n, int) and isinstance(have, int):
                raise RuntimeError(message(op, "the shapes cannot be broadcast together", [list(s) for s in shapes]))
    return tuple(out)


@lru_cache(4096)
def _promoted(ranks: tuple[tuple[Any, int], ...], default: Any) -> Any:
    return by_rank(ranks)


def result_type(operands: Any) -> Any:
    """The type that operands promote to: tensors with dimensions, then 0-d ones, then numbers."""
    if all(isinstance(x, Node) and x.kind != "scalar" for x in operands):
        types = {x.spec.dtype for x in operands}
        if len(types) == 1:
            return types.pop()
    ranks = []
    for x in operands:
        if is_number(x):
            ranks.append((_number_type(x), 2))
        else:
            ranks.append((x.spec.dtype, 0 if x.spec.shape else 1))
    # In the order of the ranks' numbers the strongest comes first.
    return _promoted(tuple(sorted(ranks, key=lambda r: r[1])), dt.get_default_dtype())


def _number_type(x: Any) -> Any:
    if isinstance(x, Node):
        return dt.get_default_dtype()
    found = _KINDS.get(type(x))
    if found is not None:
        return found
    return scalar_dtype(x) if isinstance(x, (float, complex)) else dt.int64


def pointwise(op: str, promote: str, operands: Any) -> Spec:
    """What an elementwise primitive gives.

    Args:
        op: its name, for errors.
        promote: "arith", "float" (integers become the default floating type), "compare" (bool), or "same" (the type
            of the first tensor).
        operands: nodes, numbers and symbolic sizes.
    """
    tensors = [x for x in operands if not is_number(x)]
    shape = broadcast(op, [x.spec.shape for x in tensors])
    if promote == "compare":
        d = dt.bool_
    elif promote == "same":
        d = tensors[0].spec.dtype
    else:
        d = result_type(operands)
        if promote == "float":
            d = float_dtype(d)
    return Spec.dense(shape, d, tensors[0].spec.device)


dense = Spec.dense


def kept(shape: Shape, dims: tuple[int, ...], keepdim: bool) -> Shape:
    """What is left of a shape when dimensions are reduced."""
    if keepdim:
        return tuple(1 if i in dims else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in dims)


def wrapped(dims: Any, ndim: int) -> tuple[int, ...]:
    """Dimensions as numbers from 0, in order; None and an empty list stand for all."""
    if dims is None:
        return tuple(range(ndim))
    if isinstance(dims, int):
        dims = (dims,)
    if not dims:
        return tuple(range(ndim))
    return tuple(sorted(d + ndim if d < 0 else d for d in dims)) if ndim else ()


def sum_type(d: Any) -> Any:
    """The type of a sum or product: integers of all sizes give int64."""
    return d if d.category >= 2 else dt.int64


def wide(d: Any) -> Any:
    """The type that kernels compute in: float32 for the floating types of 16 bits."""
    return dt.float32 if d in LOW else d
