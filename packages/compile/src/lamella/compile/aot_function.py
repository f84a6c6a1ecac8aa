"""The node that a compiled forward leaves in autograd's graph, and whose backward is compiled too."""

from __future__ import annotations

from typing import Any

from lamella.autograd.function import Function
from lamella.autograd.graph import counter
from lamella.autograd.once import Once, _mark
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state


class CompiledFunction(Function):
    """``apply(call, scalars, *tensors)`` runs ``call.forward``, and on the way back ``call.backward``."""

    @staticmethod
    def forward(ctx: Any, call: Any, scalars: Any, *tensors: Any) -> Any:
        """The forward program."""
        ctx.set_materialize_grads(False)
        outputs, kept = call.forward(tensors, scalars)
        ctx.call, ctx.scalars, ctx.shapes = call, scalars, [t._a.shape for t in outputs]
        ctx.save_for_backward(*kept)
        ctx.mark_non_differentiable(*[t for i, t in enumerate(outputs) if i not in call.differentiable])
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The backward program."""
        recording = not state.thread.exclude & AUTOGRAD_MASK
        kept = ctx.saved_tensors
        with state.masks(exclude=AUTOGRAD_MASK):
            found = ctx.call.backward(kept, grads, ctx.shapes, ctx.scalars)
        return (None, None, *(_twice(ctx, found) if recording else found))


def _twice(ctx: Any, found: Any) -> list[Any]:
    """Gradients that themselves depend on the inputs: differentiating them is an error."""
    node = _Twice()
    node.seq = next(counter)
    node.edges = ctx._node.edges
    node.num_outputs = len(found)
    node.what = "torch.compile"
    return [_mark(node, i, g) for i, g in enumerate(found)]


class _Twice(Once):
    """Stands where the second derivative of a compiled function would begin."""

    __slots__ = ()

    def apply(self, *grads: Any) -> Any:
        raise RuntimeError(message(
            "torch.compile", "torch.compile with aot_autograd does not currently support double backward",
            hint="call the function uncompiled where it is differentiated twice, or take both derivatives inside of "
                 "the compiled function"))
