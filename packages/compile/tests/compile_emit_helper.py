"""Small plans made by hand, built with g++ and called through ctypes."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from lamella.compile import emit
from lamella.compile.loops.index import Var, lift
from lamella.compile.loops.ir import Buffer, Loop
from lamella.compile.schedule.plan import Place, Plan

INCLUDE = Path(emit.__file__).parent.parent / "include"
FLAGS = ["-std=c++17", "-shared", "-fPIC", "-O3", "-march=native", "-mprefer-vector-width=512", "-fno-math-errno",
         "-fno-trapping-math", "-ffp-contract=fast", "-fno-tree-sink", "-fno-thread-jumps", "-w"]
NUMPY = {"bfloat16": ml_dtypes.bfloat16}


class Report(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("value", ctypes.c_long), ("size", ctypes.c_long)]


def dtype_of(name: str) -> Any:
    """NumPy's type of an element type."""
    return np.dtype(NUMPY.get(name, name))


def build(text: str, flags: tuple[str, ...] = ("-fopenmp",)) -> ctypes.CDLL:
    """A library from a source text."""
    folder = tempfile.mkdtemp(prefix="lamella-emit-")
    source, output = Path(folder, "program.cpp"), Path(folder, "program.so")
    source.write_text(text)
    compiler = shutil.which("g++") or shutil.which("c++")
    done = subprocess.run([compiler, *FLAGS, *flags, "-I", str(INCLUDE), str(source), "-o", str(output)],
                          capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise RuntimeError(done.stderr + "\n" + text)
    library = ctypes.CDLL(str(output))
    shutil.rmtree(folder)
    return library


def outcome(text: str, flags: tuple[str, ...] = (), **environment: str) -> subprocess.CompletedProcess[str]:
    """What a program whose ``main`` is in a text says and returns; an INCLUDE folder of the headers is known."""
    with tempfile.TemporaryDirectory(prefix="lamella-emit-") as folder:
        source, output = Path(folder, "program.cpp"), Path(folder, "program")
        source.write_text(text)
        kept = [flag for flag in FLAGS if flag not in ("-shared", "-fPIC")]
        command = [shutil.which("g++") or "c++", *kept, "-fopenmp", *flags, "-I", str(INCLUDE),
                   str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return subprocess.run([str(output)], capture_output=True, text=True, timeout=120,
                              env={**os.environ, **environment})


class Run:
    """A plan of kernels over buffers, each with memory of its own, that can be called with arrays."""

    def __init__(self, kernels: list[Any], buffers: list[Buffer], symbols: dict[str, Any] | None = None,
                 same: dict[Buffer, Buffer] | None = None, flags: tuple[str, ...] = ("-fopenmp",)) -> None:
        self.buffers = buffers
        places = {b: Place("input", n) for n, b in enumerate(buffers)}
        for made, old in (same or {}).items():
            places[made] = places[old]
        self.same = same or {}
        self.plan = Plan(kernels, places, buffers, 0, [], [], [], symbols=symbols or {})
        self.source = emit.emit(self.plan)
        self.library = build(self.source.text, flags)
        self.report = Report()

    def pointers(self, arrays: dict[str, np.ndarray]) -> Any:
        """The table that segments get."""
        found = [arrays[self.same.get(b, b).name].ctypes.data for b in self.buffers]
        return (ctypes.c_void_p * len(found))(*found)

    def __call__(self, symbols: tuple[int, ...] = (), scalars: tuple[float, ...] = (),
                 **arrays: np.ndarray) -> dict[str, np.ndarray]:
        """Call it; arrays that are not given are made."""
        values = dict(zip(self.plan.symbols, symbols))
        for b in self.buffers:
            if b not in self.same and b.name not in arrays:
                shape = [n if isinstance(n, int) else n.evaluate(values) for n in b.shape]
                arrays[b.name] = np.empty(shape, dtype_of(b.dtype))
        table = self.pointers(arrays)
        longs = (ctypes.c_long * max(1, len(symbols)))(*symbols)
        doubles = (ctypes.c_double * max(1, len(scalars)))(*scalars)
        self.report.kernel = None
        for name in self.source.segments:
            if getattr(self.library, name)(table, longs, doubles, ctypes.byref(self.report)):
                raise IndexError(self.report.kernel.decode(), self.report.value, self.report.size)
        return arrays


def var(name: str, size: Any) -> tuple[Var, Any]:
    """A variable, and it as an expression."""
    v = Var(name, size)
    return v, lift(v)


def pointwise(out: Buffer, body: Any, ranges: tuple[Any, ...] | None = None, **more: Any) -> Loop:
    """A pointwise loop over out's shape."""
    return Loop(out, out.shape if ranges is None else ranges, body, **more)

