"""The stand-in's cuBLAS: the one call that lamella makes of it without CuPy's functions in between."""

from __future__ import annotations

import ctypes
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np

_TYPES = {0: np.float32, 1: np.float64, 2: np.float16, 14: ml_dtypes.bfloat16}


def _matrix(at: int, kind: Any, count: int, step: int, rows: int, columns: int, lead: int) -> np.ndarray:
    """Matrices whose columns follow each other in memory, as an array (count, rows, columns)."""
    d = np.dtype(kind)
    if lead < rows:
        raise RuntimeError("CUBLAS_STATUS_INVALID_VALUE")
    size = ((count - 1) * step + (columns - 1) * lead + rows) * d.itemsize
    raw = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(at))
    strides = (step * d.itemsize, d.itemsize, lead * d.itemsize)
    return np.ndarray((count, rows, columns), d, raw, 0, strides)  # type: ignore[call-overload]


def gemmStridedBatchedEx(  # noqa: N802 - cuBLAS's name
    handle: int, transa: int, transb: int, m: int, n: int, k: int, alpha: int, A: int, Atype: int, lda: int,  # noqa: N803
    strideA: int, B: int, Btype: int, ldb: int, strideB: int, beta: int, C: int, Ctype: int, ldc: int, strideC: int,  # noqa: N803
    batchCount: int, computeType: int, algo: int,  # noqa: N803
) -> None:  # fmt: skip
    """``C = alpha op(A) op(B) + beta C``, columns first."""
    if Atype != Btype or {1: 70}.get(Atype, 68) != computeType:
        raise RuntimeError("CUBLAS_STATUS_NOT_SUPPORTED")
    wide = np.float64 if computeType == 70 else np.float32
    raw = ctypes.c_double if computeType == 70 else ctypes.c_float
    x = _matrix(A, _TYPES[Atype], batchCount, strideA, *((k, m) if transa else (m, k)), lda).astype(wide)
    y = _matrix(B, _TYPES[Btype], batchCount, strideB, *((n, k) if transb else (k, n)), ldb).astype(wide)
    out = _matrix(C, _TYPES[Ctype], batchCount, strideC, m, n, ldc)
    r = (x.swapaxes(1, 2) if transa else x) @ (y.swapaxes(1, 2) if transb else y)
    one, two = raw.from_address(alpha).value, raw.from_address(beta).value
    out[...] = (one * r + (two * out.astype(wide) if two else 0)).astype(out.dtype)


def modules() -> dict[str, Any]:
    """``cupy_backends`` with cuBLAS in it."""
    made = {name: ModuleType(name) for name in ("cupy_backends", "cupy_backends.cuda", "cupy_backends.cuda.libs",
                                                "cupy_backends.cuda.libs.cublas")}  # fmt: skip
    made["cupy_backends.cuda.libs.cublas"].gemmStridedBatchedEx = gemmStridedBatchedEx  # type: ignore[attr-defined]
    return made
