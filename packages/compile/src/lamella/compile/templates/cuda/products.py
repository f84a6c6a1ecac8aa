"""Products of matrices: the device's library (cuBLAS) for floating types, `cuda/product.cuh` for whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...graph.node import Node, map_nodes
from ...loops.device import TYPES, DeviceKernel, DeviceProduct, blocks, pointer, sizes
from ...loops.index import is_static, product as size_of
from ...loops.ir import Buffer, Native
from ...loops.record import computing
from ...lower.context import broadcast_shape
from ...lower.registry import Unsupported, lowering, rule_of
from ...lower.values import Value, stored
from ..common import FLOATS, HALF, spread
from ..products import number
from .common import about

WHOLE = ("int8", "uint8", "int16", "int32", "int64")
TILE = 16  # the own kernel's tiles of the result
MOST = 65535  # blocks along the third dimension of a grid
_VIEWS = frozenset("view _unsafe_view reshape t transpose permute expand unsqueeze squeeze slice select detach alias"
                   .split())


def steps_of(buffer: Buffer) -> tuple[Any, Any]:
    """How far apart rows and columns of a matrix lie; what is one row or column lies as is convenient."""
    (rows, columns), (row, column) = buffer.shape[-2:], buffer.stride[-2:]
    if columns == 1:
        column = 1 if rows == 1 or row != 1 else max(rows, 1) if is_static(rows) else column
    if rows == 1:
        row = columns if column == 1 else 1
    return row, column


def layout(buffer: Buffer) -> tuple[Any, Any] | None:
    """The steps between rows and columns, one of them 1; None for layouts that the library does not take."""
    rows, columns = buffer.shape[-2:]
    row, column = steps_of(buffer)
    if column == 1 and _apart(row, columns) or row == 1 and _apart(column, rows):
        return row, column
    return None


def _apart(step: Any, length: Any) -> bool:
    return not is_static(step) or not is_static(length) or step >= length


def one_step(batch: Sequence[Any], strides: Sequence[Any]) -> Any:
    """The step from one matrix of a batch to the next; None where there is none that is the same everywhere."""
    step, below = None, 1
    for n, s in reversed(list(zip(batch, strides, strict=True))):
        if n == 1:
            continue
        if step is None:
            step = s
        elif s != step * below:
            return None
        below = below * n
    return 0 if step is None else step


def library(lo: Any, a: Buffer, b: Buffer, out: Buffer, alpha: float = 1.0) -> bool:
    """Add the step ``out = alpha * a @ b`` for the device's library; False where it does not take such layouts."""
    batch, (m, k), n = out.shape[:-2], a.shape[-2:], b.shape[-1]
    left, right = layout(a), layout(b)
    steps = [one_step(batch, spread(each, batch)) for each in (a, b, out)]
    if left is None or right is None or None in steps:
        return False
    count = size_of(batch)
    native = Native([out], [a, b], "product", [m, n, k, count, out, a, b], "", flops=2 * m * n * k * count)
    native.calls = [DeviceProduct(a.dtype, out.dtype, count, m, n, k, a, b, out, (steps[0], *left),
                                  (steps[1], *right), (steps[2], n, 1), alpha)]
    lo.add_step(native)
    return True


def own(lo: Any, a: Buffer, b: Buffer, out: Buffer) -> None:
    """Add the step ``out = a @ b`` of whole numbers as a kernel, for any strides.

    Raises:
        Unsupported: more than two dimensions of a batch that cannot be one.
    """
    batch, (m, k), n = out.shape[:-2], a.shape[-2:], b.shape[-1]
    steps = [one_step(batch, spread(each, batch)) for each in (a, b)]
    if None in steps:
        raise Unsupported("batches that are laid out in more than one step")
    count = size_of(batch)
    if is_static(count) and count > MOST:
        raise Unsupported("a batch of more matrices than a grid has blocks in its third dimension")
    named = [("m", m), ("n", n), ("k", k), ("step_a", steps[0]), ("row_a", a.stride[-2]), ("col_a", a.stride[-1]),
             ("step_b", steps[1]), ("row_b", b.stride[-2]), ("col_b", b.stride[-1])]
    extra, words = sizes(named)
    sums = "long" if out.dtype == "int64" else "int"
    body = [f"// {a.dtype} {list(a.shape)} @ {list(b.shape)}", f"product_tile<{TYPES[out.dtype]}, {sums}>(",
            f"    {{{words['m']}, {words['n']}, {words['k']}}}, c, {{a, {words['step_a']}, {words['row_a']}, "
            f"{words['col_a']}}}, {{b, {words['step_b']}, {words['row_b']}, {words['col_b']}}});"]
    native = Native([out], [a, b], "product", [m, n, k, count, out, a, b], "cuda/product.cuh",
                    flops=2 * m * n * k * count)
    native.calls = [DeviceKernel("product", "cuda/product.cuh",
                                 [pointer(out, "c", True), pointer(a, "a"), pointer(b, "b"), *extra], body,
                                 (blocks(n, TILE), blocks(m, TILE), count), (TILE, TILE, 1),
                                 about=about([a, b], [out], native.flops))]
    lo.add_step(native)


def turned(lo: Any, value: Value) -> Value:
    """The matrices of a value transposed, as they lie."""
    b: Buffer = lo.realize(value)
    (rows, columns), (row, column) = b.shape[-2:], b.stride[-2:]
    return stored(Buffer(b.name, b.dtype, (*b.shape[:-2], columns, rows), (*b.stride[:-2], column, row), b.offset,
                         base=b.root))


def matrices(lo: Any, dtype: str, a: Value, b: Value, out_type: str = "", alpha: float = 1.0) -> Value:
    """The product of two values of at least two dimensions.

    Args:
        lo: the lowering. dtype: of the operands. a, b: broadcast against each other.
        out_type: of the result (float32 for operands of half precision, or their own type). alpha: a factor.
    """
    if dtype not in (*FLOATS, *WHOLE):
        raise Unsupported(f"an element type that it is not written for: {dtype}")
    if a.dtype != b.dtype or a.dtype != dtype:
        raise Unsupported("operands of different types")
    batch = broadcast_shape([Value(v.shape[:-2], dtype, v.load) for v in (a, b)])
    shape = (*batch, a.shape[-2], b.shape[-1])
    left, right = lo.realize(a), lo.realize(b)
    out = lo.new_buffer(out_type or dtype, shape)
    if dtype in WHOLE:
        try:
            own(lo, left, right, out)
        except Unsupported:
            own(lo, lo.dense(a), lo.dense(b), out)
        return stored(out)
    if 0 in (*shape, a.shape[-1]):
        raise Unsupported("an empty tensor")
    if not library(lo, left, right, out, alpha):
        left = left if layout(left) and one_step(batch, spread(left, batch)) is not None else _copied(lo, a, batch)
        right = right if layout(right) and one_step(batch, spread(right, batch)) is not None else _copied(lo, b, batch)
        if not library(lo, left, right, out, alpha):
            raise Unsupported("a layout that the library does not take")
    return stored(out)


def _copied(lo: Any, value: Value, batch: tuple[Any, ...]) -> Buffer:
    """Row-major memory for all matrices of a batch."""
    found = lo.dense(value)
    if one_step(batch, spread(found, batch)) is not None:
        return found  # type: ignore[no-any-return]
    return lo.copy(lo.expanded(value, (*batch, *value.shape[-2:])))  # type: ignore[no-any-return]


def narrow(lo: Any, node: Any, value: Value) -> Value | None:
    """The value before it was converted to float32 from half precision, seen through views; None if it was not."""
    if not isinstance(node, Node) or node.kind != "call" or value.dtype != "float32":
        return None
    if node.op.name == "aten::_to_copy":
        found = lo.values[node.args[0]]
        return found if isinstance(found, Value) and found.dtype in HALF and not found.cost else None
    rule = rule_of(node.op.name, lo.target)
    if rule is None or node.op.opname not in _VIEWS or not isinstance(node.args[0], Node):
        return None
    below = narrow(lo, node.args[0], lo.values[node.args[0]])
    if below is None:
        return None
    rest = map_nodes(node.args[1:], lo.values.__getitem__)
    seen = rule(lo, node, below, *rest, **node.kwargs)
    return seen if isinstance(seen, Value) and seen.shape == value.shape and seen.dtype == below.dtype else None


def multiplied(lo: Any, nodes: Sequence[Any], dtype: str, a: Value, b: Value, alpha: float = 1.0) -> Value:
    """A product; operands that were only widened to float32 are read in half precision, sums stay in float32."""
    if dtype == "float32" and len(nodes) == 2:
        low = [narrow(lo, node, value) for node, value in zip(nodes, (a, b), strict=True)]
        if low[0] is not None and low[1] is not None and low[0].dtype == low[1].dtype:
            return matrices(lo, low[0].dtype, low[0], low[1], "float32", alpha)
    return matrices(lo, dtype, a, b, "", alpha)


@lowering("aten::mm", "aten::bmm", target="cuda")
def mm(lo: Any, node: Any, a: Value, b: Value) -> Any:
    return multiplied(lo, node.args[:2], node.spec.dtype.name, a, b)


@lowering("aten::addmm", "aten::baddbmm", target="cuda")
def addmm(lo: Any, node: Any, c: Value, a: Value, b: Value, *, beta: Any = 1, alpha: Any = 1) -> Any:
    dtype = node.spec.dtype.name
    factor, other = number(alpha), number(beta)
    if dtype not in FLOATS or c.dtype != dtype:
        raise Unsupported("whole numbers")
    wide = computing(dtype)
    if dtype in HALF:
        made = matrices(lo, dtype, a, b, wide, factor)
    else:
        made = multiplied(lo, node.args[1:3], dtype, a, b, factor)
    if other == 0:  # c is not read, nan in it does not count
        return lo.pointwise(lambda ops, x: ops.to(x, dtype) if dtype in HALF else x, made, dtype=dtype)

    def sum_of(ops: Any, x: Any, y: Any) -> Any:
        total = ops.add(x, y if other == 1 else ops.mul(y, ops.constant(other, wide)))
        return ops.to(total, dtype) if dtype in HALF else total

    return lo.pointwise(sum_of, made, c, dtype=dtype)
