"""Whether a graph is well formed: checked between passes on request, and by tests."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.registry import OpOverload

from ..errors import CompileError
from ..loops.index import Expr
from .calls import is_functional_call, own_results, writes, written_values
from .infer import hints, infer
from .node import Graph, Node, Spec, nodes_in

_KINDS = ("input", "scalar", "constant", "call", "item", "output")


class VerifyError(CompileError):
    """A graph that is not well formed: a bug of the pass that made it."""


def verify(graph: Graph, *, after: str = "", specs: bool = False) -> None:
    """Check a graph.

    Args:
        graph: raw or functional; a functional one must not hold writes.
        after: the pass that made it, for the message.
        specs: also ask the Meta kernels whether every call gives what its spec says.

    Raises:
        VerifyError: the first thing found, with the node and the user's line.
    """
    check = _Check(graph, after)
    check.order()
    for node in graph.nodes:
        check.node(node)
    check.ends()
    if specs:
        check.specs()


class _Check:
    def __init__(self, graph: Graph, after: str) -> None:
        self.graph, self.after = graph, after

    def fail(self, rule: str, node: Node | None = None, values: Any = ()) -> None:
        where = []
        if node is not None:
            where.append(f"node {node.name}" + (f" ({node.op.name})" if node.kind == "call" and
                                                isinstance(node.op, OpOverload) else ""))
            if node.where:
                where.append(f"from {node.where}")
        step = f"verify after {self.after}" if self.after else "verify"
        raise VerifyError(step, rule, values, details=where)

    def order(self) -> None:
        nodes = self.graph.nodes
        if not nodes or nodes[-1].kind != "output":
            self.fail("the last node must be the output", nodes[-1] if nodes else None)
        names: dict[str, Node] = {}
        defined: set[Node] = set()
        head = True
        for node in nodes:
            if node.kind not in _KINDS:
                self.fail(f"there is no kind of node {node.kind!r}", node)
            if node.kind == "output" and node is not nodes[-1]:
                self.fail("there is a second output node", node)
            if node.name in names:
                self.fail("two nodes have one name", node)
            if not node.name.isidentifier():
                self.fail("a name must be an identifier", node, {"name": node.name})
            if node.kind == "input" and not head:
                self.fail("inputs must come first", node)
            head = head and node.kind == "input"
            for each in node.inputs():
                if each not in defined:
                    self.fail(f"it reads {each.name} before that is there", node)
            names[node.name] = node
            defined.add(node)

    def node(self, node: Node) -> None:
        if node.kind == "call":
            self.call(node)
        elif node.kind == "item":
            of, at = node.args
            if not isinstance(of.spec, tuple) or not 0 <= at < len(of.spec):
                self.fail(f"{of.name} has no result {at}", node)
            if of.spec[at] != node.spec:
                self.fail("an item's spec is not that of the result", node, {"item": node.spec, "result": of.spec[at]})
        elif node.kind in ("input", "constant", "scalar") and not isinstance(node.spec, Spec):
            self.fail("it needs a spec", node)

    def call(self, node: Node) -> None:
        if not isinstance(node.op, OpOverload):
            self.fail("a call needs an operator", node, {"op": repr(node.op)})
        schema = node.op.schema
        positional = schema.positional
        if len(node.args) > len(positional):
            self.fail(f"{len(node.args)} arguments for {len(positional)} parameters", node)
        given = {a.name for a in positional[:len(node.args)]}
        for name in node.kwargs:
            if name in given or all(a.name != name for a in schema.arguments):
                self.fail(f"there is no parameter {name!r} left", node)
        given.update(node.kwargs)
        missing = [a.name for a in schema.arguments if a.name not in given and not a.has_default_value()]
        if missing:
            self.fail(f"the argument {missing[0]!r} is missing", node)
        for arg, value in zip(positional, node.args, strict=False):
            if any(isinstance(n.spec, tuple) for n in nodes_in(value)):
                self.fail(f"the argument {arg.name!r} is a call with several results", node)
        if self.graph.functional and writes(node):
            self.fail("it writes, in a graph without writes", node)

    def ends(self) -> None:
        graph, inputs, outputs = self.graph, self.graph.inputs, self.graph.outputs
        for at, number in graph.mutations.items():
            if not (0 <= at < len(inputs) and 0 <= number < len(outputs)):
                self.fail("a mutation names an input or output that is not there", None, {at: number})
            new, old = outputs[number], inputs[at]
            if not isinstance(new, Node) or (new.spec.shape, new.spec.dtype) != (old.spec.shape, old.spec.dtype):
                self.fail(f"the new content of {old.name} is of another kind", new if isinstance(new, Node) else None,
                          {"input": str(old.spec), "output": str(getattr(new, "spec", new))})
        for number, alias in graph.aliases.items():
            if not 0 <= number < len(outputs) or outputs[number] is not None:
                self.fail("an output that shares memory is computed too", None, {"output": number})
            there = len(inputs) if alias.kind == "input" else len(outputs)
            if not 0 <= alias.of < there or (alias.kind == "output" and outputs[alias.of] is None):
                self.fail("an output shares the memory of what is not there", None, {"output": number, "of": alias.of})
        if graph.functional:
            made = [v for v in outputs if isinstance(v, Node)]
            if len(set(made)) != len(made):
                self.fail("one node is two outputs", next(v for v in made if made.count(v) > 1))

    def specs(self) -> None:
        numbers = hints(self.graph)
        for node in self.graph.nodes:
            if node.kind != "call":
                continue
            if is_functional_call(node):
                found: Any = tuple(v.spec for v in written_values(node.op, node.args, node.kwargs))
                mine: Any = node.spec[len(own_results(node.op)):]
            else:
                found, mine = infer(node.op, node.args, node.kwargs, numbers), node.spec
            if not _agree(found, mine, numbers):
                self.fail("its spec is not what the operator gives", node, {"spec": mine, "gives": found})


def _agree(found: Any, mine: Any, numbers: Any) -> bool:
    if isinstance(found, tuple) and isinstance(mine, tuple):
        return len(found) == len(mine) and all(_agree(f, m, numbers) for f, m in zip(found, mine, strict=True))
    if not isinstance(found, Spec) or not isinstance(mine, Spec):
        return not isinstance(found, Spec) and not isinstance(mine, Spec)
    shapes = [tuple(n.substitute(numbers) if isinstance(n, Expr) else n for n in s.shape) for s in (found, mine)]
    return shapes[0] == shapes[1] and found.dtype == mine.dtype
