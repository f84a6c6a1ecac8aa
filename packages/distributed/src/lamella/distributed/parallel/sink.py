"""The node through which all of forward's outputs go, so that backward comes to each of them."""

from __future__ import annotations

from typing import Any

from lamella.autograd import Function

from .containers import map_tensors, tensors_in


class _Sink(Function):
    """Hands outputs on. Where some output is not part of the loss, what lies below it gets None, and so is counted."""

    @staticmethod
    def forward(ctx: Any, reducer: Any, clone: bool, *outputs: Any) -> tuple[Any, ...]:
        ctx.set_materialize_grads(False)
        ctx.reducer = reducer
        return tuple(t.clone() for t in outputs) if clone else outputs

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        ctx.reducer.begin()
        return (None, None, *grads)


def through(reducer: Any, output: Any, clone: bool = True) -> Any:
    """Forward's output, with its tensors behind one node of the graph.

    Args:
        reducer: is told when backward begins.
        output: nested containers.
        clone: give copies, which may be changed in place.
    """
    tensors = {id(t): t for _, t in tensors_in(output) if t.grad_fn is not None}
    if not tensors:
        return output
    new = dict(zip(tensors, _Sink.apply(reducer, clone, *tensors.values()), strict=True))
    return map_tensors(lambda t: new.get(id(t), t), output)
