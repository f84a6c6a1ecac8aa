# Generated from packages/core/src/lamella/core/ops/linalg.yaml (sha256 5982faa848f0869d). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.meta import meta_elementwise as _elementwise, meta_inplace as _inplace, meta_result as _result
from lamella.core.runtime import bump as _bump, return_type as _return_type, wrap_view as _wrap_view
import numpy as _xp
import lamella.core.kernels.linalg as _k
import lamella.core.meta.linalg as _m

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
    return _R_linalg_inv_ex([_result(x) for x in _m.linalg_inv_ex(A, check_errors=check_errors)])


def linalg_det(A):
    return _result(_m.linalg_det(A))


def linalg_slogdet(A):
    return _R_linalg_slogdet([_result(x) for x in _m.linalg_slogdet(A)])


def _linalg_solve(A, B):
    return _R__linalg_solve([_result(x) for x in _m._linalg_solve(A, B)])


def linalg_solve_triangular(self, B, upper, left=True, unitriangular=False):
    return _result(_m.linalg_solve_triangular(self, B, upper=upper, left=left, unitriangular=unitriangular))


def linalg_matrix_exp(self):
    return _result(_m.linalg_matrix_exp(self))


def linalg_cholesky_ex(self, upper=False, check_errors=False):
    return _R_linalg_cholesky_ex([_result(x) for x in _m.linalg_cholesky_ex(self, upper=upper, check_errors=check_errors)])


def linalg_qr(A, mode='reduced'):
    return _R_linalg_qr([_result(x) for x in _m.linalg_qr(A, mode)])


def _linalg_svd(A, full_matrices=False, compute_uv=True, driver=None):
    return _R__linalg_svd([_result(x) for x in _m._linalg_svd(A, full_matrices, compute_uv, driver=driver)])


def _linalg_eigh(A, UPLO='L', compute_v=True):
    return _R__linalg_eigh([_result(x) for x in _m._linalg_eigh(A, UPLO, compute_v)])


def linalg_eig(self):
    return _R_linalg_eig([_result(x) for x in _m.linalg_eig(self)])


def _linalg_eigvals(self):
    return _result(_m._linalg_eigvals(self))


def linalg_lu_factor_ex(A, pivot=True, check_errors=False):
    return _R_linalg_lu_factor_ex([_result(x) for x in _m.linalg_lu_factor_ex(A, pivot=pivot, check_errors=check_errors)])


def _lu_permutation(pivots, m, like):
    return _result(_m._lu_permutation(pivots, m, like))


def geqrf(self):
    return _R_geqrf([_result(x) for x in _m.geqrf(self)])


def linalg_ldl_factor_ex(self, hermitian=False, check_errors=False):
    return _R_linalg_ldl_factor_ex([_result(x) for x in _m.linalg_ldl_factor_ex(self, hermitian=hermitian, check_errors=check_errors)])


def linalg_ldl_solve(LD, pivots, B, hermitian=False):
    return _result(_m.linalg_ldl_solve(LD, pivots, B, hermitian=hermitian))


def _linalg_pinv(A, atol, rtol, hermitian=False):
    return _result(_m._linalg_pinv(A, atol, rtol, hermitian))


def _linalg_lstsq(self, B, rcond=None):
    return _R__linalg_lstsq([_result(x) for x in _m._linalg_lstsq(self, B, rcond)])
