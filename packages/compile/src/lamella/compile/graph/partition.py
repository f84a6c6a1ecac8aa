"""Cutting a joint graph into a forward and a backward: what to keep in between, and what to compute twice.

Every value that the backward needs and that does not depend on tangents is either kept or computed again from others
that are kept. Keeping costs a write and a read; only the read where the forward writes the value anyway. Computing
again costs little where it is fused with its reader, and a write where it is an operand of a matrix product. The
cheapest choice is a minimum cut: sources are the inputs and the values that are too dear to compute twice, the sink is
the backward.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ..errors import CompileError
from ..loops.index import Expr, Var, lift, substitute
from .calls import is_functional_call
from .clean import drop_dead, has_effect, is_random, separate
from .infer import hints
from .joint import Joint
from .node import Graph, Node, Spec, map_nodes

_CHEAP = frozenset(("pointwise", "comparison", "shape", "slicing", "lamella.nn.activation"))
_CHEAP_OPS = frozenset(
    ("aten::clone", "aten::_to_copy", "aten::complex", "aten::full", "aten::arange.start_step", "aten::where.self",
     "aten::masked_fill.Scalar", "aten::masked_fill.Tensor", "aten::tril", "aten::triu", "aten::flip",
     "aten::constant_pad_nd", "aten::eye.m", "aten::empty.memory_format", "aten::one_hot"))
_DEAR_OPS = frozenset(("aten::polygamma", "aten::mvlgamma", "aten::unfold_backward"))
#: Dear calls whose results a GPU's program had better compute again than keep: they are much larger than the operands.
_AGAIN = frozenset(("aten::_attention",))
_INFINITE = 1 << 29


@dataclass
class Parts:
    """A forward and a backward.

    Attributes:
        forward: outputs are the call's own, then ``kept`` ones (``graph.returned`` counts both), then new content.
        backward: inputs are what is kept, then the tangents; outputs are the gradients.
        kept: of each value that is kept: ("input", number), or ("output", number of the forward's output).
        wanted: (number of an input, number of the backward's output that is its gradient).
        carriers, history: as in `Joint`. count: how many outputs are the call's own.
        bytes_kept: of values that are kept and are no inputs.
    """

    forward: Graph
    backward: Graph
    kept: list[tuple[str, int]]
    wanted: list[tuple[int, int]]
    carriers: list[int]
    history: set[int]
    count: int
    bytes_kept: int


def partition(graph: Graph, joint: Joint, gpu: bool = False) -> Parts:
    """Cut a prepared joint graph.

    Args:
        graph: functional; its last inputs are the tangents.
        joint: which outputs are gradients.
        gpu: whether the parts are compiled for a GPU.

    Raises:
        CompileError: a write depends on a tangent.
    """
    return _Cut(graph, joint, gpu).parts()


@cache
def is_cheap(op: Any) -> bool:
    """Whether computing a call again costs no more than reading its operands."""
    if op.name in _DEAR_OPS or is_random(op) or op.schema.is_mutable:
        return False
    return op.family in _CHEAP or op.name in _CHEAP_OPS


class _Cut:
    def __init__(self, graph: Graph, joint: Joint, gpu: bool) -> None:
        self.graph, self.joint, self.gpu = graph, joint, gpu
        self.inputs = graph.inputs
        count = len(self.inputs) - len(joint.tangents)
        self.primals, self.tangents = self.inputs[:count], self.inputs[count:]
        self.numbers = {n: i for i, n in enumerate(self.inputs)}
        self.sizes = hints(graph)
        self.users = graph.users()
        outputs = graph.outputs
        #: New contents of inputs: after the forward they are in the input's own memory.
        self.fresh = {outputs[number]: at for at, number in graph.mutations.items()}
        self.gradients = outputs[joint.first:graph.returned]
        self.own = outputs[:joint.first]
        self.rest = outputs[graph.returned:]
        self.late = self._reach(self.tangents)
        #: What the backward is run for: gradients, and calls that do something beyond their results.
        self.ends = [*self.gradients, *(n for n in self.late if n.kind == "call" and has_effect(n.op))]
        for value in (*self.own, *self.rest):
            if value in self.late:
                raise CompileError("partition", "an output of the forward depends on a gradient", {"node": value.name})

    def _reach(self, starts: list[Node]) -> set[Node]:
        found = set(starts)
        for node in self.graph.nodes:
            if node.kind != "output" and any(each in found for each in node.inputs()):
                found.add(node)
        return found

    def _needed(self, ends: list[Any], stops: set[Node]) -> set[Node]:
        found: set[Node] = set()
        stack = [n for n in ends if isinstance(n, Node)]
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                if node not in stops:
                    stack += node.inputs()
        return found

    # ------------------------------------------------------------------ the cut

    def keep(self) -> list[Node]:
        """The values to keep, in the order of the graph."""
        wanted = self._needed(self.ends, set())
        early = [n for n in self.graph.nodes if n in wanted and n not in self.late]
        index = {n: i for i, n in enumerate(early)}
        source, sink = 2 * len(early), 2 * len(early) + 1
        edges: dict[tuple[int, int], int] = {}
        roots = {n for n in self.gradients if n in index}
        for node, i in index.items():
            edges[2 * i, 2 * i + 1] = self._cost(node)
            again = self._cost_again(node)
            if again:
                edges[source, 2 * i] = again
            if node in roots:
                edges[2 * i + 1, sink] = _INFINITE
            for each in node.inputs():
                edges[2 * index[each] + 1, 2 * i] = _INFINITE
        for node in self.late:
            for each in node.inputs() if node in wanted else ():
                if each in index:
                    edges[2 * index[each] + 1, sink] = _INFINITE
        if not any(b == sink for _, b in edges) or not any(a == source for a, _ in edges):
            return []
        side = _source_side(edges, source, sink)
        return [n for n, i in index.items() if 2 * i in side and 2 * i + 1 not in side]

    def _cost(self, node: Node) -> int:
        """What keeping a value costs: quarters of kilobytes that are written and read. Inputs are there anyway, unless
        they are overwritten."""
        if node.kind in ("constant", "scalar"):
            return 0
        if isinstance(node.spec, tuple) or node.spec is None:
            return _INFINITE
        size = 4 * (self._bytes(node) >> 10) + 8
        if node in self.fresh or (node.kind == "input" and self.numbers[node] not in self.graph.mutations):
            return 1
        if node.is_view:
            return min(2 * size + 2, _INFINITE - 1)
        return min(size if self._lies_there(node) else 2 * size, _INFINITE - 1)

    def _lies_there(self, node: Node) -> bool:
        """Whether the forward writes a value to memory anyway: it is an output, or a dear call makes or reads it."""
        if node.kind == "input":
            return False
        return node.kind == "item" or not is_cheap(node.op) or node in self.own or self._has_dear_user(node, False)

    def _cost_again(self, node: Node) -> int:
        """What computing a value again in the backward costs, in the same unit."""
        if self.gpu and node.kind == "call" and node.op.name in _AGAIN:
            return 8 + sum(4 * (self._bytes(each) >> 10) for each in node.inputs() if isinstance(each.spec, Spec))
        if node.kind == "input" or (node.kind == "call" and not is_cheap(node.op)):
            return _INFINITE
        if node.kind != "call" or node.is_view or not node.args:
            return 0
        size = 4 * (self._bytes(node) >> 10) + 8
        return min(size // 8 + (2 * size if self._has_dear_user(node, True) else 0), _INFINITE - 1)

    def _has_dear_user(self, node: Node, late: bool) -> bool:
        """Whether a call that is not fused reads a value, or views of it, in the forward or in the backward."""
        stack = [node]
        while stack:
            for user in self.users[stack.pop()]:
                if user.is_view:
                    stack.append(user)
                elif user.kind == "call" and (user in self.late) is late and not is_cheap(user.op):
                    return True
        return False

    def _bytes(self, node: Node) -> int:
        shape = [substitute(n, self.sizes) for n in node.spec.shape]
        return int(np.prod(shape, dtype=np.int64)) * node.spec.dtype.itemsize

    # ------------------------------------------------------------------ the two graphs

    def parts(self) -> Parts:
        kept = [n for n in self.keep() if n.kind not in ("constant", "scalar")]
        kept += self._sizes_of(kept)
        forward, places = self._forward(kept)
        backward = self._backward(kept)
        wanted = [(at, number - self.joint.first) for at, number in self.joint.wanted]
        total = sum(self._bytes(n) for n, p in zip(kept, places, strict=True) if p[0] == "output")
        joint = self.joint
        return Parts(forward, backward, places, wanted, joint.carriers, joint.history, joint.first, total)

    def _sizes_of(self, kept: list[Node]) -> list[Node]:
        """Inputs that only tell symbolic sizes."""
        missing = set(self.graph.symbols)
        for node in (*kept, *self.tangents):
            missing -= {name for name, _ in _told(node)}
        found = []
        for node in self.primals:
            told = {name for name, _ in _told(node)} & missing
            if told and node not in kept:
                missing -= told
                found.append(node)
        return found

    def _forward(self, kept: list[Node]) -> tuple[Graph, list[tuple[str, int]]]:
        outputs = list(self.own)
        places: list[tuple[str, int]] = []
        for node in kept:
            if node.kind == "input" and self.numbers[node] not in self.graph.mutations:
                places.append(("input", self.numbers[node]))
                continue
            if node in self.fresh:
                places.append(("input", self.fresh[node]))
                continue
            if node in self.own:
                places.append(("output", self.own.index(node)))
                continue
            places.append(("output", len(outputs)))
            outputs.append(node)
        shift = len(outputs) - (self.graph.returned or 0)
        made = Graph(symbols=dict(self.graph.symbols), functional=True, returned=len(outputs))
        made._count = dict(self.graph._count)
        made.mutations = {at: number + shift for at, number in self.graph.mutations.items()}
        made.aliases = {n: _moved(a, self.graph.returned, shift) for n, a in self.graph.aliases.items()}
        if any(a.kind == "output" and a.of >= len(outputs) for a in made.aliases.values()):
            made.returned = len(outputs) + len(self.rest)  # what only views show is handed over too
        copies = _copy(made, [n for n in self.graph.nodes if n not in self.late and n.kind != "output"], {})
        _finish(made, [copies[v] if isinstance(v, Node) else v for v in (*outputs, *self.rest)], self.joint.first)
        return made, places

    def _backward(self, kept: list[Node]) -> Graph:
        made = Graph(functional=True, returned=len(self.gradients))
        made._count = dict(self.graph._count)
        copies: dict[Node, Node] = {}
        for node in (*kept, *self.tangents):
            spec = self.inputs[self.fresh[node]].spec if node in self.fresh else _dense(node, self.numbers)
            copies[node] = Node(node.name, "input", spec=spec)
            made.nodes.append(copies[node])
        needed = self._needed(self.ends, set(kept))
        _copy(made, [n for n in self.graph.nodes if n in needed and n.kind not in ("input", "output")], copies)
        for name, (_, hint) in self.graph.symbols.items():
            place = next(((i, d) for i, n in enumerate(made.inputs) for told, d in _told(n) if told == name), None)
            if place is not None:
                made.symbols[name] = place, hint
        _finish(made, [copies[v] if isinstance(v, Node) else v for v in self.gradients], 0)
        return made


def _told(node: Node) -> list[tuple[str, int]]:
    """The symbols that a value's sizes are: (name, dimension)."""
    if not isinstance(node.spec, Spec):
        return []
    found = []
    for d, n in enumerate(node.spec.shape):
        if isinstance(n, Expr):
            for var in n.vars():
                if isinstance(var, Var) and n == lift(var):
                    found.append((var.name, d))
    return found


def _dense(node: Node, numbers: dict[Node, int]) -> Spec:
    spec = node.spec
    return spec if node in numbers else Spec.dense(spec.shape, spec.dtype, spec.device)


def _moved(alias: Any, returned: Any, shift: int) -> Any:
    if alias.kind == "output" and alias.of >= returned:
        return type(alias)(alias.kind, alias.of + shift, alias.spec)
    return alias


def _copy(made: Graph, nodes: list[Node], copies: dict[Node, Node]) -> dict[Node, Node]:
    for node in nodes:
        if node in copies:
            continue
        args, kwargs = (map_nodes(a, lambda n: copies[n]) for a in (node.args, node.kwargs))
        copy = Node(node.name, node.kind, node.op, args, kwargs, node.spec, node.where)
        made.nodes.append(copy)
        copies[node] = copy
    return copies


def _finish(made: Graph, outputs: list[Any], first: int) -> None:
    """End a graph whose outputs from ``first`` on are handed over in row-major order."""
    made.nodes.append(Node("output", "output", None, (outputs,)))
    drop_dead(made)
    separate(made)
    for value in made.outputs[first:made.returned]:
        if isinstance(value, Node) and value.kind == "call" and not is_functional_call(value):
            spec = value.spec
            value.spec = Spec.dense(spec.shape, spec.dtype, spec.device)


def _source_side(edges: dict[tuple[int, int], int], source: int, sink: int) -> set[int]:
    """The nodes that a maximum flow leaves reachable from the source."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    pairs = np.array(list(edges), np.int32)
    capacity = np.array(list(edges.values()), np.int32)
    size = sink + 1
    graph = csr_array((capacity, (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    flow = maximum_flow(graph, source, sink).flow
    rest = csr_array(graph - flow)
    seen, stack = {source}, [source]
    while stack:
        row = stack.pop()
        start, end = rest.indptr[row], rest.indptr[row + 1]
        for to, left in zip(rest.indices[start:end], rest.data[start:end], strict=True):
            if left > 0 and int(to) not in seen:
                seen.add(int(to))
                stack.append(int(to))
    return seen
