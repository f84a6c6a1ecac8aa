"""Nodes of the backward graph and the edges between them.

An edge is the place that a tensor's gradient goes to: the node that made the tensor or, where that has several
outputs, a tuple ``(node, output_nr)``. A node's ``edges`` say where the gradients that it computes go. Edges point
from results to inputs, so a graph lives exactly as long as some result of it.

No node refers to a tensor that may own the graph: a leaf keeps its gradient itself and its `AccumulateGrad` sees it
through a weak reference; own outputs are saved detached; leaves are saved as their twin (see `saved`). So graphs die
without the cycle collector, also when gradients carry graphs.

Order: ``seq`` counts *down* over all threads, and a node is made after the nodes of its inputs. Nodes that run in the
order of ``seq`` therefore never run before a node that still has something to give them; no counting is needed.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from lamella.core.tensor import Tensor, bump, describe, wrap
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, DispatchKey, bit
from lamella.dispatch.state import state

from .hooks import RemovableHandle, Watch, check_callable

#: Where sequence numbers come from: ``node.seq = next(counter)``. Lower is later.
counter = count(-1, -1)

SAVES = 1  # has saved tensors: runs without grad mode unless create_graph, and is released afterwards
MULTI = 2  # more than one output: gradients come as separate arguments, None where there is none
WATCHED = 4  # `watch` is set
LEAF = 8  # an AccumulateGrad
CHECKED = 16  # its results are not trusted: they are checked against the inputs that `input_metadata` describes

_CPU = bit(DispatchKey.CPU)
_refcount = sys.getrefcount
_add = np.add


class Node:
    """One differentiable call, as backward sees it.

    Attributes:
        edges: where each computed gradient goes, None for inputs without gradient.
        seq: position in the order of creation (negative, lower is later).
        kind: class attribute, flags SAVES | MULTI | CHECKED; an instance gets WATCHED when it has hooks.
        num_outputs: how many gradients come in.
        watch: None, or the hooks.
    """

    __slots__ = ("edges", "seq", "__dict__", "__weakref__")
    edges: tuple[Any, ...]
    seq: int
    kind = 0
    num_outputs = 1
    watch: Watch | None = None
    custom = False  # the user wrote its backward
    source = False  # it stands for a transform's input, which is a leaf to the function
    #: attributes that hold saved tensors; `saved` looks here for hooks, messages and pictures.
    saved: tuple[str, ...] = ()

    def apply(self, *grads: Any) -> Any:
        """Compute the gradients of the inputs: one value for one edge, else a tuple as long as ``edges``."""
        raise RuntimeError(message(self.name(), "has no backward"))

    def release(self) -> None:
        """Give up the saved tensors."""
        from .saved import FREED

        for name in self.saved:
            setattr(self, name, FREED)

    def name(self) -> str:
        """The operator's name with ``Backward`` behind it, as torch spells it."""
        return type(self).__name__

    def operator(self) -> str:
        """The operator's own name: ``index_select`` for IndexSelectBackward0."""
        name = self.name().split("Backward")[0]
        return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The edges as pairs ``(node, output number)``; ``(None, 0)`` for inputs without gradient."""
        return tuple((None, 0) if e is None else (node_of(e), output_of(e)) for e in self.edges)

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for notes about this node; anomaly mode keeps the forward stack in it."""
        found = self.__dict__.get("_metadata")
        if found is None:
            found = self.__dict__["_metadata"] = {}
        return found

    def _sequence_nr(self) -> int:
        return -self.seq

    def watched(self) -> Watch:
        """The hooks of this node, made when first asked for."""
        watch = self.watch
        if watch is None:
            watch = self.watch = Watch()
            self.kind = self.kind | WATCHED
        return watch

    def register_hook(self, fn: Callable[[Any, Any], Any]) -> RemovableHandle:
        """Call ``fn(grad_inputs, grad_outputs)`` after this node has run; a returned tuple replaces ``grad_inputs``."""
        check_callable("register_hook", fn)
        hooks = self.watched().post
        handle = RemovableHandle(hooks)
        hooks[handle.id] = fn
        return handle

    def register_prehook(self, fn: Callable[[Any], Any]) -> RemovableHandle:
        """Call ``fn(grad_outputs)`` before this node runs; a returned tuple replaces ``grad_outputs``."""
        check_callable("register_prehook", fn)
        hooks = self.watched().pre
        handle = RemovableHandle(hooks)
        hooks[handle.id] = fn
        return handle

    def __call__(self, *grads: Any) -> Any:
        """Run the node by itself on gradients for its outputs."""
        return self.apply(*grads)

    def __repr__(self) -> str:
        return f"<{self.name()} object at {id(self):#x}>"


#: A node with one output, or a node and which of its outputs.
Edge = Node | tuple[Node, int]


def node_of(edge: Any) -> Any:
    """The node at the end of an edge."""
    return edge if edge.__class__ is not tuple else edge[0]


def output_of(edge: Any) -> int:
    """Which output of its node an edge comes from."""
    return 0 if edge.__class__ is not tuple else edge[1]


def edge_to(node: Node, nr: int) -> Edge:
    """The edge to one output of a node."""
    return (node, nr) if node.kind & MULTI else node


class AccumulateGrad(Node):
    """The end of a path: adds what arrives to the gradient of a leaf."""

    __slots__ = ("variable_ref",)
    variable_ref: Any
    kind = LEAF

    def __init__(self, variable: Tensor) -> None:
        self.edges = ()
        self.seq = next(counter)
        self.variable_ref = weakref.ref(variable)

    @property
    def variable(self) -> Tensor | None:
        """The leaf, or None when nobody else holds it any more."""
        return self.variable_ref()

    def watched(self) -> Watch:
        if self.watch is None:
            leaves_with_hooks[id(self)] = weakref.ref(self, _forget_leaf(id(self)))
        return super().watched()

    def apply(self, *grads: Any) -> Any:
        if grads[0] is not None:
            self.accumulate(grads[0])

    def arriving(self, g: Tensor) -> Tensor:
        """A gradient as its leaf wants it, where the leaf is of a class that does. Called without the engine's lock: it
        may wait for other threads."""
        leaf = self.variable_ref()
        return g if leaf is None or leaf._arriving is None else leaf._arriving(g)

    def accumulate(self, g: Tensor) -> None:
        """Add ``g`` to the leaf's gradient; a first gradient that nobody else can see is kept without a copy."""
        leaf = self.variable_ref()
        if leaf is None:
            return
        a, v, old = g._a, leaf._a, leaf._grad
        if a.shape != v.shape or a.dtype is not v.dtype or (g._ks ^ leaf._ks) & ~AUTOGRAD_MASK:
            if hasattr(g, "_settled"):
                g = g._settled()  # a leaf's gradient keeps no tangent
            g = fit(g, leaf, self)
            a = g._a
        if old is None:
            if g._ag is not None:
                leaf._grad = g.clone()
            elif a.strides != v.strides or _refcount(g) > REFS_OF_UNSHARED or not _owns(g, a):
                leaf._grad = _copy(g, v)
            else:
                leaf._grad = g
        elif g._ag is not None or old._ag is not None:
            leaf._grad = old + g
        elif old._ks == g._ks == _CPU and not state.affected & _CPU:
            _add(old._a, a, old._a)
            if old._vc is None:
                bump(old, "backward")
            else:
                old._vc.n += 1
        else:
            old.add_(g)


def _owns(g: Tensor, a: Any) -> bool:
    """Whether nothing but ``g`` can see its memory."""
    vc = g._vc
    if g._base is not None or (vc is not None and _refcount(vc) > 3):
        return False
    base = a.base if type(a) is np.ndarray else None
    if base is None:
        return True
    # Compiled programs' arrays lie in blocks of bytes from ctypes, which is not imported for this question.
    alone = base.base is None if type(base) is np.ndarray else type(type(base)).__name__ == "PyCArrayType"
    return alone and _refcount(base) <= 3


def _copy(g: Tensor, v: Any) -> Tensor:
    """A copy of a gradient, laid out like the leaf where the leaf is dense, else row-major."""
    if g._ks != _CPU:
        return g.clone()
    if state.affected & _CPU:  # somebody listens to operators
        size = v.itemsize
        if g._a.strides == v.strides:
            return g.clone()
        return g.new_empty_strided(v.shape, [s // size for s in v.strides]).copy_(g.detach())
    if g._a.strides == v.strides:
        return wrap(g._a.copy("K"), _CPU)
    out = np.empty_like(v, dtype=g._a.dtype, subok=False)
    np.copyto(out, g._a)
    return wrap(out, _CPU)


class _Probe:
    def count(self, g: object) -> int:
        return _refcount(g)


def _calibrate() -> int:
    """References to a gradient in `accumulate` when only the engine holds it: its tuple, and its loop over it."""
    outs = (object(),)
    target = _Probe()
    for _, g in zip((None,), outs):  # noqa: B905 - written as in the engine
        return target.count(g)
    return 0


REFS_OF_UNSHARED = _calibrate()
leaves_with_hooks: dict[int, Any] = {}


def _forget_leaf(key: int) -> Callable[[Any], None]:
    return lambda _ref: leaves_with_hooks.pop(key, None) and None


def fit(g: Tensor, like: Any, node: Node) -> Tensor:
    """A gradient made to fit the tensor that it belongs to: summed over expanded dimensions, cast; else an error."""
    if g.shape != like.shape:
        if not _expands(tuple(like.shape), tuple(g.shape)):
            raise RuntimeError(message(
                node.name(), f"returned an invalid gradient: got {list(g.shape)} but expected shape compatible with "
                f"{list(like.shape)}", {"gradient": describe(g), "input": describe(like)}))
        from .fit import sum_to

        g = sum_to(g, tuple(like.shape))
    if g.dtype != like.dtype:
        if g.is_complex() and not like.dtype.is_complex:
            g = g.real
        g = g.to(like.dtype)
    if g.device != like.device:
        if g.dim() == 0:
            return g.to(like.device)
        raise RuntimeError(message(node.name(), f"returned a gradient on {g.device}, expected device {like.device}",
                                   {"gradient": describe(g), "input": describe(like)}))
    return g


def _expands(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    lead = len(large) - len(small)
    return lead >= 0 and all(s in (1, n) for s, n in zip(small, large[lead:], strict=True))


class GraphRoot(Node):
    """A node without inputs that hands out fixed gradients."""

    __slots__ = ("grads",)
    grads: tuple[Any, ...]


class GradientEdge(NamedTuple):
    """A place in the graph: usable wherever backward takes a tensor as output or input.

    Attributes:
        node: the node.
        output_nr: which of its outputs.
        ownership_token: kept for torch's sake.
    """

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """The edge that receives a tensor's gradient; it stays valid when the tensor is gone or changed in place.

    Args:
        tensor: a tensor that requires grad.

    Errors:
        RuntimeError: the tensor does not require grad.

    Example:
        >>> from lamella.core import ones
        >>> get_gradient_edge(ones(2, requires_grad=True)).node.name()
        'AccumulateGrad'
    """
    edge = getattr(tensor, "_ag", None)
    if edge is None:
        raise RuntimeError(message("get_gradient_edge", "It is not possible to get the gradient edge for a Tensor that "
                                   "does not require gradients", [describe(tensor)]))
    return GradientEdge(node_of(edge), output_of(edge))
