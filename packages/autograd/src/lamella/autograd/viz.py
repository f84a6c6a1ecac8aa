"""Pictures of backward graphs: as indented text and in Graphviz's language."""

from __future__ import annotations

from typing import Any

from lamella.core.tensor import Tensor, describe

from .graph import AccumulateGrad, Node, node_of


def _roots(tensors: Any) -> list[Node]:
    items = tensors if isinstance(tensors, (tuple, list)) else (tensors,)
    found: dict[Node, None] = {}
    for t in items:
        edge = t._ag if isinstance(t, Tensor) else (t, 0) if isinstance(t, Node) else t[:2]
        if edge is not None:
            found[node_of(edge)] = None
    return list(found)


def _label(node: Node, names: dict[Any, str]) -> str:
    if isinstance(node, AccumulateGrad):
        leaf = node.variable_ref()
        if leaf is None:
            return "AccumulateGrad (leaf is gone)"
        name = names.get(id(leaf))
        return f"AccumulateGrad {name + ': ' if name else ''}{describe(leaf)}"
    made = node.__dict__.get("_metadata", {}).get("created")
    return node.name() + (f"  [{made}]" if made else "")


def _named(params: Any) -> dict[Any, str]:
    return {id(t): name for name, t in dict(params or {}).items()}


def graph_text(tensors: Any, params: Any = None, max_nodes: int = 200) -> str:
    """The graph below tensors as indented text: each node under the node that it gives its gradient from.

    Args:
        tensors: a tensor or several.
        params: a dictionary of names for leaves (``dict(model.named_parameters())``).
        max_nodes: stop after so many.

    Returns:
        The text; a node that was shown before is shown again as ``^name``, without what is under it.

    Example:
        >>> from lamella.core import tensor
        >>> x = tensor(1.0, requires_grad=True)
        >>> print(graph_text(x + x))
        AddBackward0
          AccumulateGrad f32[] cpu
          ^AccumulateGrad f32[] cpu
    """
    names = _named(params)
    lines: list[str] = []
    seen: set[Node] = set()
    stack: list[tuple[Node, int]] = [(n, 0) for n in reversed(_roots(tensors))]
    while stack:
        node, depth = stack.pop()
        if len(lines) >= max_nodes:
            lines.append(f"... more than {max_nodes} nodes")
            break
        again = node in seen
        lines.append("  " * depth + ("^" if again else "") + _label(node, names))
        if not again:
            seen.add(node)
            stack.extend((node_of(e), depth + 1) for e in reversed(node.edges) if e is not None)
    return "\n".join(lines)


def graph_dot(tensors: Any, params: Any = None) -> str:
    """The graph below tensors in the DOT language (``dot -Tsvg`` draws it).

    Args:
        tensors: a tensor or several.
        params: a dictionary of names for leaves.

    Returns:
        DOT source; arrows point the way gradients flow.

    Example:
        >>> from lamella.core import tensor
        >>> graph_dot(tensor(1.0, requires_grad=True)).splitlines()[0]
        'digraph backward {'
    """
    names = _named(params)
    ids: dict[Node, int] = {}
    stack = _roots(tensors)
    for node in stack:
        ids.setdefault(node, len(ids))
    lines = ["digraph backward {", "  node [shape=box, fontname=monospace];"]
    todo = list(ids)
    while todo:
        node = todo.pop()
        shape = ", style=filled, fillcolor=lightblue" if isinstance(node, AccumulateGrad) else ""
        label = _label(node, names).replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'  n{ids[node]} [label="{label}"{shape}];')
        for edge in node.edges:
            if edge is None:
                continue
            target = node_of(edge)
            if target not in ids:
                ids[target] = len(ids)
                todo.append(target)
            lines.append(f"  n{ids[node]} -> n{ids[target]};")
    return "\n".join([*lines, "}"])
