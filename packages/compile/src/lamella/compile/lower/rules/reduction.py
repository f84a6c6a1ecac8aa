"""Reductions and scans."""

from __future__ import annotations

import math
from typing import Any

from ...loops.index import product
from ...loops.ir import Loop
from ...loops.record import computing
from .. import views
from ..promote import cast, category, spec_type
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


def reduced(lo: Any, a: Value, dims: list[int], keepdim: bool, how: str, dtype: str, body: Any = None) -> Value:
    """A reduction; of nothing, only the type changes. Half precision stays in float32 (see `finish`)."""
    if not dims:
        out = cast(lo, a, dtype) if body is None else lo.pointwise(body, a, dtype=dtype)
        return out if isinstance(out, Value) else stored(out)
    found: Value = lo.reduce(a, dims, how, dtype, keepdim, body)
    return found


def count(a: Value, dims: list[int]) -> Any:
    """How many elements are reduced to one."""
    return product([a.shape[d] for d in dims])


@lowering("aten::sum", "aten::sum.dim_IntList", "aten::nansum")
def total(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    kind = spec_type(node)
    if kind == "bool":
        raise Unsupported("bools")
    source = cast(lo, a, kind)
    body = None
    if node.op.opname == "nansum" and category(a.dtype) == 2:
        body = lambda ops, x: ops.where(ops.isnan(x), ops.constant(0, kind), x)  # noqa: E731
    return reduced(lo, source, dims_of(a, dim), keepdim, "sum", kind, body)


@lowering("aten::mean", "aten::mean.dim")
def mean(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Value:
    kind = spec_type(node)
    dims = dims_of(a, dim)
    work = computing(kind)
    return divided(lo, reduced(lo, cast(lo, cast(lo, a, kind), work), dims, keepdim, "sum", work), count(a, dims), kind)


def divided(lo: Any, value: Value, n: Any, dtype: str) -> Value:
    """A value divided by a number, perhaps a symbolic one, and brought to a type."""
    if isinstance(n, int) and n == 1:
        return cast(lo, value, dtype)
    by = constant(float(n) if n else math.nan, (), value.dtype) if isinstance(n, int) else lo.symbol(n, value.dtype)
    out = lo.pointwise(lambda ops, x, y: ops.div(x, y), value, by, dtype=value.dtype, cost=4)
    return cast(lo, out, dtype)


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


@lowering("aten::amax", "aten::max")
def amax(lo: Any, node: Any, a: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return extreme(lo, a, dims_of(a, dim), keepdim, "max")


@lowering("aten::amin", "aten::min")
def amin(lo: Any, node: Any, a: Value, dim: Any = (), keepdim: bool = False) -> Value:
    return extreme(lo, a, dims_of(a, dim), keepdim, "min")


@lowering("aten::aminmax")
def aminmax(lo: Any, node: Any, a: Value, *, dim: Any = None, keepdim: bool = False) -> Any:
    dims = dims_of(a, dim)
    return extreme(lo, a, dims, keepdim, "min"), extreme(lo, a, dims, keepdim, "max")


@lowering("aten::max.dim", "aten::min.dim")
def extreme_and_place(lo: Any, node: Any, a: Value, dim: int, keepdim: bool = False) -> Any:
    how = node.op.opname
    dims = dims_of(a, dim)
    if not dims:
        return a, constant(0, (), "int64")
    used = lo.used(node)
    values = extreme(lo, a, dims, keepdim, how) if 0 in used else None
    places = _place(lo, a, dims, keepdim, "arg" + how) if 1 in used else None
    return values, places


def _place(lo: Any, a: Value, dims: list[int], keepdim: bool, how: str) -> Value:
    if a.dtype == "bool":
        a = cast(lo, a, "uint8")
    return reduced(lo, a, dims, keepdim, how, "int64")


@lowering("aten::argmax", "aten::argmin")
def argmax(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False) -> Value:
    dims = dims_of(a, dim)
    return _place(lo, a, dims, keepdim, node.op.opname) if dims else constant(0, (), "int64")


@lowering("aten::any.dims", "aten::all.dims", "aten::any", "aten::all", "aten::any.dim", "aten::all.dim")
def logical(lo: Any, node: Any, a: Value, dim: Any = None, keepdim: bool = False) -> Value:
    found = reduced(lo, cast(lo, a, "bool"), dims_of(a, dim, False), keepdim, node.op.opname, "bool")
    return cast(lo, found, spec_type(node))


@lowering("aten::count_nonzero.dim_IntList", "aten::count_nonzero")
def count_nonzero(lo: Any, node: Any, a: Value, dim: Any = None) -> Value:
    flags = cast(lo, cast(lo, a, "bool"), "int64")
    return reduced(lo, flags, dims_of(a, dim), False, "sum", "int64")


@lowering("aten::linalg_vector_norm")
def vector_norm(lo: Any, node: Any, a: Value, ord: Any = 2, dim: Any = None, keepdim: bool = False, *,  # noqa: A002
                dtype: Any = None) -> Value:
    kind = spec_type(node)
    work = computing(kind)
    if not isinstance(ord, (int, float)):
        raise Unsupported("an order that is only known at run time")
    x = cast(lo, cast(lo, a, kind), work)
    dims = dims_of(a, dim)
    if not dims:
        if ord == 0:
            return cast(lo, cast(lo, x, "bool"), kind)
        return cast(lo, lo.pointwise(lambda ops, v: ops.abs(v), x, dtype=work), kind)
    if ord in (math.inf, -math.inf):
        out = reduced(lo, x, dims, keepdim, "max" if ord > 0 else "min", work, lambda ops, v: ops.abs(v))
    elif ord == 0:
        out = reduced(lo, cast(lo, cast(lo, x, "bool"), work), dims, keepdim, "sum", work)
    elif ord == 1:
        out = reduced(lo, x, dims, keepdim, "sum", work, lambda ops, v: ops.abs(v))
    elif ord == 2:
        out = reduced(lo, x, dims, keepdim, "sum", work, lambda ops, v: ops.mul(v, v))
        out = lo.pointwise(lambda ops, v: ops.sqrt(v), out, dtype=work, cost=4)
    else:
        out = reduced(lo, x, dims, keepdim, "sum", work,
                      lambda ops, v: ops.pow(ops.abs(v), ops.constant(float(ord), work)))
        out = lo.pointwise(lambda ops, v: ops.pow(v, ops.constant(1 / ord, work)), out, dtype=work, cost=16)
    return cast(lo, out, kind)


@lowering("aten::var.correction", "aten::std.correction", "aten::var_mean.correction")
def variance(lo: Any, node: Any, a: Value, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    kind = spec_type(node)
    work = computing(kind)
    dims = dims_of(a, dim)
    n = count(a, dims)
    x = cast(lo, a, work)
    centre = divided(lo, reduced(lo, x, dims, True, "sum", work), n, work)
    gap = lo.pointwise(lambda ops, v, m: ops.sub(v, m), x, centre, dtype=work)
    if x.buffer is None and x.cost > 8:
        lo.realize(x)
    square = reduced(lo, gap, dims, keepdim, "sum", work, lambda ops, v: ops.mul(v, v))
    fewer = 1 if correction is None else correction
    if isinstance(n, int):
        by = constant(float(max(n - fewer, 0)), (), work)
        out = lo.pointwise(lambda ops, v, d: ops.div(v, d), square, by, dtype=work, cost=4)
    else:
        out = divided(lo, square, n - int(fewer), work)
    if node.op.opname == "std":
        out = lo.pointwise(lambda ops, v: ops.sqrt(v), out, dtype=work, cost=4)
    out = cast(lo, out, kind)
    if node.op.opname == "var_mean":
        return out, cast(lo, centre if keepdim else views.drop(centre, dims), kind)
    return out


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
