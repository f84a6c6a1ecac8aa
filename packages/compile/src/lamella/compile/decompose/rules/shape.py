"""Tensors put together, repeated and taken apart, as concatenations, padding, views and choices by place."""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt
from lamella.core.promotion import promote_types

from ..builder import Builder
from ..specs import dense
from ..table import Eager, Keep, rule


def _one_type(b: Builder, tensors: Any) -> list[Any]:
    d = tensors[0].spec.dtype
    for t in tensors[1:]:
        d = promote_types(d, t.spec.dtype)
    return [b.to(t, d) for t in tensors]


def _axis(dim: int, ndim: int) -> int:
    return dim + ndim if dim < 0 else dim


@rule("aten::cat")
def cat(b: Builder, tensors: Any, dim: int = 0) -> Any:
    if len({t.spec.dtype for t in tensors}) == 1 and len(tensors) > 1 and dim >= 0:
        raise Keep("a primitive as it is")
    made = b.cat(_one_type(b, tensors), _axis(dim, len(tensors[0].spec.shape)))
    return b.copy(made) if made is tensors[0] else made


@rule("aten::stack")
def stack(b: Builder, tensors: Any, dim: int = 0) -> Any:
    axis = _axis(dim, len(tensors[0].spec.shape) + 1)
    made = b.cat([b.unsqueeze(t, axis) for t in _one_type(b, tensors)], axis)
    return b.copy(made) if len(tensors) == 1 else made


@rule("aten::repeat")
def repeat(b: Builder, self: Any, repeats: Any) -> Any:
    repeats = tuple(repeats)
    full = (1,) * (len(repeats) - len(self.spec.shape)) + tuple(self.spec.shape)
    if all(isinstance(n, int) and n == 1 for n in repeats):
        return b.copy(b.view(self, full))
    apart = b.view(self, tuple(k for n in full for k in (1, n)))
    pairs = tuple(k for n, m in zip(repeats, full, strict=True) for k in (n, m))
    whole = tuple(n * m for n, m in zip(repeats, full, strict=True))
    return b.view(b.copy(b.expand(apart, pairs)), whole)


@rule("aten::roll")
def roll(b: Builder, self: Any, shifts: Any, dims: Any = ()) -> Any:
    shifts = (shifts,) if isinstance(shifts, int) else tuple(shifts)
    dims = (dims,) if isinstance(dims, int) else tuple(dims or ())
    if not self.spec.shape or len(dims) not in (0, len(shifts)) or not dims and len(shifts) != 1:
        raise Eager("an error of the operator")
    if not dims:
        return b.view(_rolled(b, b.view(self, (-1,)), shifts[0], 0), self.spec.shape)
    x = self
    for shift, dim in zip(shifts, dims, strict=True):
        x = _rolled(b, x, shift, _axis(dim, len(self.spec.shape)))
    return b.copy(x) if x is self else x


def _rolled(b: Builder, x: Any, shift: Any, dim: int) -> Any:
    n = x.spec.shape[dim]
    if not isinstance(n, int) or not isinstance(shift, int):
        raise Keep("a symbolic size")
    at = n - shift % n
    return x if at == n else b.cat([b.slice(x, dim, at, n), b.slice(x, dim, 0, at)], dim)


def triangle(b: Builder, rows: Any, cols: Any, diagonal: Any, lower: bool) -> Any:
    """Where a matrix lies in its triangle below (or above) a diagonal."""
    row = b.view(b.iota(rows), (-1, 1))
    if not isinstance(diagonal, int) or diagonal:
        row = b.add(row, diagonal)
    return b.le(b.iota(cols), row) if lower else b.ge(b.iota(cols), row)


def _triangular(b: Builder, x: Any, diagonal: Any, lower: bool) -> Any:
    rows, cols = x.spec.shape[-2:]
    return b.where(triangle(b, rows, cols, diagonal, lower), x, 0)


@rule("aten::tril")
def tril(b: Builder, self: Any, diagonal: Any = 0) -> Any:
    return _triangular(b, self, diagonal, True)


@rule("aten::triu")
def triu(b: Builder, self: Any, diagonal: Any = 0) -> Any:
    return _triangular(b, self, diagonal, False)


@rule("aten::eye.m")
def eye(
    b: Builder, n: Any, m: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> Any:
    same = b.eq(b.iota(m), b.view(b.iota(n), (-1, 1)))
    return b.to(same, dt.get_default_dtype() if dtype is None else dtype)


def _bounds(start: Any, end: Any, step: Any, n: Any) -> tuple[Any, Any]:
    """The run that a slice of step 1 with plain limits takes."""
    if step != 1 or not all(isinstance(k, int) for k in (n, step)) or not all(
        isinstance(k, int) or k is None for k in (start, end)
    ):
        raise Keep("a slice with steps or symbolic limits")
    first, last, _ = slice(start, end, 1).indices(n)
    return first, max(last, first)


def _spread(b: Builder, x: Any, dim: int, first: int, last: int, n: int) -> Any:
    """Zeros along a dimension of size n with x in [first, last)."""
    before, after = [0] * len(x.spec.shape), [0] * len(x.spec.shape)
    before[dim], after[dim] = first, n - last
    return b.pad(x, before, after)


@rule("aten::select_backward")
def select_backward(b: Builder, grad_output: Any, input_sizes: Any, dim: int, index: Any) -> Any:
    dim = _axis(dim, len(input_sizes))
    n = input_sizes[dim]
    if not isinstance(n, int) or not isinstance(index, int):
        raise Keep("a symbolic size")
    at = _axis(index, n)
    return _spread(b, b.unsqueeze(grad_output, dim), dim, at, at + 1, n)


@rule("aten::slice_backward")
def slice_backward(
    b: Builder, grad_output: Any, input_sizes: Any, dim: int, start: Any, end: Any, step: Any
) -> Any:
    dim = _axis(dim, len(input_sizes))
    first, last = _bounds(start, end, step, input_sizes[dim])
    return _spread(b, grad_output, dim, first, last, input_sizes[dim])


@rule("aten::slice_scatter")
def slice_scatter(
    b: Builder, self: Any, src: Any, dim: int = 0, start: Any = None, end: Any = None, step: Any = 1
) -> Any:
    dim = _axis(dim, len(self.spec.shape))
    n = self.spec.shape[dim]
    first, last = _bounds(start, end, step, n)
    shape = (*self.spec.shape[:dim], last - first, *self.spec.shape[dim + 1 :])
    if first == last:
        return b.copy(self)
    return _replaced(b, self, b.expand(b.to(src, self.spec.dtype), shape), dim, first, last)


@rule("aten::select_scatter")
def select_scatter(b: Builder, self: Any, src: Any, dim: int, index: Any) -> Any:
    dim = _axis(dim, len(self.spec.shape))
    n = self.spec.shape[dim]
    if not isinstance(n, int) or not isinstance(index, int):
        raise Keep("a symbolic size")
    at = _axis(index, n)
    return _replaced(b, self, b.unsqueeze(b.to(src, self.spec.dtype), dim), dim, at, at + 1)


def _replaced(b: Builder, x: Any, part: Any, dim: int, first: int, last: int) -> Any:
    n = x.spec.shape[dim]
    parts = [b.slice(x, dim, 0, first)] if first else []
    parts.append(part)
    if last < n:
        parts.append(b.slice(x, dim, last, n))
    return b.copy(part) if len(parts) == 1 else b.cat(parts, dim)


def _on_diagonal(b: Builder, x: Any, rows: Any, cols: Any, offset: int) -> tuple[Any, Any]:
    """Where the diagonal of (rows, cols) lies, and x (its elements last) with each in its row: (..., rows, 1)."""
    n = x.spec.shape[-1]
    if not all(isinstance(k, int) for k in (n, rows, cols)):
        raise Keep("a symbolic size")
    first = max(-offset, 0)
    lead = [0] * (len(x.spec.shape) - 1)
    inside = b.eq(b.iota(cols), b.add(b.view(b.iota(rows), (-1, 1)), offset))
    padded = x if n == rows else b.pad(x, [*lead, first], [*lead, rows - first - n])
    return inside, b.unsqueeze(padded, -1)


def _placed(b: Builder, x: Any, dim1: int, dim2: int) -> Any:
    """The last two dimensions moved to where they belong."""
    n = len(x.spec.shape)
    rest = iter(range(n - 2))
    order = [n - 2 if i == dim1 else n - 1 if i == dim2 else next(rest) for i in range(n)]
    return b.permute(x, order)


@rule("aten::diag_embed")
def diag_embed(b: Builder, self: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    rank = len(self.spec.shape) + 1
    n = self.spec.shape[-1] + abs(offset)
    inside, column = _on_diagonal(b, self, n, n, offset)
    return b.copy(_placed(b, b.where(inside, column, 0), _axis(dim1, rank), _axis(dim2, rank)))


@rule("aten::diagonal_backward")
def diagonal_backward(b: Builder, grad_output: Any, input_sizes: Any, offset: int, dim1: int, dim2: int) -> Any:
    rank = len(input_sizes)
    one, two = _axis(dim1, rank), _axis(dim2, rank)
    inside, column = _on_diagonal(b, grad_output, input_sizes[one], input_sizes[two], offset)
    return b.copy(_placed(b, b.where(inside, column, 0), one, two))


@rule("aten::diagonal_scatter")
def diagonal_scatter(b: Builder, self: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    rank = len(self.spec.shape)
    one, two = _axis(dim1, rank), _axis(dim2, rank)
    rest = [i for i in range(rank) if i not in (one, two)]
    inside, column = _on_diagonal(b, b.to(src, self.spec.dtype), self.spec.shape[one], self.spec.shape[two], offset)
    return b.copy(_placed(b, b.where(inside, column, b.permute(self, [*rest, one, two])), one, two))


@rule("aten::one_hot")
def one_hot(b: Builder, self: Any, num_classes: int = -1) -> Any:
    if num_classes < 1:
        raise Keep("the number of classes depends on the data")
    # The lookup stops at numbers that are no class; negative ones would count from the end.
    index = b.view(b.masked_fill(self, b.lt(self, 0), num_classes), (-1,))
    checked = b.view(b.index_select(b.iota(num_classes), 0, index), (*self.spec.shape, 1))
    return b.to(b.eq(b.iota(num_classes), checked), self.spec.dtype)


@rule("aten::masked_fill.Tensor")
def masked_fill_tensor(b: Builder, self: Any, mask: Any, value: Any) -> Any:
    d = self.spec.dtype
    if d.category == 1 and promote_types(value.spec.dtype, d) is not d:
        raise Eager(f"a number that may not be one of {d.name}")
    return b.where(mask, b.to(value, d), self)


@rule("aten::take")
def take(b: Builder, self: Any, index: Any) -> Any:
    return b.call("aten::index.Tensor", b.view(self, (-1,)), [index],
                  spec=dense(index.spec.shape, self.spec.dtype, self.spec.device))
