"""How cuBLAS is told of a product: it counts columns first, so it computes the transposed product of the operands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...emit.launch import Matrix, Product, Size

_AS_IT_IS, _TRANSPOSED = 0, 1  # CUBLAS_OP_N, CUBLAS_OP_T
ELEMENT = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 14}  # cudaDataType_t
COMPUTE = {"float32": 68, "float64": 70, "float16": 68, "bfloat16": 68}  # cublasComputeType_t
FACTOR = {"float64": "float64"}  # the type of alpha and beta; else float32
_ONE = (1, "1")  # the size, as a number and as text


@dataclass(slots=True)
class Gemm:
    """The arguments of ``cublasGemmStridedBatchedEx`` that are numbers: its A is our b, its B is our a.

    Attributes:
        ops: for its A and B. sizes: m, n, k. steps: leading dimensions of A, B, C. batch: steps from one matrix to the
            next. count: of matrices. element: type of A and B. out: type of C. compute: type to compute in.
    """

    ops: tuple[int, int]
    sizes: tuple[Size, Size, Size]
    steps: tuple[Size, Size, Size]
    batch: tuple[Size, Size, Size]
    count: Size
    element: int
    out: int
    compute: int


def leading(step: int, count: int, length: int) -> int:
    """A leading dimension: of a single line any number will do, but cuBLAS wants one that is large enough."""
    return max(step if count > 1 else 0, length, 1)


def gemm(product: Product, leading: Callable[[Any, Any, Any], Size] = leading) -> Gemm:
    """The call of a product whose sizes are numbers, or text.

    Args:
        product: it. leading: makes leading dimensions of (step, how many lines, their length); another one for text.

    Example:
        >>> a, b = Matrix(0, 0, (0, 3, 1)), Matrix(1, 0, (0, 1, 3))
        >>> gemm(Product("float32", 1, 2, 4, 3, a, b, Matrix(2, 0, (0, 4, 1))))
        Gemm(ops=(1, 0), sizes=(4, 2, 3), steps=(3, 3, 4), batch=(0, 0, 0), count=1, element=0, out=0, compute=68)
    """
    def laid(matrix: Matrix, rows: Size, columns: Size) -> tuple[int, Size]:
        """Whether cuBLAS must transpose what it takes for the transposed matrix, and its leading dimension."""
        _, row, column = matrix.strides
        if column in _ONE or columns in _ONE:
            return _AS_IT_IS, leading(row, rows, columns)
        return _TRANSPOSED, leading(column, columns, rows)

    (op_b, step_b), (op_a, step_a) = laid(product.b, product.k, product.n), laid(product.a, product.m, product.k)
    return Gemm((op_b, op_a), (product.n, product.m, product.k),
                (step_b, step_a, leading(product.c.strides[1], product.m, product.n)),
                (product.b.strides[0], product.a.strides[0], product.c.strides[0]), product.batch,
                ELEMENT[product.dtype], ELEMENT[product.out or product.dtype], COMPUTE[product.dtype])
