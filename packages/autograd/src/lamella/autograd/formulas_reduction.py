"""Helpers for the derivatives of reductions."""

from __future__ import annotations

import math
from typing import Any

from lamella.core import functions as F
from lamella.core.checks import free_of_zeros, wrap_dim
from lamella.core.dtypes import finfo
from lamella.dispatch.keys import AUTOGRAD_MASK, TRANSFORM_MASK

from .formulas import conj_of, reduced_numel, unreduce


def prod_backward(grad: Any, self: Any, result: Any) -> Any:
    """The product of all others, also where elements are zero."""
    if self.ndim == 0:
        return grad
    if free_of_zeros(self):
        return grad * conj_of(result / self)
    flat = self.reshape(-1)
    return (grad * conj_of(_others(flat, 0))).reshape(self.shape)


def prod_dim_backward(grad: Any, self: Any, dim: int, keepdim: bool) -> Any:
    """As `prod_backward`, along one dimension."""
    if self.ndim == 0:
        return grad
    dim = wrap_dim("prod", dim, self.ndim)
    return unreduce(grad, self.shape, dim, keepdim) * conj_of(_others(self, dim))


def _others(x: Any, dim: int) -> Any:
    """For each element the product of the others along ``dim``: products from both sides."""
    n = x.shape[dim]
    one = F.ones_like(x.narrow(dim, 0, min(n, 1)))
    left = F.cat([one, x.narrow(dim, 0, max(n - 1, 0))], dim).cumprod(dim)
    right = F.cat([x.narrow(dim, min(n, 1), max(n - 1, 0)), one], dim).flip(dim).cumprod(dim).flip(dim)
    return left * right


def evenly(grad: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of an extreme value, shared evenly among the elements that have it."""
    hit = F.eq(self, unreduce(result, self.shape, dim, keepdim))
    if self.is_floating_point():
        hit = hit | (self.isnan() & unreduce(result, self.shape, dim, keepdim).isnan())
    count = F.sum(hit, dim, True) if dim is None or not _empty(dim) else F.sum(hit, None, True)
    return F.where(hit, unreduce(grad, self.shape, dim, keepdim) / count, 0)


def _empty(dim: Any) -> bool:
    return not isinstance(dim, int) and len(dim) == 0


def aminmax_backward(grads: Any, self: Any, low: Any, high: Any, dim: Any, keepdim: bool) -> Any:
    """The sum of what reaches the smallest and the largest elements."""
    total = None
    for g, r in zip(grads, (low, high), strict=True):
        if g is not None:
            part = evenly(g, self, r, dim, keepdim)
            total = part if total is None else total + part
    return total


def value_selected(grad: Any, dim: int, indices: Any, shape: Any, keepdim: bool) -> Any:
    """Zeros with the gradient at the chosen indices."""
    if not shape:
        return grad
    if not keepdim:
        grad, indices = grad.unsqueeze(dim), indices.unsqueeze(dim)
    return grad.new_zeros(shape).scatter(dim, indices, grad)


def cum_selected(grad: Any, shape: Any, indices: Any, dim: int) -> Any:
    """Each gradient goes to the element that its running extreme came from."""
    if not shape:
        return grad
    return grad.new_zeros(shape).scatter_add(dim, indices, grad)


def var_backward(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """2 (x - mean) / (n - correction)."""
    n = reduced_numel(self.shape, dim)
    d = n - (1 if correction is None else correction)
    centre = self - F.mean(self, dim, True)
    scale = 2 / d if d > 0 else (math.nan if d == 0 else math.inf)
    return unreduce(grad, self.shape, dim, keepdim) * (centre * scale)


def std_backward(grad: Any, self: Any, result: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    """Through the variance; 0 where the deviation is 0."""
    g = F.where(F.eq(result, 0), 0, grad / (result * 2))
    return var_backward(g, self, dim, correction, keepdim)


def norm_backward(grad: Any, self: Any, ord: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The slope of a vector norm; 0 at the origin, shared evenly at the corners of the maximum norm."""
    g = unreduce(grad, self.shape, dim, keepdim)
    n = unreduce(result, self.shape, dim, keepdim)
    if ord == 0:
        return F.zeros_like(self)
    if ord == 1:
        return g * F.sgn(self)
    if ord == 2:
        return F.where(F.eq(n, 0), 0, self * (g / F.where(F.eq(n, 0), 1, n)))
    size = F.abs(self)
    if ord in (math.inf, -math.inf):
        hit = F.eq(size, n)
        return F.sgn(self) * F.where(hit, g / F.sum(hit, dim, True), 0)
    zero = F.eq(size, 0)
    safe = F.where(zero, 1, size)
    inner = F.where(zero, 0, F.pow(safe, ord - 1))
    outer = F.where(F.eq(n, 0), 0, g / F.pow(F.where(F.eq(n, 0), 1, n), ord - 1))
    return F.sgn(self) * inner * outer


def logsumexp_backward(grad: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The softmax of the input."""
    n = unreduce(result, self.shape, dim, keepdim)
    return unreduce(grad, self.shape, dim, keepdim) * conj_of(F.exp(self - n))


def softmax_twice(grad: Any, grad_output: Any, output: Any, dim: int) -> Any:
    """The slope of softmax's backward in its output."""
    return grad * (grad_output - F.sum(output * grad_output, dim, True)) - F.sum(grad * output, dim, True) * grad_output


def reverse_cumsum(grad: Any, dim: int) -> Any:
    """Cumulative sums from the end."""
    return grad.flip(dim).cumsum(dim).flip(dim) if grad.ndim else grad


def cumprod_backward(grad: Any, self: Any, dim: int) -> Any:
    """Quotients where nothing is zero, else the product rule over the zero-free prefixes."""
    if self.ndim == 0 or not self._a.size:
        return grad
    dim = wrap_dim("cumprod", dim, self.ndim)
    result = self.cumprod(dim)
    if free_of_zeros(self):
        return reverse_cumsum(grad * conj_of(result), dim) / conj_of(self)
    n = self.shape[dim]
    parts = []
    for k in range(n):
        # d result[j] / d self[k] for j >= k: the product of self[:j+1] without self[k].
        head = self.narrow(dim, 0, k).prod(dim, keepdim=True) if k else F.ones_like(self.narrow(dim, 0, 1))
        tail = F.cat([F.ones_like(self.narrow(dim, 0, 1)), self.narrow(dim, k + 1, n - k - 1)], dim).cumprod(dim)
        parts.append(F.sum(grad.narrow(dim, k, n - k) * conj_of(head * tail), dim, True))
    return F.cat(parts, dim)


def logcumsumexp_weights(x: Any, y: Any, dim: int) -> Any:
    """The derivatives of ``y = x.logcumsumexp(dim)``: exp(x_j - y_i), 0 where j > i, in two last dimensions i, j."""
    n = x._a.shape[dim]
    later = F.ones((n, n), device=x.device).triu(1) > 0
    exponents = x.movedim(dim, -1).unsqueeze(-2) - y.movedim(dim, -1).unsqueeze(-1)
    return exponents.masked_fill(later, -math.inf).exp()


def logcumsumexp_backward(grad: Any, self: Any, result: Any, dim: int) -> Any:
    """Positive and negative gradients are summed apart in the logarithmic domain.

    Where the gradient is differentiated in turn, all weights are computed: logarithms have no derivative at 0.
    """
    if self.ndim == 0:
        return grad
    if grad._ks & (AUTOGRAD_MASK | TRANSFORM_MASK):
        weights = conj_of(logcumsumexp_weights(self, result, dim)).mT
        return (weights @ grad.movedim(dim, -1).unsqueeze(-1)).squeeze(-1).movedim(-1, dim)
    if self.is_complex():
        return reverse_cumsum(grad * conj_of(F.exp(-result)), dim) * conj_of(F.exp(self))

    least = float(finfo(grad.dtype).min)  # not -inf, whose own gradient would be nan
    logs = F.log(F.abs(grad))

    def half(mine: Any) -> Any:
        scaled = F.where(mine, logs, least) - result
        return F.exp(scaled.flip(dim).logcumsumexp(dim).flip(dim) + self)

    return half(grad > 0) - half(grad < 0)


