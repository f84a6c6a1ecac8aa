"""A graph whose calls write into tensors becomes one in which every call only makes new ones.

Each tensor of the raw graph is a `Ref`: a view, through a chain of view operators, of a `Store` (an input or a call's
result). A write into a view becomes a new content of its store (``select_scatter`` and its siblings, outwards along
the chain); views that are used later are derived again from that. At the end, stores of inputs that got new content
become ``graph.mutations``, and outputs that share memory ``graph.aliases``.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from lamella.dispatch.registry import find

from ..loops.index import memory_order
from . import views
from .calls import own_results, written_values
from .infer import hints, infer
from .node import Graph, Node, Spec, map_nodes
from .numbers import fits
from .outputs import finish

_NUMBER = re.compile(r"_\d+$")


class Store:
    """Memory that one call made, or that an input is.

    Attributes:
        value, first: the nodes of its present content and of that at the start. version: how often it was written.
        spec: how it lies. number: of an input: which, else -1.
    """

    __slots__ = ("value", "first", "version", "spec", "number")

    def __init__(self, value: Node, spec: Spec, number: int = -1) -> None:
        self.value, self.version, self.spec, self.number = value, 0, spec, number
        self.first = value


class Ref:
    """A tensor: all of a store, or what a view operator shows of another tensor.

    Attributes:
        store, parent: see above; parent is None for all of a store.
        op, args, kwargs: of a view: its operator and the arguments after the operand; op is None for the same again.
        spec: shape, strides and type. offset: elements (of its type) from the store's first element.
        value, version: the node of its content, as of which version of the store.
    """

    __slots__ = ("store", "parent", "op", "args", "kwargs", "spec", "offset", "value", "version", "where")

    def __init__(self, store: Store, parent: Ref | None, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any],
                 spec: Spec, where: str = "") -> None:
        self.store, self.parent, self.op, self.args, self.kwargs = store, parent, op, args, kwargs
        self.spec, self.where = spec, where
        self.value: Node | None = store.value if parent is None else None
        self.version = store.version
        self.offset: Any = 0
        if parent is not None:
            self.offset = parent.offset
            if op is not None:
                self.offset = self.offset + views.added_offset(op.name, args, kwargs, parent.spec)
            if spec.dtype != parent.spec.dtype:
                self.offset = self.offset * parent.spec.dtype.itemsize // spec.dtype.itemsize


def functionalize(raw: Graph, apart: Collection[int] = ()) -> Graph:
    """A graph without writes that does the same.

    Args:
        raw: as captured; it is left as it is.
        apart: numbers of outputs that share memory with nothing, whatever they are views of.

    Returns:
        A new graph with ``functional`` set, and ``mutations``, ``aliases`` and ``returned`` filled in.

    Raises:
        CompileError: something that has no functional form (a write through elements that overlap, a tensor whose
            size changes, memory outside of an input).
    """
    if raw.functional:
        return raw
    return _Rewriter(raw, apart).run()


class _Rewriter:
    def __init__(self, raw: Graph, apart: Collection[int] = ()) -> None:
        self.raw, self.apart = raw, frozenset(apart)
        self.graph = Graph(symbols=dict(raw.symbols), functional=True)
        self.refs: dict[Node, Any] = {}
        self.inputs: list[Store] = []
        self.views: dict[Any, Ref] = {}
        self.hints = hints(raw)
        self.where = ""

    def run(self) -> Graph:
        for node in self.raw.nodes:
            self.where = node.where
            if node.kind == "input":
                ref = self.refs[node] = self.whole(self.copy(node, node.args), len(self.inputs))
                self.inputs.append(ref.store)
            elif node.kind in ("constant", "scalar"):
                made = self.copy(node, node.args)
                self.refs[node] = made if node.kind == "scalar" else self.whole(made)
            elif node.kind == "item":
                self.refs[node] = self.item(node)
            elif node.kind == "call":
                self.refs[node] = self.call(node)
            else:
                finish(self, node)
        return self.graph

    # ------------------------------------------------------------------ making nodes

    def copy(self, node: Node, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> Node:
        return self.graph.add(node.kind, stem(node.name), node.op, args, kwargs, node.spec, node.where)

    def emit(self, name: str | Any, args: tuple[Any, ...], kwargs: dict[str, Any], spec: Any) -> Node:
        op = find(name) if isinstance(name, str) else name
        if op is None:
            raise views.unsupported(f"the operator {name} is not there")
        return self.graph.add("call", op.opname.strip("_"), op, args, kwargs, spec, self.where)

    def whole(self, node: Node, number: int = -1) -> Ref:
        return Ref(Store(node, node.spec, number), None, None, (), {}, node.spec, node.where)

    # ------------------------------------------------------------------ reading

    def value(self, ref: Any) -> Node:
        """The node of a tensor's present content."""
        if isinstance(ref, Node):
            return ref  # a run-time scalar
        if ref.value is None or ref.version != ref.store.version:
            if ref.parent is None:
                ref.value = ref.store.value
            else:
                base = self.value(ref.parent)
                ref.value = base if ref.op is None else self.emit(ref.op, (base, *ref.args), ref.kwargs, ref.spec)
            ref.version = ref.store.version
        return ref.value

    def read(self, value: Any) -> Any:
        return map_nodes(value, lambda n: self.value(self.refs[n]))

    # ------------------------------------------------------------------ calls

    def call(self, node: Node) -> Any:
        op = node.op
        if op.schema.is_mutable:
            special = _WRITES.get(op.name)
            return special(self, node) if special is not None else self.write_call(node)
        if op.is_view:
            return self.view_call(node)
        made = self.copy(node, self.read(node.args), self.read(node.kwargs))
        if isinstance(node.spec, tuple):
            return _Results(made)
        return self.whole(made)

    def item(self, node: Node) -> Any:
        results, at = self.refs[node.args[0]], node.args[1]
        if not isinstance(results, _Results):
            return results[at]  # a list of views, or of what a call wrote
        if at not in results.made:
            made = self.graph.add("item", stem(node.name), None, (results.node, at), {}, node.spec, node.where)
            results.made[at] = _Results(made) if isinstance(node.spec, tuple) else self.whole(made)
        return results.made[at]

    def view_call(self, node: Node) -> Any:
        op, kwargs = node.op, node.kwargs
        base: Ref = self.refs[node.args[0]]
        args = node.args[1:]
        if isinstance(node.spec, tuple):
            parts = views.split_parts(op.name, args, kwargs, base.spec, len(node.spec))
            return [self.view(base, find(name), rest, {}, spec) for (name, rest), spec in zip(parts, node.spec,
                                                                                             strict=True)]
        if op.name == "aten::as_strided":
            return self.strided(base, node)
        return self.view(base, None if op.name in views.SAME else op, args, kwargs, node.spec)

    def view(self, base: Ref, op: Any, args: tuple[Any, ...], kwargs: dict[str, Any], spec: Spec) -> Ref:
        """A view, the same one for equal calls: ``x[0] += 1`` reads and writes one and the same."""
        if op is not None and op.name in ("aten::view", "aten::expand"):
            args = (list(spec.shape if -1 in args[0] else args[0]),)
        key = (base, op, repr((args, kwargs)))
        found = self.views.get(key)
        if found is None:
            found = self.views[key] = Ref(base.store, base, op, args, kwargs, spec, self.where)
        return found

    def strided(self, base: Ref, node: Node) -> Ref:
        """`as_strided` sees the whole store, whatever its operand shows of it, in the order of memory."""
        store = base.store
        size, stride = node.args[1], node.args[2]
        start = views.argument(node.args, node.kwargs, 3, "storage_offset", None)
        offset = base.offset if start is None else start - store.spec.offset
        order = memory_order(store.spec.shape, store.spec.stride)
        if order is None or base.spec.dtype != store.spec.dtype:
            raise views.unsupported("as_strided of memory with gaps", {"strides": list(store.spec.stride)})
        if isinstance(offset, int) and offset < 0:
            raise views.unsupported("as_strided before the start of an input", {"offset": offset})
        self.inside(store.spec, size, stride, offset)
        root = base
        while root.parent is not None:
            root = root.parent
        if order != tuple(sorted(order)):
            shape = tuple(store.spec.shape[d] for d in order)
            spec = Spec.dense(shape, store.spec.dtype, store.spec.device)
            root = self.view(root, find("aten::permute"), (list(order),), {}, spec)
        found = self.view(root, node.op, (list(size), list(stride), offset), {}, node.spec)
        found.offset = offset
        return found

    @staticmethod
    def inside(spec: Spec, size: Any, stride: Any, offset: Any) -> None:
        last = offset
        for n, s in zip(size, stride, strict=True):
            last = last + (n - 1) * s
        total = views.numel(spec)
        if isinstance(last, int) and isinstance(total, int) and last >= total and 0 not in size:
            raise views.unsupported("as_strided beyond the end of an input", {"last": last, "elements": total})

    # ------------------------------------------------------------------ writing

    def write_call(self, node: Node) -> Any:
        op = node.op
        targets = [self.refs[n] for n in written_values(op, node.args, node.kwargs)]
        args, kwargs = self.read(node.args), self.read(node.kwargs)
        twin = twin_of(op)
        if twin is not None and len(targets) == 1:
            self.write(targets[0], self.cast(self.emit_twin(twin, args, kwargs, targets[0]), targets[0].spec))
            return targets[0]
        return self.functional(node, targets, args, kwargs)

    def emit_twin(self, twin: Any, args: Any, kwargs: Any, target: Ref) -> Node:
        found = infer(twin, args, kwargs, self.hints)
        shape = target.spec.shape
        return self.emit(twin, args, kwargs, Spec.dense(shape, found.dtype, target.spec.device))

    def cast(self, node: Node, spec: Spec) -> Node:
        """A value in another element type, where it has not the wanted one."""
        if node.spec.dtype == spec.dtype:
            return node
        made = Spec.dense(node.spec.shape, spec.dtype, spec.device)
        return self.emit("aten::_to_copy", (node,), {"dtype": spec.dtype}, made)

    def functional(self, node: Node, targets: list[Ref], args: Any, kwargs: Any) -> Any:
        """A call without functional twin: it returns its own results, then new values."""
        stores = [id(t) for t in targets]
        if len(set(stores)) < len(stores):
            raise views.unsupported(f"{node.op.name} writes into one tensor twice")
        specs = node.spec if isinstance(node.spec, tuple) else (node.spec,)
        own = own_results(node.op)
        made = self.emit(node.op, args, kwargs, (*(specs[i] for i in own), *(t.spec for t in targets)))
        for k, target in enumerate(targets):
            self.write(target, self.graph.add("item", "new", None, (made, len(own) + k), {}, target.spec, node.where))
        return self.results_of(node, made, own, targets)

    def results_of(self, node: Node, made: Node, own: tuple[int, ...], targets: list[Ref]) -> Any:
        schema = node.op.schema
        mine: list[Any] = []
        for i in range(len(schema.returns)):
            if i in own:
                spec = made.spec[own.index(i)]
                if spec is None:
                    mine.append(None)
                    continue
                item = self.graph.add("item", "item", None, (made, own.index(i)), {}, spec, node.where)
                mine.append(_Results(item) if isinstance(spec, tuple) else self.whole(item))
            else:
                mine.append(targets[schema.mutated_args.index(schema.aliases()[i][0])])
        return mine if isinstance(node.spec, tuple) else mine[0] if mine else None

    def write(self, ref: Ref, new: Node) -> None:
        """Give a tensor, and so its store and all views of that, a new content."""
        if ref.parent is None:
            ref.store.value = new
            ref.store.version += 1
        else:
            self.write(ref.parent, self.inverse(ref, new))
        ref.value, ref.version = new, ref.store.version

    def inverse(self, ref: Ref, new: Node) -> Node:
        """The content of a view's operand once the view holds ``new``."""
        op, base = ref.op, ref.parent
        assert base is not None
        name, spec = (op.name if op is not None else ""), base.spec
        if op is None:
            return new
        dense = Spec.dense(spec.shape, spec.dtype, spec.device)
        if name in views.RESHAPING or (name == "aten::expand" and views.numel(spec) == views.numel(ref.spec)):
            return new if new.spec.shape == spec.shape else self.emit("aten::view", (new, list(spec.shape)), {}, dense)
        if name == "aten::expand" and new.kind == "call" and new.op.name == "aten::full":
            return self.emit(new.op, (list(spec.shape), *new.args[1:]), new.kwargs, dense)  # one number everywhere
        if name in ("aten::t", "aten::transpose.int"):
            return self.emit(op, (new, *ref.args), ref.kwargs, spec)
        if name == "aten::permute":
            dims = [d % len(spec.shape) for d in ref.args[0]]
            return self.emit(op, (new, [dims.index(d) for d in range(len(dims))]), {}, spec)
        if name in views.SCATTERS:
            if views.covers(ref.spec, spec) and name == "aten::slice.Tensor":
                return new
            return self.emit(views.SCATTERS[name], (self.value(base), new, *ref.args), ref.kwargs, dense)
        if name in ("aten::as_strided", "aten::unfold"):
            size, stride, offset = ref.args if name == "aten::as_strided" else (*views.windows(ref.args, spec), 0)
            if views.overlaps(tuple(size), tuple(stride)):
                raise views.unsupported("a write through elements that may overlap", {"strides": list(stride)})
            window = (list(size), list(stride), offset)
            return self.emit("aten::as_strided_scatter", (self.value(base), new, *window), {}, dense)
        if name in _CONVERSIONS:
            to = (spec.dtype,) if name == "aten::view.dtype" else ()
            return self.emit(_CONVERSIONS[name], (new, *to), {}, dense)
        raise views.unsupported(f"a write through {name}", {"shape": list(ref.spec.shape)})


class _Results:
    """A call with several results: those that were asked for."""

    __slots__ = ("node", "made")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.made: dict[int, Any] = {}


_CONVERSIONS = {
    "aten::view.dtype": "aten::view.dtype",
    "aten::view_as_real": "aten::view_as_complex",
    "aten::view_as_complex": "aten::view_as_real",
}


def stem(name: str) -> str:
    """What a node's name is without the number that tells it from others."""
    return _NUMBER.sub("", name).strip("_") or "value"


def twin_of(op: Any) -> Any:
    """The operator that returns what an in-place one writes, or None."""
    if not op.schema.is_inplace or op.opname.startswith("__"):
        return None
    twin = find(f"{op.namespace}::{op.opname[:-1]}" + (f".{op.overload}" if op.overload else ""))
    if twin is None or twin.schema.is_mutable or len(twin.schema.arguments) != len(op.schema.arguments):
        return None
    return twin


# -- writes that are no calls of a twin --------------------------------------------------------------------------------


def _filled(rw: _Rewriter, node: Node) -> Ref:
    target: Ref = rw.refs[node.args[0]]
    value = node.args[1] if len(node.args) > 1 else 0
    spec = target.spec
    if isinstance(value, Node) and value.kind != "scalar":
        rw.write(target, _spread(rw, rw.value(rw.refs[value]), spec))
        return target
    if spec.dtype.category == 1 and isinstance(value, (int, float)) and not fits(value, spec.dtype.name):
        return rw.functional(node, [target], rw.read(node.args), rw.read(node.kwargs))  # an error, or wraps
    dense = Spec.dense(spec.shape, spec.dtype, spec.device)
    kwargs = {"dtype": spec.dtype, "device": spec.device}
    rw.write(target, rw.emit("aten::full", (list(spec.shape), rw.read(value)), kwargs, dense))
    return target


def _copied(rw: _Rewriter, node: Node) -> Ref:
    if not isinstance(node.args[1], Node) or node.args[1].kind == "scalar":
        return _filled(rw, node)
    target: Ref = rw.refs[node.args[0]]
    source = rw.refs[node.args[1]]
    if source is not target:
        rw.write(target, _spread(rw, rw.value(source), target.spec))
    return target


def _spread(rw: _Rewriter, value: Node, spec: Spec) -> Node:
    """A value in the type and shape of what it is written into."""
    if value.spec.device != spec.device:
        made = Spec.dense(value.spec.shape, spec.dtype, spec.device)
        value = rw.emit("aten::_to_copy", (value,), {"dtype": spec.dtype, "device": spec.device}, made)
    value = rw.cast(value, spec)
    if value.spec.shape == spec.shape:
        return value
    lead = len(value.spec.shape) - len(spec.shape)
    if lead > 0:  # copy_ takes leading sizes of 1
        shape = value.spec.shape[lead:]
        value = rw.emit("aten::view", (value, list(shape)), {}, Spec.dense(shape, spec.dtype, spec.device))
    skip = len(spec.shape) - len(value.spec.shape)
    stride = (0,) * skip + tuple(0 if n == 1 and spec.shape[d + skip] != 1 else s for d, (n, s) in
                                 enumerate(zip(value.spec.shape, value.spec.stride, strict=True)))
    return rw.emit("aten::expand", (value, list(spec.shape)), {}, Spec(spec.shape, stride, spec.dtype, spec.device))


def _resized(rw: _Rewriter, node: Node) -> Ref:
    target: Ref = rw.refs[node.args[0]]
    if tuple(node.args[1]) != tuple(target.spec.shape):
        raise views.unsupported("resize_ changes a size", {"from": target.spec.shape, "to": tuple(node.args[1])})
    return target


def _set(rw: _Rewriter, node: Node) -> Ref:
    raise views.unsupported("set_ gives a tensor other memory")


_WRITES = {
    "aten::fill_.Scalar": _filled,
    "aten::fill_.Tensor": _filled,
    "aten::zero_": _filled,
    "aten::copy_": _copied,
    "aten::resize_": _resized,
    "aten::set_.source_Tensor": _set,
}
