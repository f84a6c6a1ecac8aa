"""Functions that torch keeps for old programs, questions about tensors as functions, and what strided tensors answer
to questions about sparse ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ..checks import wrap_dim
from ..tensor import Tensor
from .linalg_norms import matrix_norm
from .reduction import norm


def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:  # noqa: N803
    """The matrix whose columns are the powers of a vector, the highest first.

    Args:
        x: a vector.
        N: the number of columns; by default the vector's length.
        increasing: the lowest power first.

    Raises:
        RuntimeError: if ``x`` is no vector, or for a negative number of columns.

    Example:
        >>> vander(tensor([1, 2, 3])).tolist()
        [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    from . import FUNCTIONS as everything

    t: Any = x
    if t.ndim != 1:
        raise RuntimeError(message("vander", "x must be a one-dimensional tensor", {"dimensions": t.ndim}))
    n = t.shape[0] if N is None else N
    if n < 0:
        raise RuntimeError(message("vander", "N must be non-negative", {"N": n}))
    if t.dtype.category < 1:
        t = t.long()
    ones = t.new_ones((t.shape[0], min(n, 1)))
    powers = everything["cat"]([ones, t.unsqueeze(1).expand(-1, max(n - 1, 0)).cumprod(1)], 1)
    return powers if increasing else powers.flip(1)


def frobenius_norm(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The root of the sum of the squares of absolute values; `linalg.vector_norm` says it better.

    Example:
        >>> frobenius_norm(tensor([[3.0, 4.0]]), [0, 1]).item()
        5.0
    """
    return norm(input, 2, dim if isinstance(dim, int) or len(dim) else None, keepdim, out=out)


def nuclear_norm(input: Tensor, dim: Any = (-2, -1), keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The sum of the singular values; `linalg.matrix_norm` says it better.

    Example:
        >>> nuclear_norm(tensor([[3.0, 0.0], [0.0, 4.0]])).item()
        7.0
    """
    return matrix_norm(input, "nuc", tuple(dim), keepdim, out=out)


def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The p-norms over all dimensions but one, which is kept.

    Args:
        v: a floating tensor.
        pow: the order of the norm.
        dim: the dimension that stays; -1 is the norm of everything, without dimensions.

    Example:
        >>> norm_except_dim(tensor([[3.0, 4.0]])).tolist()
        [[5.0]]
    """
    if dim == -1:
        return norm(v, pow)
    dim = wrap_dim("norm_except_dim", dim, v._a.ndim)
    return norm(v, pow, [i for i in range(v._a.ndim) if i != dim], True)


def lobpcg(
    A: Tensor,  # noqa: N803
    k: int | None = None,
    B: Tensor | None = None,  # noqa: N803
    X: Tensor | None = None,  # noqa: N803
    n: int | None = None,
    iK: Tensor | None = None,  # noqa: N803
    niter: int | None = None,
    tol: float | None = None,
    largest: bool | None = None,
    method: str | None = None,
    tracker: Any = None,
    ortho_iparams: Any = None,
    ortho_fparams: Any = None,
    ortho_bparams: Any = None,
) -> tuple[Tensor, Tensor]:
    """The largest or smallest eigenvalues of symmetric positive-definite matrices, and their eigenvectors.

    All eigenvalues are computed, by `linalg.eigh`, and the wanted ones kept; what steers torch's iteration is accepted
    and has no effect.

    Args:
        A: symmetric ``(*, m, m)``.
        k: how many; by default as many as ``X`` has columns, or 1.
        B: a symmetric positive-definite matrix of a generalized problem ``A x = B x s``.
        X: torch's first guess, of whose size the number of columns is read.
        n: the number of columns if there is no ``X``.
        iK, niter, tol, method, tracker, ortho_iparams, ortho_fparams, ortho_bparams: no effect.
        largest: the largest ones (the default) instead of the smallest.

    Returns:
        Eigenvalues ``(*, k)`` and eigenvectors ``(*, m, k)``.

    Raises:
        ValueError: if the matrix has fewer than 3 * k rows, as torch's iteration needs.

    Example:
        >>> lobpcg(diag(tensor([1.0, 3.0, 2.0])))[0].tolist()
        [3.0]
    """
    from . import FUNCTIONS as everything

    k = (1 if X is None else X.shape[-1]) if k is None else k
    m = A.shape[-1]
    if m < 3 * (k if n is None else max(k, n)):
        rule = f"lobpcg is not applicable when the number of A rows (={m}) is smaller than 3 x the number of eigenpairs"
        raise ValueError(message("lobpcg", rule, {"k": k}))
    a: Any = A
    factor: Any = None
    if B is not None:
        factor = everything["linalg_cholesky"](B)
        solve = everything["linalg_solve_triangular"]
        a = solve(factor, solve(factor, a, upper=False).mT, upper=False).mT
    values, vectors = everything["linalg_eigh"](a)
    if largest is None or largest:
        values, vectors = values.flip(-1), vectors.flip(-1)
    values, vectors = values[..., :k], vectors[..., :k]
    if factor is not None:
        vectors = everything["linalg_solve_triangular"](factor.mT, vectors, upper=True)
    return values, vectors


def linalg_diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:  # noqa: N803
    """The diagonals of matrices, a view; as `diagonal`, of the last two dimensions unless told otherwise.

    Example:
        >>> linalg_diagonal(tensor([[1, 2], [3, 4]])).tolist()
        [1, 4]
    """
    return A.diagonal(offset, dim1, dim2)  # type: ignore[attr-defined]


def native_channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """As `channel_shuffle`.

    Example:
        >>> native_channel_shuffle(tensor([[1, 2, 3, 4]]).reshape(1, 4, 1), 2).flatten().tolist()
        [1, 3, 2, 4]
    """
    from . import FUNCTIONS as everything

    return everything["channel_shuffle"](input, groups)


def _question(name: str) -> Any:
    def function(input: Tensor) -> bool:
        return getattr(input, name)()

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"See `Tensor.{name}`."
    return function


def _removed(name: str, instead: str) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(message(name, "this function was removed from torch", hint=f"use torch.linalg.{instead}"))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Removed from torch; use `linalg.{instead}`."
    return function


def _not_sparse(name: str) -> Any:
    def method(self: Tensor) -> Any:
        raise RuntimeError(message(name, "expected sparse tensor layout but got Strided"))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "An error: tensors here are not sparse."
    return method


def dense_dim(self: Tensor) -> int:
    """The number of dimensions: all are dense."""
    return self._a.ndim


def sparse_dim(self: Tensor) -> int:
    """The number of sparse dimensions: none."""
    return 0


def dequantize(self: Tensor) -> Tensor:
    """This tensor in float32: nothing is quantized here."""
    return self.float()  # type: ignore[attr-defined]


def map2_(self: Tensor, tensor1: Tensor, tensor2: Tensor, callable: Any) -> Tensor:
    """Replace each element by what a Python function makes of it and the elements of two tensors; slow.

    Example:
        >>> tensor([1.0]).map2_(tensor([2.0]), tensor([3.0]), lambda a, b, c: a + b * c)
        tensor([7.])
    """
    if self.requires_grad or tensor1.requires_grad or tensor2.requires_grad:  # type: ignore[attr-defined]
        raise RuntimeError(message("map2_", "it cannot be called on tensors that require grad", hint="use detach()"))
    shape = self._a.shape
    operands = [np.broadcast_to(t._a, shape).ravel().tolist() for t in (self, tensor1, tensor2)]
    values = np.array([callable(*xs) for xs in zip(*operands, strict=True)], self._a.dtype).reshape(shape)
    return self.copy_(self.new_tensor(values))  # type: ignore[attr-defined]


def module_load(self: Tensor, other: Tensor, assign: bool = False) -> Tensor:
    """What `Module.load_state_dict` puts in place of this tensor when it swaps tensors."""
    return other.detach() if assign else self.copy_(other).detach()  # type: ignore[attr-defined]


_QUESTIONS = ("is_signed", "is_conj", "is_neg", "is_inference", "is_distributed")
_REMOVED = {"eig": "eig", "lstsq": "lstsq", "solve": "solve", "symeig": "eigh", "matrix_rank": "matrix_rank"}
FUNCTIONS: dict[str, Any] = {
    f.__name__: f
    for f in (
        vander,
        frobenius_norm,
        nuclear_norm,
        norm_except_dim,
        lobpcg,
        linalg_diagonal,
        native_channel_shuffle,
    )
}
FUNCTIONS |= {name: _question(name) for name in _QUESTIONS}
FUNCTIONS |= {name: _removed(name, instead) for name, instead in _REMOVED.items()}
METHODS: dict[str, Any] = {f.__name__: f for f in (dense_dim, sparse_dim, dequantize, map2_, module_load)}
METHODS |= {n: _not_sparse(n) for n in ("values", "indices", "coalesce", "is_coalesced", "crow_indices", "col_indices")}
METHODS |= {name: _removed(name, _REMOVED[name]) for name in ("eig", "lstsq", "solve", "symeig")}
