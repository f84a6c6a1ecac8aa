"""The GPU's device over the stand-in for CuPy: its own calls of CuPy, kernels built by g++, cuBLAS by NumPy."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import compile_cuda_emulation as emulation
import numpy as np
from compile_cuda_device import multiply

from lamella.compile.emit.launch import Matrix, Product
from lamella.compile.runtime.cuda import cupy_device

DTYPES = {0: "float32", 1: "float64", 2: "float16", 14: "bfloat16"}


class Module:
    """What `cupy_device._Module` is on a GPU.

    Attributes:
        started: names of the kernels, in order.
    """

    started: list[str] = []

    def __init__(self, cupy: Any, text: str, architecture: str) -> None:
        self.file, self.architecture = "program.cu", architecture
        self.built = emulation.Module(text)

    def function(self, name: str, shared: int = 0) -> Any:
        def start(grid: Any, block: Any, args: Any, shared_mem: int = 0, stream: Any = None) -> None:
            self.started.append(name)
            self.built.launch(name, grid, block, list(args), shared_mem)

        return start


def gemm(handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int, A: int, Atype: int, lda: int,
         strideA: int, B: int, Btype: int, ldb: int, strideB: int, beta: int, C: int, Ctype: int, ldc: int,
         strideC: int, batchCount: int, computeType: int, algo: int) -> None:
    """``cublas.gemmStridedBatchedEx`` with CuPy's parameters."""
    assert {0: 68, 1: 70, 2: 68, 14: 68}[Atype] == computeType and algo == -1 and Atype == Btype
    kind = np.float64 if computeType == 70 else np.float32
    factors = [_number(kind, at) for at in (alpha, beta)]
    left = (strideB, 1, ldb) if transb else (strideB, ldb, 1)
    right = (strideA, 1, lda) if transa else (strideA, lda, 1)
    product = Product(DTYPES[Atype], batchCount, n, m, k, Matrix(0, 0, left), Matrix(0, 0, right),
                      Matrix(0, 0, (strideC, ldc, 1)), *factors, out=DTYPES[Ctype])
    multiply(product, B, A, C)


def _number(kind: Any, at: int) -> float:
    import ctypes

    raw = ctypes.c_double if kind is np.float64 else ctypes.c_float
    return float(raw.from_address(at).value)


@contextmanager
def gpu(monkeypatch: Any) -> Any:
    """Programs for tensors on the stand-in's GPUs run, inside a ``with``."""
    started: list[str] = []
    made = type("Module", (Module,), {"started": started})
    monkeypatch.setattr(cupy_device, "_Module", made)
    monkeypatch.setattr(sys.modules["cupy.cuda"], "get_cublas_handle", lambda: 1, raising=False)
    cublas = SimpleNamespace(gemmStridedBatchedEx=gemm)
    monkeypatch.setitem(sys.modules, "cupy_backends", SimpleNamespace(cuda=None))
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda", SimpleNamespace(libs=None))
    monkeypatch.setitem(sys.modules, "cupy_backends.cuda.libs", SimpleNamespace(cublas=cublas))
    cupy_device.of.cache_clear()
    yield SimpleNamespace(started=started)
    cupy_device.of.cache_clear()
