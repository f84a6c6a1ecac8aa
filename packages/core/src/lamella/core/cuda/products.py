"""Matrix products of 16-bit numbers by cuBLAS, which adds them up in 32 bits (CuPy multiplies no bfloat16)."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

_HALF, _BFLOAT16 = 2, 14  # cudaDataType
_COMPUTE_32F = 68  # cublasComputeType
_DEFAULT_ALGORITHM = -1
_FACTORS = np.array([0.0, 1.0], np.float32)


def narrow_product(a: Any, b: Any, plus: Any = None) -> Any:
    """``a @ b`` for arrays of float16 or bfloat16.

    Args:
        a, b: arrays of at least one dimension, of one type.
        plus: what is added before the sum is rounded; it is broadcast to the product of two matrices.

    Raises:
        ValueError: for shapes that do not fit.

    Returns:
        An array of their type.
    """
    left, right = a[None, :] if a.ndim == 1 else a, b[:, None] if b.ndim == 1 else b
    if left.shape[-1] != right.shape[-2]:
        raise ValueError("matmul: the inner sizes differ")
    lead = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-1]
    out = (cupy.empty if k else cupy.zeros)((*lead, m, n), a.dtype)
    if plus is not None:
        out[...] = plus
    if out.size and k:
        _multiply(left, right, out, lead, plus is not None)
    if a.ndim == 1:
        out = out[..., 0, :]
    return out[..., 0] if b.ndim == 1 else out


def _multiply(a: Any, b: Any, out: Any, lead: tuple[int, ...], add: bool) -> None:
    """cuBLAS counts columns first: it computes the transposed product of the operands in the other order."""
    from cupy_backends.cuda.libs import cublas

    (a, step_a), (b, step_b) = _batched(a, lead), _batched(b, lead)
    (op_a, lead_a), (op_b, lead_b) = _laid(a), _laid(b)
    m, k, n = a.shape[-2], a.shape[-1], b.shape[-1]
    count = 1
    for size in lead:
        count *= size
    element = _HALF if a.dtype.kind == "f" else _BFLOAT16
    zero, one = _FACTORS.ctypes.data, _FACTORS.ctypes.data + 4
    cublas.gemmStridedBatchedEx(
        cupy.cuda.get_cublas_handle(), op_b, op_a, n, m, k, one,
        b.data.ptr, element, lead_b, step_b, a.data.ptr, element, lead_a, step_a,
        one if add else zero, out.data.ptr, element, n, m * n, count, _COMPUTE_32F, _DEFAULT_ALGORITHM,
    )  # fmt: skip


def _batched(a: Any, lead: tuple[int, ...]) -> tuple[Any, int]:
    """The operand as cuBLAS can read it, and the step in elements from one matrix to the next (0: all are the same)."""
    (m, n), (rows, columns), size = a.shape[-2:], a.strides[-2:], a.itemsize
    in_rows = (columns == size or n == 1) and (rows >= size * n or m == 1)
    in_columns = (rows == size or m == 1) and (columns >= size * m or n == 1)
    if not (in_rows or in_columns):  # with gaps, backwards, or rows that are one row
        a = cupy.ascontiguousarray(a)
    if all(n == 1 for n in a.shape[:-2]):
        return a.reshape(a.shape[-2:]) if a.ndim > 2 else a, 0
    if a.shape[:-2] != lead:
        a = cupy.broadcast_to(a, (*lead, *a.shape[-2:]))
    if len(lead) > 1 or a.strides[0] < 0 or a.strides[0] % size:
        a = cupy.ascontiguousarray(a).reshape(-1, *a.shape[-2:])
    return a, a.strides[0] // size


def _laid(a: Any) -> tuple[int, int]:
    """Whether cuBLAS must transpose what it takes for the transposed matrix, and its leading dimension."""
    (m, n), (row, column), size = a.shape[-2:], a.strides[-2:], a.itemsize
    if column == size or n == 1:
        return 0, max(row // size if m > 1 else 0, n, 1)
    return 1, max(column // size if n > 1 else 0, m, 1)
