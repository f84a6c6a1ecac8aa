"""Passes that leave less to do: equal calls once, calls that change nothing never, and nothing that nobody reads.

All work on functional graphs, in place. What a random operator draws advances the generator, so such calls are never
shared and never dropped. So it is with operators whose tags have "effect": they do something beyond their results, as
sending to another process, which waits for it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from lamella.dispatch.registry import find

from .calls import is_functional_call
from .node import Graph, Node, Spec, map_nodes, nodes_in

_FOLD_LIMIT = 1024


@cache
def is_random(op: Any) -> bool:
    """Whether an operator draws from a generator."""
    return any(a.type.base == "Generator" for a in op.schema.arguments)


def has_effect(op: Any) -> bool:
    """Whether an operator does something beyond its results."""
    return "effect" in op.tags


def _is_known(op: Any) -> bool:
    """Whether equal calls of an operator surely give equal results; operators of users may do as they like."""
    return op.namespace == "aten" and not is_random(op)


def replace(graph: Graph, simpler: Callable[[Node], Node | None]) -> int:
    """Walk a graph in order and read another node where ``simpler`` names one.

    An output keeps its node where the other one is an output, an input, a constant or a view as well: every output has
    memory of its own.

    Returns:
        How many nodes are no longer read.
    """
    found: dict[Node, Node] = {}
    outputs = {v for v in graph.outputs if isinstance(v, Node)}
    for node in graph.nodes:
        if node.kind == "output":
            break
        if found and node.kind in ("call", "item"):
            node.args = map_nodes(node.args, lambda n: found.get(n, n))
            node.kwargs = map_nodes(node.kwargs, lambda n: found.get(n, n)) if node.kwargs else node.kwargs
        other = simpler(node)
        if other is None or other is node:
            continue
        if node in outputs:
            if other in outputs or other.kind not in ("call", "item") or other.is_view:
                continue
            outputs.discard(node)
            outputs.add(other)
        found[node] = other
    graph.output.args = (map_nodes(graph.output.args[0], lambda n: found.get(n, n)),)
    return len(found)


# -- calls that change nothing -----------------------------------------------------------------------------------------


def remove_noops(graph: Graph) -> int:
    """Read the operand instead of a call that gives the same: casts to the same type, views of the same shape, copies,
    views of views, a transposition twice.
    """
    return replace(graph, _noop)


def _noop(node: Node) -> Node | None:
    if node.kind != "call" or not node.args or not isinstance(node.args[0], Node):
        return None
    rule = _NOOPS.get(node.op.name)
    return rule(node, node.args[0]) if rule is not None else None


def _same_kind(node: Node, x: Node) -> bool:
    spec = x.spec
    return (not isinstance(spec, tuple) and x.kind != "scalar" and spec.dtype == node.spec.dtype
            and spec.shape == node.spec.shape and spec.device == node.spec.device)


def _same(node: Node, x: Node) -> Node | None:
    return x if _same_kind(node, x) else None


def _copy(node: Node, x: Node) -> Node | None:
    wanted = node.kwargs.get("memory_format")
    if wanted is not None and wanted.name not in ("contiguous_format", "preserve_format"):
        return None
    return _same(node, x)


def _view(node: Node, x: Node) -> Node | None:
    if _same_kind(node, x):
        return x
    if x.kind == "call" and x.op.name == "aten::view" and x.spec.dtype == node.spec.dtype:
        inner = x.args[0]
        node.args = (inner, *node.args[1:])
        return _view(node, inner)
    return None


def _back(node: Node, x: Node) -> Node | None:
    """``x.t().t()``, ``x.transpose(0, 1).transpose(1, 0)``."""
    if x.kind != "call" or x.op is not node.op or not isinstance(x.args[0], Node):
        return None
    rank = len(node.spec.shape)
    there, here = ({d % rank for d in n.args[1:]} for n in (x, node))
    return x.args[0] if there == here else None


def _permute(node: Node, x: Node) -> Node | None:
    rank = len(node.spec.shape)
    return x if [d % rank for d in node.args[1]] == list(range(rank)) else None


def _slice(node: Node, x: Node) -> Node | None:
    step = node.args[4] if len(node.args) > 4 else node.kwargs.get("step", 1)
    return _same(node, x) if step == 1 else None


def _times_one(node: Node, x: Node) -> Node | None:
    other = node.args[1]
    return _same(node, x) if type(other) in (int, float) and other == 1 else None


_NOOPS: dict[str, Callable[[Node, Node], Node | None]] = {
    "aten::_to_copy": _copy,
    "aten::clone": _copy,
    "aten::alias": _same,
    "aten::detach": _same,
    "aten::view": _view,
    "aten::expand": _same,
    "aten::squeeze": _same,
    "aten::squeeze.dim": _same,
    "aten::squeeze.dims": _same,
    "aten::t": _back,
    "aten::transpose.int": _back,
    "aten::permute": _permute,
    "aten::slice.Tensor": _slice,
    "aten::mul.Tensor": _times_one,
    "aten::div.Tensor": _times_one,
    "aten::conj_physical": lambda node, x: _same(node, x) if x.spec.dtype.category < 3 else None,
}


# -- equal calls -------------------------------------------------------------------------------------------------------


def share(graph: Graph) -> int:
    """Compute equal calls once (common subexpressions); not those that draw random numbers."""
    known: dict[Any, Node] = {}

    def simpler(node: Node) -> Node | None:
        if node.kind == "item":
            key: Any = ("item", node.args[0], node.args[1])
        elif node.kind == "call" and _is_known(node.op) and not is_functional_call(node):
            key = (node.op.name, _key(node.args), _key(node.kwargs))
        elif node.kind == "scalar":
            key = ("scalar", node.op)
        else:
            return None
        try:
            return known.setdefault(key, node)
        except TypeError:  # an argument that cannot be compared
            return None

    return replace(graph, simpler)


def _key(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return (type(value) is list, *map(_key, value))
    if isinstance(value, dict):
        return tuple((k, _key(value[k])) for k in sorted(value))
    if isinstance(value, float):
        return float, value.hex()  # 0.0 and -0.0 differ
    return type(value), value


# -- constants ---------------------------------------------------------------------------------------------------------


def fold(graph: Graph) -> int:
    """Compute calls whose tensors are all small constants, by their eager kernels.

    Returns:
        How many calls became constants.
    """
    from .interpret import call

    count = 0
    for node in graph.nodes:
        if not _foldable(node):
            continue
        args, kwargs = (map_nodes(a, lambda n: _tensor(n)) for a in (node.args, node.kwargs))
        try:
            result = call(node, args, kwargs)
        except Exception:  # noqa: S112 - it will fail at run time as it does eagerly
            continue
        node.kind, node.op, node.args, node.kwargs = "constant", np.asarray(result._a, order="C"), (), {}
        count += 1
    return count


def _foldable(node: Node) -> bool:
    if node.kind != "call" or isinstance(node.spec, tuple) or node.spec is None or not _is_known(node.op):
        return False
    reads = list(node.inputs())
    if not reads or any(n.kind != "constant" for n in reads) or node.op.schema.is_mutable:
        return False
    sizes = node.spec.shape
    return all(isinstance(n, int) for n in sizes) and int(np.prod(sizes)) <= _FOLD_LIMIT and not _symbolic(node)


def _symbolic(node: Node) -> bool:
    from ..loops.index import Expr

    def inside(value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return any(map(inside, value))
        return isinstance(value, Expr)

    return inside(node.args) or inside(list(node.kwargs.values()))


def _tensor(node: Node) -> Any:
    from lamella.core.tensor import wrap

    return wrap(node.op) if isinstance(node.op, np.ndarray) else node.op


# -- outputs -----------------------------------------------------------------------------------------------------------


def separate(graph: Graph) -> int:
    """Give every output memory of its own: one that is a view of an input or of another output is copied.

    Returns:
        How many were copied.
    """
    taken: set[Node] = set()
    values = list(graph.outputs)
    count = 0
    for number, value in enumerate(values):
        if not isinstance(value, Node):
            continue
        root = value
        while root.is_view:
            root = root.args[0]
        if root.kind in ("call", "item") and root not in taken:
            taken.add(root)
            continue
        spec = Spec.dense(value.spec.shape, value.spec.dtype, value.spec.device)
        copy = Node(graph.name("clone"), "call", find("aten::clone"), (value,), {}, spec, value.where)
        graph.nodes.insert(len(graph.nodes) - 1, copy)
        values[number] = copy
        count += 1
    graph.output.args = (values,)
    return count


# -- what nobody reads -------------------------------------------------------------------------------------------------


def drop_dead(graph: Graph) -> int:
    """Take out what no output depends on; inputs stay, and so do calls that advance a generator or have an effect.

    Returns:
        How many nodes went.
    """
    alive: set[Node] = set()
    kept = []
    for node in reversed(graph.nodes):
        if node.kind in ("output", "input") or node in alive or (node.kind == "call" and _advances(node)):
            kept.append(node)
            alive.update(nodes_in(node.args))
            alive.update(nodes_in(node.kwargs))
    gone = len(graph.nodes) - len(kept)
    graph.nodes[:] = reversed(kept)
    return gone


def _advances(node: Node) -> bool:
    if not is_random(node.op):
        return has_effect(node.op)
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    return any(spec is None or 0 not in spec.shape for spec in specs)
