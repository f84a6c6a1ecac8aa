"""Graphs as Python that can be read, and run again: a function over tensors that calls operators by name.

Arrays of constants, and values that have no literal form, are kept in the ``CONSTANTS`` list that `load` hands to the
text.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .. import layers
from ..loops.index import Expr
from .calls import ROW_MAJOR, is_functional_call
from .node import Graph, Node, Spec

_HEAD = '''from lamella import torch
from lamella.compile.graph.printer import functional, operator
'''
_PLAIN = (int, float, complex, bool, str, type(None))


def source(graph: Graph, name: str = "graph") -> str:
    """The graph as the source of a module with one function.

    Args:
        graph: raw or functional.
        name: the function's name.

    Returns:
        Python. The function takes the inputs, then the run-time scalars, and returns the list of outputs.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.compile.graph.record import record
        >>> print(source(record(lambda x: x.mul(2).add(x), [ones(2)])).split("\\n\\n\\n")[1].strip())
        def graph(x):  # f32[2]
            mul = aten_mul_Tensor(x, 2)  # f32[2]
            add = aten_add_Tensor(mul, x)  # f32[2]
            return [add]
    """
    printer = _Printer(graph)
    return printer.module(name)


def load(text: str, graph: Graph, name: str = "graph") -> Any:
    """The function that `source`'s text defines, with the graph's constants."""
    space: dict[str, Any] = {"CONSTANTS": constants(graph)}
    exec(compile(text, f"<{name}>", "exec"), space)  # noqa: S102 - the text is our own
    return space[name]


def constants(graph: Graph) -> list[Any]:
    """What the text of a graph refers to as ``CONSTANTS``: tensors, and arguments without a literal form."""
    return _Printer(graph).collect()


def operator(name: str) -> Any:
    """The operator overload of a name."""
    from lamella.dispatch.registry import find

    op = find(name)
    if op is None:
        layers.load_operators()
        op = find(name)
    if op is None:
        from lamella.dispatch.errors import message

        raise RuntimeError(message("graph", f"there is no operator {name}"))
    return op


def functional(op: Any, *args: Any, **kwargs: Any) -> Any:
    """A call that means something else in a functional graph than eagerly (see `lamella.compile.graph.calls`)."""
    from .interpret import FUNCTIONAL, functional_call

    special = FUNCTIONAL.get(op.name)
    return special(op, args, kwargs) if special is not None else functional_call(op, args, kwargs)


class _Printer:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.kept: list[Any] = []
        self.ops: dict[str, str] = {}

    def collect(self) -> list[Any]:
        self.module("graph")
        return self.kept

    def module(self, name: str) -> str:
        body = self.body()
        inputs = [n.name for n in self.graph.inputs]
        scalars = [n.name for n in self.graph.nodes if n.kind == "scalar"]
        specs = ", ".join(str(n.spec) for n in self.graph.inputs)
        lines = [_HEAD + "".join(f"{alias} = operator({op!r})\n" for op, alias in self.ops.items()), ""]
        lines.append(f"def {name}({', '.join(inputs + scalars)}):  # {specs}")
        lines += ["    " + line for line in (*self.symbols(), *body)]
        return "\n".join([*lines, *self.notes()]) + "\n"

    def symbols(self) -> list[str]:
        names = [n.name for n in self.graph.inputs]
        return [f"{name} = {names[at]}.shape[{dim}]  # {hint} at first"
                for name, ((at, dim), hint) in self.graph.symbols.items()]

    def body(self) -> list[str]:
        lines, where = [], ""
        for node in self.graph.nodes:
            if node.where and node.where != where and node.kind == "call":
                where = node.where
                lines.append(f"# {where}")
            line = self.line(node)
            if line:
                lines.append(line)
        return lines

    def line(self, node: Node) -> str:
        if node.kind == "call":
            text = f"{node.name} = {self.call(node)}"
        elif node.kind == "item":
            text = f"{node.name} = {node.args[0].name}[{node.args[1]}]"
        elif node.kind == "constant":
            text = f"{node.name} = {self.constant(node)}"
        elif node.kind == "output":
            return f"return {self.value(list(node.args[0]))}"
        else:
            return ""
        return f"{text}  # {spec_text(node.spec)}"

    def call(self, node: Node) -> str:
        args = [self.value(a) for a in node.args] + [f"{k}={self.value(a)}" for k, a in node.kwargs.items()]
        alias = self.ops.setdefault(node.op.name, _identifier(node.op.name))
        special = is_functional_call(node) or (self.graph.functional and node.op.name in ROW_MAJOR)
        if any("from=" in a for a in args):  # a name that Python keeps for itself
            words = ", ".join(f"{k!r}: {self.value(a)}" for k, a in node.kwargs.items())
            args = [self.value(a) for a in node.args] + [f"**{{{words}}}"]
        return f"functional({', '.join([alias, *args])})" if special else f"{alias}({', '.join(args)})"

    def constant(self, node: Node) -> str:
        value = node.op
        if isinstance(value, np.ndarray):
            if value.size == 1 and value.dtype.kind in "fiub" and np.isfinite(value).all():
                return f"torch.tensor({value.tolist()!r}, dtype={node.spec.dtype!r})"
            from lamella.core.tensor import wrap

            value = wrap(value)
        return self.keep(value)

    def keep(self, value: Any) -> str:
        self.kept.append(value)
        return f"CONSTANTS[{len(self.kept) - 1}]"

    def value(self, value: Any) -> str:
        if isinstance(value, Node):
            return value.name
        if isinstance(value, Expr):
            return str(value)
        if isinstance(value, list):
            return f"[{', '.join(map(self.value, value))}]"
        if isinstance(value, tuple):
            return f"({', '.join(map(self.value, value))}{',' if len(value) == 1 else ''})"
        if type(value) in _PLAIN:
            text = repr(value)
            return f"float({text!r})" if text in ("nan", "inf", "-inf") else text
        text = repr(value)
        if re.fullmatch(r"torch\.\w+", text):
            return text
        if type(value).__name__ == "device":
            return f"torch.{text}" if text.startswith("device(") else f"torch.device({str(value)!r})"
        return self.keep(value)

    def notes(self) -> list[str]:
        """What holds beyond the calls, as comments."""
        graph, lines = self.graph, []
        names = [n.name for n in graph.inputs]
        for at, number in graph.mutations.items():
            lines.append(f"# output {number} is the new content of {names[at]}")
        for number, alias in graph.aliases.items():
            of = names[alias.of] if alias.kind == "input" else f"output {alias.of}"
            spec = alias.spec
            lies = f"{spec}, strides {list(spec.stride)}, offset {spec.offset}"
            lines.append(f"# output {number} shares the memory of {of}: {lies}")
        return lines


def _identifier(name: str) -> str:
    return re.sub(r"\W+", "_", name)


def spec_text(spec: Spec | tuple[Any, ...] | None) -> str:
    """A spec in short: ``f32[2,3]``."""
    if isinstance(spec, tuple):
        return f"({', '.join(map(spec_text, spec))})"
    return "-" if spec is None else str(spec)
