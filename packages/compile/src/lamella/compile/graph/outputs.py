"""The end of functionalization: new content of inputs, and outputs that share memory, become part of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import views
from .node import Alias, Node, Spec

if TYPE_CHECKING:
    from .functionalize import Ref, Store, _Rewriter

#: Views that may show one element in several places.
_REPEATING = frozenset(("aten::expand", "aten::unfold", "aten::as_strided"))


def finish(rw: _Rewriter, node: Node) -> None:
    """Add the output node of a functional graph, and fill its mutations and aliases."""
    wanted = list(node.args[0])
    refs = [rw.refs[v] if isinstance(v, Node) else v for v in wanted]
    graph = rw.graph
    graph.returned = len(wanted)
    values: list[Any] = [None] * len(wanted)
    groups: dict[Any, list[int]] = {}
    taken: set[Node] = set()
    late: list[int] = []
    later: list[tuple[Any, list[int]]] = []
    for number, ref in enumerate(refs):
        if not isinstance(wanted[number], Node) or ref is None or isinstance(ref, Node):
            values[number] = ref if isinstance(ref, Node) else wanted[number]
        elif number in rw.apart:
            late.append(number)
        elif ref.store.number >= 0:
            graph.aliases[number] = Alias("input", ref.store.number, _lying(ref))
        else:
            groups.setdefault(ref.store, []).append(number)
    for store, numbers in groups.items():
        if len(numbers) == 1:
            ref = refs[numbers[0]]
            values[numbers[0]] = own(rw, rw.value(ref), taken, ref.spec)
            continue
        carrier = next((n for n in numbers if _whole(refs[n])), None)
        if carrier is None:
            later.append((store, numbers))
            continue
        values[carrier] = own(rw, _laid(rw, store), taken)
        for n in numbers:
            if n != carrier:
                graph.aliases[n] = Alias("output", carrier, _lying(refs[n]))
    _mutated(rw, values, taken)
    for number in late:
        values[number] = own(rw, rw.value(refs[number]), taken)
    for store, numbers in later:
        values.append(own(rw, _laid(rw, store), taken))
        for n in numbers:
            graph.aliases[n] = Alias("output", len(values) - 1, _lying(refs[n]))
    graph.add("output", "output", None, (values,), where=node.where)


def _mutated(rw: _Rewriter, values: list[Any], taken: set[Node]) -> None:
    for number, store in enumerate(rw.inputs):
        if store.version and store.value is not store.first:
            rw.graph.mutations[number] = len(values)
            values.append(own(rw, store.value, taken))


def own(rw: _Rewriter, value: Node, taken: set[Node], spec: Spec | None = None) -> Node:
    """A value that no other output is, that shows no input or constant, and whose elements lie apart (unless they do
    not in eager's ``spec``)."""
    root, repeated = value, False
    while root.is_view:
        repeated = repeated or root.op.name in _REPEATING
        root = root.args[0]
    repeated = repeated and (spec is None or not views.overlaps(spec.shape, spec.stride))
    if root.kind in ("input", "constant") or value in taken or repeated:
        spec = Spec.dense(value.spec.shape, value.spec.dtype, value.spec.device)
        value = rw.emit("aten::clone", (value,), {}, spec)
    taken.add(value)
    return value


def _laid(rw: _Rewriter, store: Store) -> Node:
    """A store's content as a node whose spec says how the store lies: views of it count on that."""
    value = store.value
    if value.spec.stride == store.spec.stride and not value.is_view:
        return value
    spec = Spec(store.spec.shape, store.spec.stride, store.spec.dtype, store.spec.device)
    return rw.emit("aten::clone", (value,), {}, spec)


def _whole(ref: Ref) -> bool:
    while ref.parent is not None and ref.op is None:
        ref = ref.parent
    return ref.parent is None


def _lying(ref: Ref) -> Spec:
    return Spec(ref.spec.shape, ref.spec.stride, ref.spec.dtype, ref.spec.device, ref.offset)
