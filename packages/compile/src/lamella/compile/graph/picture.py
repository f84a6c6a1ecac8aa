"""A picture of a graph as SVG: calls from top to bottom, in the colour of the kernel that they became part of."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from .node import Graph, Node
from .printer import spec_text

#: From how many calls on a fused group is drawn as one box.
CROWD = 160
_WIDTH, _LINE, _GAP_X, _GAP_Y, _CHAR = 150, 14, 26, 40, 6.3
_STYLE = """text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#222}
.op{font-weight:bold}.spec{fill:#555}path{fill:none;stroke:#999;stroke-width:1.1}
rect{stroke:#666;stroke-width:.8}rect.eager{stroke-dasharray:4 3}a:hover rect{stroke-width:2}"""


class Box:
    """What is drawn as one rectangle.

    Attributes:
        lines: its text. title: what shows when the pointer rests on it. group: the name of its kernel, or "".
        layer, x, y, width, height: where it lies.
    """

    def __init__(self, lines: list[str], title: str, group: str, kind: str) -> None:
        self.lines, self.title, self.group, self.kind = lines, title, group, kind
        self.width = max(_WIDTH, round(max(map(len, lines)) * _CHAR) + 16)
        self.height = _LINE * len(lines) + 10
        self.layer, self.x, self.y = 0, 0.0, 0.0
        self.reads: list[Box] = []


def svg(graph: Graph, groups: Any = None) -> str:
    """Draw a graph.

    Args:
        graph: the graph; one with many calls is drawn with one box for each group.
        groups: name of a node -> name of the kernel that it is part of; or a `schedule.plan.Plan`; or None.

    Returns:
        The text of an SVG file, with the kernels' colours explained on top.

    Example:
        >>> from lamella.core import ones
        >>> from lamella.compile.graph.record import record
        >>> text = svg(record(lambda x: x.exp().sum(), [ones(2)]), {"exp": "kernel_0", "sum": "kernel_0"})
        >>> text[:4], text.count("<rect"), "kernel_0" in text
        ('<svg', 5, True)
    """
    named = groups if isinstance(groups, Mapping) else groups_of(groups) if groups is not None else {}
    boxes = _boxes(graph, named)
    layers = _layers(boxes)
    legend = _legend(boxes)
    crowded = sum(n.kind == "call" for n in graph.nodes) > CROWD
    fills = {group: colour(i) for i, group in enumerate(legend)}
    if crowded:
        legend = {}  # a box has the name of its kernel
    top = 20 + 18 * len(legend)
    width, height = _place(layers, top)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
             f'height="{height}"><style>{_STYLE}</style>', '<g id="groups">']
    for i, (group, count) in enumerate(legend.items()):
        y = 10 + 18 * i
        parts.append(f'<rect x="10" y="{y}" width="14" height="12" fill="{fills[group]}"/>'
                     f'<text x="30" y="{y + 10}">{escape(group)} ({count})</text>')
    parts.append("</g>")
    for box in boxes:
        parts += [_edge(each, box) for each in box.reads]
    parts += [_drawn(box, fills) for box in boxes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def groups_of(plan: Any) -> dict[str, str]:
    """The kernel of each node of a plan's graph, by name; calls of eager operators are in groups called eager."""
    found: dict[str, str] = {}
    for number, step in enumerate(plan.steps):
        if hasattr(step, "members"):
            origins = [(name, step.name) for m in step.members() for name in m.loop.origins]
        elif hasattr(step, "native"):
            name = f"{step.native.function} ({number})"
            origins = [(each, name) for each in step.native.origins]
            origins += [(each, name) for k in step.epilogue for m in k.members() for each in m.loop.origins]
        else:
            origins = [(each, f"eager {step.op.name}") for each in step.origins]
        for each, group in origins:
            found.setdefault(each, group)
    return found


def colour(number: int) -> str:
    """The light colour of the n-th group: neighbours differ."""
    return f"hsl({number * 137.5 % 360:.0f},{62 + number % 3 * 12}%,{82 + number % 2 * 5}%)"


# -- what is drawn -----------------------------------------------------------------------------------------------------


def _boxes(graph: Graph, groups: Mapping[str, str]) -> list[Box]:
    calls = sum(n.kind == "call" for n in graph.nodes)
    crowded = calls > CROWD
    shared: dict[str, Box] = {}
    together = _together(graph)
    of: dict[Node, Box] = {}
    found: list[Box] = []
    for node in graph.nodes:
        if node.kind == "item":
            of[node] = of[node.args[0]]
            continue
        if node.kind == "constant" and crowded:
            continue
        if node in together:
            of[node] = together[node]
            if together[node] not in found:
                found.append(together[node])
            continue
        group = groups.get(node.name, "") if node.kind == "call" else ""
        box = shared.get(group) if crowded and group else None
        if box is None:
            box = _box(graph, node, group, groups if crowded else {})
            found.append(box)
            if crowded and group:
                shared[group] = box
        of[node] = box
        for each in dict.fromkeys(node.inputs()):
            other = of.get(each)
            if other is not None and other is not box and other not in box.reads and box not in _behind(other):
                box.reads.append(other)
    return found


def _together(graph: Graph) -> dict[Node, Box]:
    """Many inputs that one call alone reads, as an optimizer's step reads its state, share a box."""
    readers = graph.users()
    single: dict[Node, list[Node]] = {}
    for node in graph.inputs:
        if len(readers[node]) == 1:
            single.setdefault(readers[node][0], []).append(node)
    found: dict[Node, Box] = {}
    for reader, nodes in single.items():
        if len(nodes) > 6:
            title = "\n".join(f"{n.name}: {n.spec}" for n in nodes)
            box = Box([f"{len(nodes)} inputs", f"of {reader.name}"], title, "", "input")
            found.update(dict.fromkeys(nodes, box))
    return found


def _behind(box: Box) -> set[Box]:
    """All that a box depends on: groups that interleave must not make a ring."""
    seen: set[Box] = set()
    stack = list(box.reads)
    while stack:
        each = stack.pop()
        if each not in seen:
            seen.add(each)
            stack += each.reads
    return seen


def _box(graph: Graph, node: Node, group: str, collapsed: Mapping[str, str]) -> Box:
    if node.kind == "output":
        return Box(["output", f"{sum(v is not None for v in graph.outputs)} values"], _ends(graph), "", "output")
    if group and collapsed:
        members = [n for n in graph.nodes if collapsed.get(n.name) == group]
        ops = list(dict.fromkeys(n.op.opname for n in members if n.kind == "call"))
        shown = ", ".join(ops[:6]) + (" ..." if len(ops) > 6 else "")
        return Box([group, f"{len(members)} calls", shown[:60]], "\n".join(n.name for n in members), group, "call")
    spec = spec_text(node.spec)
    if node.kind == "call":
        numbers = [repr(a) for a in node.args if isinstance(a, (int, float, bool)) or (isinstance(a, (list, tuple)) and
                   not any(isinstance(x, Node) for x in a))]
        title = f"{node.op.name}({', '.join(map(repr, node.args))})" + (f"\n{node.where}" if node.where else "")
        lines = [node.name, f"{node.op.opname} {' '.join(numbers)}"[:44], spec[:44]]
        return Box(lines, title + (f"\nin {group}" if group else ""), group, "call")
    return Box([node.name, spec[:44]], node.kind, "", node.kind)


def _ends(graph: Graph) -> str:
    names = [n.name for n in graph.inputs]
    lines = [f"{i}: {v}" for i, v in enumerate(graph.outputs)]
    lines += [f"{number} is the new content of {names[at]}" for at, number in graph.mutations.items()]
    return "\n".join(lines)


def _legend(boxes: list[Box]) -> dict[str, int]:
    found: dict[str, int] = {}
    for box in boxes:
        if box.group:
            found[box.group] = found.get(box.group, 0) + 1
    return found


# -- where it lies -----------------------------------------------------------------------------------------------------


def _layers(boxes: list[Box]) -> list[list[Box]]:
    """Boxes by their distance from the inputs; inputs lie right above their first reader."""
    for box in boxes:
        box.layer = 1 + max((each.layer for each in box.reads), default=-1)
    first: dict[int, int] = {}
    for box in boxes:
        for each in box.reads:
            first[id(each)] = min(first.get(id(each), box.layer), box.layer)
    for box in boxes:
        if not box.reads and id(box) in first:
            box.layer = max(first[id(box)] - 1, 0)
    layers: list[list[Box]] = [[] for _ in range(1 + max((b.layer for b in boxes), default=0))]
    for box in boxes:
        layers[box.layer].append(box)
    return [layer for layer in layers if layer]


def _place(layers: list[list[Box]], top: int) -> tuple[int, int]:
    """Give every box its place: below what it reads, in an order with few crossings; returns the picture's size."""
    y = float(top)
    for layer in layers:
        layer.sort(key=lambda b: sum(r.x + r.width / 2 for r in b.reads) / len(b.reads) if b.reads else 1e9)
        x = 20.0
        for box in layer:
            middle = sum(r.x + r.width / 2 for r in box.reads) / len(box.reads) if box.reads else 0
            box.x, box.y = max(x, middle - box.width / 2), y
            x = box.x + box.width + _GAP_X
        y += max(box.height for box in layer) + _GAP_Y
    width = max((b.x + b.width for layer in layers for b in layer), default=200) + 20
    return int(width), int(y)


def _edge(a: Box, b: Box) -> str:
    x0, y0, x1, y1 = a.x + a.width / 2, a.y + a.height, b.x + b.width / 2, b.y
    bend = max((y1 - y0) / 2, 12)
    return f'<path d="M{x0:.0f} {y0:.0f}C{x0:.0f} {y0 + bend:.0f} {x1:.0f} {y1 - bend:.0f} {x1:.0f} {y1:.0f}"/>'


def _drawn(box: Box, fills: Mapping[str, str]) -> str:
    fill = fills.get(box.group, "#fff") if box.kind == "call" else "#eee"
    style = ' class="eager"' if box.group.startswith("eager") else ""
    texts = []
    for i, line in enumerate(box.lines):
        kind = "op" if i == 1 and box.kind == "call" else "spec" if i == len(box.lines) - 1 else "name"
        texts.append(f'<text class="{kind}" x="{box.x + 8:.0f}" y="{box.y + 14 + _LINE * i:.0f}">{escape(line)}</text>')
    return (f'<g><title>{escape(box.title)}</title><rect{style} x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width}" '
            f'height="{box.height}" rx="4" fill="{fill}"/>{"".join(texts)}</g>')
