"""Softmax and its logarithm: shifted by the maximum, then sums over exponentials."""

from __future__ import annotations

from typing import Any

from lamella.core import dtypes as dt

from ..builder import Builder
from ..specs import floating, wrapped
from ..table import rule


def _in_line(b: Builder, dim: int, *tensors: Any) -> tuple[Any, ...]:
    """The type, the dimension, and the tensors in the type to compute in; what has no dimensions gets one."""
    d = floating(tensors[0])
    shape = tensors[0].spec.shape or (1,)
    return (d, wrapped(dim, len(shape))[0], *[b.view(b.wide(x), shape) for x in tensors])


def _finished(b: Builder, made: Any, d: Any, like: Any) -> Any:
    return b.to(b.view(made, like.spec.shape), d)


@rule("aten::_softmax")
def softmax(b: Builder, self: Any, dim: int, half_to_float: bool) -> Any:
    d, axis, x = _in_line(b, dim, self)
    e = b.exp(b.sub(x, b.amax(x, axis, True)))
    return _finished(b, b.div(e, b.sum(e, axis, True)), d, self)


@rule("aten::_log_softmax")
def log_softmax(b: Builder, self: Any, dim: int, half_to_float: bool) -> Any:
    d, axis, x = _in_line(b, dim, self)
    x = b.sub(x, b.amax(x, axis, True))
    return _finished(b, b.sub(x, b.log(b.sum(b.exp(x), axis, True))), d, self)


@rule("aten::_softmax_backward_data")
def softmax_backward(b: Builder, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    d, axis, y, grad = _in_line(b, dim, output, grad_output)
    return _finished(b, b.mul(b.sub(grad, b.sum(b.mul(grad, y), axis, True)), y), d, output)


@rule("aten::_log_softmax_backward_data")
def log_softmax_backward(b: Builder, grad_output: Any, output: Any, dim: int, input_dtype: Any) -> Any:
    d, axis, y, grad = _in_line(b, dim, output, grad_output)
    return _finished(b, b.sub(grad, b.mul(b.exp(y), b.sum(grad, axis, True))), d, output)


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
