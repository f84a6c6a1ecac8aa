"""Softmax and its logarithm: shifted by the maximum, then sums over exponentials."""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt

from ..builder import Builder
from ..specs import wrapped
from ..table import Eager, rule


def _axis(x: Any, dim: int) -> int:
    if x.spec.dtype.category != 2:
        raise Eager("an error of the operator")
    return wrapped(dim, len(x.spec.shape))[0]


@rule("aten::_softmax")
def softmax(b: Builder, self: Any, dim: int, half_to_float: bool) -> Any:
    d = self.spec.dtype
    if not self.spec.shape:
        return b.full((), 1, d)
    axis, x = _axis(self, dim), b.wide(self)
    e = b.exp(b.sub(x, b.amax(x, axis, True)))
    return b.to(b.div(e, b.sum(e, axis, True)), d)


@rule("aten::_log_softmax")
def log_softmax(b: Builder, self: Any, dim: int, half_to_float: bool) -> Any:
    d = self.spec.dtype
    if not self.spec.shape:
        return b.full((), 0, d)
    axis, x = _axis(self, dim), b.wide(self)
    x = b.sub(x, b.amax(x, axis, True))
    return b.to(b.sub(x, b.log(b.sum(b.exp(x), axis, True))), d)


@rule("aten::_softmax_backward_data")
def softmax_backward(b: Builder, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    d = output.spec.dtype
    if not output.spec.shape:
        return b.full((), 0, d)
    axis, y, grad = _axis(output, dim), b.wide(output), b.wide(grad_output)
    return b.to(b.mul(b.sub(grad, b.sum(b.mul(grad, y), axis, True)), y), d)


@rule("aten::_log_softmax_backward_data")
def log_softmax_backward(b: Builder, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    d = output.spec.dtype
    if not output.spec.shape:
        return b.full((), 0, d)
    axis, y, grad = _axis(output, dim), b.wide(output), b.wide(grad_output)
    return b.to(b.sub(grad, b.mul(b.exp(y), b.sum(grad, axis, True))), d)


@rule("aten::logsumexp")
def logsumexp(b: Builder, self: Any, dim: Any, keepdim: bool = False) -> Any:
    d = self.spec.dtype if self.spec.dtype.category >= 2 else dt.get_default_dtype()
    x = b.wide(b.to(self, d))
    if not x.spec.shape:
        return b.copy(b.to(x, d))
    dims = wrapped(dim, len(x.spec.shape))
    top = b.amax(x, dims, True)
    top = b.masked_fill(top, b.isinf(top), 0.0)
    total = b.sum(b.exp(b.sub(x, top)), dims, True)
    made = b.add(b.log(total), top)
    if not keepdim:
        made = b.view(made, tuple(n for i, n in enumerate(x.spec.shape) if i not in dims))
    return b.to(made, d)
