"""Reductions that are a few others."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import dtypes as dt

from ...loops.index import product
from ..builder import Builder
from ..specs import LOW, floating, sum_type, wrapped
from ..table import Keep, rule


def _numbers_of(b: Builder, x: Any, dim: Any, keepdim: bool) -> list[Any] | None:
    """The 0-d tensors that a vector was stacked from, where all of it is to be reduced; None for other operands.

    Norms of many gradients come so: what they add up to needs no vector.
    """
    if keepdim or len(x.spec.shape) != 1 or x.kind != "call" or str(x.op.name) != "aten::cat":
        return None
    parts = x.args[0]
    if any(n.spec.shape != (1,) for n in parts) or dim not in (None, 0, -1, [0], [-1], [], (0,), (-1,), ()):
        return None
    return [b.view(n, ()) for n in parts]


def _added(b: Builder, terms: list[Any]) -> Any:
    """The sum of 0-d tensors, in pairs."""
    while len(terms) > 1:
        last = [terms[-1]] if len(terms) % 2 else []
        terms = [b.add(x, y) for x, y in zip(terms[::2], terms[1::2], strict=False)] + last
    return terms[0]


@rule("aten::sum", "aten::sum.dim_IntList")
def sum_(b: Builder, self: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    d = sum_type(self.spec.dtype) if dtype is None else dtype
    if dtype is None and d not in LOW:
        if isinstance(dim, (list, tuple)) and len(dim):
            raise Keep("a primitive as it is")
        return b.sum(self, dim, keepdim)
    return b.to(b.sum(b.wide(b.to(self, d)), dim, keepdim), d)


@rule("aten::mean", "aten::mean.dim")
def mean(b: Builder, self: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    d = floating(self, dtype)
    return b.to(b.mean(b.wide(b.to(self, d)), dim, keepdim), d)


@rule("aten::nansum")
def nansum(b: Builder, self: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    x = self if self.spec.dtype.category < 2 else b.masked_fill(self, b.isnan(self), 0.0)
    d = sum_type(self.spec.dtype) if dtype is None else dtype
    return b.to(b.sum(b.wide(b.to(x, d)), dim, keepdim), d)


@rule("aten::var.correction")
def var(b: Builder, self: Any, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    d = floating(self)
    x = b.wide(self)
    n = product([x.spec.shape[i] for i in wrapped(dim, len(x.spec.shape))])
    rest = b.sub(x, b.mean(x, dim, True))
    left = n - (1 if correction is None else correction)
    if isinstance(left, (int, float)):
        left = max(left, 0)
    return b.to(b.div(b.sum(b.mul(rest, rest), dim, keepdim), left), d)


@rule("aten::std.correction")
def std(b: Builder, self: Any, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    d = floating(self)
    return b.to(b.sqrt(var(b, b.wide(self), dim, correction=correction, keepdim=keepdim)), d)


@rule("aten::linalg_vector_norm")
def vector_norm(
    b: Builder, self: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Any:
    d = floating(self, dtype)
    x = b.wide(b.to(self, d))
    if ord == 0:
        made = b.sum(b.to(b.ne(x, 0), x.spec.dtype), dim, keepdim)
    elif not x.spec.shape:
        made = b.abs(x)
    elif ord == math.inf:
        made = b.amax(b.abs(x), dim, keepdim)
    elif ord == -math.inf:
        made = b.amin(b.abs(x), dim, keepdim)
    elif ord == 2:
        numbers = _numbers_of(b, x, dim, keepdim)
        if numbers is None:
            made = b.sqrt(b.sum(b.mul(x, x), dim, keepdim))
        else:
            made = b.sqrt(_added(b, [b.mul(n, n) for n in numbers]))
    elif ord == 1:
        made = b.sum(b.abs(x), dim, keepdim)
    else:
        made = b.pow(b.sum(b.pow(b.abs(x), ord), dim, keepdim), 1 / ord)
    return b.to(made, d)


@rule("aten::max")
def max_(b: Builder, self: Any) -> Any:
    return b.amax(self) if self.spec.shape else b.copy(self)


@rule("aten::min")
def min_(b: Builder, self: Any) -> Any:
    return b.amin(self) if self.spec.shape else b.copy(self)


def _extreme(b: Builder, self: Any, dim: int, keepdim: bool, value: str, place: str) -> Any:
    if not self.spec.shape:
        return b.copy(self), b.full((), 0, dt.int64)
    x = b.to(self, dt.uint8) if self.spec.dtype.category == 0 else self
    return getattr(b, value)(self, dim, keepdim), b.argmax(x, dim, keepdim, place)


@rule("aten::max.dim")
def max_dim(b: Builder, self: Any, dim: int, keepdim: bool = False) -> Any:
    return _extreme(b, self, dim, keepdim, "amax", "argmax")


@rule("aten::min.dim")
def min_dim(b: Builder, self: Any, dim: int, keepdim: bool = False) -> Any:
    return _extreme(b, self, dim, keepdim, "amin", "argmin")


@rule("aten::aminmax")
def aminmax(b: Builder, self: Any, *, dim: Any = None, keepdim: bool = False) -> Any:
    if not self.spec.shape:
        return b.copy(self), b.copy(self)
    return b.amin(self, dim, keepdim), b.amax(self, dim, keepdim)


@rule("aten::count_nonzero.dim_IntList")
def count_nonzero(b: Builder, self: Any, dim: Any = None) -> Any:
    return b.sum(b.to(b.ne(self, 0), dt.int64), dim)
