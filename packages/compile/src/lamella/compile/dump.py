"""The dump folder: all that is made on the way to a program, and a script that does it again.

``LAMELLA_COMPILE_DUMP=DIR`` makes one folder for each program: the graph as captured, prepared and decomposed (Python
that can be read), the loops, the plan, the C++ text, the command that builds it, a picture where one can be drawn, and
``reproduce.py``, which compiles the same graph and compares its results with the eager operators'.
"""

from __future__ import annotations

import pickle
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from lamella.dispatch import logs

from .graph.memory import on_gpu
from .graph.node import Graph, Node
from .loops.index import Var, lift

log = logs.get("cache")

_SCRIPT = '''"""Compiles the graph of this folder and compares its results with those of eager operators."""

from pathlib import Path

from lamella.compile import dump

dump.reproduce(Path(__file__).parent)
'''


class Reference:
    """An operator in a stored graph, by name."""

    def __init__(self, name: str) -> None:
        self.name = name


def dump(folder: str, raw: Graph, prepared: Graph, made: Any, program: Any) -> Path | None:
    """Write a folder; what cannot be written or printed is left out, with a line in the log ``cache``.

    Args:
        folder: where the folder is made.
        raw, prepared: graphs. made: `pipeline.Made`, or None. program: the program.
    """
    path = _fresh(Path(folder).expanduser())
    if path is None:
        return None
    write = _Writer(path)
    write("graph_captured.py", lambda: _source(raw))
    write("graph_prepared.py", lambda: _source(prepared))
    if made is not None:
        write("graph_decomposed.py", lambda: _source(made.decomposed))
        write("loops.txt", lambda: _loops(made.lowered))
        write("plan.txt", lambda: plan_report(made.plan, program))
    write("program.cpp" if hasattr(program, "library") else "program.cu", lambda: program.source)
    if getattr(program, "library", None) is not None:
        write("build.sh", lambda: _command(program.library))
    write("picture.svg", lambda: _picture(prepared, made))
    write("graph.pickle", lambda: pickle.dumps(pack(prepared)))
    write("reproduce.py", lambda: _SCRIPT)
    return path


def _fresh(base: Path) -> Path | None:
    try:
        base.mkdir(parents=True, exist_ok=True)
        for n in range(100_000):
            path = base / f"program_{n}"
            try:
                path.mkdir()
                return path
            except FileExistsError:
                continue
    except OSError as error:
        log("no dump: %s", error)
    return None


class _Writer:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, make: Callable[[], Any]) -> None:
        try:
            content = make()
            if isinstance(content, bytes):
                (self.folder / name).write_bytes(content)
            elif content is not None:
                (self.folder / name).write_text(content, "utf-8")
        except Exception as error:  # noqa: BLE001 - a dump never stops a program
            log("dump: no %s: %s: %s", name, type(error).__name__, error)


def _source(graph: Graph) -> str:
    from .graph.printer import source

    return source(graph)


def _command(library: Any) -> str:
    """The command that builds the folder's own C++ text."""
    here = {str(library.source): "program.cpp", str(library.path): "program.so"}
    return f'cd "$(dirname "$0")" || exit\n{shlex.join([here.get(each, each) for each in library.command])}\n'


def _picture(prepared: Graph, made: Any) -> Any:
    from .graph import picture

    return picture.svg(prepared) if made is None else picture.svg(made.decomposed, made.plan)


def _loops(lowered: Any) -> str:
    from .loops.ir import Extern, Loop, Native
    from .loops.record import record

    lines = []
    for step in lowered.steps:
        if isinstance(step, Loop):
            how = f" {step.how}" if step.how else ""
            over = f" over {list(step.reduced)}" if step.reduced else ""
            lines.append(f"{step.out} = {step.kind}{how} {list(step.ranges)}{over}  # {', '.join(step.origins)}")
            index = tuple(lift(Var(f"i{n}", size)) for n, size in enumerate((*step.ranges, *step.reduced)))
            try:
                lines += [f"    {line}" for line in str(record(step, index)).splitlines()]
            except Exception as error:  # noqa: BLE001 - for reading only
                lines.append(f"    ({type(error).__name__}: {error})")
        elif isinstance(step, Native):
            lines.append(f"{step.outs} = {step.function}({', '.join(map(str, step.arguments))})")
        elif isinstance(step, Extern):
            lines.append(f"{step.outs} = eager {step.op.name}({', '.join(map(str, step.args))})  # {step.why}")
    return "\n".join(lines) + "\n"


def plan_report(plan: Any, program: Any) -> str:
    """Kernels, places of buffers, and why neighbours were not fused."""
    lines = ["kernels", *(f"  {line}" for line in program.kernels), "", f"memory: arena of {plan.arena} bytes"]
    for n, buffer in enumerate(plan.buffers):
        place = plan.places[buffer]
        lines.append(f"  {n}: {buffer} strides {list(buffer.stride)} in {place.kind} {place.number}")
    lines += ["", "not fused", *(f"  {line}" for line in plan.reasons)]
    if program.timing:
        lines += ["", "seconds", *(f"  {name}: {seconds:.4f}" for name, seconds in program.timing.items())]
    return "\n".join(lines) + "\n"


def pack(graph: Graph) -> dict[str, Any]:
    """A graph as data that can be stored: operators by name, constants as arrays."""
    number = {node: n for n, node in enumerate(graph.nodes)}

    def plain(value: Any) -> Any:
        if isinstance(value, Node):
            return Reference(f"%{number[value]}")
        if isinstance(value, (list, tuple)):
            return type(value)([plain(each) for each in value])
        if isinstance(value, dict):
            return {k: plain(each) for k, each in value.items()}
        return value

    nodes = []
    for node in graph.nodes:
        op = node.op.name if node.kind == "call" else getattr(node.op, "_a", node.op)
        nodes.append((node.name, node.kind, op, plain(node.args), plain(node.kwargs), node.spec, node.where))
    return {"nodes": nodes, "mutations": graph.mutations, "aliases": graph.aliases, "symbols": graph.symbols,
            "functional": graph.functional, "returned": graph.returned}


def unpack(stored: dict[str, Any]) -> Graph:
    """The graph of `pack`."""
    from .graph.printer import operator

    graph = Graph(mutations=stored["mutations"], aliases=stored["aliases"], symbols=stored["symbols"])
    graph.functional, graph.returned = stored["functional"], stored["returned"]

    def live(value: Any) -> Any:
        if isinstance(value, Reference):
            return graph.nodes[int(value.name[1:])]
        if isinstance(value, (list, tuple)):
            return type(value)([live(each) for each in value])
        if isinstance(value, dict):
            return {k: live(each) for k, each in value.items()}
        return value

    for name, kind, op, args, kwargs, spec, where in stored["nodes"]:
        op = operator(op) if kind == "call" else op
        graph.nodes.append(Node(name, kind, op, live(args), live(kwargs), spec, where))
    return graph


def reproduce(folder: Path, seed: int = 0) -> float:
    """Compile the graph of a dump folder and run it on random inputs beside eager operators.

    Returns:
        The largest difference between floating outputs; it is printed too.
    """
    from .backends import on_gpu as gpu_of
    from .graph.interpret import execute
    from .pipeline import cpp, cuda

    graph = unpack(pickle.loads((folder / "graph.pickle").read_bytes()))  # noqa: S301 - the user's own file
    inputs, scalars = random_inputs(graph, seed)
    where = gpu_of(graph)
    if where is not None:
        inputs = [t.to(node.spec.device) for t, node in zip(inputs, graph.inputs, strict=True)]
    expected_inputs = [t.clone() for t in inputs]
    program = cpp(graph) if where is None else cuda(graph)
    got = program([t._a for t in inputs], scalars)
    expected = execute(graph, expected_inputs, scalars)
    worst = 0.0
    for a, b in [*zip(got, expected, strict=True), *zip(inputs, expected_inputs, strict=True)]:
        worst = max(worst, _difference(getattr(a, "_a", a), getattr(b, "_a", b)))
    print(f"{len(program.kernels)} kernels, largest difference from eager: {worst:g}")
    return worst


def _difference(a: Any, b: Any) -> float:
    if on_gpu(a):
        a, b = a.get(), b.get()
    if not isinstance(a, np.ndarray) or not a.size:
        return 0.0
    if a.dtype.kind in "biu":
        return float(np.max(a != b))
    x, y = a.astype(np.complex128), np.asarray(b).astype(np.complex128)
    same = (x == y) | (np.isnan(x) & np.isnan(y))
    with np.errstate(invalid="ignore"):
        away = np.abs(x - y)
    return float(np.max(np.where(same, 0.0, np.where(np.isnan(away), np.inf, away))))


def random_inputs(graph: Graph, seed: int = 0) -> tuple[list[Any], list[float]]:
    """Tensors that fit a graph's inputs (symbolic sizes as they were at capture), and run-time scalars."""
    from lamella.core.tensor import wrap

    from .graph.infer import hints
    from .loops.index import substitute
    from .runtime.memory import maker

    rng = np.random.default_rng(seed)
    known = hints(graph)
    tensors = []
    for node in graph.inputs:
        shape = tuple(int(substitute(n, known)) for n in node.spec.shape)
        stride = tuple(int(substitute(n, known)) for n in node.spec.stride)
        array = maker(node.spec.dtype.name, shape, stride)()
        array[...] = rng.standard_normal(shape) if array.dtype.kind not in "biu" else rng.integers(0, 2, shape)
        tensors.append(wrap(array))
    return tensors, [0.5] * scalar_count(graph)


def scalar_count(graph: Graph) -> int:
    """How many run-time numbers a graph is called with."""
    return 1 + max((int(node.op) for node in graph.nodes if node.kind == "scalar"), default=-1)
