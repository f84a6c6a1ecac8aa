"""Rewrites a graph: calls that have a rule are replaced by what the rule builds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lamella.dispatch import logs
from lamella.dispatch.errors import message

from ..graph import clean
from ..graph.node import Graph, Node, Spec, map_nodes, nodes_in
from .builder import Builder
from .table import RULES, Eager, Keep

Env = dict[Node, Any]
_log = logs.get("graph")


def decompose(graph: Graph, *, strict: bool = False) -> Graph:
    """A graph of primitives that computes the same.

    Calls whose operators have no rule stay (see docs/compile_primitives.md for what those are), and so do calls on
    complex numbers and on empty tensors.

    Args:
        graph: a functional graph; it is left as it is.
        strict: pass on errors of rules and results that look other than promised, instead of keeping the call.

    Returns:
        A new graph with the same inputs, outputs, mutations and aliases.

    Example:
        >>> decompose(graph).nodes[-1].kind  # doctest: +SKIP
        'output'
    """
    _load()
    new = replace(graph, nodes=[], mutations=dict(graph.mutations), aliases=dict(graph.aliases),
                  symbols=dict(graph.symbols), _count=dict(graph._count))
    used = graph.users()
    builder = Builder(new)
    env: Env = {}
    for node in graph.nodes:
        if node.kind == "item":
            values = env[node.args[0]]
            env[node] = values[node.args[1]] if isinstance(values, tuple) else _kept(new, node, env)
        elif node.kind == "call":
            env[node] = _by_rule(builder, node, used, env, strict)
        else:
            env[node] = _kept(new, node, env)
    for tidy in (clean.remove_noops, clean.drop_dead, clean.separate):
        tidy(new)
    _keep_layouts(graph, new)
    return new


def _keep_layouts(graph: Graph, new: Graph) -> None:
    """Outputs lie in memory as those of the graph: other outputs may be views of them."""
    for old, made in zip(graph.outputs, new.outputs, strict=True):
        if isinstance(made, Node) and made.kind == "call" and isinstance(old, Node) and isinstance(made.spec, Spec):
            made.spec = replace(made.spec, stride=old.spec.stride)


def _load() -> None:
    from . import rules  # noqa: F401 - fills the table


def _kept(new: Graph, node: Node, env: Env) -> Node:
    args, kwargs = map_nodes(node.args, env.__getitem__), map_nodes(node.kwargs, env.__getitem__)
    made = Node(node.name, node.kind, node.op, args, kwargs, node.spec, node.where)
    new.nodes.append(made)
    return made


def _by_rule(builder: Builder, node: Node, used: dict[Node, list[Node]], env: Env, strict: bool) -> Any:
    """What becomes of a call: what its rule makes (a node, or a tuple of nodes and None), or the call itself."""
    graph, mark = builder.graph, len(builder.graph.nodes)
    rule = RULES.get(node.op.name)
    if rule is None or not _plain(node):
        return _kept(graph, node, env)
    whole = ""
    specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
    try:
        builder.begin(node.where, next(s.device for s in specs if s is not None))
        args, kwargs = map_nodes(node.args, env.__getitem__), map_nodes(node.kwargs, env.__getitem__)
        made = rule(builder, *args, **kwargs)
        _check(node, specs, made if isinstance(made, tuple) else (made,), used)
        return made
    except Keep as reason:
        _log("%s (%s) stays whole: %s", node.name, node.op.name, reason)
        whole = str(reason) if isinstance(reason, Eager) else ""
    except Exception as error:
        if strict:
            error.add_note(f"in the decomposition of {node.op.name}, graph node {node.name}")
            raise
        _log("%s (%s) stays whole: its rule failed: %s: %s", node.name, node.op.name, type(error).__name__, error)
    builder.forget(mark)
    kept = _kept(graph, node, env)
    kept.whole = whole
    return kept


def _plain(node: Node) -> bool:
    """Whether a call is on real numbers, and not on empty tensors."""
    for n in nodes_in((node.args, node.kwargs)):
        for s in n.spec if isinstance(n.spec, tuple) else (n.spec,):
            if s is not None and (s.dtype.category == 3 or 0 in s.shape):
                return False
    if isinstance(node.spec, tuple):  # a result that was not asked for may be empty
        return all(s is None or s.dtype.category != 3 for s in node.spec)
    return node.spec.dtype.category != 3 and 0 not in node.spec.shape


def _check(node: Node, specs: Any, made: tuple[Any, ...], used: dict[Node, list[Node]]) -> None:
    """Refuse results that are not what the graph says of the call."""
    if len(specs) != len(made):
        rule = f"the rule gives {len(made)} results instead of {len(specs)}"
        raise RuntimeError(message(str(node.op.name), rule))
    asked = {user.args[1] for user in used[node] if user.kind == "item"}
    for i, (spec, value) in enumerate(zip(specs, made, strict=True)):
        if value is None:
            if i in asked and any(user.args[1] == i and used[user] for user in used[node]):
                raise Keep("a result that its mask leaves out is used")
        elif spec is not None and (tuple(value.spec.shape) != tuple(spec.shape) or value.spec.dtype != spec.dtype):
            rule = f"the rule gives {value.spec} instead of {spec}"
            raise RuntimeError(message(str(node.op.name), rule))
