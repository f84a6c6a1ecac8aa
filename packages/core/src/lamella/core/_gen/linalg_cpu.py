# Generated from packages/core/src/lamella/core/ops/linalg.yaml (sha256 5982faa848f0869d). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.xp import NUMPY as _xp

from lamella.core.runtime import (
    BACKEND_MASK as _BACKENDS,
    F32 as _F32,
    F64 as _F64,
    Tensor as _Tensor,
    VersionCounter as _VersionCounter,
    asarray as _asarray,
    elementwise as _elementwise,
    elementwise_into as _elementwise_into,
    ndarray as _ndarray,
    new_tensor as _new_tensor,
    operand_error as _operand_error,
    recorder as _recorder,
    refuse_clash as _refuse_clash,
    return_type as _return_type,
    wrap_result as _wrap_result,
    wrap_view as _wrap_view,
    write_back as _write_back,
)
import lamella.core.kernels.linalg as _k

_KS = 1  # of new tensors

_R_linalg_inv_ex = _return_type("linalg_inv_ex", ("inverse", "info", ))

_R_linalg_slogdet = _return_type("linalg_slogdet", ("sign", "logabsdet", ))

_R__linalg_solve = _return_type("_linalg_solve", ("result", "info", ))

_R_linalg_cholesky_ex = _return_type("linalg_cholesky_ex", ("L", "info", ))

_R_linalg_qr = _return_type("linalg_qr", ("Q", "R", ))

_R__linalg_svd = _return_type("_linalg_svd", ("U", "S", "Vh", ))

_R__linalg_eigh = _return_type("_linalg_eigh", ("eigenvalues", "eigenvectors", ))

_R_linalg_eig = _return_type("linalg_eig", ("eigenvalues", "eigenvectors", ))

_R_linalg_lu_factor_ex = _return_type("linalg_lu_factor_ex", ("LU", "pivots", "info", ))

_R_geqrf = _return_type("geqrf", ("a", "tau", ))

_R_linalg_ldl_factor_ex = _return_type("linalg_ldl_factor_ex", ("LD", "pivots", "info", ))

_R__linalg_lstsq = _return_type("_linalg_lstsq", ("solution", "rank", "singular_values", ))


def linalg_inv_ex(A, check_errors=False):
    r = _k.linalg_inv_ex(_xp, A._a, check_errors)
    return _R_linalg_inv_ex([_wrap_result(x) for x in r])


def linalg_det(A):
    r = _k.linalg_det(_xp, A._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linalg_slogdet(A):
    r = _k.linalg_slogdet(_xp, A._a)
    return _R_linalg_slogdet([_wrap_result(x) for x in r])


def _linalg_solve(A, B):
    r = _k._linalg_solve(_xp, A._a, B._a)
    return _R__linalg_solve([_wrap_result(x) for x in r])


def linalg_solve_triangular(self, B, upper, left=True, unitriangular=False):
    r = _k.linalg_solve_triangular(_xp, self._a, B._a, upper, left, unitriangular)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linalg_matrix_exp(self):
    r = _k.linalg_matrix_exp(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linalg_cholesky_ex(self, upper=False, check_errors=False):
    r = _k.linalg_cholesky_ex(_xp, self._a, upper, check_errors)
    return _R_linalg_cholesky_ex([_wrap_result(x) for x in r])


def linalg_qr(A, mode='reduced'):
    r = _k.linalg_qr(_xp, A._a, mode)
    return _R_linalg_qr([_wrap_result(x) for x in r])


def _linalg_svd(A, full_matrices=False, compute_uv=True, driver=None):
    r = _k._linalg_svd(_xp, A._a, full_matrices, compute_uv, driver)
    return _R__linalg_svd([_wrap_result(x) for x in r])


def _linalg_eigh(A, UPLO='L', compute_v=True):
    r = _k._linalg_eigh(_xp, A._a, UPLO, compute_v)
    return _R__linalg_eigh([_wrap_result(x) for x in r])


def linalg_eig(self):
    r = _k.linalg_eig(_xp, self._a)
    return _R_linalg_eig([_wrap_result(x) for x in r])


def _linalg_eigvals(self):
    r = _k._linalg_eigvals(_xp, self._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def linalg_lu_factor_ex(A, pivot=True, check_errors=False):
    r = _k.linalg_lu_factor_ex(_xp, A._a, pivot, check_errors)
    return _R_linalg_lu_factor_ex([_wrap_result(x) for x in r])


def _lu_permutation(pivots, m, like):
    r = _k._lu_permutation(_xp, pivots._a, m, like._a)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def geqrf(self):
    r = _k.geqrf(_xp, self._a)
    return _R_geqrf([_wrap_result(x) for x in r])


def linalg_ldl_factor_ex(self, hermitian=False, check_errors=False):
    r = _k.linalg_ldl_factor_ex(_xp, self._a, hermitian, check_errors)
    return _R_linalg_ldl_factor_ex([_wrap_result(x) for x in r])


def linalg_ldl_solve(LD, pivots, B, hermitian=False):
    r = _k.linalg_ldl_solve(_xp, LD._a, pivots._a, B._a, hermitian)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _linalg_pinv(A, atol, rtol, hermitian=False):
    r = _k._linalg_pinv(_xp, A._a, atol._a, rtol._a, hermitian)
    if r.__class__ is not _ndarray:
        r = _asarray(r)
    t = _new_tensor()
    t._a = r
    t._ks = _KS
    t._ag = None
    t._vc = None
    t._base = None
    return t


def _linalg_lstsq(self, B, rcond=None):
    r = _k._linalg_lstsq(_xp, self._a, B._a, rcond)
    return _R__linalg_lstsq([_wrap_result(x) for x in r])
