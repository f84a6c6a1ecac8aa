"""A recorder of operator calls below autograd: what runs inside it becomes a raw graph.

The front end has its own (`lamella.compile.capture`), which also guards what Python read. This one serves passes that
run a graph again under autograd, and tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch.modes import TorchDispatchMode

from .node import Graph, Node, Spec


def spec_of(t: Tensor) -> Spec:
    """What a tensor is."""
    return Spec(tuple(t.shape), tuple(t.stride()), t.dtype, t.device, t.storage_offset())


class Recorder(TorchDispatchMode):
    """Records calls into ``graph`` while they run on tensors (of any device, also meta).

    Example:
        >>> from lamella.core import ones
        >>> recorder = Recorder([ones(2)])
        >>> with recorder:
        ...     y = recorder.tensors[0] * 2
        >>> [n.op.name for n in recorder.finish([y]).nodes if n.kind == "call"]
        ['aten::mul.Tensor']
    """

    def __init__(self, inputs: Sequence[Tensor], *, names: Sequence[str] = (), where: bool = False) -> None:
        self.graph = Graph()
        #: By the array, which is what a tensor shows: ``t_()`` gives a tensor another one.
        self.nodes: dict[int, tuple[Node, Any]] = {}
        self.tensors = list(inputs)
        self.where = where
        self.at = ""
        for i, t in enumerate(inputs):
            stem = names[i] if i < len(names) else "x"
            self.know(t, self.graph.add("input", stem, spec=spec_of(t)))

    def know(self, tensor: Tensor, node: Node) -> None:
        """Say that a tensor is a node's value."""
        self.nodes[id(tensor._a)] = node, tensor._a

    def node(self, value: Any) -> Any:
        """A nest of values with nodes for tensors; unknown tensors become constants."""
        if isinstance(value, Tensor):
            found = self.nodes.get(id(value._a))
            if found is None:
                made = self.graph.add("constant", "constant", value, spec=spec_of(value))
                self.know(value, made)
                return made
            return found[0]
        if isinstance(value, (list, tuple)):
            parts = [self.node(each) for each in value]
            return parts if isinstance(value, list) else tuple(parts)
        return value

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        given = self.node(tuple(args)), {k: self.node(v) for k, v in kwargs.items()}
        result = func(*args, **kwargs)
        node = self.graph.add("call", func.opname.strip("_"), func, *given, _specs(result), self._line())
        self._results(node, result)
        return result

    def _results(self, node: Node, result: Any) -> None:
        if isinstance(result, Tensor):
            if id(result._a) not in self.nodes:
                self.know(result, node)
        elif isinstance(result, (list, tuple)):
            for i, each in enumerate(result):
                if not isinstance(each, (Tensor, list, tuple)):
                    continue
                if not isinstance(each, Tensor) or id(each._a) not in self.nodes:
                    spec = node.spec[i] if isinstance(node.spec, tuple) else None
                    self._results(self.graph.add("item", "item", None, (node, i), {}, spec, node.where), each)

    def _line(self) -> str:
        if not self.where:
            return self.at
        frame: Any = sys._getframe(2)
        while frame is not None and "lamella" in frame.f_globals.get("__name__", ""):
            frame = frame.f_back
        return f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""

    def finish(self, outputs: Sequence[Any]) -> Graph:
        """End with the output node, and return the graph."""
        self.graph.add("output", "output", None, (self.node(list(outputs)),))
        return self.graph


def _specs(result: Any) -> Any:
    if isinstance(result, Tensor):
        return spec_of(result)
    if isinstance(result, (list, tuple)):
        return tuple(_specs(each) for each in result)
    return None


def record(fn: Callable[..., Any], inputs: Sequence[Tensor], **options: Any) -> Graph:
    """The raw graph of ``fn(*inputs)``, which returns a tensor or a list of tensors."""
    recorder = Recorder(inputs, **options)
    with recorder:
        result = fn(*inputs)
    return recorder.finish(result if isinstance(result, (list, tuple)) else [result])
