"""Shape rules of decompositions and solvers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes as dt
from ..kernels import linalg as k
from ..tensor import Tensor


def linalg_inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:  # noqa: N803 - torch's names
    k.square("linalg.inv", A._a)
    return (A._a.shape, A.dtype), (A._a.shape[:-2], dt.int32)


def linalg_det(A: Tensor) -> Any:  # noqa: N803
    k.square("linalg.det", A._a)
    return A._a.shape[:-2], A.dtype


def linalg_slogdet(A: Tensor) -> Any:  # noqa: N803
    k.square("linalg.slogdet", A._a)
    return (A._a.shape[:-2], A.dtype), (A._a.shape[:-2], A.dtype.to_real())


def _linalg_solve(A: Tensor, B: Tensor) -> Any:  # noqa: N803
    return (k.check_solve("linalg.solve", A._a, B._a), B.dtype), (A._a.shape[:-2], dt.int32)


def linalg_solve_triangular(
    self: Tensor,
    B: Tensor,
    *,
    upper: bool,
    left: bool = True,
    unitriangular: bool = False,  # noqa: N803
) -> Any:
    return k.triangular_shape(self._a, B._a, left), B.dtype


def linalg_matrix_exp(self: Tensor) -> Any:
    low = self._a.dtype.itemsize == 2 and self._a.dtype.kind not in "iu"  # the one operator of this kind for them
    k.square("linalg.matrix_exp", np.broadcast_to(np.float32(0), self._a.shape) if low else self._a)
    return self._a.shape, self.dtype


def linalg_cholesky_ex(self: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    k.square("linalg.cholesky", self._a)
    return (self._a.shape, self.dtype), (self._a.shape[:-2], dt.int32)


def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:  # noqa: N803
    k.matrices("linalg.qr", A._a)
    (*batch, m, n), d = A._a.shape, A.dtype
    inner = m if mode == "complete" else min(m, n)
    return ((0,) if mode == "r" else (*batch, m, inner), d), ((*batch, inner, n), d)


def _linalg_svd(A: Tensor, full_matrices: bool = False, compute_uv: bool = True, *, driver: Any = None) -> Any:  # noqa: N803
    k.matrices("linalg.svd", A._a)
    (*batch, m, n), d = A._a.shape, A.dtype
    values = ((*batch, min(m, n)), d.to_real())
    if not compute_uv:
        return ((0,), d), values, ((0,), d)
    left, right = (m, n) if full_matrices else (min(m, n), min(m, n))
    return ((*batch, m, left), d), values, ((*batch, right, n), d)


def _linalg_eigh(A: Tensor, UPLO: str = "L", compute_v: bool = True) -> Any:  # noqa: N803
    k.square("linalg.eigh", A._a)
    return (A._a.shape[:-1], A.dtype.to_real()), (A._a.shape if compute_v else (0,), A.dtype)


def linalg_eig(self: Tensor) -> Any:
    k.square("linalg.eig", self._a)
    d = self.dtype.to_complex()
    return (self._a.shape[:-1], d), (self._a.shape, d)


def _linalg_eigvals(self: Tensor) -> Any:
    return linalg_eig(self)[0]


def linalg_lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:  # noqa: N803
    k.matrices("linalg.lu_factor", A._a)
    *batch, m, n = A._a.shape
    return (A._a.shape, A.dtype), ((*batch, min(m, n)), dt.int32), (tuple(batch), dt.int32)


def _lu_permutation(pivots: Tensor, m: int, like: Tensor) -> Any:
    return (*pivots._a.shape[:-1], m, m), like.dtype


def geqrf(self: Tensor) -> Any:
    k.matrices("geqrf", self._a, "input")
    *batch, m, n = self._a.shape
    return (self._a.shape, self.dtype), ((*batch, min(m, n)), self.dtype)


def linalg_ldl_factor_ex(self: Tensor, *, hermitian: bool = False, check_errors: bool = False) -> Any:
    k.square("linalg.ldl_factor", self._a)
    shape = self._a.shape
    return (shape, self.dtype), (shape[:-1], dt.int32), (shape[:-2], dt.int32)


def linalg_ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False) -> Any:  # noqa: N803
    return k.check_solve("linalg.ldl_solve", LD._a, B._a), B.dtype


def _linalg_pinv(A: Tensor, atol: Tensor, rtol: Tensor, hermitian: bool = False) -> Any:  # noqa: N803
    (k.square if hermitian else k.matrices)("linalg.pinv", A._a)
    *batch, m, n = A._a.shape
    return (*batch, n, m), A.dtype


def _linalg_lstsq(self: Tensor, B: Tensor, rcond: Any = None) -> Any:  # noqa: N803
    *batch, m, n = self._a.shape
    solution = ((*batch, n, B._a.shape[-1]), self.dtype)
    return solution, (tuple(batch), dt.int64), ((*batch, min(m, n)), self.dtype.to_real())
