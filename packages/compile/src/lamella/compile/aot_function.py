"""The node that a compiled forward leaves in autograd's graph, and whose backward is compiled too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.autograd import saved
from lamella.autograd.graph import MULTI, SAVES, Node, counter
from lamella.autograd.once import Once, _mark
from lamella.autograd.saved import FREED, explain_freed, pack_one, packers, unpack_value
from lamella.core.tensor import Tensor, alias, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, AUTOGRAD_SHIFT, BACKEND_MASK
from lamella.dispatch.state import state


class CompiledFunctionBackward(Node):
    """One call of a compiled forward.

    Attributes:
        call: the two programs. scalars: the numbers of this call.
        kept, versions: the tensors for the backward, and their versions. shapes: of the outputs with a gradient.
    """

    __slots__ = ("call", "scalars", "kept", "versions", "shapes")
    kind = SAVES
    call: Any
    scalars: Any
    kept: Any
    versions: list[int]
    shapes: tuple[Any, ...]

    def apply(self, *grads: Any) -> Any:
        """The gradients of the inputs."""
        kept = self.kept
        if kept is FREED:
            raise RuntimeError(explain_freed(self))
        values = []
        for t, then in zip(kept, self.versions, strict=True):
            if t.__class__ is not Tensor or (t._vc is not None and t._vc.n != then):
                t = unpack_value(self, t, then, "a tensor that the compiled forward keeps")
            values.append(t)
        found = self.call.backward(values, grads, self.shapes, self.scalars)
        if not (state.affected and state.thread.exclude & AUTOGRAD_MASK):
            found = _twice(self, found)
        return found[0] if len(found) == 1 else found

    def release(self) -> None:
        self.kept = FREED


def connect(call: Any, tensors: Sequence[Tensor], found: dict[int, Tensor], outs: Any, scalars: Any) -> None:
    """Give the outputs of a forward their history.

    Args:
        call: `lamella.compile.aot.Call`. tensors: its inputs. scalars: its numbers.
        found: the outputs by number; those with a gradient get an edge.
        outs: all arrays that the forward made.
    """
    node = CompiledFunctionBackward()
    node.seq = next(counter)
    node.call, node.scalars = call, scalars
    node.edges = tuple([tensors[at]._ag for at in call.targets])
    kept: list[Any] = []
    versions = []
    for kind, number in call.parts.kept:
        if kind == "input":
            t = tensors[number]
            if t._twin is not None:
                t = t._twin
        else:
            own = found.get(number)
            t = wrap(outs[number], call.key) if own is None else alias(own)
        vc = t._vc
        versions.append(0 if vc is None else vc.n)
        kept.append(pack_one(t) if packers else t)
    node.kept, node.versions = kept, versions
    results = [found[n] for n in call.parts.carriers]
    if len(results) == 1:
        node.shapes = ()
        t = results[0]
        t._ag = node
        t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    else:
        node.kind = SAVES | MULTI
        node.num_outputs = len(results)
        node.shapes = tuple([t._a.shape for t in results])
        for i, t in enumerate(results):
            t._ag = node, i
            t._ks |= (t._ks & BACKEND_MASK) << AUTOGRAD_SHIFT
    if saved.recorder is not None:
        saved.recorder(node, results)


def _twice(node: CompiledFunctionBackward, found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Gradients that themselves depend on the inputs: differentiating them is an error."""
    then = _Twice()
    then.seq = next(counter)
    then.edges = node.edges
    then.num_outputs = len(found)
    then.what = "torch.compile"
    return tuple([_mark(then, i, g) for i, g in enumerate(found)])


class _Twice(Once):
    """Stands where the second derivative of a compiled function would begin."""

    __slots__ = ()

    def apply(self, *grads: Any) -> Any:
        raise RuntimeError(message(
            "torch.compile", "torch.compile with aot_autograd does not currently support double backward",
            hint="call the function uncompiled where it is differentiated twice, or take both derivatives inside of "
                 "the compiled function"))
