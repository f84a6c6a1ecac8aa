"""torch.linalg: inverses, solvers and decompositions, and their older names at torch's top."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import linalg as _gen
from ..checks import concrete, followed
from ..kernels.linalg import LinAlgError
from ..runtime import return_type, write_out
from ..tensor import Tensor


def put(op: str, r: Any, out: Any) -> Any:
    """The result, or ``out`` with the result in it."""
    return r if out is None else write_out(op, out, r, True)


def named(op: str, fields: tuple[str, ...], values: Any, out: Any = None) -> Any:
    """Torch's named tuple of several results."""
    return write_out(op, out, tuple(values), True) if out is not None else return_type(op, fields)(values)


def refuse(op: str, info: Any, rule: str) -> None:
    """Raise for the first matrix of a batch that LAPACK reports; ``{k}`` in the rule is the place it names."""
    info = concrete(info)
    if info.is_meta or not info._a.any():
        return
    flat = info._a.reshape(-1)
    i = int((flat != 0).argmax())
    where = f"(Batch element {i}): " if info.ndim else ""
    raise LinAlgError(message(op, where + rule.format(k=int(flat[i]))))


_SINGULAR = (
    "the diagonal element {k} is zero, the inversion could not be completed because the input matrix is singular"
)
_NO_SOLUTION = "the solver failed because the input matrix is singular"
_INDEFINITE = (
    "the factorization could not be completed because the input is not positive-definite (the leading minor of "
    "order {k} is not positive-definite)"
)


def inv(A: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803 - torch's names
    """The inverse of square matrices.

    Args:
        A: ``(*, n, n)``, floating or complex.
        out: where the result goes.

    Raises:
        LinAlgError: for a singular matrix.
        RuntimeError: for matrices that are not square.

    Example:
        >>> from lamella import core
        >>> core.linalg_inv(core.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.2500]])
    """
    r, info = _gen.op_linalg_inv_ex(A)
    refuse("linalg.inv", info, _SINGULAR)
    return put("linalg.inv", r, out)


def inv_ex(A: Tensor, *, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As `inv`, with LAPACK's report instead of an error: ``(inverse, info)``."""
    r = _gen.op_linalg_inv_ex(A)
    if check_errors:
        refuse("linalg.inv_ex", r[1], _SINGULAR)
    return named("linalg_inv_ex", ("inverse", "info"), r, out)


def det(A: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803
    """The determinant of square matrices.

    Example:
        >>> from lamella import core
        >>> core.linalg_det(core.tensor([[2.0, 0.0], [0.0, 4.0]]))
        tensor(8.)
    """
    return put("linalg.det", _gen.op_linalg_det(A), out)


def slogdet(A: Tensor, *, out: Any = None) -> Any:  # noqa: N803
    """The sign of the determinant and the logarithm of its size: ``(sign, logabsdet)``."""
    return named("linalg_slogdet", ("sign", "logabsdet"), _gen.op_linalg_slogdet(A), out)


def logdet(input: Tensor) -> Tensor:  # noqa: A002
    """The logarithm of the determinant; nan where it is negative."""
    sign, log = _gen.op_linalg_slogdet(input)
    if sign.is_complex():
        return sign.log() + log
    return log.masked_fill(sign == -1.0, float("nan"))


def unit_like(A: Any) -> Any:  # noqa: N803
    """Unit matrices of A's size, made from A so that they require grad where it does."""
    r = A.clone().zero_()
    r.diagonal(0, -2, -1).fill_(1)
    return r


def _is_vector(A: Tensor, B: Tensor) -> bool:  # noqa: N803
    return B.ndim == 1 or (A.ndim - 1 == B.ndim and tuple(B.shape) == tuple(A.shape[:-1]))


def _solve(op: str, A: Any, B: Any, left: bool) -> tuple[Any, Any]:  # noqa: N803
    if A.ndim < 2:
        raise RuntimeError(message(op, "the input tensor A must have at least 2 dimensions", {"ndim": A.ndim}))
    vector = _is_vector(A, B)
    if vector and not left:
        raise RuntimeError(message(op, "a vector B stands to the right of A, so left must be True"))
    right = B.unsqueeze(-1) if vector else B
    if not left:
        r, info = _gen.op__linalg_solve(A.mT, right.mT)
        return r.mT, info
    r, info = _gen.op__linalg_solve(A, right)
    return r.squeeze(-1) if vector else r, info


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Any = None) -> Tensor:  # noqa: N803
    """The X with ``A X = B`` (``X A = B`` with ``left=False``).

    Args:
        A: square matrices ``(*, n, n)``.
        B: ``(*, n, k)``, or vectors ``(*, n)``.
        left: on which side of X the matrix A stands.
        out: where the result goes.

    Raises:
        LinAlgError: for a singular A.

    Example:
        >>> from lamella import core
        >>> core.linalg_solve(core.tensor([[2.0, 0.0], [0.0, 4.0]]), core.tensor([1.0, 1.0]))
        tensor([0.5000, 0.2500])
    """
    r, info = _solve("linalg.solve", A, B, left)
    refuse("linalg.solve", info, _NO_SOLUTION)
    return put("linalg.solve", r, out)


def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As `solve`, with LAPACK's report instead of an error: ``(result, info)``."""
    r = _solve("linalg.solve_ex", A, B, left)
    if check_errors:
        refuse("linalg.solve_ex", r[1], _NO_SOLUTION)
    return named("linalg_solve_ex", ("result", "info"), r, out)


def solve_triangular(
    A: Tensor,  # noqa: N803
    B: Tensor,  # noqa: N803
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,
    out: Any = None,
) -> Tensor:
    """As `solve`, for triangular matrices of which only one triangle is read.

    Args:
        A: ``(*, n, n)``.
        B: ``(*, n, k)``.
        upper: which triangle is meant.
        left: on which side of X the matrix A stands.
        unitriangular: take the diagonal as ones.
        out: where the result goes.
    """
    r = _gen.op_linalg_solve_triangular(A, B, upper=upper, left=left, unitriangular=unitriangular)
    return put("linalg.solve_triangular", r, out)


def triangular_solve(
    b: Tensor,
    A: Tensor,  # noqa: N803
    upper: bool = True,
    transpose: bool = False,
    unitriangular: bool = False,
    *,
    out: Any = None,
) -> Any:
    """As `solve_triangular` in the older spelling: ``(solution, cloned_coefficient)``."""
    a: Any = A
    r = _gen.op_linalg_solve_triangular(
        a.mT if transpose else a, b, upper=upper != transpose, unitriangular=unitriangular
    )
    batch = r.shape[: r.ndim - 2]
    a = a.expand(*batch, *a.shape[-2:]) if a.shape[:-2] != batch else a
    return named("triangular_solve", ("solution", "cloned_coefficient"), (r, a.clone()), out)


def cholesky(A: Tensor, *, upper: bool = False, out: Any = None) -> Tensor:  # noqa: N803
    """The triangular L with ``A = L L^H`` (U with ``A = U^H U``) of positive-definite matrices.

    Args:
        A: hermitian ``(*, n, n)``; only one triangle is read.
        upper: give U.
        out: where the result goes.

    Raises:
        LinAlgError: where a matrix is not positive-definite.

    Example:
        >>> from lamella import core
        >>> core.linalg_cholesky(core.tensor([[4.0, 2.0], [2.0, 5.0]]))
        tensor([[2., 0.],
                [1., 2.]])
    """
    r, info = _gen.op_linalg_cholesky_ex(A, upper=upper)
    refuse("linalg.cholesky", info, _INDEFINITE)
    return put("linalg.cholesky", r, out)


def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As `cholesky`, with LAPACK's report instead of an error: ``(L, info)``."""
    r = _gen.op_linalg_cholesky_ex(A, upper=upper)
    if check_errors:
        refuse("linalg.cholesky_ex", r[1], _INDEFINITE)
    return named("linalg_cholesky_ex", ("L", "info"), r, out)


def _cholesky_top(input: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:  # noqa: A002
    """As ``linalg.cholesky``."""
    return cholesky(input, upper=upper, out=out)


def _whole(L: Any, upper: bool) -> Any:  # noqa: N803
    """The matrix of a Cholesky factor. As torch has it, the factor's other triangle gets a gradient too."""
    factor = L + ((L.triu() if upper else L.tril()) - L).detach()
    return factor.mH @ factor if upper else factor @ factor.mH


def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:  # noqa: N803
    """The X with ``A X = B``, given the Cholesky factor of A."""
    if followed(L):
        return put("cholesky_solve", _solve("cholesky_solve", _whole(L, upper), B, True)[0], out)
    low: Any = L
    if upper:
        low = low.mH
    half = _gen.op_linalg_solve_triangular(low, B, upper=False)
    return put("cholesky_solve", _gen.op_linalg_solve_triangular(low.mH, half, upper=True), out)


def cholesky_inverse(L: Tensor, upper: bool = False, *, out: Any = None) -> Tensor:  # noqa: N803
    """The inverse of A, given its Cholesky factor."""
    from .creation import eye

    if L.ndim < 2:
        raise RuntimeError(message("cholesky_inverse", f"the input must have at least 2 dimensions, got {L.ndim}"))
    return put("cholesky_inverse", cholesky_solve(eye(L.shape[-1], dtype=L.dtype, device=L.device), L, upper), out)


def qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:  # noqa: N803
    """An orthogonal Q and an upper triangular R with ``A = Q R``.

    Args:
        A: ``(*, m, n)``.
        mode: ``"reduced"``, ``"complete"`` (a square Q) or ``"r"`` (an empty Q).
        out: where the results go.

    Returns:
        A named tuple ``(Q, R)``.
    """
    return named("linalg_qr", ("Q", "R"), _gen.op_linalg_qr(A, mode), out)


def _qr_top(input: Tensor, some: bool = True, *, out: Any = None) -> Any:  # noqa: A002
    """As ``linalg.qr``; ``some=False`` gives a square Q."""
    return named("qr", ("Q", "R"), _gen.op_linalg_qr(input, "reduced" if some else "complete"), out)


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Any = None) -> Any:  # noqa: N803
    """The singular value decomposition ``A = U diag(S) Vh``.

    Args:
        A: ``(*, m, n)``.
        full_matrices: square U and Vh; otherwise only the part that meets S.
        driver: for CUDA only.
        out: where the results go.

    Returns:
        A named tuple ``(U, S, Vh)``; S is sorted, the largest first.
    """
    return named("linalg_svd", ("U", "S", "Vh"), _gen.op__linalg_svd(A, full_matrices), out)


def svdvals(A: Tensor, *, driver: str | None = None, out: Any = None) -> Tensor:  # noqa: N803
    """The singular values of matrices, the largest first.

    Example:
        >>> from lamella import core
        >>> core.linalg_svdvals(core.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor([4., 3.])
    """
    return put("linalg.svdvals", _gen.op__linalg_svd(A, False, followed(A))[1], out)


def _svd_top(input: Tensor, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> Any:  # noqa: A002
    """As ``linalg.svd``, with V instead of its adjoint; without ``compute_uv`` U and V are zeros."""
    u, s, vh = _gen.op__linalg_svd(input, not some, compute_uv or followed(input))
    if not compute_uv:
        batch, (m, n) = tuple(input.shape[:-2]), input.shape[-2:]
        zeros: Any = input.new_zeros  # type: ignore[attr-defined]
        return named("svd", ("U", "S", "V"), (zeros((*batch, m, m)), s, zeros((*batch, n, n))), out)
    return named("svd", ("U", "S", "V"), (u, s, vh.mH), out)


def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:  # noqa: N803
    """Eigenvalues and eigenvectors of hermitian matrices.

    Args:
        A: ``(*, n, n)``.
        UPLO: which triangle is read, ``"L"`` or ``"U"``.
        out: where the results go.

    Returns:
        A named tuple ``(eigenvalues, eigenvectors)``; eigenvalues are real and ascend.

    Example:
        >>> from lamella import core
        >>> core.linalg_eigh(core.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
        tensor([1., 2.])
    """
    return named("linalg_eigh", ("eigenvalues", "eigenvectors"), _gen.op__linalg_eigh(A, UPLO), out)


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Tensor:  # noqa: N803
    """The eigenvalues of hermitian matrices, ascending."""
    return put("linalg.eigvalsh", _gen.op__linalg_eigh(A, UPLO, followed(A))[0], out)


def eig(A: Tensor, *, out: Any = None) -> Any:  # noqa: N803
    """Complex eigenvalues and eigenvectors of square matrices: ``(eigenvalues, eigenvectors)``."""
    return named("linalg_eig", ("eigenvalues", "eigenvectors"), _gen.op_linalg_eig(A), out)


def eigvals(A: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803
    """The complex eigenvalues of square matrices, in no particular order."""
    r = _gen.op_linalg_eig(A)[0] if followed(A) else _gen.op__linalg_eigvals(A)
    return put("linalg.eigvals", r, out)


def matrix_exp(A: Tensor) -> Tensor:  # noqa: N803
    """The matrix exponential.

    Example:
        >>> from lamella import core
        >>> core.linalg_matrix_exp(core.zeros(2, 2))
        tensor([[1., 0.],
                [0., 1.]])
    """
    return _gen.op_linalg_matrix_exp(A)


def lstsq(
    A: Tensor,  # noqa: N803
    B: Tensor,  # noqa: N803
    rcond: float | None = None,
    *,
    driver: str | None = None,
    out: Any = None,
) -> Any:
    """The X of smallest norm among those with the smallest ``|A X - B|``.

    Args:
        A: ``(*, m, n)``.
        B: ``(*, m, k)``, or vectors ``(*, m)``.
        rcond: singular values below this share of the largest count as zero.
        driver: LAPACK's routine: ``gels``, ``gelsy`` (default), ``gelsd``, ``gelss``; it decides what else is reported.
        out: four tensors to write the results into.

    Returns:
        A named tuple ``(solution, residuals, rank, singular_values)``; what was not asked for is empty.
    """
    op = "linalg.lstsq"
    if A.ndim < 2:
        raise RuntimeError(message(op, "input must have at least 2 dimensions", {"ndim": A.ndim}))
    if B.ndim < 1:
        raise RuntimeError(message(op, "other must have at least 1 dimension"))
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            message(op, f"parameter `driver` should be one of (gels, gelsy, gelsd, gelss), not {driver!r}")
        )
    if A.dtype is not B.dtype:
        raise RuntimeError(message(op, "expected both tensors to have the same dtype", [A.dtype.name, B.dtype.name]))
    vector = A.ndim - 1 == B.ndim and tuple(A.shape[:-1]) == tuple(B.shape)
    right: Any = B.unsqueeze(-1) if vector else B  # type: ignore[attr-defined]
    if A.shape[-2] != right.shape[-2]:
        raise RuntimeError(message(op, "input.size(-2) should match other.size(-2)", [list(A.shape), list(B.shape)]))
    solution, rank, values = _gen.op__linalg_lstsq(A.detach(), right.detach(), rcond)  # type: ignore[attr-defined]
    if followed(A) or followed(B):
        from .linalg_norms import pinv

        solution = pinv(A) @ right
    m, n = A.shape[-2:]
    if m > n and driver not in (None, "gelsy") and bool((concrete(rank) == n).all()):
        residuals = (A @ solution - right).abs().square().sum(-2)  # type: ignore[operator]
    else:
        residuals = solution.reshape(-1).narrow(0, 0, 0).abs()
    if driver == "gels":
        rank = rank.new_zeros((0,))
    if driver not in ("gelsd", "gelss"):
        values = values.new_zeros((0,))
    names = ("solution", "residuals", "rank", "singular_values")
    found = (solution.squeeze(-1) if vector else solution, residuals, rank, values)
    return named("linalg_lstsq", names, found, out)


_LINALG = (
    inv,
    inv_ex,
    det,
    slogdet,
    solve,
    solve_ex,
    solve_triangular,
    cholesky,
    cholesky_ex,
    qr,
    svd,
    svdvals,
    eigh,
    eigvalsh,
    eig,
    eigvals,
    matrix_exp,
    lstsq,
)
FUNCTIONS: dict[str, Any] = {f"linalg_{f.__name__}": f for f in _LINALG}
FUNCTIONS |= {
    f.__name__: f for f in (det, logdet, slogdet, triangular_solve, cholesky_solve, cholesky_inverse, matrix_exp)
}
FUNCTIONS |= {
    "inverse": inv,
    "cholesky": _cholesky_top,
    "qr": _qr_top,
    "svd": _svd_top,
    "linalg_LinAlgError": LinAlgError,
}
METHODS = {
    n: FUNCTIONS[n]
    for n in (
        "det",
        "logdet",
        "slogdet",
        "triangular_solve",
        "cholesky_solve",
        "cholesky_inverse",
        "matrix_exp",
        "inverse",
        "cholesky",
        "qr",
        "svd",
    )
}
