"""Products of matrices: `gemm.h`."""

from __future__ import annotations

from typing import Any

from ..loops.index import product as size_of
from ..loops.ir import Buffer, Native
from ..loops.record import computing
from ..lower.context import broadcast_shape
from ..lower.registry import Unsupported, lowering
from ..lower.values import Value, stored
from .common import HALF, NULL, REAL, common_pair, narrowed, spread, widened

WIDE = {"int8": "int", "uint8": "int", "int16": "int", "int32": "int", "int64": "long"}


def multiply(lo: Any, a: Buffer, b: Buffer, out: Buffer, *, bias: Buffer | None = None, alpha: float = 1.0) -> None:
    """Add the step ``out = alpha * a @ b + bias`` for float matrices; bias is a row."""
    (m, k), n = a.shape, b.shape[1]
    arguments = [m, n, k, float(alpha), a, *a.stride, b, *b.stride, False, out, out.stride[0], bias or NULL]
    ins = [a, b] if bias is None else [a, b, bias]
    lo.add_step(Native([out], ins, "gemm", arguments, "gemm.h", flops=2 * m * n * k))


def multiply_many(lo: Any, a: Buffer, b: Buffer, out: Buffer) -> None:
    """Add the step ``out = a @ b`` for batches of matrices of any type; a and b are broadcast.

    Raises:
        Unsupported: where the batches' memory is laid out in more than two steps.
    """
    batch, (m, k), n = out.shape[:-2], a.shape[-2:], b.shape[-1]
    found = common_pair(batch, [spread(a, batch), spread(b, batch), out.stride[:-2]])
    if found is None:
        raise Unsupported("batches that are laid out in more than two steps")
    outer, inner, steps = found
    arguments: list[Any] = [outer, inner, m, n, k]
    for each, pair in zip((a, b), steps, strict=False):
        arguments += [each, *pair, *each.stride[-2:]]
    arguments += [out, *steps[2], out.stride[-2]]
    function = "bmm" if out.dtype in REAL else f"product<{WIDE[out.dtype]}>"
    lo.add_step(Native([out], [a, b], function, arguments, "gemm.h", flops=2 * m * n * k * size_of(batch)))


def matrices(lo: Any, dtype: str, a: Value, b: Value) -> Value:
    """The product of two values of at least two dimensions."""
    if dtype in HALF:
        return narrowed(lo, matrices(lo, "float32", widened(lo, a), widened(lo, b)), dtype)
    if dtype not in (*REAL, *WIDE):
        raise Unsupported(f"an element type that it is not written for: {dtype}")
    if a.dtype != b.dtype or a.dtype != dtype:
        raise Unsupported("operands of different types")
    left, right = lo.realize(a), lo.realize(b)
    batch = broadcast_shape([Value(v.shape[:-2], dtype, v.load) for v in (a, b)])
    shape = (*batch, a.shape[-2], b.shape[-1])
    if not batch and dtype in REAL:
        out = lo.new_buffer(dtype, shape)
        multiply(lo, left, right, out)
        return stored(out)
    out = lo.new_buffer(dtype, shape)
    try:
        multiply_many(lo, left, right, out)
    except Unsupported:
        multiply_many(lo, lo.dense(a), lo.dense(b), out)
    return stored(out)


@lowering("aten::mm", "aten::bmm", target="cpp")
def mm(lo: Any, node: Any, a: Value, b: Value) -> Any:
    return matrices(lo, node.spec.dtype.name, a, b)


def number(x: Any) -> float:
    """A number that is known.

    Raises:
        Unsupported: for others.
    """
    if isinstance(x, (bool, int, float)):
        return float(x)
    raise Unsupported("a factor that is known at run time only")


def _plus(lo: Any, made: Value, c: Value, beta: float, dtype: str) -> Any:
    """``made + beta * c``; beta 0 ignores c, nan too."""
    wide = made.dtype
    if beta == 0:
        return narrowed(lo, made, dtype)
    if beta == 1:
        both = lo.pointwise(lambda ops, x, y: ops.add(x, y), made, widened(lo, c), dtype=wide)
    else:
        both = lo.pointwise(lambda ops, x, y: ops.add(x, ops.mul(y, ops.constant(beta, wide))), made, widened(lo, c),
                            dtype=wide)
    return narrowed(lo, both, dtype)


def _scaled(lo: Any, made: Value, alpha: float) -> Value:
    if alpha == 1:
        return made
    wide = made.dtype
    return lo.pointwise(lambda ops, x: ops.mul(x, ops.constant(alpha, wide)), made, dtype=wide)


@lowering("aten::addmm", "aten::baddbmm", target="cpp")
def addmm(lo: Any, node: Any, c: Value, a: Value, b: Value, *, beta: Any = 1, alpha: Any = 1) -> Any:
    dtype = node.spec.dtype.name
    factor, other = number(alpha), number(beta)
    wide = computing(dtype)
    if wide not in REAL or c.dtype != dtype:
        raise Unsupported("whole numbers")
    if a.ndim == 2 and dtype in REAL and other == 1 and c.shape == (b.shape[1],) and a.dtype == b.dtype == dtype:
        bias = lo.realize(c)
        if bias.stride[0] == 1 or bias.shape[0] == 1:
            left, right = lo.realize(a), lo.realize(b)
            out = lo.new_buffer(dtype, (a.shape[0], b.shape[1]))
            multiply(lo, left, right, out, bias=bias, alpha=factor)
            return stored(out)
    made = matrices(lo, wide, widened(lo, a), widened(lo, b))
    return _plus(lo, _scaled(lo, made, factor), c, other, dtype)
