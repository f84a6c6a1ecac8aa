"""Plans printed as CUDA, built by g++ and run on NumPy arrays (`compile_cuda_emulation`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import compile_cuda_emulation as emulation
import numpy as np

from lamella.compile import emit
from lamella.compile.emit.launch import Launch, with_sizes
from lamella.compile.loops.ir import Buffer
from lamella.compile.loops.numpy_run import dtype_of
from lamella.compile.schedule.plan import Place, Plan

REPORT = 3  # longs


def run_script(script: list[Any], built: Any, table: list[int], symbols: dict[str, int], scalars: Any = (),
               order: int = 0) -> None:
    """Do the launches of a script.

    Args:
        script: of a `Source`. built: its kernels. table: the address of each slot. symbols, scalars: values.
        order: 1 to begin with the last block and thread.

    Raises:
        IndexError: a kernel reports an index.
    """
    for kind, step in script:
        assert kind == "launch" and isinstance(step, Launch)
        now = with_sizes(step, lambda n: n if isinstance(n, int) else int(n.evaluate(symbols)))
        report = np.zeros(REPORT, np.int64)
        arguments: list[Any] = []
        for what, *value in now.arguments:
            if what == "buffer":
                arguments.append(emulation.ctypes.c_void_p(table[value[0]] + value[1]))
            elif what == "scalar":
                arguments.append(float(scalars[value[0]]))
            else:
                arguments.append(report if what == "report" else value[0])
        if 0 not in now.grid:
            built.launch(now.kernel, now.grid, now.block, arguments, now.shared, order)
        if report[0]:
            raise IndexError(now.title, int(report[1]), int(report[2]))


class Run:
    """A plan of kernels over buffers, each with memory of its own, that can be called with arrays."""

    def __init__(self, kernels: list[Any], buffers: list[Buffer], symbols: dict[str, Any] | None = None,
                 same: dict[Buffer, Buffer] | None = None, checks: bool = False) -> None:
        self.buffers, self.same = buffers, same or {}
        places = {b: Place("input", n) for n, b in enumerate(buffers)}
        for made, old in self.same.items():
            places[made] = places[old]
        kernels = [replace(k, name=f"k_{k.name}") for k in kernels]  # no names of C's functions
        self.plan = Plan(kernels, places, buffers, 0, [], [], [], symbols=symbols or {})
        self.source = emit.emit(self.plan, "cuda", checks=checks)
        self.built = emulation.Module(self.source.text)

    def __call__(self, symbols: tuple[int, ...] = (), scalars: tuple[float, ...] = (), order: int = 0,
                 **arrays: np.ndarray) -> dict[str, np.ndarray]:
        """Call it; arrays that are not given are made."""
        values = dict(zip(self.plan.symbols, symbols))
        for b in self.buffers:
            if b not in self.same and b.name not in arrays:
                shape = [n if isinstance(n, int) else n.evaluate(values) for n in b.shape]
                arrays[b.name] = np.empty(shape, dtype_of(b.dtype))
        table = [arrays[self.same.get(b, b).name].ctypes.data for b in self.buffers]
        run_script(self.source.script, self.built, table, values, scalars, order)
        return arrays
