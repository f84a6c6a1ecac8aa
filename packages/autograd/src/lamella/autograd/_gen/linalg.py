# Generated from packages/autograd/src/lamella/autograd/derivatives/linalg.yaml (sha256 fc81b33d8a85dea0). Do not edit:
# change the source and run `uv run tools/gen.py`.
from lamella.autograd.graph import MULTI as _MULTI, SAVES as _SAVES, Node as _Node, counter as _counter
from lamella.autograd.inplace import check_inplace as _check_inplace, rebase_history as _rebase, original as _original
from lamella.autograd.saved import (
    FREED as _FREED,
    pack as _pack,
    packers as _packers,
    save_output as _save_output,
    unpack as _unpack,
    unpack_output as _unpack_output,
)
from lamella.autograd.fit import edge_of as _edge_of, fit as _fit, is_integral as _is_integral
from lamella.core.tensor import Tensor as _Tensor
from lamella.dispatch.keys import autograd_bits as _autograd_bits

from lamella.autograd.formulas_linalg import adjoint, cholesky_backward, det_backward, eig_backward, eigh_backward, lu_factor_backward, matrix_exp_backward, pinv_backward, qr_backward, slogdet_backward, solve_backward, solve_triangular_backward, svd_backward
from lamella.core.functions import matmul, neg


BIND = True


class LinalgInvExBackward0(_Node):
    __slots__ = ("inverse_", "inverse_v", )
    kind = _SAVES
    saved = ("inverse_", )

    def apply(node, grad):
        edges = node.edges
        inverse = _unpack_output(node, "inverse_", 0)
        g0 = neg(matmul(adjoint(inverse), matmul(grad, adjoint(inverse))))
        return g0

    def release(node):
        node.inverse_ = _FREED


class LinalgDetBackward0(_Node):
    __slots__ = ("A_", "A_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("A_", "result_", )

    def apply(node, grad):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        result = _unpack_output(node, "result_", 0)
        g0 = det_backward(grad, A, result)
        return g0

    def release(node):
        node.A_ = node.result_ = _FREED


class LinalgSlogdetBackward0(_Node):
    __slots__ = ("A_", "A_v", "sign_", "sign_v", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("A_", "sign_", )

    def apply(node, *grads):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        sign = _unpack_output(node, "sign_", 0)
        g0 = slogdet_backward(grads, A, sign)
        return g0

    def release(node):
        node.A_ = node.sign_ = _FREED


class LinalgSolveExBackward0(_Node):
    __slots__ = ("A_", "A_v", "result_", "result_v", "B_shape_", )
    kind = _SAVES
    saved = ("A_", "result_", )

    def apply(node, grad):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        result = _unpack_output(node, "result_", 0)
        B_shape = node.B_shape_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = solve_backward(grad, A, result, B_shape, needs)
        return g0, g1

    def release(node):
        node.A_ = node.result_ = _FREED


class LinalgSolveTriangularBackward0(_Node):
    __slots__ = ("self_", "self_v", "result_", "result_v", "B_shape_", "upper_", "left_", "unitriangular_", )
    kind = _SAVES
    saved = ("self_", "result_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        result = _unpack_output(node, "result_", 0)
        B_shape = node.B_shape_
        upper = node.upper_
        left = node.left_
        unitriangular = node.unitriangular_
        needs = (edges[0] is not None, edges[1] is not None, )
        g0, g1,  = solve_triangular_backward(grad, self, result, B_shape, upper, left, unitriangular, needs)
        return g0, g1

    def release(node):
        node.self_ = node.result_ = _FREED


class LinalgMatrixExpBackward0(_Node):
    __slots__ = ("self_", "self_v", )
    kind = _SAVES
    saved = ("self_", )

    def apply(node, grad):
        edges = node.edges
        self = node.self_
        if self.__class__ is not _Tensor or (self._vc is not None and self._vc.n != node.self_v):
            self = _unpack(node, "self_")
        g0 = matrix_exp_backward(grad, self)
        return g0

    def release(node):
        node.self_ = _FREED


class LinalgCholeskyExBackward0(_Node):
    __slots__ = ("L_", "L_v", "upper_", )
    kind = _SAVES
    saved = ("L_", )

    def apply(node, grad):
        edges = node.edges
        L = _unpack_output(node, "L_", 0)
        upper = node.upper_
        g0 = cholesky_backward(grad, L, upper)
        return g0

    def release(node):
        node.L_ = _FREED


class LinalgQrBackward0(_Node):
    __slots__ = ("A_", "A_v", "Q_", "Q_v", "R_", "R_v", "mode_", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("A_", "Q_", "R_", )

    def apply(node, *grads):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        Q = _unpack_output(node, "Q_", 0)
        R = _unpack_output(node, "R_", 1)
        mode = node.mode_
        g0 = qr_backward(grads, A, Q, R, mode)
        return g0

    def release(node):
        node.A_ = node.Q_ = node.R_ = _FREED


class LinalgSvdBackward0(_Node):
    __slots__ = ("A_", "A_v", "U_", "U_v", "S_", "S_v", "Vh_", "Vh_v", "full_matrices_", "compute_uv_", )
    kind = _SAVES | _MULTI
    num_outputs = 3
    saved = ("A_", "U_", "S_", "Vh_", )

    def apply(node, *grads):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        U = _unpack_output(node, "U_", 0)
        S = _unpack_output(node, "S_", 1)
        Vh = _unpack_output(node, "Vh_", 2)
        full_matrices = node.full_matrices_
        compute_uv = node.compute_uv_
        g0 = svd_backward(grads, A, U, S, Vh, full_matrices, compute_uv)
        return g0

    def release(node):
        node.A_ = node.U_ = node.S_ = node.Vh_ = _FREED


class LinalgEighBackward0(_Node):
    __slots__ = ("eigenvalues_", "eigenvalues_v", "eigenvectors_", "eigenvectors_v", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("eigenvalues_", "eigenvectors_", )

    def apply(node, *grads):
        edges = node.edges
        eigenvalues = _unpack_output(node, "eigenvalues_", 0)
        eigenvectors = _unpack_output(node, "eigenvectors_", 1)
        g0 = eigh_backward(grads, eigenvalues, eigenvectors)
        return g0

    def release(node):
        node.eigenvalues_ = node.eigenvectors_ = _FREED


class LinalgEigBackward0(_Node):
    __slots__ = ("eigenvalues_", "eigenvalues_v", "eigenvectors_", "eigenvectors_v", "self_dtype_", )
    kind = _SAVES | _MULTI
    num_outputs = 2
    saved = ("eigenvalues_", "eigenvectors_", )

    def apply(node, *grads):
        edges = node.edges
        eigenvalues = _unpack_output(node, "eigenvalues_", 0)
        eigenvectors = _unpack_output(node, "eigenvectors_", 1)
        self_dtype = node.self_dtype_
        g0 = eig_backward(grads, eigenvalues, eigenvectors, self_dtype)
        return g0

    def release(node):
        node.eigenvalues_ = node.eigenvectors_ = _FREED


class LinalgLuFactorExBackward0(_Node):
    __slots__ = ("LU_", "LU_v", "pivots_", "pivots_v", )
    kind = _SAVES
    saved = ("LU_", "pivots_", )

    def apply(node, grad):
        edges = node.edges
        LU = _unpack_output(node, "LU_", 0)
        pivots = _unpack_output(node, "pivots_", 0)
        g0 = lu_factor_backward(grad, LU, pivots)
        return g0

    def release(node):
        node.LU_ = node.pivots_ = _FREED


class LinalgPinvBackward0(_Node):
    __slots__ = ("A_", "A_v", "result_", "result_v", )
    kind = _SAVES
    saved = ("A_", "result_", )

    def apply(node, grad):
        edges = node.edges
        A = node.A_
        if A.__class__ is not _Tensor or (A._vc is not None and A._vc.n != node.A_v):
            A = _unpack(node, "A_")
        result = _unpack_output(node, "result_", 0)
        g0 = pinv_backward(grad, A, result)
        return g0

    def release(node):
        node.A_ = node.result_ = _FREED


def bind_linalg_inv_ex(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_inv_ex(A, check_errors=False):
        out = _lower(A) if check_errors is False else _lower(A, check_errors=check_errors)
        e0 = A._ag
        node = LinalgInvExBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "inverse_", out[0])
        if _packers:
            _pack(node)
        return out

    return linalg_inv_ex


def bind_linalg_det(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_det(A):
        out = _lower(A)
        e0 = A._ag
        node = LinalgDetBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return linalg_det


def bind_linalg_slogdet(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_slogdet(A):
        out = _lower(A)
        e0 = A._ag
        node = LinalgSlogdetBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "sign_", out[0])
        if _packers:
            _pack(node)
        return out

    return linalg_slogdet


def bind__linalg_solve(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _linalg_solve(A, B):
        out = _lower(A, B)
        e0 = A._ag
        e1 = B._ag
        node = LinalgSolveExBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        node.B_shape_ = B.shape
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "result_", out[0])
        if _packers:
            _pack(node)
        return out

    return _linalg_solve


def bind_linalg_solve_triangular(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_solve_triangular(self, B, upper, left=True, unitriangular=False):
        out = _lower(self, B, upper=upper, left=left, unitriangular=unitriangular)
        e0 = self._ag
        e1 = B._ag
        node = LinalgSolveTriangularBackward0()
        node.seq = next(_counter)
        node.edges = (e0, e1, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        node.B_shape_ = B.shape
        node.upper_ = upper
        node.left_ = left
        node.unitriangular_ = unitriangular
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return linalg_solve_triangular


def bind_linalg_matrix_exp(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_matrix_exp(self):
        out = _lower(self)
        e0 = self._ag
        node = LinalgMatrixExpBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_ = self if self._twin is None else self._twin
        node.self_v = 0 if self._vc is None else self._vc.n
        out._ag = node
        out._ks |= bits
        if _packers:
            _pack(node)
        return out

    return linalg_matrix_exp


def bind_linalg_cholesky_ex(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_cholesky_ex(self, upper=False, check_errors=False):
        out = _lower(self) if upper is False and check_errors is False else _lower(self, upper=upper, check_errors=check_errors)
        e0 = self._ag
        node = LinalgCholeskyExBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.upper_ = upper
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "L_", out[0])
        if _packers:
            _pack(node)
        return out

    return linalg_cholesky_ex


def bind_linalg_qr(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_qr(A, mode='reduced'):
        out = _lower(A, mode)
        e0 = A._ag
        node = LinalgQrBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        node.mode_ = mode
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "Q_", out[0])
        _save_output(node, "R_", out[1])
        if _packers:
            _pack(node)
        return out

    return linalg_qr


def bind__linalg_svd(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _linalg_svd(A, full_matrices=False, compute_uv=True, driver=None):
        out = _lower(A, full_matrices, compute_uv) if driver is None else _lower(A, full_matrices, compute_uv, driver=driver)
        e0 = A._ag
        node = LinalgSvdBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        node.full_matrices_ = full_matrices
        node.compute_uv_ = compute_uv
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        x = out[2]
        if x is not None and not _is_integral(x):
            x._ag = (node, 2)
            x._ks |= bits
        _save_output(node, "U_", out[0])
        _save_output(node, "S_", out[1])
        _save_output(node, "Vh_", out[2])
        if _packers:
            _pack(node)
        return out

    return _linalg_svd


def bind__linalg_eigh(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _linalg_eigh(A, UPLO='L', compute_v=True):
        out = _lower(A, UPLO, compute_v)
        e0 = A._ag
        node = LinalgEighBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "eigenvalues_", out[0])
        _save_output(node, "eigenvectors_", out[1])
        if _packers:
            _pack(node)
        return out

    return _linalg_eigh


def bind_linalg_eig(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_eig(self):
        out = _lower(self)
        e0 = self._ag
        node = LinalgEigBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.self_dtype_ = self.dtype
        x = out[0]
        if x is not None and not _is_integral(x):
            x._ag = (node, 0)
            x._ks |= bits
        x = out[1]
        if x is not None and not _is_integral(x):
            x._ag = (node, 1)
            x._ks |= bits
        _save_output(node, "eigenvalues_", out[0])
        _save_output(node, "eigenvectors_", out[1])
        if _packers:
            _pack(node)
        return out

    return linalg_eig


def bind_linalg_lu_factor_ex(op, ks, _lower):
    bits = _autograd_bits(ks)

    def linalg_lu_factor_ex(A, pivot=True, check_errors=False):
        out = _lower(A) if pivot is True and check_errors is False else _lower(A, pivot=pivot, check_errors=check_errors)
        e0 = A._ag
        node = LinalgLuFactorExBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        x = out[0]
        x._ag = node
        x._ks |= bits
        _save_output(node, "LU_", out[0])
        _save_output(node, "pivots_", out[1])
        if _packers:
            _pack(node)
        return out

    return linalg_lu_factor_ex


def bind__linalg_pinv(op, ks, _lower):
    bits = _autograd_bits(ks)

    def _linalg_pinv(A, atol, rtol, hermitian=False):
        out = _lower(A, atol, rtol, hermitian)
        e0 = A._ag
        node = LinalgPinvBackward0()
        node.seq = next(_counter)
        node.edges = (e0, )
        node.A_ = A if A._twin is None else A._twin
        node.A_v = 0 if A._vc is None else A._vc.n
        out._ag = node
        out._ks |= bits
        _save_output(node, "result_", out)
        if _packers:
            _pack(node)
        return out

    return _linalg_pinv
