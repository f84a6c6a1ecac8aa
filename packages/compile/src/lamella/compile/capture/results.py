"""What a recorded call leaves behind: its result, gradients of leaves, written inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.core.tensor import Size, Tensor
from lamella.dispatch.adapter import tensors_in

from .. import layers
from ..graph.calls import written_values
from ..graph.memory import may_overlap, on_gpu, span
from ..graph.node import Alias, Graph, Node
from .breaks import Break
from .fakes import FakeTensor
from .guards import is_plain
from .recorder import Recorder, Value
from .scalars import SymFloat
from .symint import SymInt


class Outputs:
    """The list of a graph's outputs, made as they are asked for.

    Attributes:
        nodes: the output nodes. aliases: see `Graph.aliases`.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.nodes: list[Node] = []
        self.aliases: dict[int, Alias] = {}
        self._of: dict[int, int] = {}

    def is_fake(self, t: Tensor) -> bool:
        """Whether a tensor without the type of fakes has no memory all the same."""
        found = self.recorder.values.get(id(t._a))
        return found is not None and found[1].array is t._a

    def number(self, t: Tensor) -> int:
        """The output that holds a tensor."""
        found = self.recorder.values.get(id(t._a))
        if found is None:
            raise Break("the result holds a tensor that was made in a way that cannot be recorded")
        return self._place(found[1])

    def _place(self, value: Value) -> int:
        at = self._of.get(id(value))
        if at is not None:
            return at
        root = value.root
        alias = None
        if root.number >= 0:
            alias = Alias("input", root.number, value.node.spec)
        elif root is not value:
            alias = Alias("output", self._place(root), value.node.spec)
        at = self._of[id(value)] = len(self.nodes)
        self.nodes.append(value.node)
        if alias is not None:
            self.aliases[at] = alias
        return at


def mutated(graph: Graph, recorder: Recorder) -> list[int]:
    """The numbers of the inputs that calls write into, also through views."""
    roots = {value.node: value.root for _, value in recorder.values.values()}
    found: dict[int, None] = {}
    for node in graph.nodes:
        if node.kind == "call" and node.op.schema.is_mutable:
            for each in written_values(node.op, node.args, node.kwargs):
                root = roots.get(each)
                if root is not None and root.number >= 0:
                    found[root.number] = None
    return sorted(found)


def clash(arrays: list[Any], changed: list[int]) -> tuple[int, int] | None:
    """Two inputs that share memory, one of which is written; None if there are none."""
    written = set(changed)
    bounds = sorted((*span(a), i) for i, a in enumerate(arrays) if a.size)
    open_: list[tuple[int, int]] = []  # (end, number) of arrays that reach to where the sweep is
    for low, high, i in bounds:
        open_ = [(end, j) for end, j in open_ if end > low]
        for _, j in open_:
            if (i in written or j in written) and _share(arrays[i], arrays[j]):
                return (i, j) if i in written else (j, i)
        open_.append((high, i))
    return None


def _share(a: Any, b: Any) -> bool:
    if on_gpu(a) or on_gpu(b):
        return may_overlap(a, b)
    try:
        return bool(np.shares_memory(a, b, max_work=1000))  # type: ignore[arg-type]
    except np.exceptions.TooHardError:
        return True


class Leaf:
    """A place in a result.

    Attributes:
        kind: "output" or "grad output" (value: number of the output, tensor); "argument" (text); "object" (it);
            "plain" (a value that is compared by value); "size" (text over the sizes that vary); "named" (a class of
            named tuples, the parts) and "made" (a class that is called with the parts).
    """

    __slots__ = ("kind", "value")

    def __init__(self, kind: str, value: Any) -> None:
        self.kind, self.value = kind, value


def result_tree(value: Any, outputs: Outputs, arguments: dict[int, str]) -> Any:
    """The result with a `Leaf` for each tensor.

    Args:
        value: what the function returned.
        outputs: where its tensors are listed.
        arguments: id of a fake argument -> text that gives the real one.
    """
    if isinstance(value, Tensor):
        if id(value) in arguments:
            return Leaf("argument", arguments[id(value)])
        if not isinstance(value, FakeTensor) and not outputs.is_fake(value):
            return Leaf("object", value)
        kind = "grad output" if value._ag is not None and not layers.is_spent(value) else "output"
        return Leaf(kind, (outputs.number(value), value))
    if type(value) is list:
        return [result_tree(v, outputs, arguments) for v in value]
    if type(value) is tuple:
        return tuple(result_tree(v, outputs, arguments) for v in value)
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return Leaf("named", (type(value), [result_tree(v, outputs, arguments) for v in value]))
    if type(value) is dict and all(is_plain(k) for k in value):
        return {k: result_tree(v, outputs, arguments) for k, v in value.items()}
    parts = _parts(value)
    if parts is not None:
        return Leaf("made", (type(value), [result_tree(v, outputs, arguments) for v in parts]))
    if is_plain(value):
        return Leaf("plain", value)
    if isinstance(value, SymInt):
        return Leaf("size", value.expr)
    if isinstance(value, SymFloat):
        return Leaf("plain", float(value))
    if tensors_in(getattr(value, "__dict__", None)):
        raise Break(f"the result is a {type(value).__name__} that holds tensors; return tuples, lists or dicts")
    return Leaf("object", value)


def _parts(value: Any) -> Any:
    """What to call the class of a value with, for values that may hold sizes; else None."""
    kind = type(value)
    if kind in (range, slice):
        parts = [value.start, value.stop, value.step]
        return parts if any(isinstance(each, SymInt) for each in parts) else None
    if kind in (Size, set, frozenset) and any(isinstance(each, SymInt) for each in value):
        return [list(value)]
    return None


def leaves(tree: Any) -> list[Leaf]:
    """The places of a result, in order."""
    return [row[0] for row in paired([tree])]


def paired(trees: list[Any]) -> list[tuple[Leaf, ...]]:
    """The places of results that are built in the same way.

    Raises:
        ValueError: they are not.
    """
    first = trees[0]
    if any(type(tree) is not type(first) for tree in trees):
        raise ValueError("other types")
    if isinstance(first, Leaf):
        if first.kind not in ("named", "made"):
            return [tuple(trees)]
        if any(tree.kind != first.kind or tree.value[0] is not first.value[0] for tree in trees):
            raise ValueError("other types")
        return paired([tree.value[1] for tree in trees])
    if isinstance(first, dict):
        if any(list(tree) != list(first) for tree in trees):
            raise ValueError("other keys")
        trees = [list(tree.values()) for tree in trees]
    return [row for parts in zip(*trees, strict=True) for row in paired(list(parts))]
