"""From a capture to an entry: the backend, in lamella's form or in torch's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamella.core.tensor import wrap

from . import status
from .backends import on_arrays, on_tensors
from .capture import Capture
from .entry import Entry
from .graph.memory import key_of
from .graph.node import Graph


def build_entry(owner: Any, capture: Capture) -> Entry:
    """Compile a capture with the backend of a compiled function."""
    return Entry(capture, program_of(owner, capture))


def program_of(owner: Any, capture: Capture) -> Any:
    """What an entry calls; where outputs take part in autograd it is over tensors, its backward compiled ahead."""
    def backend(graph: Graph, arrays: list[Any]) -> Any:
        if status.emitting[0] is not None:
            status.emitting[0](owner, capture, graph, arrays)
        if owner.users_own:
            return users(owner.backend, graph, arrays, owner.options)
        return owner.backend(graph, arrays)

    if not capture.needs_grad:
        return backend(capture.graph, capture.arrays)
    from . import aot

    assert capture.joint is not None
    return aot.differentiable(capture.graph, capture.joint, capture.arrays, backend)


class GraphModule:
    """A graph that can be called, as backends of torch's form get it.

    Attributes:
        graph: the nodes. code: Python text that does the same.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def code(self) -> str:
        """The graph as runnable Python."""
        from .graph.printer import source

        return source(self.graph)

    def forward(self, *inputs: Any) -> Any:
        """Run it by eager operators; run-time numbers follow the tensors."""
        count = len(self.graph.inputs)
        return tuple(on_tensors(self.graph)(inputs[:count], inputs[count:]))

    __call__ = forward

    def print_readable(self, print_output: bool = True) -> str:
        """The text, printed unless told otherwise."""
        if print_output:
            print(self.code)  # noqa: T201 - torch's name for printing
        return self.code

    def __repr__(self) -> str:
        return f"GraphModule({len(self.graph.nodes)} nodes)"


def users(backend: Any, graph: Graph, arrays: list[Any], options: dict[str, Any]) -> Any:
    """A program of a user's backend."""
    module = GraphModule(graph)
    call = backend(module, [wrap(a, key_of(a)) for a in arrays], **({"options": options} if options else {}))

    def on_lists(tensors: list[Any], scalars: Sequence[float]) -> Sequence[Any]:
        found = call(*tensors, *scalars)
        return found if isinstance(found, (list, tuple)) else (found,)

    return on_arrays(on_lists)
