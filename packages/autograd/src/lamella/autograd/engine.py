"""The backward engine: hands gradients down the graph.

Nodes wait in a heap by ``seq``. Since a node is always made after the nodes it feeds, the latest waiting node has
received all it will ever receive (see `graph`), so it runs; a chain needs neither heap nor dictionary. Leaves take
gradients as they come. Only leaves with hooks are counted first, because their hooks must see the whole gradient and
see it early.
"""

from __future__ import annotations

import threading
from _thread import _count as other_threads
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from lamella.core.tensor import Tensor
from lamella.dispatch import registry
from lamella.dispatch.errors import message
from lamella.dispatch.keys import AUTOGRAD_MASK, DispatchKey, bit
from lamella.dispatch.state import state

from . import anomaly
from .graph import (
    CHECKED,
    LEAF,
    MULTI,
    SAVES,
    WATCHED,
    AccumulateGrad,
    Edge,
    Node,
    leaves_with_hooks,
    node_of,
    output_of,
)

MISSING = object()
STOP = LEAF | MULTI
MAX_DEPTH = 60  # backward inside backward goes to a fresh thread here, whose stack is empty
_PYTHON = bit(DispatchKey.Python)
_lock = threading.RLock()


def current_task() -> Task | None:
    """The backward pass that this thread is in."""
    return state.thread.__dict__.get("task")


class Task:
    """One run of the engine.

    Attributes:
        keep: keep saved tensors for another backward.
        create: record the gradients' own graph.
        needed: None, or the only nodes to run or to collect gradients for.
        captures: node -> [(output number, place in results)].
        waits: leaf with hooks -> gradients still to come.
    """

    needed: set[Node] | None = None
    captures: Mapping[Node, list[tuple[int, int]]] = {}
    results: list[Any] = []
    waits: dict[Node, int] = {}
    owned: set[tuple[Node, int]] = set()
    callbacks: list[Callable[[], None]] | None = None
    guarded: int | None = None
    depth = 0
    outer: Task | None = None
    node: Node | None = None
    special = False
    roots: Sequence[Edge] = ()

    def __init__(self, keep: bool, create: bool) -> None:
        self.keep = keep
        self.create = create
        self.pending: dict[Node, Any] = {}
        self.heap: list[tuple[int, Node]] = []
        self.ready: list[AccumulateGrad] = []
        self.locked = other_threads() > 0

    def guard(self) -> None:
        """Become this thread's current task and set its grad mode for the run; `leave` undoes both."""
        if self.guarded is None:
            here = state.thread.__dict__
            exclude = here["exclude"]
            self.guarded = state.swap_exclude(exclude & ~AUTOGRAD_MASK if self.create else exclude | AUTOGRAD_MASK)
            outer = self.outer = here.get("task")
            self.depth = 1 if outer is None else outer.depth + 1
            here["task"] = self

    def leave(self) -> None:
        """Put back what was there before `guard`."""
        if self.guarded is not None:
            state.swap_exclude(self.guarded)
            state.thread.__dict__["task"] = self.outer

    def reached(self) -> set[Node]:
        """All nodes that this run comes to."""
        nodes = set(_reachable([node_of(r) for r in self.roots]))
        return nodes if self.needed is None else nodes & self.needed

    def put(self, node: Node, nr: int, g: Any) -> None:
        """Add a gradient to those that wait for a node."""
        pending = self.pending
        if node.kind & MULTI:
            slots = pending.get(node)
            if slots is None:
                slots = pending[node] = [None] * node.num_outputs
                heappush(self.heap, (node.seq, node))
            slots[nr] = g if slots[nr] is None else self.add(node, nr, slots[nr], g)
            return
        old = pending.get(node, MISSING)
        if old is MISSING:
            pending[node] = g
            heappush(self.heap, (node.seq, node))
        else:
            pending[node] = g if old is None else self.add(node, nr, old, g)

    def add(self, node: Node, nr: int, old: Tensor, g: Any) -> Any:
        """The sum of two gradients, written into the old one when that is the engine's own."""
        if g is None:
            return old
        key = (node, nr)
        if not self.owned:
            self.owned = set()
        if key in self.owned and g._ag is None and not self.create and old._a.dtype == g._a.dtype:
            return _add_(old, g)
        if not self.create:
            self.owned.add(key)
        return _add(old, g)

    def leaf(self, node: AccumulateGrad, g: Any) -> None:
        """A gradient for a leaf that is watched or captured."""
        if self.needed is not None and node not in self.needed:
            return
        slots = self.pending.get(node, MISSING)
        if slots is MISSING or slots is None:
            self.pending[node] = g
        else:
            self.pending[node] = self.add(node, 0, slots, g)
        left = self.waits.get(node, 0) - 1
        if left >= 0:
            self.waits[node] = left
        if left == 0:
            self.ready.append(node)

    def finish_leaves(self) -> None:
        """Leaves to which everything has come: hooks, then capture or accumulation, then hooks."""
        while self.ready:
            node = self.ready.pop(0)
            grads = [self.pending.pop(node)]
            self.owned.discard((node, 0))
            watch = node.watch
            if watch is not None:
                self.guard()
                self.node = node
                grads = watch.arrived(node, grads)
            captures = self.captures.get(node)
            if captures is not None:
                for _, place in captures:
                    self.results[place] = grads[0]
                continue
            if watch is not None and watch.pre:
                grads = watch.before(node, grads)
            if grads[0] is not None:
                if grads[0]._ks & _PYTHON:
                    grads[0] = node.arriving(grads[0])
                with _lock:
                    for _, g in zip((None,), grads, strict=False):  # as many references as in _hand_out
                        node.accumulate(g)
            if watch is not None:
                leaf = node.variable_ref()
                for hook in list(watch.accumulated.values()) if leaf is not None else ():
                    hook(leaf)
                if watch.post:
                    watch.after(node, [], grads)

    def step(self, node: Node, buffer: Any) -> Any:
        """Run one node that is not plain: hooks, captures, several outputs, checks."""
        kind = node.kind
        self.node = node
        grads = list(buffer) if kind & MULTI else [buffer]
        self.guard()
        if kind & WATCHED:
            grads = node.watch.arrived(node, grads)  # type: ignore[union-attr]
        for nr, place in self.captures.get(node, ()):
            self.results[place] = grads[nr]
        if self.needed is not None and not any(e is not None and node_of(e) in self.needed for e in node.edges):
            return ()
        if kind & WATCHED and node.watch.pre:  # type: ignore[union-attr]
            grads = node.watch.before(node, grads)  # type: ignore[union-attr]
        if kind & (MULTI | CHECKED) or grads[0] is not None:
            outs = node.apply(*grads)
        else:
            outs = (None,) * len(node.edges)
        if outs.__class__ is not tuple:
            outs = (outs,)
        if kind & WATCHED and node.watch.post:  # type: ignore[union-attr]
            outs = tuple(node.watch.after(node, list(outs), grads))  # type: ignore[union-attr]
        if anomaly.enabled:
            anomaly.check_backward(node, outs)
        if kind & SAVES and not self.keep:
            node.release()
        return outs


def _loop(task: Task, node: Node | None, grad: Any) -> None:
    """Run ``node`` on ``grad``, then all that follows from it and from what waits in the task."""
    pending, heap, ready, keep, special = task.pending, task.heap, task.ready, task.keep, task.special
    unguarded = True
    while True:
        if node is None or (heap and heap[0][0] < node.seq):
            if node is not None:
                task.put(node, 0, grad)
            if not heap:
                return
            node = heappop(heap)[1]
            grad = pending.pop(node)
        kind = node.kind
        while True:  # along a chain
            if kind > SAVES or grad is None or special:
                outs = task.step(node, grad)
            elif kind:
                if unguarded:
                    task.guard()
                    unguarded = False
                outs = node.apply(grad)
                if not keep:
                    node.release()
            else:
                outs = node.apply(grad)
            edges = node.edges
            grad = None
            if outs.__class__ is tuple:
                if pending or special or len(edges) != 2:
                    break
                edge, other = edges
                if other is None:
                    outs, _ = outs
                elif edge is None:
                    edge = other
                    _, outs = outs
                else:
                    break
                edges = (edge,)
            else:
                edge = edges[0]
            if edge is None or pending or special:
                outs = (outs,)
                break
            node = edge if edge.__class__ is not tuple else edge[0]  # type: ignore[assignment, index]
            kind = node.kind
            if kind & STOP:
                outs = (outs,)
                break
            grad = outs
        node, grad = _hand_out(task, edges, outs)
        if ready:
            outs = None
            task.finish_leaves()


def _hand_out(task: Task, edges: tuple[Edge | None, ...], outs: tuple[Any, ...]) -> tuple[Node | None, Any]:
    """Give each gradient to its node; the first node that nothing waits for is returned to go on with."""
    node = grad = None
    pending = task.pending
    for edge, g in zip(edges, outs):  # noqa: B905 - apply gives one value per edge; strict costs time here
        if edge is None:
            continue
        target: Any = edge if edge.__class__ is not tuple else edge[0]  # type: ignore[index]
        kind = target.kind
        if kind & LEAF:
            if kind > LEAF or task.special:
                task.leaf(target, g)  # type: ignore[arg-type]
            elif g is not None:
                if g._ks & _PYTHON:
                    g = target.arriving(g)
                if task.locked:
                    with _lock:
                        target.accumulate(g)
                else:
                    target.accumulate(g)
        elif task.needed is not None and target not in task.needed:
            continue
        elif node is None and target not in pending and not kind & MULTI:
            node, grad = target, g
        elif target is node:
            task.put(node, 0, grad)
            task.put(node, 0, g)
            node = None
        else:
            task.put(target, output_of(edge), g)
    return node, grad


def _add(a: Tensor, b: Tensor) -> Any:
    ks = a._ks | b._ks
    if ks & state.affected:
        ks = state.apply(ks)
    return _table("aten::add.Tensor")[ks](a, b)


def _add_(a: Tensor, b: Tensor) -> Any:
    ks = a._ks | b._ks
    if ks & state.affected:
        ks = state.apply(ks)
    return _table("aten::add_.Tensor")[ks](a, b)


_tables: dict[str, Any] = {}


def _table(name: str) -> Any:
    table = _tables.get(name)
    if table is None:
        op = registry.find(name)
        if op is None:
            raise RuntimeError(message("backward", f"{name} is not registered", hint="import lamella.core first"))
        table = _tables[name] = op.table
    return table


def run(roots: Sequence[Edge], grads: Sequence[Any], keep: bool, create: bool,
        inputs: Sequence[Edge] | None = None, into_leaves: bool = True) -> list[Any]:
    """Run backward.

    Args:
        roots: where to start.
        grads: the gradient at each root.
        keep: keep saved tensors.
        create: record the gradients' graph.
        inputs: only go where these edges are reached.
        into_leaves: with ``inputs``: add to the gradient of leaves instead of returning it.

    Returns:
        The gradients at ``inputs`` when they are not added to leaves, else an empty list.
    """
    task = Task(keep, create)
    task.roots = roots
    if inputs is not None:
        _select(task, [node_of(r) for r in roots], inputs, into_leaves)
    if anomaly.enabled:
        task.special = True
    if leaves_with_hooks or inputs is not None:
        _count_leaf_edges(task, roots)
    outer = current_task()
    if outer is not None and outer.depth >= MAX_DEPTH:
        return _on_fresh_thread(task, roots, grads)
    return _drive(task, roots, grads)


def _drive(task: Task, roots: Sequence[Edge], grads: Sequence[Any]) -> list[Any]:
    """Run a prepared task on this thread."""
    node = grad = None
    try:
        if task.create or state.affected & AUTOGRAD_MASK:
            task.guard()
        if len(roots) == 1 and not node_of(roots[0]).kind & STOP:
            node, grad = node_of(roots[0]), grads[0]
            if grad is not None and grad._ag is not None:
                task.guard()
        else:
            task.guard()
            node, grad = _hand_out(task, tuple(roots), tuple(grads))
        _loop(task, node, grad)
        if task.pending:  # leaves whose hooks were added on the way: nobody counted for them
            task.ready += [n for n in task.pending if isinstance(n, AccumulateGrad) and n not in task.ready]
        task.finish_leaves()
        if task.callbacks:
            for callback in task.callbacks:
                callback()
    except Exception as error:
        if anomaly.enabled and task.node is not None:
            anomaly.annotate(error, task.node)
        raise
    finally:
        if task.guarded is not None:
            task.leave()
    return task.results


def _reachable(starts: Sequence[Node]) -> list[Node]:
    """All nodes below ``starts``, the earliest made first."""
    seen = set(starts)
    stack = list(seen)
    while stack:
        for edge in stack.pop().edges:
            node = None if edge is None else node_of(edge)
            if node is not None and node not in seen:
                seen.add(node)
                stack.append(node)
    return sorted(seen, key=lambda n: -n.seq)


def _select(task: Task, starts: Sequence[Node], inputs: Sequence[Edge], into_leaves: bool) -> None:
    """Restrict a task to what ``inputs`` need, and note where their gradients go."""
    task.special = True
    task.results = [None] * len(inputs)
    wanted = {node_of(edge) for edge in inputs}
    captures: dict[Node, list[tuple[int, int]]] = {}
    task.captures = captures
    if not into_leaves:
        for place, edge in enumerate(inputs):
            captures.setdefault(node_of(edge), []).append((output_of(edge), place))
    needed = set(wanted)
    for node in _reachable(starts):
        if node not in needed and any(e is not None and node_of(e) in needed for e in node.edges):
            needed.add(node)
    task.needed = needed


def _count_leaf_edges(task: Task, roots: Sequence[Edge]) -> None:
    """How many gradients each leaf that has hooks will receive."""
    waits = task.waits = {}
    nodes = _reachable([node_of(r) for r in roots])
    if task.needed is not None:
        nodes = [n for n in nodes if n in task.needed]
    for edge in roots:
        if edge.__class__ is AccumulateGrad:
            waits[edge] = waits.get(edge, 0) + 1
    for node in nodes:
        for edge in node.edges:
            if edge is not None and edge.__class__ is AccumulateGrad:
                waits[edge] = waits.get(edge, 0) + 1


def _on_fresh_thread(task: Task, roots: Sequence[Edge], grads: Sequence[Any]) -> list[Any]:
    """Backward inside backward, many levels deep: go on where the call stack is empty, and wait."""
    here = state.thread
    levels = list(here.__dict__.get("levels", ()))
    results: list[Any] = []
    errors: list[BaseException] = []

    def body() -> None:
        there = state.thread
        state.set_masks(here.include, here.exclude)
        there.modes, there.function_modes = here.modes, here.function_modes
        there.__dict__["levels"] = levels
        try:
            results.extend(_drive(task, roots, grads))
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            errors.append(error)
        finally:
            state.set_masks(0, 0)

    worker = threading.Thread(target=body, name="lamella-backward")
    worker.start()
    worker.join()
    if errors:
        raise errors[0]
    return results


def queue_callback(fn: Callable[[], None]) -> None:
    """Call ``fn()`` when the backward pass that is going on has done everything else.

    Errors:
        RuntimeError: no backward pass is going on.
    """
    task = current_task()
    if task is None:
        raise RuntimeError(message("queue_callback", "Final callbacks can only be installed during backward pass"))
    if task.callbacks is None:
        task.callbacks = []
    task.callbacks.append(fn)
