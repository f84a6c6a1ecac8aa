"""Linear algebra: the standard's extension ``linalg``; four of its functions are in the main namespace too."""

from __future__ import annotations

import builtins
from typing import Any

import lamella.core as _core
from lamella.dispatch.errors import message

from ..tensor import describe
from .data_types import promoted
from .manipulation import as_axes
from .statistics import _along, _floating, sum as _sum

__all__ = [
    "cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power",
    "matrix_rank", "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot",
    "trace", "vecdot", "vector_norm",
]  # fmt: skip


def matmul(x1: Any, x2: Any, /) -> Any:
    """The product of matrices, or stacks of them; a vector is a row on the left and a column on the right.

    Args:
        x1, x2: ``(..., m, k)`` and ``(..., k, n)``, or vectors of size k.

    Example:
        >>> matmul(asarray([[1, 2], [3, 4]]), asarray([1, 1])).tolist()
        [3, 7]
    """
    return _core.matmul(*promoted(x1, x2))


def matrix_transpose(x: Any, /) -> Any:
    """Matrices (the last two dimensions) with rows and columns exchanged.

    Example:
        >>> matrix_transpose(asarray([[1, 2]])).tolist()
        [[1], [2]]
    """
    if x.ndim < 2:
        raise ValueError(message("matrix_transpose", "at least two dimensions are needed", [describe(x)]))
    return x.mT


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over axes of two arrays.

    Args:
        x1, x2: arrays.
        axes: how many axes to sum over, the last of ``x1`` with the first of ``x2``; or a sequence of axes for each.

    Example:
        >>> tensordot(asarray([1, 2]), asarray([3, 4]), axes=1).tolist()
        11
    """
    x1, x2 = promoted(x1, x2)
    return _core.tensordot(x1, x2, [list(as_axes(a)) for a in axes] if isinstance(axes, (tuple, list)) else int(axes))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The sum of products along an axis, with the conjugate of the first.

    Args:
        x1, x2: arrays whose other axes broadcast. axis: the axis of both, counted from the end.

    Raises:
        ValueError: if the sizes along the axis differ.

    Example:
        >>> vecdot(asarray([[1, 2], [3, 4]]), asarray([1, 1])).tolist()
        [3, 7]
    """
    x1, x2 = (_core.movedim(x, axis, -1) for x in promoted(x1, x2))
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(message("vecdot", "the sizes along the axis must be equal", [x1.shape[-1], x2.shape[-1]]))
    return _core.sum(_core.conj(x1) * x2, -1, dtype=x1.dtype)


def outer(x1: Any, x2: Any, /) -> Any:
    """All products of an element of one vector and one of another.

    Example:
        >>> outer(asarray([1, 2]), asarray([3, 4])).tolist()
        [[3, 4], [6, 8]]
    """
    return _core.outer(*promoted(x1, x2))


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross product of vectors of three numbers.

    Args:
        x1, x2: arrays that broadcast. axis: where the three numbers are.

    Example:
        >>> cross(asarray([1, 0, 0]), asarray([0, 1, 0])).tolist()
        [0, 0, 1]
    """
    x1, x2 = (_core.movedim(x, axis, -1) for x in promoted(x1, x2))
    ndim = max(x1.ndim, x2.ndim)
    x1, x2 = (_core.reshape(x, (*(1,) * (ndim - x.ndim), *x.shape)) for x in (x1, x2))
    return _core.movedim(_core.linalg_cross(x1, x2, dim=-1), -1, axis)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices (the last two dimensions).

    Args:
        x: an array. offset: which diagonal: above the main one if positive.

    Example:
        >>> diagonal(asarray([[1, 2], [3, 4]])).tolist()
        [1, 4]
    """
    return _core.diagonal(x, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of diagonals of matrices.

    Args:
        x: an array. offset: which diagonal, as in ``diagonal``. dtype: the type to add in, as in ``sum``.

    Example:
        >>> trace(asarray([[1, 2], [3, 4]])).tolist()
        5
    """
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# ---------------------------------------------------------------- norms


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: builtins.bool = False, ord: float = 2) -> Any:  # noqa: A002
    """A norm of vectors.

    Args:
        x: an array of floating numbers.
        axis: an int or a tuple of ints whose elements make a vector; all axes by default.
        keepdims: keep the axes, with size 1.
        ord: the exponent; inf and -inf take the greatest and least absolute value, 0 counts what is not zero.

    Example:
        >>> vector_norm(asarray([3.0, 4.0])).tolist()
        5.0
    """
    x, dims, keep = _along(_floating(x), axis, keepdims)
    return _core.linalg_vector_norm(x, ord, dims, keep)


def matrix_norm(x: Any, /, *, keepdims: builtins.bool = False, ord: Any = "fro") -> Any:  # noqa: A002
    """A norm of matrices (the last two dimensions).

    Args:
        x: an array of floating numbers. keepdims: keep the two dimensions, with size 1.
        ord: ``"fro"``, ``"nuc"``, 1, -1, 2, -2, inf or -inf; None is ``"fro"``.

    Example:
        >>> matrix_norm(asarray([[3.0, 0.0], [0.0, 4.0]])).tolist()
        5.0
    """
    return _core.linalg_matrix_norm(_floating(x), "fro" if ord is None else ord, (-2, -1), keepdims)


def matrix_rank(x: Any, /, *, rtol: Any = None) -> Any:
    """How many singular values of matrices count as not zero.

    Args:
        x: an array of floating numbers.
        rtol: what counts, relative to the largest; by default the larger size times the type's eps.

    Example:
        >>> matrix_rank(asarray([[1.0, 2.0], [2.0, 4.0]])).tolist()
        1
    """
    return _core.linalg_matrix_rank(x, rtol=rtol)


# ---------------------------------------------------------------- solving and factors


def det(x: Any, /) -> Any:
    """The determinants of square matrices.

    Example:
        >>> det(asarray([[2.0, 0.0], [0.0, 3.0]])).tolist()
        6.0
    """
    return _core.linalg_det(x)


def slogdet(x: Any, /) -> Any:
    """The determinants of square matrices as ``sign`` and ``logabsdet``, a named tuple.

    Example:
        >>> slogdet(asarray([[-1.0]])).sign.tolist()
        -1.0
    """
    return _core.linalg_slogdet(x)


def inv(x: Any, /) -> Any:
    """The inverses of square matrices; an error for singular ones.

    Example:
        >>> inv(asarray([[2.0]])).tolist()
        [[0.5]]
    """
    return _core.linalg_inv(x)


def pinv(x: Any, /, *, rtol: Any = None) -> Any:
    """The pseudo-inverses of matrices.

    Args:
        x: an array of floating numbers. rtol: which singular values count, as in ``matrix_rank``.

    Example:
        >>> pinv(asarray([[2.0], [0.0]])).tolist()
        [[0.5, 0.0]]
    """
    return _core.linalg_pinv(x, rtol=rtol)


def solve(x1: Any, x2: Any, /) -> Any:
    """The ``x`` with ``x1 @ x == x2``.

    Args:
        x1: square matrices ``(..., m, m)``.
        x2: one vector of size m, or matrices ``(..., m, k)``; unlike in torch, never a stack of vectors.

    Example:
        >>> solve(asarray([[2.0, 0.0], [0.0, 4.0]]), asarray([2.0, 2.0])).tolist()
        [1.0, 0.5]
    """
    x1, x2 = promoted(x1, x2)
    if x2.ndim == 1:
        return _core.linalg_solve(x1, _core.unsqueeze(x2, -1)).squeeze(-1)
    if x2.ndim < x1.ndim:
        x2 = _core.reshape(x2, (*(1,) * (x1.ndim - x2.ndim), *x2.shape))
    return _core.linalg_solve(x1, x2)


def matrix_power(x: Any, n: int, /) -> Any:
    """Square matrices multiplied n times; their inverses, if n is negative.

    Example:
        >>> matrix_power(asarray([[1, 1], [0, 1]]), 3).tolist()
        [[1, 3], [0, 1]]
    """
    return _core.linalg_matrix_power(x, n)


def cholesky(x: Any, /, *, upper: builtins.bool = False) -> Any:
    """The triangular factors of Hermitian positive-definite matrices.

    Args:
        x: matrices. upper: give the upper factor instead of the lower.

    Example:
        >>> cholesky(asarray([[4.0]])).tolist()
        [[2.0]]
    """
    return _core.linalg_cholesky(x, upper=upper)


def qr(x: Any, /, *, mode: str = "reduced") -> Any:
    """Matrices as products of ``Q`` (orthonormal) and ``R`` (upper triangular), a named tuple.

    Args:
        x: matrices ``(..., m, n)``.
        mode: ``"reduced"`` keeps min(m, n) columns of Q, ``"complete"`` all m.

    Example:
        >>> qr(eye(2)).Q.shape
        torch.Size([2, 2])
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(message("qr", "mode must be 'reduced' or 'complete'", [mode]))
    return _core.linalg_qr(x, mode)


def svd(x: Any, /, *, full_matrices: builtins.bool = True) -> Any:
    """The singular value decomposition ``U @ diag(S) @ Vh``, a named tuple.

    Args:
        x: matrices. full_matrices: whether U and Vh are square.

    Example:
        >>> svd(asarray([[3.0, 0.0], [0.0, 4.0]])).S.tolist()
        [4.0, 3.0]
    """
    return _core.linalg_svd(x, full_matrices)


def svdvals(x: Any, /) -> Any:
    """The singular values of matrices, descending.

    Example:
        >>> svdvals(asarray([[3.0, 0.0], [0.0, 4.0]])).tolist()
        [4.0, 3.0]
    """
    return _core.linalg_svdvals(x)


def eigh(x: Any, /) -> Any:
    """``eigenvalues`` (ascending) and ``eigenvectors`` (columns) of Hermitian matrices, a named tuple.

    Example:
        >>> eigh(asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
        [1.0, 2.0]
    """
    return _core.linalg_eigh(x)


def eigvalsh(x: Any, /) -> Any:
    """The eigenvalues of Hermitian matrices, ascending.

    Example:
        >>> eigvalsh(asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
        [1.0, 2.0]
    """
    return _core.linalg_eigvalsh(x)
