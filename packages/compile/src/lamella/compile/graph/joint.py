"""Forward and backward in one graph: the gradients of a recorded call's outputs, recorded behind it.

While the recorder is still on, autograd differentiates the outputs that have a history. Their gradients come in as new
inputs, the tangents. What ran under ``no_grad``, was detached, or has a backward of its own is treated as eager treats
it, because it is the same history that is walked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lamella.core.meta import meta_array
from lamella.core.tensor import Tensor
from lamella.dispatch.adapter import tensors_in
from lamella.dispatch.keys import BACKEND_MASK

from .. import layers
from ..errors import CompileError
from .node import Graph, Node


@dataclass
class Joint:
    """Which inputs and outputs of a graph belong to its backward.

    Attributes:
        outputs: nodes of the outputs that have a gradient, while recording.
        tangents: numbers of the inputs that are gradients of outputs, in the order of ``outputs``.
        gradients: (number of an input, node of its gradient) while recording.
        first: number of the first output that is a gradient; those before are the call's own.
        wanted: (number of an input, number of the output that is its gradient).
        carriers: numbers of the outputs with a gradient, in the order of ``tangents``.
        live: nodes of all outputs that have a history, also as views, while recording; then `history`: their numbers.
    """

    outputs: list[Node] = field(default_factory=list)
    tangents: list[int] = field(default_factory=list)
    gradients: list[tuple[int, Node]] = field(default_factory=list)
    first: int = 0
    wanted: list[tuple[int, int]] = field(default_factory=list)
    carriers: list[int] = field(default_factory=list)
    live: list[Node] = field(default_factory=list)
    history: set[int] = field(default_factory=set)

    def close(self, graph: Graph) -> None:
        """Add the gradients to a graph's outputs, once it has its output node."""
        outputs = graph.outputs
        self.first = len(outputs)
        self.carriers = [outputs.index(node) for node in self.outputs]
        self.history = {n for n, node in enumerate(outputs) if node in self.live}
        known: dict[Node, int] = {}
        for at, node in self.gradients:
            if node not in known:
                known[node] = len(outputs)
                outputs.append(node)
            self.wanted.append((at, known[node]))


def join(recorder: Any, result: Any) -> Joint | None:
    """Record the backward of a call; to be called while the recorder is on.

    Args:
        recorder: capture's.
        result: what the function returned.

    Returns:
        None where no output has a history.

    Raises:
        CompileError: a history that leads through memory which cannot be recorded.
    """
    from ..capture.fakes import fake

    if not any(t._ag is not None and not layers.is_spent(t) for t in tensors_in(result)):
        return None
    targets = [(i, t) for i, t in enumerate(recorder.inputs) if t._ag is not None]
    if any(not t.is_leaf for _, t in targets):
        raise CompileError("joint", "the function reads a tensor that has a history of its own")
    if any(t._backward_hooks for _, t in targets):
        raise CompileError("joint", "a parameter has a hook on its gradient, which would run twice")
    carriers = list(_carriers(recorder, result))
    joint = Joint(live=[recorder.value_of(t).node for t in tensors_in(result) if t._ag is not None])
    if not targets or not carriers:
        return joint
    grads = []
    for t, node in carriers:
        a = meta_array(tuple(t._a.shape), t.dtype)
        tangent = fake(a, t._ks & BACKEND_MASK)
        value = recorder.add_input(tangent, "tangent", a, a)
        joint.outputs.append(node)
        joint.tangents.append(value.number)
        grads.append(tangent)
    count = len(recorder.inputs)
    found = layers.gradients([t for t, _ in carriers], [t for _, t in targets], grads)
    if len(recorder.inputs) != count:
        _to_the_end(recorder, joint, count)
    for (at, _), g in zip(targets, found, strict=True):
        if g is not None:
            joint.gradients.append((at, recorder.value_of(g).node))
    return joint


def _to_the_end(recorder: Any, joint: Joint, count: int) -> None:
    """Tensors that only the backward reads became inputs after the tangents; the tangents are to be last."""
    first, total = joint.tangents[0], len(recorder.inputs)
    order = [*range(first), *range(count, total), *range(first, count)]
    for name in ("inputs", "arrays", "fakes"):
        values = getattr(recorder, name)
        values[:] = [values[i] for i in order]
    moved = {old: new for new, old in enumerate(order)}
    for value in {id(v): v for _, v in recorder.values.values()}.values():
        if value.number >= 0:
            value.number = moved[value.number]
    nodes = [n for n in recorder.graph.nodes if n.kind == "input"]
    others = [n for n in recorder.graph.nodes if n.kind != "input"]
    recorder.graph.nodes[:] = [*(nodes[i] for i in order), *others]
    joint.tangents = [moved[i] for i in joint.tangents]


def _carriers(recorder: Any, result: Any) -> Iterator[tuple[Tensor, Node]]:
    """Outputs with a history and their nodes, each memory once: of views the tensor that they are views of.

    Views of inputs are left out: they are made again, by autograd's own views, from the inputs.
    """
    seen: dict[int, Tensor] = {}
    given: list[Tensor] = []
    for t in tensors_in(result):
        if t._ag is None or layers.is_spent(t):
            continue
        value = recorder.values.get(id(t._a))
        if value is None:
            continue
        root = value[1].root
        if root.number >= 0:
            continue
        base = t if root is value[1] else t._base
        if base is None or base._ag is None or not _shows_all(base, root):
            raise CompileError("joint", "an output is a view of memory that has no history of its own")
        other = seen.setdefault(id(root), base)
        if other is base and not any(base is each for each in given):
            given.append(base)
            yield base, root.node
        elif other._ag is not base._ag:
            raise CompileError("joint", "two outputs are the same memory with two histories")


def _shows_all(t: Tensor, root: Any) -> bool:
    """Whether a tensor (perhaps a detached one) is the whole memory that a value made."""
    a, b = t._a, root.array
    where = [x.__array_interface__["data"][0] for x in (a, b)]
    return a is b or (a.shape == b.shape and a.strides == b.strides and a.dtype == b.dtype and where[0] == where[1])
