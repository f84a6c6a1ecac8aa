"""One recorded call: the function runs under the recorder, and what it left behind is looked at."""

from __future__ import annotations

import gc
import types
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from lamella.core.tensor import CPU, Tensor
from lamella.dispatch.state import state

from .. import layers
from ..graph.joint import Joint, join
from ..graph.node import Graph, Node
from .arguments import Argument, Arguments, parameter_names
from .breaks import Break, Changed, Noticed
from .fakes import FakeTensor
from .guards import Guard, Names, differs, shown
from .reads import Reads, held
from .recorder import Recorder
from .results import Outputs, clash, leaves, mutated, result_tree
from .stores import Again, Stores, is_place
from .symint import Observed
from .watch import Watch, undo


@dataclass
class Capture:
    """A recorded call.

    Attributes:
        graph: raw: calls may mutate, values may be views.
        inputs: the tensor of each input (for arguments: of the recorded call).
        arguments: the tensors among the arguments.
        names: the constants that guards refer to.
        guards: what must hold.
        sources: text that gives each run-time float.
        scalars: text of the program's scalars (over ``s0``, ``s1``, ...), in order.
        pinned: text over run-time floats -> value that it must have.
        result: the result with `Leaf` in the place of tensors.
        grads: (leaf: tensor or argument, number of an output; None for no gradient), where it changes.
        mutated: numbers of inputs that are written.
        bumps: (number of an input, by how much its version moves).
        steps: (optimizer, how many steps it counts).
        needs_grad: whether an output requires gradients.
        joint: the backward that the graph holds then.
        carriers: number of an input without elements -> the whole number that is its size.
        places: (text of an argument, dimension) -> the symbol of a size that varies.
        ranges: a symbol -> the smallest and the largest value at which the function was recorded.
        seen: the values of all symbols for which the program is good, where a range does not tell it; else None.
        stores: (text of an attribute or variable, what it is set to, with `Leaf` in the place of tensors).
        key: key set of what the program makes: of tensors on the CPU, or on a GPU.
    """

    graph: Graph
    inputs: list[Any]
    arrays: list[Any]
    arguments: list[Argument]
    names: Names
    guards: list[Guard]
    sources: list[str]
    scalars: list[str]
    pinned: dict[str, Any]
    result: Any
    grads: list[tuple[Any, int | None]]
    mutated: list[int]
    bumps: list[tuple[int, int, str]]
    steps: list[tuple[Any, int]]
    needs_grad: bool
    tensors: list[tuple[Any, ...]] = field(default_factory=list)
    given: int = 0
    keywords: tuple[str, ...] = ()
    looks_at_grads: bool = True
    observed: Any = None
    joint: Joint | None = None
    stores: list[tuple[str, Any]] = field(default_factory=list)
    carriers: dict[int, str] = field(default_factory=dict)
    places: dict[tuple[str, int], str] = field(default_factory=dict)
    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    seen: set[tuple[int, ...]] | None = None
    key: int = CPU


def trace(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *,
          wanted: set[Any] | None = None, sizes: dict[Any, int] | None = None) -> Capture:
    """Record a call.

    Args:
        fn: the function.
        args, kwargs: as it would be called.
        wanted: floats that become run-time values: ``(id(dict), key)``, or the text of an argument.
        sizes: sizes that stand in for those of arguments (see `sizes`).

    Returns:
        The `Capture`.

    Raises:
        Break: the call cannot become a graph; nothing has happened then.
        Exception: what the function itself raised.

    Example:
        >>> from lamella.core import ones
        >>> [n.kind for n in trace(lambda x: x * 2 + 1, (ones(3),)).graph.nodes]
        ['input', 'call', 'call', 'output']
    """
    wanted = set() if wanted is None else wanted
    for _ in range(3):
        try:
            return _Trace(fn, args, kwargs or {}, wanted, sizes).run()
        except Again as again:
            wanted |= again.places
    raise Changed("the function keeps tensors in places that change from call to call")


class _Trace:
    def __init__(self, fn: Any, args: Any, kwargs: Any, wanted: set[Any], sizes: Any) -> None:
        self.fn, self.args, self.kwargs = fn, args, kwargs
        self.names = Names()
        self.recorder = Recorder()
        self.reads = Reads(self.names, self.recorder.pins, wanted)
        self.recorder.lifted = self._lifted
        self.arguments = Arguments(self.recorder, self.reads, wanted, sizes)
        self.watch = Watch(self.reads, self.recorder, bool(sizes))
        self.observed = Observed() if sizes else None
        if self.observed is not None:
            self.observed.pins = self.recorder.pins
        self.result: Any = None
        self.joint: Joint | None = None
        self.stores = Stores()
        self.reads.arguments = self.arguments

    def run(self) -> Capture:
        thread = state.thread
        modes = thread.include, thread.exclude
        hooked = layers.kept_hooks()
        collecting = gc.isenabled()
        gc.disable()  # what it calls back and what dies by it would be taken for the function's
        try:
            self._record()
            if (thread.include, thread.exclude) != modes:
                raise Changed("the function leaves grad mode or autocast switched")
            if layers.drop_hooks(hooked):
                raise Changed("the function registers hooks on tensors that outlive it")
            return self._finish()
        finally:
            layers.drop_hooks(hooked)
            if (thread.include, thread.exclude) != modes:
                state.set_masks(*modes)
            self.watch.undo_writes()
            undo(self.reads)
            if collecting:
                gc.enable()

    def _lifted(self, t: Tensor) -> Any:
        """A real tensor is met for the first time; gradients are found by their leaf, since they come and go."""
        self.reads.note_tensor(t)
        owner = self.reads.gradient_of.get(id(t))
        if owner is None or type(t) is not Tensor:
            return None
        number = next((a for a in self.arguments.found if a.real is owner), None)
        expr, what = (self.names(owner), f"gradient of a {type(owner).__name__}") if number is None else (
            number.expr, f"{number.what}.grad")
        return self.arguments.adopt(t, f"{expr}._grad", what)

    def _record(self) -> None:
        with Noticed() as breaks:
            try:
                with self.watch, self.observed or nullcontext():
                    given = self._given()
                    with self.recorder:
                        self.result = self.fn(*given[0], **given[1])
                        self.recorder.check_finished()
                        self.joint = join(self.recorder, self.result)
            except Exception as error:
                if breaks and error is not breaks[0]:
                    raise breaks[0] from error
                raise
        if breaks:
            raise breaks[0]

    def _given(self) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with fakes in place of tensors; guards on the function itself."""
        fn, reads = self.fn, self.reads
        if isinstance(fn, types.MethodType):
            reads.visit(fn.__self__, None, type(fn.__self__).__name__)
            reads.visit(fn.__func__, None, fn.__name__)
        else:
            reads.visit(fn, None, getattr(fn, "__name__", "function"))
        names = parameter_names(fn, len(self.args))
        args = [self.arguments.replace(a, f"a{i}", names[i]) for i, a in enumerate(self.args)]
        kwargs = {k: self.arguments.replace(v, f"kw[{k!r}]", k) for k, v in self.kwargs.items()}
        return args, kwargs

    # ------------------------------------------------------------------ afterwards

    def _finish(self) -> Capture:
        self.stores.collect(self.reads, self.watch, self.recorder)
        self._refuse_changes()
        steps = self._counted_steps()
        recorder, outputs = self.recorder, Outputs(self.recorder)
        expressions = {id(a.fake): a.expr for a in self.arguments.found}
        result = result_tree(self.result, outputs, expressions)
        stores = [(target, result_tree(value, outputs, expressions)) for target, value in self.stores.found]
        needs_grad = any(leaf.kind == "grad output" for leaf in leaves(result))
        grads = self._grads(outputs)
        bumps = self._bumps()
        graph = _ordered(recorder.graph, outputs)
        changed = mutated(graph, recorder)
        shared = clash(recorder.arrays, changed)
        if shared is not None:
            a, b = (self._called(i) for i in shared)
            raise Break(f"{a} and {b} share memory, and one is written to", lasting=False)
        lifted = {id(t) for t in recorder.inputs}
        dropped = self.reads.gradient_of.keys() - lifted
        noted = [row for key, row in self.reads.tensors.items() if key not in dropped]
        capture = Capture(
            graph, self._real_inputs(), recorder.arrays, self.arguments.found, self.names, self.reads.guards,
            self.reads.sources, list(recorder.pins.used), recorder.pins.guards, result, grads, changed, bumps, steps,
            needs_grad, noted, len(self.args), tuple(self.kwargs), bool(grads) or self.reads.looks_at_grads)
        if self.joint is not None:
            self.joint.close(graph)
            capture.joint = self.joint
            count = len(capture.inputs) - len(self.joint.tangents)
            del capture.inputs[count:], capture.arrays[count:]
        capture.stores, capture.key = stores, recorder.key
        if recorder.gpu is not None and any(n.spec.device.type == "cpu" for n in outputs.nodes):
            raise Break("a result is on the CPU, where other tensors are on a GPU")
        capture.carriers = self.arguments.carriers
        capture.observed, graph.symbols = self.observed, dict(self.arguments.symbols)
        return capture

    def _real_inputs(self) -> list[Any]:
        real = {id(a.fake): a.real for a in self.arguments.found}
        return [real.get(id(t), t) for t in self.recorder.inputs]

    def _called(self, number: int) -> str:
        for a in self.arguments.found:
            if a.number == number:
                return a.what
        return f"a tensor that the function reaches ({shown(self.recorder.inputs[number])})"

    def _refuse_changes(self) -> None:
        """Python state that was read must be as it was; what is only written must not have changed either."""
        self.watch.refuse_draws()
        self.reads.namespaces()
        if self.reads.takes_apart:
            self.recorder.pins.pin_all()
            if self.observed is not None:
                self.observed.may_miss(1)
        stored = self.stores.places
        for holder, key, value in self.reads.replaced:
            if (id(holder), key) in stored or self.reads.stand_ins[id(holder), key] is held(holder, key):
                continue
            current = holder.cell_contents if isinstance(holder, types.CellType) else holder.get(key)
            if differs(_unsym(current), value):
                raise Changed(f"the function changes {key!r}", hint="do it outside of the compiled function")
        for guard in self.reads.guards:
            place = guard.place
            if guard.argument is not None or is_place(place) and (id(place[0]), place[1]) in stored:
                continue
            if guard.read and guard.state and self._fails(guard):
                raise Changed(f"the function changes {guard.what}", hint="do it outside of the compiled function")
        for container, copy in self.reads.containers.values():
            if len(container) != len(copy):
                raise Changed(f"the function changes a {type(container).__name__} that it reaches",
                              hint="return the values instead")
        for cache, size in self.reads.caches:
            if cache.cache_info().currsize != size:
                raise Changed(f"the function fills the cache of {cache.__wrapped__.__name__}")
        for t, a, *_ in self.reads.tensors.values():
            if t._a is not a:
                raise Changed("the function gives a tensor other memory")
        for arg in self.arguments.found:
            if arg.fake is arg.real:
                continue
            if arg.fake._a is not self.recorder.fakes[arg.number]:
                raise Break(f"{arg.what} is given another shape in place", lasting=False)
            if arg.edge is not None and id(arg.real) in self.reads.tensors:
                raise Break(f"{arg.what} is also reached in another way than as an argument", lasting=False)
            if arg.fake._ag is not arg.edge:
                raise Break(f"{arg.what} is written to in a way that changes its history", lasting=False)

    def _fails(self, guard: Guard) -> bool:
        space = {**self.names.space, "differs": differs}
        for holder, key, _ in self.reads.replaced:
            if guard.place is not None and guard.place[0] is holder and guard.place[1] == key:
                return False
        try:
            return bool(eval(guard.fails, space))
        except Exception:
            return True

    def _counted_steps(self) -> list[tuple[Any, int]]:
        counts = []
        stored = {key for _, key in self.stores.places}
        for obj, name, before, after in self.watch.undo_writes():
            if name in ("_step_calls", "_opt_called") and layers.is_optimizer(obj):
                if name == "_step_calls":
                    counts.append((obj, after - (before if isinstance(before, int) else 0)))
                continue
            if isinstance(obj, Tensor) or not differs(before, after) or name in stored:
                continue
            raise Changed(f"the function sets {type(obj).__name__}.{name}",
                          hint="return the value and set it outside of the compiled function")
        self.watch.writes.clear()
        return counts

    def _grads(self, outputs: Outputs) -> list[tuple[Any, int | None]]:
        found: list[tuple[Any, int | None]] = []
        for t, _, before, *_ in list(self.reads.tensors.values()):
            if t._grad is not before:
                found.append((t, self._grad_number(t._grad, outputs)))
        for arg in self.arguments.found:
            if arg.fake._grad is not arg.grad:
                if not arg.real.is_leaf:  # type: ignore[attr-defined]
                    raise Break(f"backward reaches the history of {arg.what}, which is not part of the function",
                                lasting=False)
                found.append((arg, self._grad_number(arg.fake._grad, outputs)))
        return found

    def _grad_number(self, grad: Any, outputs: Outputs) -> int | None:
        if grad is None:
            return None
        if not isinstance(grad, FakeTensor):
            raise Changed("the function sets the gradient of a tensor to another tensor that exists already")
        if grad._ag is not None:
            raise Break("a gradient has a history of its own (create_graph)")
        return outputs.number(grad)

    def _bumps(self) -> list[tuple[int, int, str]]:
        found = []
        by_array = {id(a): i for i, a in enumerate(self.recorder.arrays)}
        for t, a, _, n, _ in self.reads.tensors.values():
            vc = t._vc
            if vc is not None and vc.n != (n or 0) and id(a) in by_array:
                found.append((by_array[id(a)], vc.n - (n or 0), vc.writer))
        for arg in self.arguments.found:
            vc = arg.fake._vc
            if vc is not None and vc.n and arg.fake is not arg.real:
                found.append((arg.number, vc.n, vc.writer))
        return found


def _unsym(value: Any) -> Any:
    if isinstance(value, float) and type(value) is not float:
        return float.__pos__(value)
    return tuple(_unsym(v) for v in value) if isinstance(value, tuple) else value


def _ordered(graph: Graph, outputs: Outputs) -> Graph:
    """Inputs first, then scalars, then the rest in order, the output last."""
    nodes = graph.nodes
    graph.nodes = [n for n in nodes if n.kind == "input"]
    graph.nodes += [n for n in nodes if n.kind == "scalar"]
    graph.nodes += [n for n in nodes if n.kind not in ("input", "scalar")]
    graph.nodes.append(Node("output", "output", None, (list(outputs.nodes),)))
    graph.aliases = outputs.aliases
    return graph

