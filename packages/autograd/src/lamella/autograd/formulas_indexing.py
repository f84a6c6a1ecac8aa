"""Helpers for the derivatives of indexing, scattering and sorting."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.checks import concrete
from lamella.core.tensor import Tensor

from .formulas_shape import zeros_of


def index_backward(grad: Tensor, shape: Any, indices: Any) -> Tensor:
    """Zeros with the gradient added at the places that were read."""
    return F.op_index_put_(zeros_of(grad, shape), list(indices), grad, True)


def index_cleared(grad: Tensor, indices: Any) -> Tensor:
    """The gradient with zeros at the places that were overwritten."""
    return F.op_index_put(grad, list(indices), zeros_of(grad, ()), False)


def index_select_backward(grad: Tensor, shape: Any, dim: int, index: Tensor) -> Tensor:
    """Zeros with the gradient's slices added at the places that were read."""
    if not shape:
        return F.sum(grad).reshape(())
    return F.op_index_add_(zeros_of(grad, shape), dim, index, grad)


def scaled(grad: Tensor, factor: Any) -> Tensor:
    """The gradient times a number."""
    return grad if factor == 1 else F.mul(grad, factor.conjugate() if isinstance(factor, complex) else factor)


def index_filled(grad: Tensor, dim: int, index: Tensor) -> Tensor:
    """The gradient of a fill value: the sum over all places that got it."""
    return F.sum(F.sub(grad, F.index_fill(grad, dim, index, 0)))


def masked_select_backward(grad: Tensor, shape: Any, mask: Tensor) -> Tensor:
    """The gradient at the places of the mask, zeros elsewhere."""
    from .fit import sum_to

    full = F.broadcast_shapes(tuple(shape), mask.shape)
    return sum_to(F.masked_scatter(zeros_of(grad, full), mask, grad), tuple(shape))


def masked_scatter_backward(grad: Tensor, mask: Tensor, shape: Any) -> Tensor:
    """The gradient of the source: what lies under the mask, then zeros for elements that were not used."""
    n = 1
    for k in shape:
        n *= k
    if concrete(mask) is not mask:  # what lies under the mask has another size in each example of a batch
        flat = mask.expand(grad.shape).reshape(-1)  # type: ignore[attr-defined]
        places = F.where(flat, flat.cumsum(0) - 1, n)
        return F.scatter_add(zeros_of(grad, (n + 1,)), 0, places, F.where(flat, grad.reshape(-1), 0))[:n].reshape(  # type: ignore[attr-defined]
            tuple(shape))
    picked = F.masked_select(grad, mask)
    missing = n - picked._a.size
    if missing:
        picked = F.cat([picked, zeros_of(grad, (missing,))])
    return picked.reshape(tuple(shape))


def take_backward(grad: Tensor, shape: Any, index: Tensor) -> Tensor:
    """Zeros with the gradient added at the flat places that were read."""
    return F.op_put_(zeros_of(grad, shape), index, grad, True)


def gather_backward(grad: Tensor, shape: Any, dim: int, index: Tensor) -> Tensor:
    """Zeros with the gradient added at the places that were read."""
    if index._a.dtype == "u1":
        index = index.long()  # type: ignore[attr-defined]
    return F.op_scatter_add_(zeros_of(grad, shape), dim, index, grad)


def gathered(grad: Tensor, dim: int, index: Tensor, shape: Any) -> Tensor:
    """The gradient of scattered elements; those of a larger source that were not used get zeros."""
    g = F.gather(grad, dim, index)
    have = g._a.shape
    if have == tuple(shape):
        return g
    if not g._a.size:
        return zeros_of(grad, shape)
    pad: list[int] = []
    for n, m in zip(reversed(have), reversed(tuple(shape)), strict=True):
        pad += [0, m - n]
    return F.constant_pad_nd(g, pad)


def placed(grad: Tensor, shape: Any, dim: int, indices: Tensor) -> Tensor:
    """Zeros with the gradient at places that do not repeat."""
    if not shape:
        return grad
    return F.op_scatter_src(zeros_of(grad, shape), dim, indices, grad)


def placed_kept(grad: Tensor, shape: Any, dim: int, indices: Tensor, keepdim: bool) -> Tensor:
    """As `placed`, for results that lost a dimension."""
    if not keepdim and shape:
        grad, indices = F.unsqueeze(grad, dim), F.unsqueeze(indices, dim)
    return placed(grad, shape, dim, indices)


def _ones_like(t: Tensor) -> Tensor:
    return F.ones(tuple(t._a.shape), dtype=t.dtype, device=t.device)


def scatter_reduce_backward(
    grad: Tensor, self: Tensor, dim: int, index: Tensor, src: Tensor, reduce: str, include_self: bool, result: Tensor
) -> tuple[Any, Any]:
    """The gradients of ``self`` and ``src``."""
    at = _Scatter(dim, index, src._a.shape)
    return _reduced(at, grad, self, src, reduce, include_self, result)


def index_reduce_backward(
    grad: Tensor, self: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, include_self: bool, result: Tensor
) -> tuple[Any, Any]:
    """The gradients of ``self`` and ``source``."""
    return _reduced(_Index(dim, index, source._a.shape), grad, self, source, reduce, include_self, result)


class _Scatter:
    """Reading, adding and clearing at the places of a scatter."""

    def __init__(self, dim: int, index: Tensor, shape: Any) -> None:
        self.dim, self.index, self.shape = dim, index, tuple(shape)

    def read(self, t: Tensor) -> Tensor:
        return gathered(t, self.dim, self.index, self.shape)

    def add(self, t: Tensor, src: Tensor) -> Tensor:
        return F.scatter_add(t, self.dim, self.index, src)

    def clear(self, t: Tensor) -> Tensor:
        return F.scatter(t, self.dim, self.index, 0)


class _Index(_Scatter):
    """The same at the places of an index along one dimension."""

    def read(self, t: Tensor) -> Tensor:
        return F.index_select(t, self.dim, self.index).reshape(self.shape)

    def add(self, t: Tensor, src: Tensor) -> Tensor:
        return F.index_add(t, self.dim, self.index, src)

    def clear(self, t: Tensor) -> Tensor:
        return F.index_fill(t, self.dim, self.index, 0)


def _reduced(
    at: Any, grad: Tensor, self: Tensor, src: Tensor, reduce: str, include_self: bool, result: Tensor
) -> tuple[Any, Any]:
    if reduce == "sum":
        g_self, g_src = grad, at.read(grad)
    elif reduce == "mean":
        n = _ones_like(grad) if include_self else zeros_of(grad, grad._a.shape)
        n = at.add(n, _ones_like(src))
        n = F.masked_fill(n, F.eq(n, 0), 1)
        g_self = F.div(grad, n)
        g_src = F.div(at.read(grad), at.read(n)) if src._a.size else zeros_of(src, src._a.shape)
    elif reduce == "prod":
        g_self, g_src = _product(at, grad, self, src, include_self, result)
    else:
        back = at.read(result)
        mine = F.eq(self, result)
        theirs = F.eq(src, back).to(grad.dtype)
        if include_self:
            n = at.add(mine.to(grad.dtype), theirs)
        else:
            n = at.add(zeros_of(grad, grad._a.shape), theirs)
        n = F.masked_fill(n, F.eq(n, 0), 1)
        share = F.div(grad, n)
        g_self = F.mul(share, mine.to(grad.dtype))
        g_src = F.mul(theirs, at.read(share))
    if not include_self:
        g_self = at.clear(g_self)
    return g_self, g_src


def _product(at: Any, grad: Tensor, self: Tensor, src: Tensor, include_self: bool, result: Tensor) -> tuple[Any, Any]:
    """Each factor's gradient is the product of the others, worked out without dividing by a factor that is zero."""
    zero_self, zero_src = F.eq(self, 0), F.eq(src, 0)
    one_self = F.masked_fill(self, zero_self, 1)
    one_src = F.masked_fill(src, zero_src, 1)
    start = one_self if include_self else F.masked_fill(one_self, at.clear(_ones_like(self)).eq(0), 1)
    product = _times(at, start, one_src)  # of the factors that are not zero
    zeros = zero_self.to(grad.dtype) if include_self else zeros_of(grad, grad._a.shape)
    zeros = at.add(zeros, zero_src.to(grad.dtype))
    g = F.mul(grad, product)
    others_self = F.sub(zeros, zero_self.to(grad.dtype)) if include_self else zeros
    g_self = F.masked_fill(F.div(g, one_self), F.gt(others_self, 0), 0)
    others_src = F.sub(at.read(zeros), zero_src.to(grad.dtype))
    g_src = F.masked_fill(F.div(at.read(g), one_src), F.gt(others_src, 0), 0)
    return g_self, g_src


def _times(at: Any, start: Tensor, src: Tensor) -> Tensor:
    if isinstance(at, _Index):
        return F.index_reduce(start, at.dim, at.index, src, "prod", include_self=True)
    return F.scatter_reduce(start, at.dim, at.index, src, "prod", include_self=True)
