"""Linear maps and products of vectors, matrices and batches, as products of matrices."""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt

from ...loops.index import product
from ..builder import Builder
from ..specs import LOW, broadcast, fitting, wide
from ..table import Eager, Keep, rule


def _matrix(b: Builder, x: Any) -> Any:
    """One row for each vector along the last dimension."""
    return x if len(x.spec.shape) == 2 else b.view(x, (-1, x.spec.shape[-1]))


@rule("aten::linear")
def linear(b: Builder, input: Any, weight: Any, bias: Any = None) -> Any:
    d = input.spec.dtype
    if weight.spec.dtype is not d or bias is not None and bias.spec.dtype is not d and d not in LOW:
        raise Eager("an error of the operator")
    x, w, c = b.wide(input), b.wide(weight), None if bias is None else b.to(bias, wide(d))
    shape = input.spec.shape[:-1] + weight.spec.shape[:-1]
    if len(w.spec.shape) == 1:
        made = b.mm(_matrix(b, x), b.view(w, (-1, 1)))
        made = made if c is None else b.add(made, c)
    else:
        rows, columns = _matrix(b, x), b.t(w)
        if c is not None and c.spec.shape in ((w.spec.shape[0],), ()):
            made = b.addmm(c, rows, columns)
        else:
            made = b.mm(rows, columns)
            made = made if c is None else b.add(b.view(made, shape), c)
    return b.to(b.view(made, shape), d)


@rule("aten::linear_backward")
def linear_backward(b: Builder, self: Any, grad_output: Any, weight: Any, output_mask: Any) -> Any:
    d = grad_output.spec.dtype
    x, w = _matrix(b, b.wide(self)), b.wide(weight)
    if len(w.spec.shape) == 1:
        w = b.view(w, (1, -1))
    g = b.view(b.wide(grad_output), (product(self.spec.shape[:-1]), w.spec.shape[0]))
    gi = gw = gb = None
    if output_mask[0]:
        gi = b.to(b.view(b.mm(g, w), self.spec.shape), d)
    if output_mask[1]:
        gw = b.to(b.view(b.mm(b.t(g), x), weight.spec.shape), d)
    if output_mask[2]:
        gb = b.to(b.view(b.sum(g, 0), weight.spec.shape[:-1]), d)
    return gi, gw, gb


def _typed(*tensors: Any) -> None:
    d = tensors[0].spec.dtype
    if d.category == 0 or any(t.spec.dtype is not d for t in tensors):
        raise Eager("an error of the operator")


def _as_matrix(b: Builder, x: Any, column: bool) -> Any:
    if len(x.spec.shape) > 1:
        return x
    return b.view(x, (-1, 1) if column else (1, -1))


@rule("aten::matmul")
def matmul(b: Builder, self: Any, other: Any) -> Any:
    _typed(self, other)
    n, m = len(self.spec.shape), len(other.spec.shape)
    if not n or not m:
        raise Eager("an error of the operator")
    x, y = _as_matrix(b, self, False), _as_matrix(b, other, True)
    lead = self.spec.shape[:-2] if n > 2 else ()
    if m <= 2:
        lead = self.spec.shape[:-1]
        made = b.mm(_matrix(b, x), y)
        return b.view(made, lead + ((other.spec.shape[1],) if m == 2 else ()))
    lead = broadcast("matmul", [lead, other.spec.shape[:-2]])
    rows, columns = x.spec.shape[-2], y.spec.shape[-1]
    made = b.bmm(_batch(b, x, lead), _batch(b, y, lead))
    return b.view(made, lead + ((rows,) if n > 1 else ()) + (columns,))


def _batch(b: Builder, x: Any, lead: tuple[Any, ...]) -> Any:
    """One batch dimension; a matrix that serves all of the batch is not copied."""
    inner = x.spec.shape[-2:]
    if all(isinstance(n, int) and n == 1 for n in x.spec.shape[:-2]):
        return b.expand(b.view(x, (1, *inner)), (product(lead), *inner))
    return b.view(b.expand(x, lead + inner), (product(lead), *inner))


@rule("aten::mv")
def mv(b: Builder, self: Any, vec: Any) -> Any:
    _typed(self, vec)
    return b.view(b.mm(self, b.view(vec, (-1, 1))), (-1,))


@rule("aten::dot", "aten::vdot")
def dot(b: Builder, self: Any, tensor: Any) -> Any:
    _typed(self, tensor)
    return b.view(b.mm(b.view(self, (1, -1)), b.view(tensor, (-1, 1))), ())


def _scaled(b: Builder, self: Any, made: Any, beta: Any, alpha: Any) -> Any:
    alpha, beta = fitting(alpha, made.spec.dtype), fitting(beta, made.spec.dtype)
    made = b.mul(made, alpha)
    return made if beta == 0 else b.add(made, b.mul(self, beta))


@rule("aten::addmv")
def addmv(b: Builder, self: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    return _scaled(b, self, mv(b, mat, vec), beta, alpha)


@rule("aten::addr")
def addr(b: Builder, self: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    _typed(self, vec1, vec2)
    if self.spec.dtype in LOW or self.spec.dtype is dt.bool_:
        raise Keep("computed in the type itself")
    return _scaled(b, self, b.mul(b.view(vec1, (-1, 1)), vec2), beta, alpha)


@rule("aten::addbmm")
def addbmm(b: Builder, self: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    _typed(self, batch1, batch2)
    n, rows, k = batch1.spec.shape
    flat = b.view(b.permute(batch1, (1, 0, 2)), (rows, n * k))
    return _scaled(b, self, b.mm(flat, b.view(batch2, (n * k, batch2.spec.shape[2]))), beta, alpha)
