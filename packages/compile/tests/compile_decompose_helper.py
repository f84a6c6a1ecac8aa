"""One-operator graphs of recorded calls, and what must hold of their decompositions."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.compile.decompose import rules as _rules  # noqa: F401 - fills the table
from lamella.compile.decompose.driver import decompose
from lamella.compile.decompose.table import RULES
from lamella.compile.graph import calls, interpret
from lamella.compile.graph.infer import hints, infer
from lamella.compile.graph.node import Graph, Spec
from lamella.compile.graph.verify import verify
from lamella.compile.loops.index import substitute
from lamella.core.tensor import Tensor
from lamella.dispatch.modes import TorchDispatchMode

TOLERANCE = {"float64": 1e-9, "float32": 3e-5, "bfloat16": 3e-2, "float16": 4e-3}
Call = tuple[Any, Any, Any, Any]


def _snapshot(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().clone()
    if isinstance(value, (list, tuple)):
        parts = [_snapshot(each) for each in value]
        return parts if isinstance(value, list) else tuple(parts)
    return value


class Calls(TorchDispatchMode):
    """Keeps the calls below autograd that a rule is for: operator, arguments, keywords, results."""

    def __init__(self) -> None:
        self.seen: list[Call] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func.name not in RULES:
            return func(*args, **kwargs)
        given = _snapshot(list(args)), {k: _snapshot(v) for k, v in kwargs.items()}
        result = func(*args, **kwargs)
        written = calls.written_values(func, args, kwargs)
        self.seen.append((func, *given, _snapshot(tuple(written) if written else result)))
        return result


def spec_of(t: Any) -> Any:
    """The spec of a tensor; None for None."""
    return None if t is None else Spec(tuple(t.shape), tuple(t.stride()), t.dtype, t.device)


def graph_of(call: Call) -> tuple[Graph, list[Tensor], list[Tensor]]:
    """The graph of one call, its inputs, and what it must give."""
    func, args, kwargs, result = call
    g = Graph(functional=True)
    inputs: list[Tensor] = []

    def node(value: Any) -> Any:
        if isinstance(value, Tensor):
            inputs.append(value)
            return g.add("input", "x", spec=spec_of(value))
        if isinstance(value, (list, tuple)):
            parts = [node(each) for each in value]
            return parts if isinstance(value, list) else tuple(parts)
        return value

    given = tuple(node(args)), {k: node(v) for k, v in kwargs.items()}
    if isinstance(result, Tensor):
        values: list[Any] = [g.add("call", "op", func, *given, spec_of(result))]
        wanted: list[Any] = [result]
    else:
        call_node = g.add("call", "op", func, *given, tuple(map(spec_of, result)))
        asked = [i for i, t in enumerate(result) if t is not None]
        values = [g.add("item", "item", args=(call_node, i), spec=call_node.spec[i]) for i in asked]
        wanted = [result[i] for i in asked]
    g.add("output", "output", args=(values,))
    return g, inputs, wanted


def assert_specs(graph: Graph, kept: set[str]) -> None:
    """What rules say of their calls is what the operators' shape rules say."""
    numbers = hints(graph)
    for n in graph.nodes:
        if n.kind == "call" and n.name not in kept:
            found = infer(n.op, n.args, n.kwargs, numbers)
            shape = tuple(substitute(k, numbers) for k in n.spec.shape)
            assert (shape, n.spec.dtype) == (tuple(found.shape), found.dtype), (n, n.op, n.args, n.spec, found)


def wide(t: Tensor) -> np.ndarray:
    """The elements in a type that NumPy compares."""
    a = np.asarray(t._a)
    return a.astype(np.float64) if t.dtype.is_floating_point else a


def assert_same(name: str, got: Any, want: Any, tolerance: float | None = None) -> None:
    """Compare results in type, shape and elements; nan equals nan."""
    for i, (x, y) in enumerate(zip(got, want, strict=True)):
        assert x.dtype is y.dtype and tuple(x.shape) == tuple(y.shape), (name, i, x.dtype, y.dtype, x.shape, y.shape)
        by = tolerance if tolerance is not None else TOLERANCE.get(y.dtype.name, 0)
        np.testing.assert_allclose(wide(x), wide(y), rtol=by, atol=by, err_msg=f"{name}, result {i}")


def check(call: Call) -> bool:
    """Decompose one call and compare; returns whether the rule covered it."""
    name = str(call[0].name)
    graph, inputs, wanted = graph_of(call)
    made = decompose(graph, strict=True)
    verify(made, after="decompose")
    assert_specs(made, {n.name for n in graph.nodes})
    assert_same(name, interpret.run(made, inputs), wanted)
    return not any(n.kind == "call" and n.name == "op" for n in made.nodes)
