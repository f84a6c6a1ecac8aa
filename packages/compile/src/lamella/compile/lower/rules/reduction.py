"""Reductions and scans."""

from __future__ import annotations

from typing import Any

from ...loops.ir import Loop
from ..promote import cast, spec_type
from ..registry import Unsupported, lowering
from ..values import Value, constant, stored


def dims_of(a: Value, dim: Any, empty_is_all: bool = True) -> list[int]:
    """The dimensions that a call reduces over; none of a 0-d value."""
    if not a.ndim:
        return []
    if dim is None or (empty_is_all and not isinstance(dim, int) and len(dim) == 0):
        return list(range(a.ndim))
    dims = [dim] if isinstance(dim, int) else list(dim)
    return sorted(d % a.ndim for d in dims)


def reduced(lo: Any, a: Value, dims: list[int], keepdim: bool, how: str, dtype: str) -> Value:
    """A reduction; of nothing, only the type changes."""
    if not dims:
        return cast(lo, a, dtype)
    found: Value = lo.reduce(a, dims, how, dtype, keepdim)
    return found


@lowering("aten::sum.dim_IntList")
def total(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    kind = spec_type(node)
    if kind == "bool":
        raise Unsupported("bools")
    return reduced(lo, cast(lo, a, kind), dims_of(a, dim), keepdim, "sum", kind)


@lowering("aten::prod", "aten::prod.dim_int")
def prod(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    kind = spec_type(node)
    if kind == "bool":
        raise Unsupported("bools")
    return reduced(lo, cast(lo, a, kind), dims_of(a, dim), keepdim, "prod", kind)


def extreme(lo: Any, a: Value, dims: list[int], keepdim: bool, how: str) -> Value:
    """The largest or smallest element."""
    if a.dtype == "bool":
        how = "any" if how == "max" else "all"
    return reduced(lo, a, dims, keepdim, how, a.dtype)


@lowering("aten::amax")
def amax(lo: Any, node: Any, a: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return extreme(lo, a, dims_of(a, dim), keepdim, "max")


@lowering("aten::amin")
def amin(lo: Any, node: Any, a: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return extreme(lo, a, dims_of(a, dim), keepdim, "min")


@lowering("aten::argmax", "aten::argmin")
def argmax(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False) -> Value:
    dims = dims_of(a, dim)
    if a.dtype == "bool":
        raise Unsupported("bools")
    return reduced(lo, a, dims, keepdim, node.op.opname, "int64") if dims else constant(0, (), "int64")


@lowering("aten::any.dims", "aten::all.dims")
def logical(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False) -> Value:
    found = reduced(lo, cast(lo, a, "bool"), dims_of(a, dim, False), keepdim, node.op.opname, "bool")
    return cast(lo, found, spec_type(node))


@lowering("aten::cumsum", "aten::cumprod")
def cumulated(lo: Any, node: Any, a: Value, dim: int, *, dtype: Any = None) -> Value:
    kind = spec_type(node)
    x = cast(lo, a, kind)
    if not a.ndim:
        return x
    if kind == "bool":
        raise Unsupported("bools")
    axis = dim % a.ndim
    load = x.load

    def body(ops: Any, index: Any) -> Any:
        return load(ops, (*index[:axis], index[-1], *index[axis:-1]))

    out = lo.new_buffer(kind, a.shape)
    ranges = (*a.shape[:axis], *a.shape[axis + 1:])
    how = "sum" if node.op.opname == "cumsum" else "prod"
    lo.add_step(Loop(out, ranges, body, "scan", (a.shape[axis],), how, axis=axis))
    return stored(out)
