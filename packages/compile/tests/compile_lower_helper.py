"""For tests: calls of operators as graphs of one call, decomposed, lowered, run by the NumPy reference and compared."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.compile.decompose import decompose
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.graph.infer import infer
from lamella.compile.graph.node import Graph, Spec
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Extern, Native
from lamella.compile.loops.numpy_run import run
from lamella.compile.lower import lower
from lamella.core.tensor import Tensor, wrap
from lamella.dispatch.modes import TorchDispatchMode

TOLERANCE = {"float64": 1e-9, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}
RANDOM = ("rand", "bernoulli", "normal", "uniform", "multinomial", "poisson", "exponential", "cauchy", "geometric",
          "random", "binomial", "gamma", "dirichlet", "dropout", "empty", "_local_scalar_dense", "rrelu")


class Log(TorchDispatchMode):
    """Collects the calls that reach a backend: (operator, arguments, keywords), with copies of tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[Any, Any, Any]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.calls.append((func, args, kwargs or {}))
        return func(*args, **(kwargs or {}))


def calls_of(function: Any, *args: Any, backward: bool = False, **kwargs: Any) -> list[tuple[Any, Any, Any]]:
    """The calls of operators that a function makes, perhaps those of its backward pass too."""
    with Log() as log:
        out: Any = function(*args, **kwargs)
        if backward:
            for each in out if isinstance(out, (tuple, list)) else (out,):
                if getattr(each, "requires_grad", False):
                    each.sum().backward()
    return log.calls


def spec_of(t: Any) -> Any:
    """The spec of a tensor (nested: of several)."""
    if isinstance(t, (tuple, list)):
        return tuple(spec_of(x) for x in t)
    if not isinstance(t, Tensor):
        return None
    return Spec(tuple(t.shape), tuple(t.stride()), t.dtype, t.device)


def graph_of(op: Any, args: Any, kwargs: Any) -> tuple[Graph, list[np.ndarray], list[Any]]:
    """A graph of one call, its inputs, and the values that eager gives: results first, then mutated inputs."""
    graph, known, tensors = Graph(), {}, []

    def convert(arg: Any) -> Any:
        if isinstance(arg, Tensor):
            if id(arg) not in known:
                known[id(arg)] = graph.add("input", "x", spec=spec_of(arg))
                tensors.append(arg)
            return known[id(arg)]
        if isinstance(arg, (list, tuple)):
            parts = [convert(a) for a in arg]
            return parts if isinstance(arg, list) else tuple(parts)
        return arg

    nodes, named = convert(tuple(args)), {k: convert(v) for k, v in kwargs.items()}
    arrays = [same_layout(t._a) for t in tensors]
    fresh = dict(zip(known, [wrap(same_layout(a)) for a in arrays], strict=True))

    def plain(arg: Any) -> Any:
        if isinstance(arg, Tensor):
            return fresh[id(arg)]
        if isinstance(arg, (list, tuple)):
            return type(arg)([plain(a) for a in arg])
        return arg

    result = op(*plain(tuple(args)), **{k: plain(v) for k, v in kwargs.items()})
    call = graph.add("call", op.opname, op, nodes, named, spec_of(result))
    outputs: list[Any] = []
    expected: list[Any] = []
    results = result if isinstance(result, (tuple, list)) else (result,)
    for k, t in enumerate(results):
        if isinstance(t, Tensor):
            several = isinstance(result, (tuple, list))
            outputs.append(graph.add("item", "item", None, (call, k), {}, spec_of(t)) if several else call)
            expected.append(t._a)
    graph.add("output", "output", None, (outputs,))
    return graph, arrays, expected


def same_layout(a: np.ndarray) -> np.ndarray:
    """A copy with the same strides."""
    if 0 in a.shape:
        return np.empty(a.shape, a.dtype)
    span = 1 + sum((n - 1) * abs(s) // a.itemsize for n, s in zip(a.shape, a.strides, strict=True))
    memory = np.zeros(span, a.dtype)
    copy = np.ndarray(a.shape, a.dtype, memory, 0, a.strides)
    copy[...] = a
    return copy


def check(op: Any, args: Any, kwargs: Any) -> str:
    """Decompose and lower a call, and compare what it gives with eager; "" where it was lowered, else why not."""
    try:
        raw, arrays, expected = graph_of(op, args, kwargs)
    except RuntimeError:
        return ""  # refused for the layout of the copies
    graph = decompose(functionalize(raw), strict=True)
    program = lower(graph, strict=True)
    reason = next((s.why for s in program.steps if isinstance(s, Extern)), "")
    if reason or any(isinstance(s, Native) for s in program.steps):
        return "an empty tensor" if _is_empty(graph) else reason or "native"
    found = run(program, arrays)
    for k, want in enumerate(expected):
        if k in graph.aliases or k >= len(found):
            continue
        compare(found[k], want, f"{op.name} output {k}")
    return ""


def compare(found: np.ndarray, want: np.ndarray, what: str) -> None:
    """Equal to the tolerance of the type, in shape and type too."""
    if found.shape != want.shape or found.dtype != want.dtype:
        raise AssertionError(f"{what}: {found.dtype}{found.shape} where eager gives {want.dtype}{want.shape}")
    name = str(want.dtype)
    if name in TOLERANCE:
        a, b = found.astype(np.float64), want.astype(np.float64)
        np.testing.assert_allclose(a, b, TOLERANCE[name], TOLERANCE[name], equal_nan=True, err_msg=what)
    else:
        np.testing.assert_array_equal(found, want, err_msg=what)


def left_to_eager(op: Any, args: Any, kwargs: Any) -> bool:
    """Whether a call that is an error of the eager kernel is refused before it is lowered, or left to that kernel."""
    graph = Graph()

    def convert(arg: Any) -> Any:
        if isinstance(arg, Tensor):
            return graph.add("input", "x", spec=spec_of(arg))
        return type(arg)([convert(a) for a in arg]) if isinstance(arg, (list, tuple)) else arg

    nodes, named = convert(tuple(args)), {k: convert(v) for k, v in kwargs.items()}
    try:
        call = graph.add("call", op.opname, op, nodes, named, infer(op, nodes, named))
        several = enumerate(call.spec if isinstance(call.spec, tuple) else ())
        items = [graph.add("item", "item", None, (call, k), {}, spec) for k, spec in several if isinstance(spec, Spec)]
        graph.add("output", "output", None, (items or [call],))
        program = lower(decompose(functionalize(graph)))
    except Exception:
        return True
    return any(isinstance(s, Extern) for s in program.steps)


def _is_empty(graph: Graph) -> bool:
    """Whether a call is on empty tensors, which is left to the eager kernel where a decomposition is for others."""
    return any(s is not None and 0 in s.shape for n in graph.nodes if n.kind != "output"
               for s in (n.spec if isinstance(n.spec, tuple) else (n.spec,)))


class Tracer(TorchDispatchMode):
    """Collects the calls that a function makes on plain tensors as a graph."""

    def __init__(self, tensors: Any) -> None:
        super().__init__()
        self.graph = Graph()
        self.nodes = {id(t): self.graph.add("input", "x", spec=spec_of(t)) for t in tensors}
        self.alive = list(tensors)

    def node(self, value: Any) -> Any:
        """Tensors in a nest replaced by their nodes; tensors made elsewhere are constants."""
        if isinstance(value, Tensor):
            if id(value) not in self.nodes:
                self.bind(value, self.graph.add("constant", "c", value._a, spec=spec_of(value)))
            return self.nodes[id(value)]
        if isinstance(value, (list, tuple)):
            parts = [self.node(v) for v in value]
            return parts if isinstance(value, list) else tuple(parts)
        return value

    def bind(self, value: Any, node: Any) -> None:
        """Note which node a result is."""
        if isinstance(value, Tensor):
            self.nodes.setdefault(id(value), node)
            self.alive.append(value)
        elif isinstance(value, (list, tuple)):
            for k, each in enumerate(value):
                self.bind(each, self.graph.add("item", "item", None, (node, k), {}, spec_of(each)))

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given, named = self.node(tuple(args)), {k: self.node(v) for k, v in (kwargs or {}).items()}
        out = func(*args, **(kwargs or {}))
        self.bind(out, self.graph.add("call", func.opname, func, given, named, spec_of(out)))
        return out


def trace(function: Any, *tensors: Tensor, symbol: int = 0) -> Graph:
    """The functional graph of a function of tensors, decomposed.

    Args:
        function: makes a tensor, or several.
        tensors: examples.
        symbol: a size that no constant of the function comes near: it, its multiples, and one more or less than it
            become symbolic wherever they are sizes, strides or arguments.
    """
    with Tracer(tensors) as tracer:
        out = function(*tensors)
        results = list(out) if isinstance(out, (tuple, list)) else [out]
        outputs = [tracer.node(t) for t in results]
    graph = tracer.graph
    graph.add("output", "output", None, (outputs,))
    if symbol:
        _symbolic(graph, symbol, tensors)
    return decompose(functionalize(graph), strict=True)


def _symbolic(graph: Graph, size: int, tensors: Any) -> None:
    name = lift(Var("s0"))

    def change(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, list, tuple)):
            return value
        if isinstance(value, int):
            if abs(value - size) == 1:
                return name + (value - size)
            return name * (value // size) if value and value % size == 0 else value
        parts = [change(v) for v in value]
        return parts if isinstance(value, list) else tuple(parts)

    def respec(spec: Any) -> Any:
        if isinstance(spec, tuple):
            return tuple(map(respec, spec))
        return spec and Spec(change(spec.shape), change(spec.stride), spec.dtype, spec.device)

    for node in graph.nodes:
        node.spec = respec(node.spec)
        if node.kind == "call":
            node.args, node.kwargs = change(node.args), {k: change(v) for k, v in node.kwargs.items()}
    at = next((n, d) for n, t in enumerate(tensors) for d, m in enumerate(t.shape) if m == size)
    graph.symbols["s0"] = at, size
