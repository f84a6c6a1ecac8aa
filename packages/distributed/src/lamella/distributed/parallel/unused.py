"""Which parameters a step does not use, and how to say so."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from lamella.autograd.graph import node_of

from .containers import tensors_in


def below(nodes: Sequence[Any]) -> set[Any]:
    """All nodes of the graph that gradients at `nodes` come to."""
    seen = set(nodes)
    stack = list(seen)
    while stack:
        for edge in stack.pop().edges:
            if edge is not None:
                node = node_of(edge)
                if node not in seen:
                    seen.add(node)
                    stack.append(node)
    return seen


class Outputs:
    """What forward gave, as far as backward's errors need it: held weakly, so that no graph lives longer for it."""

    def __init__(self, output: Any) -> None:
        self.nodes = [(path, weakref.ref(node_of(t._ag))) for path, t in tensors_in(output) if t._ag is not None]

    def alive(self) -> list[tuple[str, Any]]:
        """(where it was, node) for outputs whose graph still exists."""
        return [(path, node) for path, ref in self.nodes if (node := ref()) is not None]


def explain(missing: Sequence[tuple[str, str, Any]], outputs: Outputs | None, reached: set[Any]) -> list[str]:
    """A line for each reason why parameters got no gradient.

    Args:
        missing: (name, class of its module, node) of each parameter without gradient; no node where it needs none.
        outputs: what forward gave.
        reached: the nodes that backward came to.
    """
    alive = [] if outputs is None else outputs.alive()
    apart = [(path, below([node])) for path, node in alive if node not in reached]
    groups: dict[str, list[str]] = {}
    for name, kind, node in missing:
        lost = [path for path, nodes in apart if node in nodes]
        if node is None:
            reason = "requires_grad was set to False after the model had been wrapped"
        elif lost:
            where = ", ".join(lost)
            reason = f"used by forward's {where}, which did not reach the loss"
        elif alive and len(alive) == len(outputs.nodes):  # type: ignore[union-attr]
            reason = "not used by forward"
        else:
            reason = "not used in producing the loss"
        groups.setdefault(reason, []).append(f"{name} ({kind})")
    lines = []
    for reason, names in groups.items():
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        lines.append(f"  {', '.join(names[:8])}{more}: {reason}")
    return lines
