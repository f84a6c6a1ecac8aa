"""Rules of matrix products: batches become the batches of one larger product."""

from __future__ import annotations

from typing import Any

from lamella.core._gen import matmul as _matmul, pointwise as _pointwise, reduction as _reduction, shape as _shape
from lamella.dispatch.registry import OpOverload

from .elementwise import padded
from .fallback import fallback
from .level import BatchLevel
from .rules import rule

_unsqueeze, _squeeze = _shape.op_unsqueeze, _shape.op_squeeze_dim


def product(level: BatchLevel, a: Any, b: Any) -> Any:
    """``a @ b`` of logical tensors of one or more dimensions, as a value with the batch in front."""
    (x, dx), (y, dy) = level.split(a), level.split(b)
    na, nb = a._a.ndim, b._a.ndim
    if dx is not None and dy is None and nb <= 2 and na <= 2:
        return _matmul.op_matmul(level.front(a), y)
    if dx is None and dy is not None and nb <= 2 and na <= 2:
        if nb == 1:
            return _matmul.op_matmul(level.front(b), x if na == 1 else _shape.op_transpose_int(x, 0, 1))
        return _matmul.op_matmul(x, level.front(b))
    rank = max(na, nb, 2)
    if dx is not None:
        x = level.front(a)
    if dy is not None:
        y = level.front(b)
    if na == 1:
        x = _unsqueeze(x, -2)
    if nb == 1:
        y = _unsqueeze(y, -1)
    if dx is not None:
        x = padded(x, 0, rank)
    if dy is not None:
        y = padded(y, 0, rank)
    out = _matmul.op_matmul(x, y)
    if nb == 1:
        out = _squeeze(out, -1)
    if na == 1:
        out = _squeeze(out, -1 if nb == 1 else -2)
    return out


def _fits(a: Any, b: Any, ranks: tuple[int, int]) -> bool:
    """Whether two operands have the ranks of a product and the same inner size, as the operator checks itself."""
    if (a._a.ndim, b._a.ndim) != ranks or a._a.dtype != b._a.dtype:
        return False
    return a._a.shape[-1] == b._a.shape[-2 if ranks[1] > 1 else -1]


_RANKS = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1)}


@rule("mm", "bmm", "mv")
def mm(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    a, b = args
    if not _fits(a, b, _RANKS[op.opname]) or op.opname == "bmm" and a._a.shape[0] != b._a.shape[0]:
        return fallback(level, op, args, kwargs)
    return level.wrap(product(level, a, b))


@rule("matmul")
def matmul(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    a, b = args
    if not a._a.ndim or not b._a.ndim or a._a.dtype != b._a.dtype:
        return fallback(level, op, args, kwargs)
    return level.wrap(product(level, a, b))


@rule("dot", "vdot")
def dot(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    a, b = args
    if not _fits(a, b, (1, 1)):
        return fallback(level, op, args, kwargs)
    x, y = level.front(a), level.front(b)
    if op.opname == "vdot" and a._a.dtype.kind == "c":
        x = _pointwise.op_conj_physical(x)
    if level.has(a) and level.has(b):
        x, y = _unsqueeze(x, 1), _unsqueeze(y, 2)
        return level.wrap(_squeeze(_squeeze(_matmul.op_bmm(x, y), 2), 1))
    return level.wrap(_matmul.op_mv(x, y) if level.has(a) else _matmul.op_mv(y, x))


# -- products that add something ---------------------------------------------------------------------------------------


_ADDED = {"addmm": (2, 2), "addmv": (2, 1), "baddbmm": (3, 3), "addbmm": (3, 3), "addr": (1, 1)}


@rule("addmm", "addmv", "baddbmm", "addbmm", "addr")
def add_product(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    add, a, b = args
    ranks = _ADDED[op.opname]
    alpha, beta = kwargs.get("alpha", 1), kwargs.get("beta", 1)
    whole = alpha.__class__ is int and beta.__class__ is int
    if add._a.dtype.kind == "b" or add._a.dtype.kind in "iu" and not whole:
        return fallback(level, op, args, kwargs)  # the factors are rounded as the operator rounds them
    if op.opname == "addr":
        if (a._a.ndim, b._a.ndim) != ranks or a._a.dtype != b._a.dtype or add._a.dtype != a._a.dtype:
            return fallback(level, op, args, kwargs)
        x, y = level.front(a), level.front(b)
        out = _pointwise.op_mul_Tensor(_unsqueeze(x, -1), _unsqueeze(y, -2))
        rank = 2
    else:
        if not _fits(a, b, ranks) or add._a.dtype != a._a.dtype:
            return fallback(level, op, args, kwargs)
        rank = 3 if ranks == (3, 3) else ranks[1]
        if level.has(a) or level.has(b):
            out = product(level, a, b)
        else:
            out = _matmul.op_matmul(a, b)
        if op.opname == "addbmm":
            out, rank = _reduction.op_sum_dim_IntList(out, (-3,)), 2
    batched = level.has(a) or level.has(b)
    if alpha != 1:
        out = _pointwise.op_mul_Tensor(out, alpha)
    value, dim = level.split(add)
    if dim is not None:
        value = padded(value, dim, rank)
    if not beta:
        if not batched:
            out = _shape.op_expand(out, (level.size, *out._a.shape))
    else:
        if beta != 1:
            value = _pointwise.op_mul_Tensor(value, beta)
        out = _pointwise.op_add_Tensor(value, out)
    return level.wrap(out)
