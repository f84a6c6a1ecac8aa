"""Operators whose result's elements depend on the operands' elements at the same place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lamella.dispatch.registry import all_ops

from ..placement_types import Partial, Shard
from .rule import SUM_AND_MEAN, Candidate, Operand, Question, R, broadcast_at, rule

_OTHERS = """
where masked_fill complex polar isin _prelu_kernel
gelu gelu_backward _gelu_with_slope silu silu_backward mish mish_backward elu _elu_backward leaky_relu
leaky_relu_backward hardtanh hardtanh_backward hardsigmoid hardsigmoid_backward hardswish hardswish_backward softplus
softplus_backward log_sigmoid _log_sigmoid_backward hardshrink softshrink _shrink_backward threshold
"""
_FAMILIES = ("pointwise", "comparison", "special")


def _names() -> str:
    found = set()
    for op in all_ops():
        if op.namespace == "aten" and op.family in _FAMILIES:
            name = op.opname
            found.add(name[:-1] if name.endswith("_") and op.schema.arguments[0].is_write else name)
    return " ".join(sorted(found)) + _OTHERS


def shards(q: Question) -> Iterator[Candidate]:
    """Every dimension of the result may be cut, where all operands that have it are cut too."""
    out = next((s for s in q.out_shapes if s is not None), ())
    for d, size in enumerate(out):
        if size != 1 or any(p.is_shard() for p in q.now):
            yield Shard(d), tuple(broadcast_at(s, out, d) for s in q.shapes)


@rule(_names())
def _pointwise(q: Question) -> Iterator[Candidate]:
    yield from shards(q)


@rule("clone contiguous positive")
def _same(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    if isinstance(q.now[0], Partial):
        yield q.now[0], (q.now[0],)


@rule("neg _to_copy real imag")
def _linear(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    if q.name == "_to_copy" and q.values.get("dtype") is not None and not _float(q.values["dtype"]):
        return
    for p in SUM_AND_MEAN:
        yield p, (p,)


def _float(dtype: Any) -> bool:
    return bool(dtype.is_floating_point or dtype.is_complex)


@rule("add sub rsub")
def _sum(q: Question) -> Iterator[Candidate]:
    """Summands of each may be added; a number must not be added to each summand."""
    yield from shards(q)
    if len(q.shapes) == 2:
        for p in SUM_AND_MEAN:
            yield p, (p, p)
    elif q.now == [Partial("avg")]:
        yield q.now[0], (q.now[0],)


@rule("mul")
def _product(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    for p in SUM_AND_MEAN:
        if len(q.shapes) == 2:
            yield p, (p, R)
            yield p, (R, p)
        else:
            yield p, (p,)


@rule("div")
def _quotient(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    if q.values.get("rounding_mode") is None and isinstance(q.values["self"], Operand):
        for p in SUM_AND_MEAN:
            yield p, (p, R)[: len(q.shapes)]


@rule("zero fill")
def _fill(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    if q.name == "zero" and isinstance(q.now[0], Partial) and q.now[0].linear:
        yield q.now[0], (q.now[0],)


@rule("copy")
def _copy(q: Question) -> Iterator[Candidate]:
    """What is copied into summands must be in summands, too."""
    yield from shards(q)
    if isinstance(q.now[0], Partial):
        yield q.now[0], (q.now[0], q.now[0])


@rule("lerp")
def _lerp(q: Question) -> Iterator[Candidate]:
    yield from shards(q)
    if len(q.shapes) == 2:
        for p in SUM_AND_MEAN:
            yield p, (p, p)
