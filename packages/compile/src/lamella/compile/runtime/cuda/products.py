"""How cuBLAS is told of a product: it counts columns first, so it computes the transposed product of the operands."""

from __future__ import annotations

from dataclasses import dataclass

from ...emit.launch import Matrix, Product

TRANSPOSED = {False: 0, True: 1}  # CUBLAS_OP_N, CUBLAS_OP_T
ELEMENT = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 14}  # cudaDataType_t
COMPUTE = {"float32": 68, "float64": 70, "float16": 68, "bfloat16": 68}  # cublasComputeType_t
FACTOR = {"float64": "float64"}  # the type of alpha and beta; else float32


@dataclass(slots=True)
class Gemm:
    """The arguments of ``cublasGemmStridedBatchedEx`` that are numbers: its A is our b, its B is our a.

    Attributes:
        ops: for its A and B. sizes: m, n, k. steps: leading dimensions of A, B, C. batch: steps from one matrix to the
            next. count: of matrices. element: type of A and B. out: type of C. compute: type to compute in.
    """

    ops: tuple[int, int]
    sizes: tuple[int, int, int]
    steps: tuple[int, int, int]
    batch: tuple[int, int, int]
    count: int
    element: int
    out: int
    compute: int


def gemm(product: Product) -> Gemm:
    """The call of a product whose sizes are numbers.

    Example:
        >>> a, b = Matrix(0, 0, (0, 3, 1)), Matrix(1, 0, (0, 1, 3))
        >>> gemm(Product("float32", 1, 2, 4, 3, a, b, Matrix(2, 0, (0, 4, 1))))
        Gemm(ops=(1, 0), sizes=(4, 2, 3), steps=(3, 3, 4), batch=(0, 0, 0), count=1, element=0, out=0, compute=68)
    """
    (op_b, step_b), (op_a, step_a) = _laid(product.b, product.k, product.n), _laid(product.a, product.m, product.k)
    return Gemm((TRANSPOSED[op_b], TRANSPOSED[op_a]), (product.n, product.m, product.k),
                (step_b, step_a, _step(product.c.strides[1], product.m, product.n)),
                (product.b.strides[0], product.a.strides[0], product.c.strides[0]), product.batch,
                ELEMENT[product.dtype], ELEMENT[getattr(product, "out", "") or product.dtype], COMPUTE[product.dtype])


def _laid(matrix: Matrix, rows: int, columns: int) -> tuple[bool, int]:
    """Whether cuBLAS must transpose what it takes for the transposed matrix, and its leading dimension."""
    _, row, column = matrix.strides
    if column == 1 or columns == 1:
        return False, _step(row, rows, columns)
    return True, _step(column, columns, rows)


def _step(step: int, count: int, length: int) -> int:
    """A leading dimension: of a single line any number will do, but cuBLAS wants one that is large enough."""
    return max(step if count > 1 else 0, length, 1)
