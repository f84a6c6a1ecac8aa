"""A device whose memory is NumPy arrays and whose kernels are built by g++ (see `compile_cuda_emulation`)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

import compile_cuda_emulation as emulation
import numpy as np

from lamella.compile.runtime.cuda.device import Device
from lamella.compile.runtime.cuda.products import gemm
from lamella.compile.runtime.memory import numpy_dtype
from lamella.core.tensor import CPU

ALIGNED = 256
NAMES = {0: "float32", 1: "float64", 2: "float16", 14: "bfloat16"}


class EmulatedDevice(Device):
    """Runs launch plans on the host.

    Attributes:
        calls: names of the kernels that were started, in order. recordings: how many runs were recorded.
        limit: bytes that may be asked for at once.
    """

    name, xp, key, array_type = "emulated", np, CPU, np.ndarray

    def __init__(self, limit: int | None = None) -> None:
        self.calls: list[str] = []
        self.recordings, self.replays, self.limit = 0, 0, limit
        self._modules: dict[str, emulation.Module] = {}
        self._recording: list[Callable[[], None]] | None = None

    def module(self, text: str) -> emulation.Module:
        found = self._modules.get(text)
        if found is None:
            found = self._modules[text] = emulation.Module(text)
        return found

    def launch(self, module: Any, kernel: str, grid: Any, block: Any, shared: int, arguments: Sequence[Any]) -> None:
        given = list(arguments)
        if self._recording is not None:
            self._recording.append(lambda: self.launch(module, kernel, grid, block, shared, given))
            return
        self.calls.append(kernel)
        module.launch(kernel, grid, block, given, shared)

    def product(self, product: Any, a: int, b: int, c: int) -> None:
        if self._recording is not None:
            self._recording.append(lambda: self.product(product, a, b, c))
            return
        self.calls.append("product")
        multiply(product, a, b, c)

    def empty(self, size: int) -> Any:
        memory = np.full(size + ALIGNED, 0xA5, np.uint8)  # what nothing wrote shows
        return memory[-memory.ctypes.data % ALIGNED :][:size]

    def address(self, array: Any) -> int:
        return array.__array_interface__["data"][0]

    def lying_in(self, array: Any, dtype: str, shape: Any, stride: Any, offset: int = 0) -> Any:
        from lamella.compile.graph.memory import lying_in

        kind = numpy_dtype(dtype)
        if 0 in shape:
            return np.empty(shape, kind)
        return lying_in(array, kind, shape, stride, offset)

    def put(self, array: Any) -> Any:
        return array.copy(order="K")

    def get(self, array: Any) -> Any:
        return array.copy()

    def recorded(self, run: Callable[[], None]) -> Callable[[], None] | None:
        self._recording = []
        try:
            run()
        finally:
            done, self._recording = self._recording, None
        self.recordings += 1

        def replay() -> None:
            self.replays += 1
            for each in done:
                each()

        return replay


def multiply(product: Any, a: int, b: int, c: int) -> None:
    """What cuBLAS does when it is called as `gemm` says: its matrices' columns lie one after the other."""
    call = gemm(product)
    n, m, k = call.sizes
    left = _matrix(b, call.element, call.ops[0], (n, k), call.steps[0], call.batch[0], call.count)
    right = _matrix(a, call.element, call.ops[1], (k, m), call.steps[1], call.batch[1], call.count)
    out = _matrix(c, call.out, 0, (n, m), call.steps[2], call.batch[2], call.count)
    wide = np.float64 if out.dtype == np.float64 else np.float32
    with np.errstate(all="ignore"):
        made = np.matmul(left.astype(wide), right.astype(wide)) * wide(product.alpha)
        if product.beta:
            made = made + wide(product.beta) * out.astype(wide)
        out[...] = made.astype(out.dtype)


def _matrix(address: int, element: int, op: int, shape: tuple[int, int], step: int, batch: int, count: int) -> Any:
    """The matrices that cuBLAS sees, of ``shape`` after ``op``."""
    kind = numpy_dtype(NAMES[element])
    rows, columns = shape if op == 0 else shape[::-1]
    assert step >= max(1, rows), "leading dimension"
    size = ((count - 1) * batch + max(columns - 1, 0) * step + rows) * kind.itemsize
    if 0 in shape:
        return np.zeros((count, *shape), kind)
    memory = np.frombuffer((ctypes.c_char * size).from_address(address), np.uint8)
    strides = (batch * kind.itemsize, kind.itemsize, step * kind.itemsize)
    found = np.ndarray((count, rows, columns), kind, memory, 0, strides)
    return found if op == 0 else found.transpose(0, 2, 1)
