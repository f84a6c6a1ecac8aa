"""What a program needs at run time, as plain data: can be stored beside the C++ text and read in another process.

Sizes are ints, or texts of Python expressions over the names of symbols ("s0*512").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..emit.launch import with_sizes
from ..graph.node import Alias, Graph, Node
from ..loops.index import Atom, Expr
from ..loops.ir import Buffer, Extern
from ..schedule.plan import Kernel, NativeCall, Plan

Size = Any  # int | str
_ADD = ("aten::add.Tensor", "aten::add.Scalar")


@dataclass(slots=True)
class Slot:
    """A buffer: place in memory, element type, layout in elements."""

    kind: str
    number: Any
    dtype: str
    shape: tuple[Size, ...]
    stride: tuple[Size, ...]
    offset: Size = 0


@dataclass(slots=True)
class Ref:
    """A tensor among an operator's arguments: a slot, and how the tensor lies in it where that differs."""

    slot: int
    shape: tuple[Size, ...] | None = None
    stride: tuple[Size, ...] = ()
    offset: Size = 0


@dataclass(slots=True)
class Formula:
    """A number among an operator's arguments that depends on symbols or scalars."""

    text: str


@dataclass(slots=True)
class Call:
    """An operator called from Python: its name, arguments, and the slots of its results (None: not used)."""

    op: str
    args: Any
    kwargs: Any
    outs: list[int | None]


@dataclass(slots=True)
class View:
    """An output that lies in the memory of an input or of another output."""

    kind: str
    of: int
    dtype: str
    shape: tuple[Size, ...]
    stride: tuple[Size, ...]
    offset: Size


@dataclass(slots=True)
class Facts:
    """A program but for its machine code.

    Attributes:
        slots: of the table of pointers. inputs: how many there are.
        outputs: ``("slot", slot)``, ``("value", object)`` or ``("view", View)``. returned: how many are the caller's.
        script: ``("segment", name)`` or ``("call", Call)``; of a launch plan ``("launch", Launch)`` and
            ``("product", Product)``.
        constants: arrays. arena: bytes.
        layout: for symbolic sizes: (bytes, first step, last step, slots that lie there one after the other).
        symbols: (name, input, dimension) in the order in which segments get them. scalars: name -> which scalar.
        work: elementary operations of one call, None where it depends on sizes.
        written: the inputs that hold new content after a call.
        counters: the inputs to which a call adds a number, and nothing else: which -> the number.
    """

    slots: list[Slot]
    inputs: int
    outputs: list[Any]
    returned: int
    script: list[tuple[str, Any]]
    constants: list[Any]
    arena: int
    layout: list[tuple[Size, int, int, list[int]]]
    symbols: list[tuple[str, int, int]]
    scalars: dict[str, int] = field(default_factory=dict)
    work: int | None = 0
    written: tuple[int, ...] = ()
    counters: dict[int, float] = field(default_factory=dict)


def facts_of(plan: Plan, script: list[tuple[str, Any]], returned: int | None = None) -> Facts:
    """The facts of a plan.

    Args:
        plan: the plan. script: as emission gives it. returned: how many outputs are the caller's (all).
    """
    number = {buffer: n for n, buffer in enumerate(plan.buffers)}
    slots = [_slot(buffer, plan) for buffer in plan.buffers]
    outputs: list[Any] = []
    for n, out in enumerate(plan.outputs):
        alias = plan.aliases.get(n)
        if alias is not None:
            outputs.append(("view", _view(alias)))
        else:
            outputs.append(("slot", number[out.root]) if isinstance(out, Buffer) else ("value", out))
    steps: list[tuple[str, Any]] = []
    for what, step in script:
        if what == "extern":
            steps.append(("call", _call(step, number)))
        else:
            steps.append((what, step if what == "segment" else with_sizes(step, size)))
    count = len(outputs) if returned is None else returned
    return Facts(slots, len(plan.inputs), outputs, count, steps, list(plan.constants),
                 plan.arena if isinstance(plan.arena, int) else 0,
                 [(size(s.size), s.first, s.last, [number[b] for b in s.buffers]) for s in plan.slots],
                 [(name, of, dim) for name, (of, dim) in sorted(plan.symbols.items()) if of != "scalar"],
                 {name: k for name, (of, k) in plan.symbols.items() if of == "scalar"}, _work(plan),
                 tuple(sorted(plan.mutations)))


def size(value: Any) -> Size:
    """A size as plain data."""
    return int(value) if isinstance(value, int) else str(value)


def sizes(values: Any) -> tuple[Size, ...]:
    """Sizes as plain data."""
    return tuple(map(size, values))


def number_of(value: Size, symbols: Mapping[str, Any]) -> Any:
    """The number that a size stands for."""
    return value if isinstance(value, int) else eval(value, {"__builtins__": {}}, dict(symbols))  # noqa: S307


def numbers_of(values: Any, symbols: Mapping[str, Any]) -> tuple[int, ...]:
    """The numbers that sizes stand for."""
    return tuple(number_of(value, symbols) for value in values)


def _slot(buffer: Buffer, plan: Plan) -> Slot:
    place = plan.places[buffer]
    return Slot(place.kind, place.number if isinstance(place.number, int) else 0, buffer.dtype,
                sizes(buffer.shape), sizes(buffer.stride), size(buffer.offset))


def _view(alias: Alias) -> View:
    spec = alias.spec
    return View(alias.kind, alias.of, spec.dtype.name, sizes(spec.shape), sizes(spec.stride), size(spec.offset))


def _call(step: Extern, number: dict[Buffer, int]) -> Call:
    def plain(value: Any) -> Any:
        if isinstance(value, Buffer):
            if value.base is None:
                return Ref(number[value])
            return Ref(number[value.root], sizes(value.shape), sizes(value.stride), size(value.offset))
        if isinstance(value, (Expr, Atom)):
            return Formula(str(value))
        if isinstance(value, (list, tuple)):
            return type(value)([plain(each) for each in value])
        if isinstance(value, dict):
            return {k: plain(each) for k, each in value.items()}
        return value

    outs = [None if out is None else number.get(out.root) for out in step.outs]
    return Call(step.op.name, plain(step.args), plain(step.kwargs), outs)


def _work(plan: Plan) -> int | None:
    total = 0
    for step in plan.steps:
        work = step.work if isinstance(step, Kernel) else step.native.flops if isinstance(step, NativeCall) else 0
        if not isinstance(work, (int, float)):
            return None
        total += int(work)
    return total


def counters_of(graph: Graph) -> dict[int, float]:
    """The inputs to which the program adds a number, and nothing else: number of the input -> what is added."""
    inputs = {node: n for n, node in enumerate(graph.inputs)}
    found = {}
    for number, output in graph.mutations.items():
        added = _added(graph.outputs[output], inputs, number)
        if added is not None:
            found[number] = added
    return found


def _added(node: Any, inputs: dict[Node, int], number: int, widened: bool = False) -> float | None:
    """What a node adds to an input; through float64 it may be one number, which is rounded once."""
    if not isinstance(node, Node) or node.spec.dtype.name not in ("float32", "float64"):
        return None
    if node.kind == "input":
        return 0 if inputs[node] == number else None
    if node.kind != "call":
        return None
    if node.op.name == "aten::_to_copy" and len(node.args) == 1 and set(node.kwargs) <= {"dtype"}:
        return _added(node.args[0], inputs, number, True)
    if node.op.name not in _ADD or len(node.args) != 2 or node.kwargs or type(node.args[1]) not in (int, float):
        return None
    so_far = _added(node.args[0], inputs, number, widened)
    return None if so_far is None or widened and so_far else so_far + node.args[1]
