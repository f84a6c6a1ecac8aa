"""Helpers for the derivatives of linear algebra: adjoints of solvers and decompositions, real and complex."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.checks import free_of_zeros
from lamella.dispatch.errors import message

from .formulas_matmul import sum_to


def adjoint(x: Any) -> Any:
    """The conjugate transpose of matrices."""
    return x.mH


def _skew(x: Any) -> Any:
    return x - x.mH


def _solve(a: Any, b: Any) -> Any:
    """``a^-1 b``."""
    return F.op__linalg_solve(a, b)[0]


def _triangular(a: Any, b: Any, upper: bool, left: bool = True, unit: bool = False) -> Any:
    return F.op_linalg_solve_triangular(a, b, upper=upper, left=left, unitriangular=unit)


def _diagonal(x: Any) -> Any:
    return F.diag_embed(x)


def _add(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def det_backward(grad: Any, a: Any, result: Any) -> Any:
    """The conjugate cofactors: det(A) A^-H, or from singular values where A has no inverse."""
    g = (grad * result.conj()).unsqueeze(-1).unsqueeze(-1)
    if free_of_zeros(result):
        return g * _solve(a.mH, _eye_like(a))
    u, s, vh = F.op__linalg_svd(a, False, True)
    n = s.shape[-1]
    if n == 0:
        return F.zeros_like(a)
    # The product of all other singular values, in each place.
    rows = s.unsqueeze(-2).expand(*s.shape, n)
    others = F.where(F.eye(n, dtype=s.dtype, device=s.device).bool(), 1, rows).prod(-1)
    phase = F.op_linalg_det(u) * F.op_linalg_det(vh)
    cofactors = F.matmul(u * others.unsqueeze(-2), vh) * phase.conj().unsqueeze(-1).unsqueeze(-1)
    return grad.unsqueeze(-1).unsqueeze(-1) * cofactors


def _eye_like(a: Any) -> Any:
    n = a.shape[-1]
    return F.eye(n, dtype=a.dtype, device=a.device).expand(*a.shape[:-2], n, n)


def slogdet_backward(grads: Any, a: Any, sign: Any) -> Any:
    """The logarithm's slope is A^-H; a complex sign turns across its own direction."""
    g_sign, g_log, *_ = grads
    g = g_log
    if a.is_complex():
        turn = None if g_sign is None else F.imag(g_sign.conj() * sign)
        if turn is not None:
            g = F.op_complex(F.zeros_like(turn) if g is None else g, -turn)
        else:
            g = g.to(a.dtype)
    if g is None:
        return F.zeros_like(a)
    return g.unsqueeze(-1).unsqueeze(-1) * _solve(a.mH, _eye_like(a))


def solve_backward(grad: Any, a: Any, x: Any, b_shape: Any, needs: Any) -> Any:
    """B's gradient solves with the adjoint; A's is its product with X."""
    gb = _solve(a.mH, grad)
    ga = sum_to(-F.matmul(gb, x.mH), a.shape) if needs[0] else None
    return ga, sum_to(gb, b_shape) if needs[1] else None


def solve_triangular_backward(
    grad: Any, a: Any, x: Any, b_shape: Any, upper: bool, left: bool, unit: bool, needs: Any
) -> Any:
    """As `solve_backward`, within the triangle."""
    gb = _triangular(a.mH, grad, not upper, left, unit)
    ga = None
    if needs[0]:
        ga = -(F.matmul(gb, x.mH) if left else F.matmul(x.mH, gb))
        shift = int(unit)
        ga = F.triu(ga, shift) if upper else F.tril(ga, -shift)
        ga = sum_to(ga, a.shape)
    return ga, sum_to(gb, b_shape) if needs[1] else None


def matrix_exp_backward(grad: Any, a: Any) -> Any:
    """The upper right block of exp([[A^H, G], [0, A^H]])."""
    n, h = a.shape[-1], a.mH
    top = F.cat([h, grad], -1)
    bottom = F.cat([F.zeros_like(h), h], -1)
    return F.op_linalg_matrix_exp(F.cat([top, bottom], -2)).narrow(-2, 0, n).narrow(-1, n, n)


def cholesky_backward(grad: Any, factor: Any, upper: bool) -> Any:
    """L^-H phi(L^H G) L^-1, made hermitian."""
    if upper:
        factor, grad = factor.mH, grad.mH
    phi = F.tril(F.matmul(factor.mH, grad))
    phi = phi - _diagonal(phi.diagonal(0, -2, -1)) * 0.5
    g = _triangular(factor, _triangular(factor.mH, phi, True), False, left=False)
    return (g + g.mH) * 0.5


def _copy_lower(x: Any) -> Any:
    """The lower triangle mirrored into the upper, with a real diagonal."""
    low = F.tril(x, -1)
    d = x.diagonal(0, -2, -1)
    return low + low.mH + _diagonal(F.real(d).to(x.dtype) if x.is_complex() else d)


def qr_backward(grads: Any, a: Any, q: Any, r: Any, mode: str) -> Any:
    """Of the reduced form; of the complete one where the matrix is wide."""
    gq, gr = grads[0], grads[1]
    m, n = a.shape[-2:]
    if mode == "r":
        raise RuntimeError(
            message("linalg.qr", "the derivative of mode='r' is not implemented", hint="use mode='reduced'")
        )
    if mode == "complete" and m > n:
        raise RuntimeError(
            message("linalg.qr", "the derivative of mode='complete' is not implemented when rows > columns")
        )
    if gq is None and gr is None:
        return None
    if m >= n:
        return _qr_tall(gq, gr, q, r)
    y, gv = a.narrow(-1, m, n - m), None if gr is None else gr.narrow(-1, m, n - m)
    gu = None if gr is None else gr.narrow(-1, 0, m)
    gq_all = gq if gv is None else _add(gq, F.matmul(y, gv.mH))
    first = _qr_tall(gq_all, gu, q, r.narrow(-1, 0, m))
    second = F.zeros_like(y) if gv is None else F.matmul(q, gv)
    return F.cat([first, second], -1)


def _qr_tall(gq: Any, gr: Any, q: Any, r: Any) -> Any:
    m = None
    if gr is not None:
        m = F.matmul(r, gr.mH)
    if gq is not None:
        m = _add(m, -F.matmul(gq.mH, q))
    inner = F.matmul(q, _copy_lower(m))
    return _triangular(r.mH, _add(gq, inner), False, left=False)


def svd_backward(grads: Any, a: Any, u: Any, s: Any, vh: Any, full_matrices: bool, compute_uv: bool) -> Any:
    """From gradients of any of the three factors."""
    gu, gs, gvh = grads[0], grads[1], grads[2]
    if not compute_uv:
        raise RuntimeError(message("linalg.svdvals", "gradients of singular values alone need the singular vectors"))
    m, n, k = a.shape[-2], a.shape[-1], s.shape[-1]
    if full_matrices:
        u, vh = u.narrow(-1, 0, k), vh.narrow(-2, 0, k)
        gu = None if gu is None else gu.narrow(-1, 0, k)
        gvh = None if gvh is None else gvh.narrow(-2, 0, k)
    if gu is None and gvh is None:
        return F.zeros_like(a) if gs is None else F.matmul(u * gs.unsqueeze(-2), vh)
    row, column = s.unsqueeze(-2), s.unsqueeze(-1)
    square = row * row - column * column
    square = square + _diagonal(F.ones_like(s))
    inner = None
    if gu is not None:
        left = _skew(F.matmul(u.mH, gu))
        inner = left / square * row
        if a.is_complex():
            inner = inner + _diagonal(left.diagonal(0, -2, -1) / (s * 2))
    if gvh is not None:
        inner = _add(inner, column * (_skew(F.matmul(vh, gvh.mH)) / square))
    # Only off the diagonal: the diagonals of skew matrices are zero (real) or were put in above.
    if gs is not None:
        inner = inner + _diagonal(gs)
    return _outside(gu, gvh, inner, u, s, vh, m, n, k)


def _outside(gu: Any, gvh: Any, inner: Any, u: Any, s: Any, vh: Any, m: int, n: int, k: int) -> Any:
    """Put the inner gradient between the factors, with what lies outside their spaces."""
    g = F.matmul(u, inner)
    if m > k and gu is not None:
        scaled = gu / s.unsqueeze(-2)
        g = g + scaled - F.matmul(u, F.matmul(u.mH, scaled))
    g = F.matmul(g, vh)
    if n > k and gvh is not None:
        scaled = gvh / s.unsqueeze(-1)
        g = g + F.matmul(u, scaled - F.matmul(F.matmul(scaled, vh.mH), vh))
    return g


def eigh_backward(grads: Any, values: Any, vectors: Any) -> Any:
    """V (diag(gL) + V^H gV / E) V^H with E the differences of eigenvalues."""
    g_values, g_vectors = grads[0], grads[1]
    if vectors.shape[-1] == 0 and values.shape[-1]:
        raise RuntimeError(message("linalg.eigvalsh", "gradients of eigenvalues alone need the eigenvectors"))
    inner = None
    if g_vectors is not None:
        apart = values.unsqueeze(-2) - values.unsqueeze(-1)
        apart = apart + _diagonal(F.ones_like(values))
        inner = F.matmul(vectors.mH, g_vectors) / apart
        inner = inner - _diagonal(inner.diagonal(0, -2, -1))
    if g_values is not None:
        inner = _add(inner, _diagonal(g_values.to(vectors.dtype)))
    return None if inner is None else F.matmul(F.matmul(vectors, inner), vectors.mH)


def eig_backward(grads: Any, values: Any, vectors: Any, dtype: Any) -> Any:
    """V^-H (diag(gL) + (V^H gV - V^H V diag(re V^H gV)) / conj(E)) V^H; the real part for a real matrix."""
    g_values, g_vectors = grads[0], grads[1]
    inner = None
    if g_vectors is not None:
        inner = F.matmul(vectors.mH, g_vectors)
        along = F.real(inner.diagonal(0, -2, -1)).to(vectors.dtype)
        inner = inner - F.matmul(vectors.mH, vectors * along.unsqueeze(-2))
        apart = values.unsqueeze(-2) - values.unsqueeze(-1) + _diagonal(F.ones_like(values))
        inner = inner / apart.conj()
        inner = inner - _diagonal(inner.diagonal(0, -2, -1))
    if g_values is not None:
        inner = _add(inner, _diagonal(g_values))
    if inner is None:
        return None
    g = _solve(vectors.mH, F.matmul(inner, vectors.mH))
    return g if dtype.is_complex else F.real(g)


def lu_factor_backward(grad: Any, lu: Any, pivots: Any) -> Any:
    """P L^-H (tril(L^H gL, -1) + triu(gU U^H)) U^-H, block by block where the matrix is not square."""
    m, n = lu.shape[-2:]
    k = min(m, n)
    p = F.op__lu_permutation(pivots, m, lu)
    first = lu.narrow(-2, 0, k).narrow(-1, 0, k)
    high = F.triu(first)
    gl, gu = F.tril(grad.narrow(-2, 0, k).narrow(-1, 0, k), -1), F.triu(grad.narrow(-2, 0, k).narrow(-1, 0, k))
    unit = F.tril(first, -1) + _diagonal(F.ones_like(first.diagonal(0, -2, -1)))
    rest = None
    if m > n:
        l2 = lu.narrow(-2, k, m - k)
        rest = _triangular(high.mH, grad.narrow(-2, k, m - k), False, left=False)
        gu = gu - F.triu(F.matmul(l2.mH, rest))
    elif n > m:
        u2 = lu.narrow(-1, k, n - k)
        rest = _triangular(unit.mH, grad.narrow(-1, k, n - k), True, unit=True)
        gl = gl - F.tril(F.matmul(rest, u2.mH), -1)
    inner = F.tril(F.matmul(unit.mH, gl), -1) + F.triu(F.matmul(gu, high.mH))
    g = _triangular(unit.mH, inner, True, unit=True)
    g = _triangular(high.mH, g, False, left=False)
    if rest is not None:
        g = F.cat([g, rest], -2 if m > n else -1)
    return F.matmul(p, g)


def pinv_backward(grad: Any, a: Any, pinv: Any) -> Any:
    """Golub and Pereyra's derivative of the pseudo-inverse, ordered by the smaller side."""
    m, n = a.shape[-2:]
    ph, gh = pinv.mH, grad.mH
    if m <= n:
        k = F.matmul(gh, pinv)
        kp = F.matmul(k, ph)
        return (
            kp
            - F.matmul(pinv, k).mH
            - F.matmul(F.matmul(a, pinv), kp)
            + F.matmul(F.matmul(ph, pinv), gh - F.matmul(k, a))
        )
    k = F.matmul(pinv, gh)
    pk = F.matmul(ph, k)
    return (
        pk - F.matmul(k, pinv).mH + F.matmul(F.matmul(gh - F.matmul(a, k), pinv), ph) - F.matmul(F.matmul(pk, pinv), a)
    )
