"""Decompositions and solvers on a GPU: cuSOLVER and cuBLAS through CuPy.

CuPy looks at no status of cuSOLVER unless it is asked to; what went wrong is found from the result here, and only then
is the place of the fault looked for. Bunch-Kaufman factors and QR in LAPACK's compact form are computed on the host:
CuPy has no form of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lamella.dispatch.errors import message

from ...kernels.linalg import check_solve, each, matrices, permutations, square, triangular_shape
from ..xp import CUPY, MODULES, ndarray

__all__ = [
    "lapack", "linalg_cholesky_ex", "linalg_inv_ex", "linalg_lu_factor_ex", "linalg_solve_triangular", "_expm",
    "_linalg_solve", "_lu_permutation", "_zero_pivot",
]  # fmt: skip
_scipy = MODULES["scipy.linalg"]


def lapack(name: str, a: Any) -> Any:
    """SciPy's LAPACK routine for an array's type, run on the host: arrays go there and results come back."""
    from scipy.linalg.lapack import get_lapack_funcs

    routine = get_lapack_funcs((name,), dtype=a.dtype)[0]

    def on_host(*args: Any, **kwargs: Any) -> Any:
        found = routine(*[x.get() if isinstance(x, ndarray) else x for x in args], **kwargs)
        items = found if isinstance(found, tuple) else (found,)
        moved = tuple(CUPY.asarray(x) if isinstance(x, np.ndarray) else x for x in items)
        return moved if isinstance(found, tuple) else moved[0]

    return on_host


def _faulty(r: Any) -> Any:
    """Which results of a batch are not finite, as NumPy flags (the host waits for them)."""
    return ~CUPY.isfinite(r).all((-2, -1)).get()


def _zero_pivot(a: Any) -> int:
    """1 + the index of the first zero pivot, 0 where there is none."""
    diagonal = _scipy.lu_factor(a, check_finite=False)[0].diagonal().get()
    zeros = np.flatnonzero(diagonal == 0)
    return int(zeros[0]) + 1 if zeros.size else 0


def _infos(a: Any, bad: Any, find: Any) -> Any:
    info = np.zeros(a.shape[:-2], np.int32)
    for i in np.ndindex(a.shape[:-2]):
        if bad[i]:
            info[i] = find(a[i])
    return CUPY.asarray(info)


def linalg_inv_ex(xp: Any, A: Any, check_errors: bool) -> Any:  # noqa: N803 - torch's names
    """Inverses, and 1 + the place of the first zero pivot of those that have none."""
    square("linalg.inv", A)
    if not A.size:
        return A.copy(), CUPY.zeros(A.shape[:-2], np.int32)
    r = CUPY.linalg.inv(A)
    return r, _infos(A, _faulty(r), _zero_pivot)


def _linalg_solve(xp: Any, A: Any, B: Any) -> Any:  # noqa: N803
    shape = check_solve("linalg.solve", A, B)
    if 0 in shape:
        return CUPY.empty(shape, B.dtype), CUPY.zeros(A.shape[:-2], np.int32)
    full = CUPY.broadcast_to(A, (*shape[:-2], *A.shape[-2:]))
    r = CUPY.linalg.solve(CUPY.ascontiguousarray(full), CUPY.ascontiguousarray(CUPY.broadcast_to(B, shape)))
    if _faulty(r).any():
        return r, _infos(A, np.ones(A.shape[:-2], bool), _zero_pivot)
    return r, CUPY.zeros(A.shape[:-2], np.int32)


def linalg_solve_triangular(xp: Any, self: Any, B: Any, upper: bool, left: bool, unitriangular: bool) -> Any:  # noqa: N803
    """The solution of a triangular system, from either side."""
    shape = triangular_shape(self, B, left)
    if 0 in shape:
        return CUPY.empty(shape, B.dtype)
    a = CUPY.ascontiguousarray(CUPY.broadcast_to(self, (*shape[:-2], *self.shape[-2:])))
    b = CUPY.broadcast_to(B, shape)
    if left:
        return _scipy.solve_triangular(a, CUPY.ascontiguousarray(b), 0, not upper, unitriangular)
    x = _scipy.solve_triangular(a, CUPY.ascontiguousarray(b.swapaxes(-1, -2)), 1, not upper, unitriangular)
    return CUPY.ascontiguousarray(x.swapaxes(-1, -2))


def linalg_cholesky_ex(xp: Any, self: Any, upper: bool, check_errors: bool) -> Any:
    """Cholesky factors, and the order of the first leading minor that is not positive of those that have none."""
    square("linalg.cholesky", self)
    if not self.size:
        return self.copy(), CUPY.zeros(self.shape[:-2], np.int32)
    # The lower triangle alone counts, as in LAPACK.
    r = CUPY.tril(CUPY.linalg.cholesky(_hermitian(self, upper)))
    bad = _faulty(r) | ~(r.diagonal(0, -2, -1).real > 0).all(-1).get()
    info = _infos(self, bad, lambda a: int(lapack("potrf", a)(a, lower=not upper, clean=1)[1]))
    return (CUPY.ascontiguousarray(r.conj().swapaxes(-1, -2)) if upper else r), info


def _hermitian(a: Any, upper: bool) -> Any:
    if upper:
        a = a.conj().swapaxes(-1, -2)
    return CUPY.ascontiguousarray(CUPY.tril(a) + CUPY.tril(a, -1).conj().swapaxes(-1, -2))


def linalg_lu_factor_ex(xp: Any, A: Any, pivot: bool, check_errors: bool) -> Any:  # noqa: N803
    """L and U in one matrix, where rows went (counted from 1), and the places of zero pivots."""
    matrices("linalg.lu_factor", A)
    if not pivot:
        raise RuntimeError(message("linalg.lu_factor", "LU without pivoting is not implemented"))
    m, n = A.shape[-2:]
    r, info = CUPY.empty(A.shape, A.dtype), np.zeros(A.shape[:-2], np.int32)
    pivots = CUPY.zeros((*A.shape[:-2], min(m, n)), np.int32)
    for i, a in each(A):
        if a.size:
            r[i], pivots[i] = _scipy.lu_factor(a, check_finite=False)
    pivots += 1
    if A.size:
        zero = (r.diagonal(0, -2, -1) == 0).get()
        info[...] = np.where(zero.any(-1), zero.argmax(-1) + 1, 0)
    return r, pivots, CUPY.asarray(info)


def _lu_permutation(xp: Any, pivots: Any, m: int, like: Any) -> Any:
    """The matrix that undoes LU's row exchanges; made on the host."""
    return CUPY.asarray(permutations(pivots.get(), m, like.dtype))


def _expm(a: Any) -> Any:
    """The exponential of matrices, one after the other."""
    r = CUPY.empty(a.shape, a.dtype)
    for i, matrix in each(a):
        r[i] = _scipy.expm(matrix)
    return r
