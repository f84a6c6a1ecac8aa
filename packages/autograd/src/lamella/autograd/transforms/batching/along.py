"""The rule of operators that work along dimensions: the batch goes in front and every dimension counts one more.

Which arguments name dimensions is read from the operator's schema.
"""

from __future__ import annotations

from typing import Any

from lamella.core._gen import reduction as _reduction, shape as _shape
from lamella.core.checks import wrap_dim, wrap_dims
from lamella.core.tensor import Tensor
from lamella.dispatch.registry import OpOverload

from ..levels import map_tensors
from .fallback import fallback
from .level import BatchLevel, invoke, wrapped
from .rules import rule

_NAMES = frozenset({"dim", "dims", "dim0", "dim1", "dim2", "dimension", "axis"})


class Plan:
    """Where an operator's arguments name dimensions: position or None (by keyword), name, default, many of them."""

    __slots__ = ("places",)

    def __init__(self, op: OpOverload) -> None:
        self.places: list[tuple[int | None, str, Any, bool]] = []
        for i, a in enumerate(op.schema.arguments):
            if a.name in _NAMES:
                many = a.type.is_list or a.type.is_optional and a.type.required.is_list
                self.places.append((None if a.kwarg_only else i, a.name, a.default_value, many))

    def shifted(self, op: OpOverload, args: list[Any], kwargs: dict[str, Any], rank: int,
                whole: bool) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with dimensions of the value.

        Args:
            rank: how many dimensions there are to choose from.
            whole: whether no dimension means all of them.
        """
        for i, name, default, many in self.places:
            given = args[i] if i is not None and i < len(args) else kwargs.get(name, default)
            if given is None or many and given.__class__ in (list, tuple) and not len(given):
                if not whole:
                    continue
                new: Any = tuple(range(1, rank + 1))
            elif many:
                new = tuple([d + 1 for d in wrap_dims(op.opname, given, rank)])
            else:
                new = wrap_dim(op.opname, given, rank) + 1
            if i is not None and (i < len(args) or name not in kwargs):
                while len(args) < i:
                    args.append(op.schema.arguments[len(args)].default_value)
                args[i : i + 1] = [new]
            else:
                kwargs[name] = new
        return args, kwargs


_plans: dict[OpOverload, Plan] = {}


def plan_of(op: OpOverload) -> Plan:
    """The (remembered) plan of an operator."""
    found = _plans.get(op)
    if found is None:
        found = _plans[op] = Plan(op)
    return found


def run_along(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any], *, whole: bool = False,
              extra: int = 0, numbers: bool = True) -> Any:
    """Run an operator along dimensions of whole batches.

    Args:
        whole: no dimension means all of them.
        extra: dimensions that the result has more, and that dimension arguments may name.
        numbers: tensors without dimensions are allowed: they count as having one.
    """
    rank = args[0]._a.ndim
    scalar = not rank and not extra
    if scalar and not numbers:
        return fallback(level, op, args, kwargs)
    many = sum(isinstance(a, Tensor) for a in args) > 1
    values: list[Any] = []
    for a in args:
        if isinstance(a, Tensor):
            a = level.full(a) if many else level.front(a)
            if scalar and a._a.ndim == 1:
                a = _shape.op_unsqueeze(a, 1)
        values.append(a)
    values, named = plan_of(op).shifted(op, values, dict(kwargs), (rank or (not extra)) + extra, whole)
    out = invoke(op, values, named)
    if scalar:
        out = map_tensors(lambda v: _shape.op_squeeze_dim(v, 1) if v._a.ndim == 2 else v, out)
    return wrapped(level, out, 0, tuple(a for a in args if level.has(a)))


@rule("prod.dim_int", "max.dim", "min.dim", "_softmax", "_log_softmax", "_softmax_backward_data",
      "_log_softmax_backward_data", "cumsum", "cumprod", "logcumsumexp", "cummax", "cummin", "median.dim",
      "nanmedian.dim", "mode", "sort.stable", "argsort.stable", "topk", "kthvalue", "flip", "squeeze.dim",
      "squeeze.dims", "transpose.int", "_fft_c2c", "_fft_r2c", "_fft_c2r")
def along(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return run_along(level, op, args, kwargs)


@rule("sum.dim_IntList", "mean.dim", "nansum", "amax", "amin", "any.dims", "all.dims", "var.correction",
      "std.correction", "linalg_vector_norm", "logsumexp", "count_nonzero.dim_IntList")
def reduction(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return run_along(level, op, args, kwargs, whole=True)


@rule("select.int", "slice.Tensor", "diagonal", "unbind.int", "split.Tensor", "split_with_sizes", "select_scatter",
      "slice_scatter", "diagonal_scatter")
def parts(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return run_along(level, op, args, kwargs, numbers=False)


@rule("unsqueeze", "diag_embed")
def grown(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return run_along(level, op, args, kwargs, extra=1)


@rule("unfold")
def unfold(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not args[0]._a.ndim:
        return fallback(level, op, args, kwargs)
    return run_along(level, op, args, kwargs)


# -- reductions of everything ------------------------------------------------------------------------------------------


def flat(level: BatchLevel, t: Any) -> Any:
    """A batched tensor's value as one row per example."""
    value = level.front(t)
    return _shape.op_unsqueeze(value, 1) if value._a.ndim == 1 else _shape.op_reshape(
        value, (level.size, t._a.size))


@rule("sum")
def sum_all(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value = _some(level.front(args[0]))
    return level.wrap(_reduction.op_sum_dim_IntList(value, tuple(range(1, value._a.ndim)), False, **kwargs))


@rule("mean")
def mean_all(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    value = _some(level.front(args[0]))
    return level.wrap(_reduction.op_mean_dim(value, tuple(range(1, value._a.ndim)), False, **kwargs))


def _some(value: Any) -> Any:
    """At least one dimension beside the batch: no dimensions would mean all of them."""
    return _shape.op_unsqueeze(value, 1) if value._a.ndim == 1 else value


@rule("prod")
def prod_all(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return level.wrap(_reduction.op_prod_dim_int(flat(level, args[0]), 1, False, **kwargs))


@rule("max", "min")
def extreme_all(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not args[0]._a.size:
        return fallback(level, op, args, kwargs)
    find = _reduction.op_amax if op.opname == "max" else _reduction.op_amin
    return level.wrap(find(flat(level, args[0]), (1,), False))


@rule("argmax", "argmin", "aminmax")
def place_of_extreme(level: BatchLevel, op: OpOverload, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    dim = args[1] if len(args) > 1 else kwargs.get("dim")
    if dim is not None:
        return run_along(level, op, args, kwargs)
    if not args[0]._a.size:
        return fallback(level, op, args, kwargs)
    keep = args[2] if len(args) > 2 else kwargs.get("keepdim", False)
    find: Any = getattr(_reduction, f"op_{op.opname}")
    rows = flat(level, args[0])
    out = find(rows, dim=1) if op.opname == "aminmax" else find(rows, 1, False)
    if keep:
        shape = (level.size, *([1] * args[0]._a.ndim))
        out = map_tensors(lambda v: _shape.op_reshape(v, shape), out)
    return wrapped(level, out)
