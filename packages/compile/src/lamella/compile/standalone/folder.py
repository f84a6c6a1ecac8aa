"""The folder: what is in it, and what it is made from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lamella.dispatch import logs

from ..graph.node import Graph
from ..runtime.facts import Facts, View
from ..runtime.memory import numpy_dtype
from . import host, texts

log = logs.get("code")
ALIGNED = 256  # bytes: where each tensor begins in the file of weights
_HEADERS = Path(__file__).parent.parent / "include" / "lamella" / "cuda"


@dataclass(slots=True)
class Tensor:
    """A tensor that the host program reads or writes.

    Attributes:
        name: of its file. dtype, shape, stride: as in `runtime.facts.Slot`. slot: where it lies; offset: in elements.
        at: of a weight: byte in the file of weights.
    """

    name: str
    dtype: str
    shape: tuple[Any, ...]
    stride: tuple[Any, ...]
    slot: int
    offset: Any = 0
    at: int = -1

    @property
    def width(self) -> int:
        """Bytes of an element."""
        return int(numpy_dtype(self.dtype).itemsize)


@dataclass(slots=True)
class Emitted:
    """A program as files.

    Attributes:
        name: of the program. files: path in the folder -> content. kernels: name -> text, with its head comment.
        eager: operators that the program calls from Python: the host program cannot do these.
        path: where it was written.
    """

    name: str
    files: dict[str, str | bytes] = field(default_factory=dict)
    kernels: dict[str, str] = field(default_factory=dict)
    eager: list[str] = field(default_factory=list)
    path: Path | None = None

    def write(self, folder: str | Path) -> Path:
        """Write all files below a folder, which is made where it is not there."""
        path = Path(folder).expanduser()
        for name, content in self.files.items():
            target = path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                target.write_bytes(content)
            else:
                target.write_text(content, "utf-8")
        self.path = path
        return path


@dataclass(slots=True)
class Program:
    """What the texts of a folder are made from.

    Attributes:
        name: of the program. facts, source, lines: as the compiler made them (lines: one for each kernel).
        inputs, weights, outputs: tensors. constants: bytes of the file of weights.
        symbols: name -> sample. scalars: samples.
    """

    name: str
    facts: Facts
    source: Any
    lines: list[str]
    inputs: list[Tensor] = field(default_factory=list)
    weights: list[Tensor] = field(default_factory=list)
    outputs: list[Tensor] = field(default_factory=list)
    symbols: dict[str, int] = field(default_factory=dict)
    scalars: list[float] = field(default_factory=list)

    @property
    def eager(self) -> list[str]:
        """Operators that are called from Python."""
        return [op for op in self.called if op != host.DRAWS]

    @property
    def called(self) -> list[str]:
        """Operators that are called between launches."""
        return list(dict.fromkeys(step.op for kind, step in self.facts.script if kind == "call"))


def emit_graph(graph: Graph, arrays: Sequence[Any], *, name: str = "program", weights: Mapping[int, str] | None = None,
               names: Mapping[int, str] | None = None, scalars: Sequence[float] = (), samples: bool = True) -> Emitted:
    """Compile a graph to CUDA text and make the files of its folder.

    Args:
        graph: as captured, or functional. arrays: what to call it with. name: of the program.
        weights: number of an input -> name, for those whose content belongs to the program (all others are read from
            files). names: number of an input -> what its file is called.
        scalars: run-time numbers. samples: whether ``arrays`` have content: inputs and eager results are files too.

    Returns:
        The files, not written yet.
    """
    from ..pipeline import emitted

    stored, made = emitted(graph, "cuda")
    program = Program(name, stored.facts, made.source, stored.kernels, scalars=[float(x) for x in scalars])
    program.symbols = {symbol: int(arrays[of].shape[dim]) for symbol, of, dim in stored.facts.symbols}
    content = _tensors(program, made.prepared, arrays, weights or {}, names or {})
    result = Emitted(name, _files(program, content), dict(made.source.kernels), program.eager)
    if samples:
        _samples(result, program, made.prepared, arrays)
    return result


def _tensors(program: Program, graph: Graph, arrays: Sequence[Any], weights: Mapping[int, str],
             names: Mapping[int, str]) -> bytes:
    """Say which tensors there are; returns the file of weights."""
    facts, content, taken = program.facts, bytearray(), set[str]()

    def unique(wanted: str) -> str:
        base = found = re.sub(r"[^\w.]", "_", wanted) or "tensor"
        number = 1
        while found in taken:
            found, number = f"{base}_{number}", number + 1
        taken.add(found)
        return found

    def put(tensor: Tensor, array: Any) -> None:
        content.extend(b"\0" * (-len(content) % ALIGNED))
        tensor.at = len(content)
        content.extend(np.ascontiguousarray(to_host(array)).tobytes())
        program.weights.append(tensor)

    for slot, each in enumerate(facts.slots):
        if each.kind == "input":
            number = each.number
            wanted = weights.get(number) or names.get(number) or graph.inputs[number].name
            tensor = Tensor(unique(wanted), each.dtype, each.shape, each.stride, slot)
            if number in weights:
                put(tensor, arrays[number])
            else:
                program.inputs.append(tensor)
        elif each.kind == "constant":
            tensor = Tensor(unique(f"constant{each.number}"), each.dtype, each.shape, each.stride, slot)
            put(tensor, facts.constants[each.number])
    place = {each.number: slot for slot, each in enumerate(facts.slots) if each.kind == "input"}
    for n, (kind, what) in enumerate(facts.outputs[: facts.returned]):
        if kind == "slot":
            slot_ = facts.slots[what]
            program.outputs.append(Tensor(unique(f"out{n}"), slot_.dtype, slot_.shape, slot_.stride, what))
        elif kind == "view":
            program.outputs.append(_view(facts, what, unique(f"out{n}"), place))
    inputs = {t.slot: t for t in [*program.inputs, *program.weights]}
    for number in facts.written:
        old = inputs[place[number]]
        program.outputs.append(Tensor(unique(f"new_{old.name}"), old.dtype, old.shape, old.stride, old.slot))
    return bytes(content)


def _view(facts: Facts, view: View, name: str, place: Mapping[int, int]) -> Tensor:
    slot = place[view.of] if view.kind == "input" else facts.outputs[view.of][1]
    return Tensor(name, view.dtype, view.shape, view.stride, slot, view.offset)


def to_host(array: Any) -> Any:
    """An array as NumPy's."""
    return array if isinstance(array, np.ndarray) else array.get()


def _files(program: Program, content: bytes) -> dict[str, str | bytes]:
    source = program.source
    files: dict[str, str | bytes] = {
        "README.md": texts.readme(program), "CMakeLists.txt": texts.cmake(program), "program.cu": source.text,
        "host.cpp": host.text(program), "plan.json": json.dumps(plan(program), indent=1) + "\n",
        "support.h": (Path(__file__).parent / "support.h").read_text("utf-8"), "weights.bin": content}
    printed = list(source.kernels.values())
    if printed:
        head, tail = source.text.partition(printed[0])[0], source.text.rpartition(printed[-1])[2]
        files.update({f"kernels/{name}.cu": f"{head}{text}{tail}" for name, text in source.kernels.items()})
    for path in sorted(_HEADERS.glob("*.cuh")):
        files[f"include/lamella/cuda/{path.name}"] = path.read_text("utf-8")
    return files


def plan(program: Program) -> dict[str, Any]:
    """The launch plan as JSON holds it."""
    from ..emit.launch import as_json

    facts = program.facts
    steps = [{"step": "eager", "op": step.op, "outs": step.outs} if kind == "call" else as_json(step)
             for kind, step in facts.script]

    def listed(tensors: list[Tensor], folder: str) -> list[dict[str, Any]]:
        return [{"name": t.name, "file": "weights.bin" if t.at >= 0 else f"{folder}/{t.name}.bin", "dtype": t.dtype,
                 "shape": list(t.shape), "stride": list(t.stride), "slot": t.slot, "offset": t.offset,
                 **({"at": t.at} if t.at >= 0 else {})} for t in tensors]

    return {
        "name": program.name, "symbols": program.symbols, "scalars": program.scalars,
        "inputs": listed(program.inputs, "inputs"), "weights": listed(program.weights, ""),
        "outputs": listed(program.outputs, "outputs"), "arena": facts.arena,
        "arena_parts": [{"bytes": size, "first": first, "last": last, "slots": slots}
                        for size, first, last, slots in facts.layout],
        "slots": [{"kind": s.kind, "number": s.number, "dtype": s.dtype, "shape": list(s.shape),
                   "stride": list(s.stride), "offset": s.offset} for s in facts.slots],
        "kernels": program.lines, "steps": steps}


def _samples(result: Emitted, program: Program, graph: Graph, arrays: Sequence[Any]) -> None:
    """Add the inputs and what eager operators make of them."""
    inputs = {program.facts.slots[t.slot].number: t for t in [*program.inputs, *program.weights]
              if program.facts.slots[t.slot].kind == "input"}
    for number, tensor in inputs.items():
        if tensor.at < 0:
            result.files[f"inputs/{tensor.name}.bin"] = np.ascontiguousarray(to_host(arrays[number])).tobytes()
    if host.DRAWS in program.called:
        return  # the numbers of the CPU's generator would not do
    try:
        expected = _expected(program, graph, arrays)
    except Exception as error:  # noqa: BLE001 - the program is complete without it
        log("no expected outputs: %s: %s", type(error).__name__, error)
        return
    for tensor, array in zip(program.outputs, expected, strict=True):
        result.files[f"expected/{tensor.name}.bin"] = np.ascontiguousarray(array).tobytes()


def _expected(program: Program, graph: Graph, arrays: Sequence[Any]) -> list[Any]:
    from lamella.core.tensor import wrap

    from ..graph.interpret import execute
    from ..graph.memory import key_of

    facts = program.facts
    tensors = [wrap(a, key_of(a)).clone() for a in arrays]
    found = execute(graph, tensors, program.scalars)
    made = [t for t, (kind, _) in zip(found, facts.outputs[: facts.returned], strict=True) if kind != "value"]
    return [to_host(t._a) for t in [*made, *(tensors[n] for n in facts.written)]]


__all__ = ["Emitted", "Program", "Tensor", "emit_graph"]
