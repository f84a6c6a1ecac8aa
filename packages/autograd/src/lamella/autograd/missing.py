"""Differentiable operators that have no derivative: they compute, and say so when backward comes by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_SHIFT, BACKEND_MASK

from .graph import CHECKED, MULTI, Node, counter


class NotImplementedBackward(Node):
    """The history of a result whose operator has no derivative."""

    __slots__ = ("op",)
    kind = CHECKED | MULTI
    op: str

    def name(self) -> str:
        return "NotImplemented"

    def apply(self, *grads: Any) -> Any:
        if all(g is None for g in grads):
            return (None,) * len(self.edges)
        raise NotImplementedError(message(
            "backward", f"the derivative for '{self.op}' is not implemented",
            hint="detach() its result if no gradient is needed, or register one with torch.library.register_autograd"))


def _tensors(values: Any) -> list[Tensor]:
    found: list[Tensor] = []
    for v in values:
        if isinstance(v, Tensor):
            found.append(v)
        elif isinstance(v, (list, tuple)):
            found += _tensors(v)
    return found


def missing_derivative(op: Any, ks: int, lower: Callable[..., Any]) -> Callable[..., Any]:
    """The Autograd kernel of an operator without a formula."""

    def call(*args: Any, **kwargs: Any) -> Any:
        out = lower(*args, **kwargs)
        inputs = _tensors((*args, *kwargs.values()))
        edges = tuple(t._ag for t in inputs)
        results = _tensors(out if isinstance(out, (tuple, list)) else (out,))
        results = [r for r in results if r.is_floating_point() or r.is_complex()]
        if not any(e is not None for e in edges) or not results:
            return out
        node = NotImplementedBackward()
        node.seq = next(counter)
        node.edges = edges
        node.op = op.name
        node.num_outputs = len(results)
        for i, r in enumerate(results):
            r._ag = (node, i)
            r._ks |= (r._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
        return out

    return call
