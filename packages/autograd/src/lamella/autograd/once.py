"""`once_differentiable`: for backward functions that are not differentiable themselves."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lamella.core.tensor import Tensor, alias
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK
from lamella.dispatch.state import state

from .graph import CHECKED, MULTI, Node, counter


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator of ``backward``: it is computed without recording, and differentiating its result is an error.

    Example:
        >>> from lamella.autograd import Function
        >>> class Square(Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     @once_differentiable
        ...     def backward(ctx, grad):
        ...         return grad * 2 * ctx.saved_tensors[0]
    """

    @functools.wraps(fn)
    def once(ctx: Any, *args: Any) -> Any:
        recording = not state.thread.exclude & AUTOGRAD_MASK
        with state.masks(exclude=AUTOGRAD_MASK):
            outputs = fn(ctx, *args)
        if not recording or not any(isinstance(a, Tensor) and a._ag is not None for a in args):
            return outputs
        many = isinstance(outputs, tuple)
        values = outputs if many else (outputs,)
        node = Once()
        node.seq = next(counter)
        node.edges = tuple(a._ag if isinstance(a, Tensor) else None for a in args)
        node.num_outputs = len(values)
        node.what = ctx.name()
        results = [_mark(node, i, v) for i, v in enumerate(values)]
        return tuple(results) if many else results[0]

    return once


def _mark(node: Node, i: int, v: Any) -> Any:
    if not isinstance(v, Tensor):
        return v
    v = alias(v)
    v._ag = (node, i)
    v._ks |= (v._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    return v


class Once(Node):
    """Stands where a second derivative would begin."""

    __slots__ = ("what",)
    kind = CHECKED | MULTI
    what: str

    def name(self) -> str:
        return "Error"

    def apply(self, *grads: Any) -> Any:
        raise RuntimeError(message(self.what, "trying to differentiate twice a function that was marked with "
                                   "@once_differentiable", hint="write its backward with differentiable operations "
                                                                "only"))
