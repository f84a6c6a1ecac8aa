"""Running a graph by eager operators, node by node: the reference for every other way to run it.

`run` computes what the output node names. `execute` does what a compiled program does: it also writes the new content
of mutated inputs and makes the outputs that share memory. Operators run below autograd: a captured graph holds its
differentiation already.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lamella.core.tensor import Tensor, wrap, wrap_view
from lamella.dispatch.keys import AUTOGRAD_MASK
from lamella.dispatch.state import state

from ..loops.index import Expr, Var
from .calls import is_functional_call, own_results, written
from .memory import lying_in
from .node import Alias, Graph, Node

Values = dict[Any, Any]


def run(graph: Graph, inputs: Sequence[Tensor], scalars: Sequence[float] = (), *, grad: bool = False) -> list[Any]:
    """The values of a graph's outputs.

    A raw graph (whose calls mutate) writes into ``inputs`` as the user's code would. A functional graph leaves them
    alone: the new content of mutated inputs is among the outputs.

    Args:
        graph: the graph.
        inputs: one tensor for each input node.
        scalars: the values of run-time scalars.
        grad: let autograd record the calls.

    Returns:
        One entry for each output of the graph: a tensor, or what stands there if it is no node. Outputs listed in
        ``graph.aliases`` are made as views of what they lie in.

    Raises:
        RuntimeError: the number of inputs is wrong; errors of operators come with a note of the node and its line.
    """
    given = [n for n in graph.nodes if n.kind == "input"]
    if len(given) != len(inputs):
        from lamella.dispatch.errors import message

        raise RuntimeError(message("graph", f"takes {len(given)} inputs, but got {len(inputs)}"))
    env: Values = dict(zip(given, inputs, strict=True))
    sizes = symbol_values(graph, inputs)
    with state.masks(exclude=0 if grad else AUTOGRAD_MASK):
        for node in graph.nodes:
            if node.kind == "scalar":
                env[node] = scalars[node.op]
        outputs = _steps(graph, env, sizes)
        for number, alias in graph.aliases.items() if graph.functional else ():
            if alias.kind == "input":
                fresh = graph.mutations.get(alias.of)
                base = inputs[alias.of] if fresh is None else outputs[fresh]
            else:
                base = outputs[alias.of] = _lying(outputs[alias.of], graph.outputs[alias.of].spec, sizes)
            stands = graph.inputs[alias.of].spec if alias.kind == "input" else None
            outputs[number] = view_of(base if stands is None else _lying(base, stands, sizes), alias, sizes)
    return outputs


def execute(graph: Graph, inputs: Sequence[Tensor], scalars: Sequence[float] = ()) -> list[Any]:
    """Run a graph as a compiled program runs: mutated inputs get their new content, aliases are views of them.

    Returns:
        The outputs, those that only carry new content of inputs left out.
    """
    outputs = run(graph, inputs, scalars)
    sizes = symbol_values(graph, inputs)
    with state.masks(exclude=AUTOGRAD_MASK):
        fresh = {number: outputs[number].clone() for number in set(graph.mutations.values())}
        for at, number in graph.mutations.items():
            inputs[at].copy_(fresh[number])
        for number, alias in graph.aliases.items():
            if alias.kind == "input":
                outputs[number] = view_of(inputs[alias.of], alias, sizes)
    count = graph.returned if graph.returned is not None else len(outputs)
    return outputs[:count]


def symbol_values(graph: Graph, inputs: Sequence[Any]) -> dict[Var, Any]:
    """What each symbol of a graph stands for, read from the inputs' shapes."""
    return {Var(name): inputs[at].shape[dim] for name, ((at, dim), _) in graph.symbols.items()}


def resolve(value: Any, env: Values, sizes: dict[Var, Any]) -> Any:
    """An argument with nodes replaced by their values and symbolic sizes by numbers."""
    kind = type(value)
    if kind is Node:
        return env[value]
    if kind is list or kind is tuple:
        return kind([resolve(each, env, sizes) for each in value])
    if kind is Expr:
        return value.substitute(sizes)
    if kind is dict:
        return {k: resolve(each, env, sizes) for k, each in value.items()}
    return value


def _steps(graph: Graph, env: Values, sizes: dict[Var, Any]) -> list[Any]:
    last = _last_uses(graph)
    for node in graph.nodes:
        if node.kind == "call":
            try:
                args, kwargs = resolve(node.args, env, sizes), resolve(node.kwargs, env, sizes)
                env[node] = call(node, args, kwargs, graph.functional)
            except Exception as error:
                error.add_note(f"in graph node {node.name}" + (f", made at {node.where}" if node.where else ""))
                raise
        elif node.kind == "item":
            env[node] = env[node.args[0]][node.args[1]]
        elif node.kind == "constant":
            env[node] = wrap(node.op) if isinstance(node.op, np.ndarray) else node.op
        elif node.kind == "output":
            return list(resolve(node.args[0], env, sizes))
        for done in last.get(node, ()):
            env.pop(done, None)
    return []


def _last_uses(graph: Graph) -> dict[Node, list[Node]]:
    last: dict[Node, Node] = {}
    for node in graph.nodes:
        for each in node.inputs():
            last[each] = node
    found: dict[Node, list[Node]] = {}
    for each, node in last.items():
        found.setdefault(node, []).append(each)
    return found


def call(node: Node, args: Any, kwargs: Any, functional: bool = True) -> Any:
    """Run one call of a graph on values (see `calls` for what a functional graph's calls mean)."""
    op = node.op
    special = FUNCTIONAL.get(op.name) if functional else None
    if special is not None:
        return special(op, args, kwargs)
    if is_functional_call(node):
        return functional_call(op, args, kwargs)
    return op(*args, **kwargs)


def functional_call(op: Any, args: Any, kwargs: Any) -> tuple[Any, ...]:
    """Call an operator that writes to arguments on copies of those.

    Returns:
        Its results that are not the arguments themselves, then the new values of what it writes, in order.
    """
    args, kwargs, copies = _copied(op, args, kwargs)
    result = op(*args, **kwargs)
    results = result if isinstance(result, (tuple, list)) else () if result is None else (result,)
    return (*(results[i] for i in own_results(op)), *copies)


def _copied(op: Any, args: Any, kwargs: Any) -> tuple[list[Any], dict[str, Any], list[Any]]:
    args, kwargs, copies = list(args), dict(kwargs), []
    for place, value in written(op, args, kwargs):
        fresh = [t.clone() for t in value] if isinstance(value, (list, tuple)) else value.clone()
        copies += fresh if isinstance(fresh, list) else [fresh]
        if isinstance(place, int):
            args[place] = fresh
        else:
            kwargs[place] = fresh
    return args, kwargs, copies


def _view(op: Any, args: Any, kwargs: Any) -> Any:
    """A view of a value whose strides do not allow it is one of a row-major copy: only elements count."""
    try:
        return op(*args, **kwargs)
    except RuntimeError:
        x = args[0]
        if x.is_contiguous():
            raise
        return op(x.contiguous(), *args[1:], **kwargs)


def _as_strided(op: Any, args: Any, kwargs: Any) -> Any:
    """In a graph, strides are steps over the operand's elements in row-major order."""
    x = args[0]
    if not x.is_contiguous() or x.storage_offset():
        x = x.contiguous().clone()
    return op(x, *args[1:], **kwargs)


#: Operators that mean something else in a functional graph: called with the operator, its arguments and keywords.
FUNCTIONAL = {
    "aten::view": _view,
    "aten::view.dtype": _view,
    "aten::view_as_complex": _view,
    "aten::as_strided": _as_strided,
    "aten::as_strided_scatter": _as_strided,
}


def _lying(base: Tensor, spec: Any, sizes: dict[Var, Any]) -> Tensor:
    """A tensor in memory that lies as a spec says: what a value stands for may lie otherwise than the value."""
    stride = resolve(spec.stride, {}, sizes)
    if tuple(base.stride()) == stride:
        return base
    return base.new_empty_strided(tuple(base.shape), stride).copy_(base)


def view_of(base: Tensor, alias: Alias, sizes: dict[Var, Any] | None = None) -> Tensor:
    """The tensor that lies in ``base``'s memory as ``alias`` says (its offset counts from base's first element)."""
    spec = alias.spec
    shape, stride, offset = resolve((spec.shape, spec.stride, spec.offset), {}, sizes or {})
    return wrap_view(base, lying_in(base._a, spec.dtype.np, shape, stride, offset))
