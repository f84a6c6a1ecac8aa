# Generated from packages/core/src/lamella/core/ops/linalg.yaml (sha256 5982faa848f0869d). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.core.runtime import (
    MISSING as _MISSING,
    SEQUENCES as _SEQUENCES,
    Tensor as _Tensor,
    as_bool as _as_bool,
    as_float as _as_float,
    as_int as _as_int,
    as_ints as _as_ints,
    as_number as _as_number,
    backend_bit as _backend_bit,
    explain_call as _explain,
    foreign as _foreign,
    is_number as _is_number,
    keys_in as _keys_in,
    not_tensor as _not_tensor,
    no_tensor as _no_tensor,
    number_keys as _number,
    numpy_names as _numpy_names,
    old_form as _old_form,
    varargs as _varargs,
    write_out as _out,
)
from lamella.dispatch.registry import define_many as _define
from lamella.dispatch.state import state as _S

(
    _T_linalg_inv_ex,
    _T_linalg_det,
    _T_linalg_slogdet,
    _T__linalg_solve,
    _T_linalg_solve_triangular,
    _T_linalg_matrix_exp,
    _T_linalg_cholesky_ex,
    _T_linalg_qr,
    _T__linalg_svd,
    _T__linalg_eigh,
    _T_linalg_eig,
    _T__linalg_eigvals,
    _T_linalg_lu_factor_ex,
    _T__lu_permutation,
    _T_geqrf,
    _T_linalg_ldl_factor_ex,
    _T_linalg_ldl_solve,
    _T__linalg_pinv,
    _T__linalg_lstsq,
) = _define(
    "aten",
    "linalg",
    (
        ('linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)', True),
        ('linalg_det(Tensor A) -> Tensor', True),
        ('linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)', True),
        ('_linalg_solve(Tensor A, Tensor B) -> (Tensor result, Tensor info)', True),
        ('linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor', True),
        ('linalg_matrix_exp(Tensor self) -> Tensor', True),
        ('linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)', True),
        ("linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)", True),
        ('_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)', True),
        ("_linalg_eigh(Tensor A, str UPLO='L', bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)", True),
        ('linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)', True),
        ('_linalg_eigvals(Tensor self) -> Tensor', False),
        ('linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)', True),
        ('_lu_permutation(Tensor pivots, int m, Tensor like) -> Tensor', False),
        ('geqrf(Tensor self) -> (Tensor a, Tensor tau)', False),
        ('linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)', False),
        ('linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor', False),
        ('_linalg_pinv(Tensor A, Tensor atol, Tensor rtol, bool hermitian=False) -> Tensor', True),
        ('_linalg_lstsq(Tensor self, Tensor B, float? rcond=None) -> (Tensor solution, Tensor rank, Tensor singular_values)', False),
    ),
    {1: "lamella.core._gen.linalg_cpu", 2: "lamella.core._gen.linalg_cuda", 3: "lamella.core._gen.linalg_meta", 65: "lamella.core.composite.linalg", },
    "lamella.core/ops/linalg.yaml",
)


def op_linalg_inv_ex(A, *, check_errors=False):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("linalg_inv_ex", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if check_errors is False:
            return _T_linalg_inv_ex[ks](A)
        if check_errors is not False and check_errors is not True:
            check_errors = _as_bool("linalg_inv_ex", "check_errors", check_errors)
        return _T_linalg_inv_ex[ks](A, check_errors=check_errors)
    except Exception:
        _explain(_T_linalg_inv_ex, (A, check_errors, ))
        raise


def op_linalg_det(A):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("linalg_det", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linalg_det[ks](A)
    except Exception:
        _explain(_T_linalg_det, (A, ))
        raise


def op_linalg_slogdet(A):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("linalg_slogdet", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linalg_slogdet[ks](A)
    except Exception:
        _explain(_T_linalg_slogdet, (A, ))
        raise


def op__linalg_solve(A, B):
    try:
        ks = A._ks | B._ks
    except AttributeError:
        raise _not_tensor("_linalg_solve", {"A": A, "B": B, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__linalg_solve[ks](A, B)
    except Exception:
        _explain(_T__linalg_solve, (A, B, ))
        raise


def op_linalg_solve_triangular(self, B, *, upper, left=True, unitriangular=False):
    try:
        ks = self._ks | B._ks
    except AttributeError:
        raise _not_tensor("linalg_solve_triangular", {"self": self, "B": B, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if upper is not False and upper is not True:
            upper = _as_bool("linalg_solve_triangular", "upper", upper)
        if left is not False and left is not True:
            left = _as_bool("linalg_solve_triangular", "left", left)
        if unitriangular is not False and unitriangular is not True:
            unitriangular = _as_bool("linalg_solve_triangular", "unitriangular", unitriangular)
        return _T_linalg_solve_triangular[ks](self, B, upper=upper, left=left, unitriangular=unitriangular)
    except Exception:
        _explain(_T_linalg_solve_triangular, (self, B, upper, left, unitriangular, ))
        raise


def op_linalg_matrix_exp(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_matrix_exp", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linalg_matrix_exp[ks](self)
    except Exception:
        _explain(_T_linalg_matrix_exp, (self, ))
        raise


def op_linalg_cholesky_ex(self, *, upper=False, check_errors=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_cholesky_ex", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if upper is False and check_errors is False:
            return _T_linalg_cholesky_ex[ks](self)
        if upper is not False and upper is not True:
            upper = _as_bool("linalg_cholesky_ex", "upper", upper)
        if check_errors is not False and check_errors is not True:
            check_errors = _as_bool("linalg_cholesky_ex", "check_errors", check_errors)
        return _T_linalg_cholesky_ex[ks](self, upper=upper, check_errors=check_errors)
    except Exception:
        _explain(_T_linalg_cholesky_ex, (self, upper, check_errors, ))
        raise


def op_linalg_qr(A, mode='reduced'):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("linalg_qr", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linalg_qr[ks](A, mode)
    except Exception:
        _explain(_T_linalg_qr, (A, mode, ))
        raise


def op__linalg_svd(A, full_matrices=False, compute_uv=True, *, driver=None):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("_linalg_svd", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if full_matrices is not False and full_matrices is not True:
        full_matrices = _as_bool("_linalg_svd", "full_matrices", full_matrices)
    if compute_uv is not False and compute_uv is not True:
        compute_uv = _as_bool("_linalg_svd", "compute_uv", compute_uv)
    try:
        if driver is None:
            return _T__linalg_svd[ks](A, full_matrices, compute_uv)
        return _T__linalg_svd[ks](A, full_matrices, compute_uv, driver=driver)
    except Exception:
        _explain(_T__linalg_svd, (A, full_matrices, compute_uv, driver, ))
        raise


def op__linalg_eigh(A, UPLO='L', compute_v=True):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("_linalg_eigh", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if compute_v is not False and compute_v is not True:
        compute_v = _as_bool("_linalg_eigh", "compute_v", compute_v)
    try:
        return _T__linalg_eigh[ks](A, UPLO, compute_v)
    except Exception:
        _explain(_T__linalg_eigh, (A, UPLO, compute_v, ))
        raise


def op_linalg_eig(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_eig", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_linalg_eig[ks](self)
    except Exception:
        _explain(_T_linalg_eig, (self, ))
        raise


def op__linalg_eigvals(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("_linalg_eigvals", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T__linalg_eigvals[ks](self)
    except Exception:
        _explain(_T__linalg_eigvals, (self, ))
        raise


def op_linalg_lu_factor_ex(A, *, pivot=True, check_errors=False):
    try:
        ks = A._ks
    except AttributeError:
        raise _not_tensor("linalg_lu_factor_ex", {"A": A, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if pivot is True and check_errors is False:
            return _T_linalg_lu_factor_ex[ks](A)
        if pivot is not False and pivot is not True:
            pivot = _as_bool("linalg_lu_factor_ex", "pivot", pivot)
        if check_errors is not False and check_errors is not True:
            check_errors = _as_bool("linalg_lu_factor_ex", "check_errors", check_errors)
        return _T_linalg_lu_factor_ex[ks](A, pivot=pivot, check_errors=check_errors)
    except Exception:
        _explain(_T_linalg_lu_factor_ex, (A, pivot, check_errors, ))
        raise


def op__lu_permutation(pivots, m, like):
    try:
        ks = pivots._ks | like._ks
    except AttributeError:
        raise _not_tensor("_lu_permutation", {"pivots": pivots, "like": like, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if m.__class__ is not int:
        m = _as_int("_lu_permutation", "m", m)
    try:
        return _T__lu_permutation[ks](pivots, m, like)
    except Exception:
        _explain(_T__lu_permutation, (pivots, m, like, ))
        raise


def op_geqrf(self):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("geqrf", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_geqrf[ks](self)
    except Exception:
        _explain(_T_geqrf, (self, ))
        raise


def geqrf(input, *, out=None):
    """geqrf: see torch.geqrf."""
    if out is not None:
        return _out("geqrf", out, op_geqrf(input), inputs=(input, ))
    try:
        ks = input._ks
    except AttributeError:
        raise _not_tensor("geqrf", {"input": input, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        return _T_geqrf[ks](input)
    except Exception:
        _explain(_T_geqrf, (input, ))
        raise


def op_linalg_ldl_factor_ex(self, *, hermitian=False, check_errors=False):
    try:
        ks = self._ks
    except AttributeError:
        raise _not_tensor("linalg_ldl_factor_ex", {"self": self, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if hermitian is False and check_errors is False:
            return _T_linalg_ldl_factor_ex[ks](self)
        if hermitian is not False and hermitian is not True:
            hermitian = _as_bool("linalg_ldl_factor_ex", "hermitian", hermitian)
        if check_errors is not False and check_errors is not True:
            check_errors = _as_bool("linalg_ldl_factor_ex", "check_errors", check_errors)
        return _T_linalg_ldl_factor_ex[ks](self, hermitian=hermitian, check_errors=check_errors)
    except Exception:
        _explain(_T_linalg_ldl_factor_ex, (self, hermitian, check_errors, ))
        raise


def op_linalg_ldl_solve(LD, pivots, B, *, hermitian=False):
    try:
        ks = LD._ks | pivots._ks | B._ks
    except AttributeError:
        raise _not_tensor("linalg_ldl_solve", {"LD": LD, "pivots": pivots, "B": B, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    try:
        if hermitian is False:
            return _T_linalg_ldl_solve[ks](LD, pivots, B)
        if hermitian is not False and hermitian is not True:
            hermitian = _as_bool("linalg_ldl_solve", "hermitian", hermitian)
        return _T_linalg_ldl_solve[ks](LD, pivots, B, hermitian=hermitian)
    except Exception:
        _explain(_T_linalg_ldl_solve, (LD, pivots, B, hermitian, ))
        raise


def op__linalg_pinv(A, atol, rtol, hermitian=False):
    try:
        ks = A._ks | atol._ks | rtol._ks
    except AttributeError:
        raise _not_tensor("_linalg_pinv", {"A": A, "atol": atol, "rtol": rtol, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if hermitian is not False and hermitian is not True:
        hermitian = _as_bool("_linalg_pinv", "hermitian", hermitian)
    try:
        return _T__linalg_pinv[ks](A, atol, rtol, hermitian)
    except Exception:
        _explain(_T__linalg_pinv, (A, atol, rtol, hermitian, ))
        raise


def op__linalg_lstsq(self, B, rcond=None):
    try:
        ks = self._ks | B._ks
    except AttributeError:
        raise _not_tensor("_linalg_lstsq", {"self": self, "B": B, }, {}) from None
    if ks & _S.affected:
        ks = _S.apply(ks)
    if rcond is not None and rcond.__class__ is not float and rcond.__class__ is not int:
        rcond = _as_float("_linalg_lstsq", "rcond", rcond)
    try:
        return _T__linalg_lstsq[ks](self, B, rcond)
    except Exception:
        _explain(_T__linalg_lstsq, (self, B, rcond, ))
        raise


METHODS = {
    "geqrf": op_geqrf,
}


FUNCTIONS = {
    "geqrf": geqrf,
}
