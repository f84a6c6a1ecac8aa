"""For tests of GPU templates: loops are run by the NumPy reference, products by NumPy, kernels by emulation."""

from __future__ import annotations

from typing import Any

import compile_cuda_emulation as emulation
import numpy as np
from compile_lower_helper import graph_of

from lamella.compile.decompose import decompose
from lamella.compile.graph.functionalize import functionalize
from lamella.compile.loops.device import DeviceKernel, DeviceProduct
from lamella.compile.loops.ir import Buffer, Extern, Native
from lamella.compile.loops.numpy_run import Run, dtype_of
from lamella.compile.lower import lower

TOLERANCE = {"float64": 1e-9, "float32": 2e-5, "float16": 4e-3, "bfloat16": 3e-2}


class DeviceRun(Run):
    """A lowered program of a GPU."""

    def run(self) -> list[Any]:
        kernels = {call.key: call for step in self.program.steps if isinstance(step, Native)
                   for call in step.calls if isinstance(call, DeviceKernel)}
        self.names = {key: f"k{n}_{call.stem}" for n, (key, call) in enumerate(kernels.items())}
        headers = dict.fromkeys(f'#include "lamella/{call.header}"' for call in kernels.values())
        text = [line for key, call in kernels.items() for line in call.text(self.names[key])]
        self.module = emulation.Module("\n".join([*headers, "using namespace lamella;", *text, ""])) if text else None
        for step in self.program.steps:
            if isinstance(step, Native):
                for call in step.calls:
                    if isinstance(call, DeviceProduct):
                        self.product(call)
                    else:
                        self.kernel(call)
            elif isinstance(step, Extern):
                self.extern(step)
            else:
                self.loop(step)
        return [self.array(out).copy() if isinstance(out, Buffer) else out for out in self.program.outputs]

    def matrices(self, buffer: Buffer, shape: tuple[Any, ...], steps: tuple[Any, ...]) -> np.ndarray:
        flat, shape, steps = self.flat(buffer.root), self.sizes_of(shape), self.sizes_of(steps)
        first = self.size(buffer.offset)
        last = first + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
        assert 0 <= first <= last < flat.size, (buffer, shape, steps)
        return np.lib.stride_tricks.as_strided(flat[first:], shape, [s * flat.itemsize for s in steps])

    def product(self, p: DeviceProduct) -> None:
        a = self.matrices(p.a, (p.batch, p.m, p.k), p.steps_a)
        b = self.matrices(p.b, (p.batch, p.k, p.n), p.steps_b)
        c = self.matrices(p.c, (p.batch, p.m, p.n), p.steps_c)
        assert 1 in self.sizes_of(p.steps_a[1:]) and 1 in self.sizes_of(p.steps_b[1:]) and p.steps_c[2] == 1
        assert a.dtype == b.dtype == dtype_of(p.dtype) and c.dtype == dtype_of(p.out)
        wide = np.float64 if p.dtype == "float64" else np.float32
        with np.errstate(invalid="ignore", over="ignore"):
            total = wide(p.alpha) * (a.astype(wide) @ b.astype(wide))
        c[...] = (total + wide(p.beta) * c.astype(wide) if p.beta else total).astype(c.dtype)

    def kernel(self, call: DeviceKernel) -> None:
        arguments: list[Any] = []
        for _, _, value in call.parameters:
            if isinstance(value, Buffer):
                value = self.flat(value.root)[self.size(value.offset):]
            arguments.append(value if isinstance(value, (float, np.ndarray)) else self.size(value))
        assert self.module is not None
        self.module.launch(self.names[call.key], self.sizes_of(call.grid), call.block, arguments,
                           self.size(call.shared), order=1)  # the last thread first: what threads share must wait


def run(op: Any, args: Any, kwargs: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """What a call gives when it is lowered for a GPU, what eager gives, and the program's steps."""
    raw, arrays, expected = graph_of(op, args, kwargs)
    found, steps = run_graph(raw, arrays)
    return found, expected, steps


def run_graph(graph: Any, arrays: list[Any]) -> tuple[list[Any], list[Any]]:
    """What a graph gives when it is lowered for a GPU, and the program's steps: none is left to eager."""
    program = lower(decompose(functionalize(graph), strict=True), strict=True, target="cuda")
    refused = [(step.op.name, step.why) for step in program.steps if isinstance(step, Extern)]
    assert not refused, refused
    return DeviceRun(program, arrays, ()).run(), program.steps


def check(op: Any, args: Any, kwargs: Any, scale: float = 1.0) -> list[Any]:
    """A call lowered for a GPU gives what eager gives; its steps."""
    found, expected, steps = run(op, args, kwargs)
    for k, want in enumerate(expected):
        close(found[k], want, f"{op.name} output {k} of {[getattr(a, 'shape', a) for a in args]}", scale)
    return steps


def close(found: Any, want: Any, what: str, scale: float = 1.0) -> None:
    """Equal within the type's tolerance, relative to the largest element."""
    assert found.shape == want.shape and found.dtype == want.dtype, (what, found.dtype, want.dtype)
    if want.dtype.name in TOLERANCE:
        limit, found, want = TOLERANCE[want.dtype.name] * scale, found.astype("float64"), want.astype("float64")
        most = np.abs(want[np.isfinite(want)]).max(initial=1)
        np.testing.assert_allclose(found / most, want / most, 0, limit, equal_nan=True, err_msg=what)
    else:
        np.testing.assert_array_equal(found, want, what)
