"""Rules of linear algebra, searching and what else works on the last dimensions of its arguments."""

from __future__ import annotations

from typing import Any

from lamella.core._gen import comparison as _comparison, reduction as _reduction, shape as _shape
from lamella.core.tensor import Tensor
from lamella.dispatch.registry import OpOverload

from ..levels import map_tensors
from .elementwise import padded
from .fallback import fallback
from .level import BatchLevel, invoke, wrapped
from .opaque import no_item
from .rules import rule


@rule("linalg_inv_ex", "linalg_det", "linalg_slogdet", "linalg_matrix_exp", "linalg_cholesky_ex", "linalg_qr",
      "_linalg_svd", "_linalg_eigh", "linalg_eig", "_linalg_eigvals", "linalg_lu_factor_ex", "geqrf",
      "linalg_ldl_factor_ex")
def matrices(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Operators on one stack of matrices: the batch is one more dimension of the stack."""
    if args[0]._a.ndim < 2:
        return fallback(level, op, args, kwargs)
    return wrapped(level, invoke(op, (level.front(args[0]), *args[1:]), kwargs))


@rule("_linalg_solve", "linalg_solve_triangular", "_cdist_forward", "linalg_ldl_solve", "_linalg_lstsq")
def matrix_pairs(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Operators on stacks of matrices that broadcast."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    if op.opname in ("linalg_ldl_solve", "_linalg_lstsq"):
        if len({t._a.shape[:-2] for t in tensors if t._a.ndim > 1}) > 1:
            return fallback(level, op, args, kwargs)
        return wrapped(level, invoke(op, [level.full(a) if isinstance(a, Tensor) else a for a in args], kwargs))
    if any(t._a.ndim < 2 for t in tensors):
        return fallback(level, op, args, kwargs)
    rank = max(t._a.ndim for t in tensors)
    values = []
    for a in args:
        if isinstance(a, Tensor):
            value, dim = level.split(a)
            a = value if dim is None else padded(value, dim, rank)
        values.append(a)
    return wrapped(level, invoke(op, values, kwargs))


@rule("_linalg_pinv")
def pinv(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    rank = max(args[0]._a.ndim - 2, args[1]._a.ndim, args[2]._a.ndim)
    matrix = padded(level.full(args[0]), 0, rank + 2)
    bounds = [padded(level.full(a), 0, rank) for a in args[1:3]]
    return wrapped(level, invoke(op, (matrix, *bounds, *args[3:]), kwargs))


@rule("_lu_permutation")
def lu_permutation(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    pivots, m, like = args
    return level.wrap(invoke(op, (level.full(pivots), m, level.front(like)), kwargs))


@rule("searchsorted.Tensor")
def searchsorted(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    line, x = args
    kwargs = dict(kwargs)
    if kwargs.get("sorter") is not None:
        kwargs["sorter"] = level.full(kwargs["sorter"])
    if line._a.ndim == 1 and not level.has(line) and kwargs.get("sorter") is None:
        return level.wrap(invoke(op, (level.split(line)[0], level.front(x)), kwargs))
    if line._a.ndim != 1:
        return level.wrap(invoke(op, (level.full(line), level.full(x)), kwargs))
    shape = x._a.shape
    rows = _shape.op_reshape(level.full(x), (level.size, x._a.size))
    out = invoke(op, (level.full(line), rows), kwargs)
    return level.wrap(map_tensors(lambda v: _shape.op_reshape(v, (level.size, *shape)), out))


@rule("isin.Tensor_Tensor")
def isin(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    elements, tests = args[:2]
    if not level.has(tests):
        return level.wrap(invoke(op, (level.front(elements), tests), kwargs))
    places = _shape.op_reshape(level.full(elements), (level.size, elements._a.size, 1))
    known = _shape.op_reshape(level.full(tests), (level.size, 1, tests._a.size))
    found = _reduction.op_any_dims(_comparison.op_eq_Tensor(places, known), (2,))
    if kwargs.get("invert"):
        found = _comparison.op_logical_not(found)
    return level.wrap(_shape.op_reshape(found, (level.size, *elements._a.shape)))


@rule("_local_scalar_dense")
def item(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    raise no_item()
