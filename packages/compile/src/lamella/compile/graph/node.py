"""The graph that capture makes and every pass reads: operator calls over values that have a shape and an element type.

A graph is a list of nodes in order. A node is an input, a constant, an operator call, one of the results of a call
that has several, or the output. Arguments hold other nodes where the operator takes tensors (also inside lists), and
plain Python values elsewhere. Sizes are ``int``, or `lamella.compile.loops.index.Expr` where they depend on a symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

from ..loops.index import contiguous

Size = Any  # int | Expr


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known of a tensor before it exists.

    Attributes:
        shape, stride: sizes, and steps in elements.
        dtype: lamella's dtype object.
        device: lamella's device object.
        offset: elements from the start of its storage.
    """

    shape: tuple[Size, ...]
    stride: tuple[Size, ...]
    dtype: Any
    device: Any
    offset: Size = 0

    @classmethod
    def dense(cls, shape: tuple[Size, ...], dtype: Any, device: Any) -> Spec:
        """A row-major tensor without gaps."""
        shape = tuple(shape)
        return cls(shape, contiguous(shape), dtype, device)

    def __str__(self) -> str:
        return f"{self.dtype.short}[{','.join(map(str, self.shape))}]"


class Node:
    """One step of a graph.

    Attributes:
        name: unique within the graph, an identifier.
        kind: "input", "constant", "call", "item" or "output".
        op: the operator overload of a call; the array of a constant.
        args, kwargs: of a call; ``(node, i)`` of an item; ``(values,)`` of the output, where values is a list of nodes
            (or None).
        spec: a `Spec`; for a call with several results a tuple of them (None where a result is no tensor).
        where: "file:line" of the user's line, or "".
        whole: why the eager kernel is to take a call, or "".
    """

    __slots__ = ("name", "kind", "op", "args", "kwargs", "spec", "where", "whole", "__weakref__")

    def __init__(self, name: str, kind: str, op: Any = None, args: tuple[Any, ...] = (),
                 kwargs: dict[str, Any] | None = None, spec: Any = None, where: str = "") -> None:
        self.name, self.kind, self.op, self.args, self.kwargs = name, kind, op, args, kwargs or {}
        self.spec, self.where, self.whole = spec, where, ""

    @property
    def is_view(self) -> bool:
        """Whether it is a call that shows the memory of its operand."""
        return self.kind == "call" and bool(self.op.is_view)

    def inputs(self) -> Iterator[Node]:
        """The nodes among the arguments, in order, as often as they occur."""
        yield from nodes_in(self.args)
        yield from nodes_in(self.kwargs)

    def __repr__(self) -> str:
        return self.name


def nodes_in(value: Any) -> Iterator[Node]:
    """The nodes in nested tuples, lists and dicts, in order."""
    if isinstance(value, Node):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from nodes_in(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from nodes_in(each)


def map_nodes(value: Any, fn: Callable[[Node], Any]) -> Any:
    """The same nest with each node replaced by ``fn(node)``."""
    if isinstance(value, Node):
        return fn(value)
    if isinstance(value, (list, tuple)):
        parts = [map_nodes(each, fn) for each in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict):
        return {k: map_nodes(each, fn) for k, each in value.items()}
    return value


@dataclass(slots=True)
class Alias:
    """An output that shares memory with an input or with an earlier output.

    Attributes:
        kind: "input" (of is the input's number) or "output" (of is the earlier output's number).
        of: see kind.
        spec: how it lies in that memory.
    """

    kind: str
    of: int
    spec: Spec


@dataclass(slots=True)
class Graph:
    """Nodes in order, and what holds beyond them.

    Attributes:
        nodes: inputs first, the output last.
        mutations: number of an input -> number of the output value that is its new content. Such outputs come after
            the user's own; capture leaves this empty (calls mutate), functionalization fills it (no call mutates).
        aliases: number of an output -> where it lies, for outputs that share memory.
        symbols: name of a symbolic size -> ((input number, dimension) that it is read from, its value at capture).
        functional: no call writes into its arguments (see `calls` for what calls of writing operators mean then).
        returned: how many of the outputs are the user's; None for all. Others carry new content of inputs, or memory
            that several of the user's outputs are views of.
    """

    nodes: list[Node] = field(default_factory=list)
    mutations: dict[int, int] = field(default_factory=dict)
    aliases: dict[int, Alias] = field(default_factory=dict)
    symbols: dict[str, tuple[tuple[int, int], int]] = field(default_factory=dict)
    functional: bool = False
    returned: int | None = None
    _count: dict[str, int] = field(default_factory=dict)

    @property
    def inputs(self) -> list[Node]:
        """The input nodes, in order."""
        return [n for n in self.nodes if n.kind == "input"]

    @property
    def output(self) -> Node:
        """The output node."""
        return self.nodes[-1]

    @property
    def outputs(self) -> list[Any]:
        """The values that the graph returns."""
        return self.nodes[-1].args[0]

    def name(self, stem: str) -> str:
        """A name that no node has: ``stem``, ``stem_1``, ..."""
        if iskeyword(stem):
            stem += "_"
        count, name = self._count.get(stem, -1), stem
        while True:
            count += 1
            name = f"{stem}_{count}" if count else stem
            if count == 0 or name not in self._count:
                break
        self._count[stem] = count
        if count:
            self._count[name] = 0
        return name

    def add(self, kind: str, stem: str, op: Any = None, args: tuple[Any, ...] = (),
            kwargs: dict[str, Any] | None = None, spec: Any = None, where: str = "") -> Node:
        """Append a node."""
        node = Node(self.name(stem), kind, op, args, kwargs, spec, where)
        self.nodes.append(node)
        return node

    def users(self) -> dict[Node, list[Node]]:
        """Node -> the nodes that read it."""
        found: dict[Node, list[Node]] = {n: [] for n in self.nodes}
        for n in self.nodes:
            for each in dict.fromkeys(n.inputs()):
                found[each].append(n)
        return found
