"""Decompositions and solvers over arrays: LAPACK through NumPy where it is batched, else through SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from .pointwise import unsupported

_INT = np.dtype(np.int32)


class LinAlgError(RuntimeError):
    """A matrix that an operation cannot handle: singular, not positive definite, or without convergence."""


LinAlgError.__module__ = "torch.linalg"


def matrices(op: str, a: Any, name: str = "A") -> None:
    """Refuse what is no matrix, or no matrix of floating or complex numbers."""
    if a.ndim < 2:
        raise RuntimeError(message(op, f"the input tensor {name} must have at least 2 dimensions", {"ndim": a.ndim}))
    if a.dtype.kind in "biu":
        raise RuntimeError(message(op, f"expected a floating point or complex tensor as input, got {a.dtype.name}"))
    if a.dtype.itemsize == 2:
        raise unsupported(op, a.dtype)


def square(op: str, a: Any, name: str = "A") -> None:
    """As `matrices`, of as many rows as columns."""
    matrices(op, a, name)
    m, n = a.shape[-2:]
    if m != n:
        raise RuntimeError(message(op, f"{name} must be batches of square matrices, but they are {m} by {n} matrices"))


def lapack(name: str, a: Any) -> Any:
    """SciPy's LAPACK routine for an array's type."""
    from scipy.linalg.lapack import get_lapack_funcs

    return get_lapack_funcs((name,), (a,))[0]


def each(a: Any, *more: Any) -> Any:
    """Every matrix of a batch with its index; further arrays are batched alike."""
    for i in np.ndindex(a.shape[:-2]):
        yield i, a[i], *(x[i] for x in more)


def _adjoint(a: Any) -> Any:
    return a.conj().swapaxes(-1, -2)


def _not_converged(op: str, error: Exception) -> LinAlgError:
    return LinAlgError(message(op, "the algorithm failed to converge", str(error)))


# ---------------------------------------------------------------- inverse, determinant, solving


def linalg_inv_ex(xp: Any, A: Any, check_errors: bool) -> Any:  # noqa: N803 - torch's names
    square("linalg.inv", A)
    info = xp.zeros(A.shape[:-2], _INT)
    try:
        return xp.linalg.inv(A), info
    except np.linalg.LinAlgError:
        r = xp.empty_like(A)
        for i, a in each(A):
            info[i] = _zero_pivot(a)
            r[i] = np.nan if info[i] else xp.linalg.inv(a)
        return r, info


def _zero_pivot(a: Any) -> int:
    """1 + the index of the first zero pivot, 0 where there is none."""
    return int(lapack("getrf", a)(a)[2])


def linalg_det(xp: Any, A: Any) -> Any:  # noqa: N803
    square("linalg.det", A)
    return xp.linalg.det(A)


def linalg_slogdet(xp: Any, A: Any) -> Any:  # noqa: N803
    square("linalg.slogdet", A)
    sign, log = xp.linalg.slogdet(A)
    return xp.asarray(sign), xp.asarray(log)


def check_solve(op: str, A: Any, B: Any) -> tuple[int, ...]:  # noqa: N803
    """The shape of ``A^-1 B`` for matrices."""
    square(op, A)
    matrices(op, B, "B")
    if A.dtype != B.dtype:
        raise RuntimeError(message(op, "expected A and B to have the same dtype", [A.dtype.name, B.dtype.name]))
    if A.shape[-1] != B.shape[-2]:
        raise RuntimeError(
            message(
                op,
                "incompatible shapes of A and B for the equation AX = B "
                f"({A.shape[-2]}x{A.shape[-1]} and {B.shape[-2]}x{B.shape[-1]})",
            )
        )
    try:
        lead = np.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    except ValueError:
        raise RuntimeError(
            message(op, "the batch dimensions cannot be broadcast", [list(A.shape), list(B.shape)])
        ) from None
    return (*lead, A.shape[-1], B.shape[-1])


def _linalg_solve(xp: Any, A: Any, B: Any) -> Any:  # noqa: N803
    shape = check_solve("linalg.solve", A, B)
    info = xp.zeros(A.shape[:-2], _INT)
    try:
        return xp.linalg.solve(A, B), info
    except np.linalg.LinAlgError:
        r = xp.empty(shape, A.dtype)
        full, right = np.broadcast_to(A, (*shape[:-2], *A.shape[-2:])), np.broadcast_to(B, shape)
        for i, a in each(A):
            info[i] = _zero_pivot(a)
        for i, a, b in each(full, right):
            r[i] = np.nan if _zero_pivot(a) else xp.linalg.solve(a, b)
        return r, info


def linalg_solve_triangular(xp: Any, self: Any, B: Any, upper: bool, left: bool, unitriangular: bool) -> Any:  # noqa: N803
    shape = triangular_shape(self, B, left)
    a = np.broadcast_to(self, (*shape[:-2], *self.shape[-2:]))
    r = xp.empty(shape, B.dtype)
    if r.size:
        from scipy.linalg.blas import get_blas_funcs

        trsm = get_blas_funcs(("trsm",), (r,))[0]
        side, diag = 0 if left else 1, 1 if unitriangular else 0
        for i, x, y in each(a, np.broadcast_to(B, shape)):
            # The transposed matrix is in Fortran's order already: solve with it as the other triangle.
            r[i] = trsm(1.0, x.T, y, side=side, lower=1 if upper else 0, trans_a=1, diag=diag)
    return r


def triangular_shape(A: Any, B: Any, left: bool) -> tuple[int, ...]:  # noqa: N803
    """The shape of the solution of a triangular system."""
    op = "linalg.solve_triangular"
    square(op, A)
    matrices(op, B, "B")
    if A.dtype != B.dtype:
        raise RuntimeError(message(op, "expected A and B to have the same dtype", [A.dtype.name, B.dtype.name]))
    if A.shape[-1] != B.shape[-2 if left else -1]:
        raise RuntimeError(
            message(
                op,
                "incompatible shapes of A and B for the equation "
                + ("AX = B" if left else "XA = B")
                + f" ({A.shape[-2]}x{A.shape[-1]} and {B.shape[-2]}x{B.shape[-1]})",
            )
        )
    try:
        return (*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), *B.shape[-2:])
    except ValueError:
        raise RuntimeError(
            message(op, "the batch dimensions cannot be broadcast", [list(A.shape), list(B.shape)])
        ) from None


def linalg_matrix_exp(xp: Any, self: Any) -> Any:
    if self.dtype.itemsize == 2 and self.dtype.kind not in "iu":
        return linalg_matrix_exp(xp, self.astype(xp.float32)).astype(self.dtype)
    square("linalg.matrix_exp", self)
    if self.size == 0:
        return self.copy()
    wide = np.complex128 if self.dtype.kind == "c" else np.float64
    return _expm(self.astype(wide, copy=False)).astype(self.dtype, copy=False)


def _expm(a: Any) -> Any:
    import scipy.linalg

    return np.asarray(scipy.linalg.expm(a))


# ---------------------------------------------------------------- decompositions


def linalg_cholesky_ex(xp: Any, self: Any, upper: bool, check_errors: bool) -> Any:
    square("linalg.cholesky", self)
    info = xp.zeros(self.shape[:-2], _INT)
    try:
        return xp.linalg.cholesky(self, upper=upper), info
    except np.linalg.LinAlgError:
        r = xp.empty_like(self)
        potrf = lapack("potrf", self)
        for i, a in each(self):
            r[i], info[i] = potrf(a, lower=not upper, clean=1)
        return r, info


def linalg_qr(xp: Any, A: Any, mode: str) -> Any:  # noqa: N803
    matrices("linalg.qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            message("linalg.qr", f"received unrecognized mode '{mode}'", hint="valid: 'reduced', 'complete', 'r'")
        )
    if mode == "r":
        return xp.empty(0, A.dtype), xp.linalg.qr(A, "r")
    q, r = xp.linalg.qr(A, mode)
    return q, r


def _linalg_svd(xp: Any, A: Any, full_matrices: bool, compute_uv: bool, driver: Any) -> Any:  # noqa: N803
    matrices("linalg.svd", A)
    try:
        if compute_uv:
            u, s, vh = xp.linalg.svd(A, full_matrices)
            return u, s, vh
        none = xp.empty(0, A.dtype)
        return none, xp.linalg.svd(A, compute_uv=False), none
    except np.linalg.LinAlgError as e:
        raise _not_converged("linalg.svd", e) from None


def _linalg_eigh(xp: Any, A: Any, UPLO: str, compute_v: bool) -> Any:  # noqa: N803
    square("linalg.eigh", A)
    side = UPLO.upper() if isinstance(UPLO, str) else UPLO
    if side not in ("L", "U"):
        raise RuntimeError(message("linalg.eigh", f"expected UPLO argument to be 'L' or 'U', but got {UPLO}"))
    try:
        if compute_v:
            values, vectors = xp.linalg.eigh(A, side)
            return values, vectors
        return xp.linalg.eigvalsh(A, side), xp.empty(0, A.dtype)
    except np.linalg.LinAlgError as e:
        raise _not_converged("linalg.eigh", e) from None


def linalg_eig(xp: Any, self: Any) -> Any:
    square("linalg.eig", self)
    d = np.result_type(self.dtype, np.complex64)
    _finite("linalg.eig", self)
    try:
        values, vectors = xp.linalg.eig(self)
    except np.linalg.LinAlgError as e:
        raise _not_converged("linalg.eig", e) from None
    return values.astype(d, copy=False), vectors.astype(d, copy=False)


def _linalg_eigvals(xp: Any, self: Any) -> Any:
    square("linalg.eigvals", self)
    _finite("linalg.eigvals", self)
    return xp.linalg.eigvals(self).astype(np.result_type(self.dtype, np.complex64), copy=False)


def _finite(op: str, a: Any) -> None:
    if not np.isfinite(a).all():
        raise RuntimeError(message(op, "input tensor should not contain infs or NaNs"))


def linalg_lu_factor_ex(xp: Any, A: Any, pivot: bool, check_errors: bool) -> Any:  # noqa: N803
    matrices("linalg.lu_factor", A)
    if not pivot:
        raise RuntimeError(message("linalg.lu_factor", "LU without pivoting is not implemented on the CPU"))
    m, n = A.shape[-2:]
    r, info = xp.empty(A.shape, A.dtype), xp.zeros(A.shape[:-2], _INT)
    pivots = xp.zeros((*A.shape[:-2], min(m, n)), _INT)
    if A.size:
        getrf = lapack("getrf", A)
        for i, a in each(A):
            r[i], found, info[i] = getrf(a)
            pivots[i] = found + 1
    return r, pivots, info


def _lu_permutation(xp: Any, pivots: Any, m: int, like: Any) -> Any:
    return permutations(pivots, m, like.dtype)


def permutations(pivots: np.ndarray, m: int, d: Any) -> np.ndarray:
    """The matrices that undo LU's row exchanges, given where each row went (counted from 1)."""
    batch = pivots.shape[:-1]
    r = np.zeros((*batch, m, m), d)
    for i in np.ndindex(batch):
        rows = list(range(m))
        for k, p in enumerate(pivots[i].tolist()):
            rows[k], rows[p - 1] = rows[p - 1], rows[k]
        r[(*i, rows, range(m))] = 1
    return r


def geqrf(xp: Any, self: Any) -> Any:
    matrices("geqrf", self, "input")
    m, n = self.shape[-2:]
    r, tau = xp.empty(self.shape, self.dtype), xp.zeros((*self.shape[:-2], min(m, n)), self.dtype)
    if self.size:
        routine = lapack("geqrf", self)
        for i, a in each(self):
            r[i], tau[i], _, _ = routine(a)
    return r, tau


def linalg_ldl_factor_ex(xp: Any, self: Any, hermitian: bool, check_errors: bool) -> Any:
    square("linalg.ldl_factor", self)
    routine = lapack("hetrf" if hermitian and self.dtype.kind == "c" else "sytrf", self)
    r, pivots = xp.empty(self.shape, self.dtype), xp.zeros(self.shape[:-1], _INT)
    info = xp.zeros(self.shape[:-2], _INT)
    for i, a in each(self):
        if a.size:
            r[i], pivots[i], info[i] = routine(a, lower=1)
    return np.tril(r), pivots, info


def linalg_ldl_solve(xp: Any, LD: Any, pivots: Any, B: Any, hermitian: bool) -> Any:  # noqa: N803
    shape = check_solve("linalg.ldl_solve", LD, B)
    routine = lapack("hetrs" if hermitian and LD.dtype.kind == "c" else "sytrs", LD)
    r = xp.empty(shape, B.dtype)
    ld, p = np.broadcast_to(LD, (*shape[:-2], *LD.shape[-2:])), np.broadcast_to(pivots, shape[:-1])
    for i, a, b in each(ld, np.broadcast_to(B, shape)):
        if b.size:
            r[i] = routine(a, p[i], b, lower=1)[0]
    return r


def _linalg_pinv(xp: Any, A: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:  # noqa: N803
    (square if hermitian else matrices)("linalg.pinv", A)
    if A.size == 0:
        return xp.empty((*A.shape[:-2], A.shape[-1], A.shape[-2]), A.dtype)
    if hermitian:
        values, vectors = xp.linalg.eigh(A)
        u, s, vh = vectors, values, _adjoint(vectors)
    else:
        u, s, vh = xp.linalg.svd(A, False)
    size = xp.abs(s)
    keep = size > xp.maximum(atol[..., None], rtol[..., None] * size.max(-1, keepdims=True))
    inverse = xp.where(keep, 1 / xp.where(keep, s, 1), 0)
    return ((_adjoint(vh) * inverse[..., None, :]) @ _adjoint(u)).astype(A.dtype, copy=False)


def _linalg_lstsq(xp: Any, self: Any, B: Any, rcond: Any) -> Any:  # noqa: N803
    """Solutions, ranks and singular values, matrix by matrix."""
    m, n = self.shape[-2:]
    rcond = np.finfo(self.dtype).eps * max(m, n) if rcond is None else rcond
    r = xp.zeros((*self.shape[:-2], n, B.shape[-1]), self.dtype)
    rank = xp.zeros(self.shape[:-2], np.int64)
    s = xp.zeros((*self.shape[:-2], min(m, n)), self.real.dtype)
    for i, a, b in each(self, B):
        if a.size and b.size:
            r[i], _, rank[i], s[i] = np.linalg.lstsq(a, b, rcond)
    return r, rank, s
