"""Lowering: a functional graph becomes loops, native calls and eager calls over buffers.

Values stay lazy, as bodies, until something needs them in memory (see `context.Lowering.settle`); views compose index
maps, or strides where the value has memory. Rules per operator are in this package and in ``compile/templates``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph.node import Graph, Node, Spec, map_nodes
from ..loops.ir import Buffer, Lowered
from .context import DTYPES, Lowering, dense_stride
from .registry import Unsupported, reads_memory, rule_of
from .values import Scalar, Value, constant, is_dense, stored

__all__ = ["lower"]


def lower(graph: Graph, *, strict: bool = False, target: str = "cpp") -> Lowered:
    """Lower a functional graph.

    Args:
        graph: no call mutates; decomposed as far as rules go.
        strict: let errors inside rules through (for tests); otherwise the eager kernel takes such a call.
        target: "cpp" or "cuda": whose templates are used.

    Returns:
        The program. Operators without a rule, complex types and calls that a rule refuses become `Extern`.
    """
    load_rules(target)
    lo = Lowering(graph, target)
    users = graph.users()
    wanted = _wanted(graph)
    for node in graph.nodes:
        if node.kind == "output":
            break
        lo.node = node
        value = lo.values[node] = _lowered(lo, node, strict)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Value) and each.buffer is None and not each.origins:
                _name(lo, each, node)
            stride = dense_stride(wanted[node]) if node in wanted else None
            count = len(users[node]) if node.kind == "call" else 2
            lo.settle(each, count, stride, lambda node=node: _read_from_memory(node, users, target))  # type: ignore[misc]
    lo.node = None
    outputs = _outputs(lo, graph)
    symbols: dict[str, Any] = {name: place for name, (place, _) in graph.symbols.items()}
    symbols.update({node.name: ("scalar", node.op) for node in graph.nodes if node.kind == "scalar"})
    return Lowered(lo.steps, lo.inputs, outputs, dict(graph.mutations), dict(graph.aliases), symbols)


def load_rules(target: str = "cpp") -> None:
    """Import the modules that hold a target's rules, once."""
    from . import rules  # noqa: F401

    if target == "cuda":
        from ..templates import cuda

        cuda.load()


def _wanted(graph: Graph) -> dict[Node, Spec]:
    """Nodes that the graph returns in memory of their own, and how they are to lie there."""
    found: dict[Node, Spec] = {}
    for n, node in enumerate(graph.outputs):
        if isinstance(node, Node) and n not in graph.aliases and isinstance(node.spec, Spec):
            found[node] = node.spec
    inputs = graph.inputs
    for number, n in graph.mutations.items():
        node = graph.outputs[n]
        if isinstance(node, Node):
            found[node] = inputs[number].spec
    return found


def _name(lo: Lowering, value: Value, node: Node) -> None:
    """Note what a lazy value comes from: its node, after those of the operands that are computed with it."""
    names: list[str] = []
    for each in node.inputs():
        of = lo.values[each]
        if isinstance(of, Value) and of.buffer is None:
            names += of.origins
    value.origins, value.where = tuple(dict.fromkeys([*names[-MANY:], node.name])), node.where


MANY = 12  # names of nodes that are noted of one body
_VIEWS = frozenset("view _unsafe_view reshape t transpose permute unsqueeze squeeze clone detach alias".split())


def _read_from_memory(node: Node, users: dict[Node, list[Node]], target: str) -> bool:
    """Whether something that reads a node, or a view of it, can only read memory: a native or an eager call."""
    for user in users[node]:
        if user.kind == "call":
            name = user.op.name
            if user.whole or rule_of(name, target) is None or reads_memory(name, target):
                return True
            if user.op.opname in _VIEWS and _read_from_memory(user, users, target):
                return True
    return False


def _lowered(lo: Lowering, node: Node, strict: bool) -> Any:
    if node.kind == "input":
        spec = node.spec
        buffer = Buffer(node.name, spec.dtype.name, tuple(spec.shape), tuple(spec.stride), 0, "input", len(lo.inputs))
        lo.inputs.append(buffer)
        return stored(buffer)
    if node.kind == "scalar":
        return Scalar(node.name, node.op)
    if node.kind == "constant":
        return _constant(node)
    if node.kind == "item":
        source, n = node.args
        return lo.values[source][n]
    args, kwargs = map_nodes(node.args, lo.values.__getitem__), map_nodes(node.kwargs, lo.values.__getitem__)
    rule = rule_of(node.op.name, lo.target)
    if rule is None or node.whole:
        return lo.extern(node, args, kwargs, node.whole or "no rule")
    if not _known(node.spec) or not all(_known(each.spec) for each in node.inputs() if each.kind != "scalar"):
        return lo.extern(node, args, kwargs, "an element type that loops do not have")
    before = len(lo.steps)
    try:
        return _valued(rule(lo, node, *args, **kwargs))
    except Unsupported as refused:
        return lo.extern(node, args, kwargs, str(refused))
    except Exception as error:
        if strict or len(lo.steps) != before:
            raise
        return lo.extern(node, args, kwargs, f"{type(error).__name__}: {error}")


def _known(spec: Any) -> bool:
    if isinstance(spec, (tuple, list)):
        return all(map(_known, spec))
    return spec is None or spec.dtype.name in DTYPES


def _valued(result: Any) -> Any:
    if isinstance(result, Buffer):
        return stored(result)
    if isinstance(result, (tuple, list)):
        return tuple(map(_valued, result))
    return result


def _constant(node: Node) -> Value:
    array = np.asarray(getattr(node.op, "_a", node.op), order="C")  # as it comes back from the cache
    dtype = node.spec.dtype.name
    if array.size == 1 and dtype in DTYPES:
        return constant(array.reshape(()).item(), tuple(node.spec.shape), dtype)
    stride = tuple(s // array.itemsize for s in array.strides)
    return stored(Buffer(node.name, dtype, tuple(array.shape), stride, 0, "constant", data=array))


def _outputs(lo: Lowering, graph: Graph) -> list[Any]:
    """A buffer of its own for each output that is computed, laid out as its spec says."""
    found: list[Any] = []
    taken: set[Buffer] = set()
    inputs = graph.inputs
    target = {n: inputs[number].spec for number, n in graph.mutations.items()}
    for n, node in enumerate(graph.outputs):
        if not isinstance(node, Node) or n in graph.aliases:
            found.append(None if isinstance(node, Node) else node)
            continue
        value = lo.values[node]
        stride = dense_stride(target.get(n, node.spec))
        buffer = value.buffer
        fresh = buffer is not None and buffer.kind == "made" and buffer.base is None and buffer not in taken
        if not fresh or not _same_layout(buffer, stride):
            lo.node = node
            buffer = lo.copy(value, stride) if buffer is not None else lo.realize(value, stride)
        taken.add(buffer)
        found.append(buffer)
    return found


def _same_layout(buffer: Buffer, stride: tuple[Any, ...]) -> bool:
    if buffer.stride == stride:
        return True
    return (all(n == 1 or a == b for n, a, b in zip(buffer.shape, buffer.stride, stride, strict=True))
            or (is_dense(buffer) and 0 in buffer.shape))
