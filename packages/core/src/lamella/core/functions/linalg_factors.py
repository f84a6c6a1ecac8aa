"""torch.linalg: LU, LDL and Householder factors, and approximate decompositions of low rank."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import linalg as _gen
from ..checks import concrete
from ..tensor import Tensor
from .joining import cat
from .linalg import named, put, refuse, unit_like

_ZERO_PIVOT = "U[{k},{k}] is zero and using it on lu_solve would result in a division by zero"


def lu_factor(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803 - torch's names
    """The packed LU factors and the row exchanges (counted from 1) of matrices: ``(LU, pivots)``.

    Raises:
        LinAlgError: for a zero pivot.
    """
    lu, pivots, info = _gen.op_linalg_lu_factor_ex(A, pivot=pivot)
    refuse("linalg.lu_factor", info, _ZERO_PIVOT)
    return named("linalg_lu_factor", ("LU", "pivots"), (lu, pivots), out)


def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As `lu_factor`, with LAPACK's report instead of an error: ``(LU, pivots, info)``."""
    r = _gen.op_linalg_lu_factor_ex(A, pivot=pivot)
    if check_errors:
        refuse("linalg.lu_factor_ex", r[2], _ZERO_PIVOT)
    return named("linalg_lu_factor_ex", ("LU", "pivots", "info"), r, out)


def _lu_top(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As ``linalg.lu_factor_ex``; the report only with ``get_infos``."""
    r = _gen.op_linalg_lu_factor_ex(A, pivot=pivot)
    values = tuple(r) if get_infos else tuple(r)[:2]
    return put("lu", values, out)


def _unpack(lu: Any, pivots: Any, data: bool = True, exchanges: bool = True) -> tuple[Any, Any, Any]:
    from .creation import eye

    m, n = lu.shape[-2:]
    k = min(m, n)
    empty = lu.new_zeros((0,))
    p = _gen.op__lu_permutation(pivots, m, lu.detach()) if exchanges else empty
    if not data:
        return p, empty, empty
    one = eye(m, k, dtype=lu.dtype, device=lu.device)
    return p, lu.narrow(-1, 0, k).tril(-1) + one, lu.narrow(-2, 0, k).triu()


def lu_unpack(
    LU_data: Tensor,  # noqa: N803
    LU_pivots: Tensor,  # noqa: N803
    unpack_data: bool = True,
    unpack_pivots: bool = True,
    *,
    out: Any = None,
) -> Any:
    """The matrices P, L and U with ``A = P L U``, from what `lu_factor` gives."""
    if unpack_pivots and LU_pivots.dtype.name != "int32":
        raise RuntimeError(
            message(
                "lu_unpack",
                "LU_pivots is expected to be a contiguous tensor of torch.int32 dtype",
                {"LU_pivots": LU_pivots.dtype.name},
            )
        )
    if unpack_pivots:
        _check_range("lu_unpack", LU_data, LU_pivots)
    return named("lu_unpack", ("P", "L", "U"), _unpack(LU_data, LU_pivots, unpack_data, unpack_pivots), out)


def lu(A: Tensor, *, pivot: bool = True, out: Any = None) -> Any:  # noqa: N803
    """A permutation P, a lower triangular L and an upper triangular U with ``A = P L U``.

    Example:
        >>> from lamella import core
        >>> core.linalg_lu(core.tensor([[0.0, 1.0], [2.0, 3.0]])).U
        tensor([[2., 3.],
                [0., 1.]])
    """
    packed, pivots, _ = _gen.op_linalg_lu_factor_ex(A, pivot=pivot)
    return named("linalg_lu", ("P", "L", "U"), _unpack(packed, pivots), out)


def lu_solve(
    LU: Tensor,  # noqa: N803
    pivots: Tensor,
    B: Tensor,  # noqa: N803
    *,
    left: bool = True,
    adjoint: bool = False,
    out: Any = None,
) -> Tensor:
    """The X with ``A X = B`` from the factors of A (``X A = B`` without ``left``; A's adjoint with ``adjoint``)."""
    lu_: Any = LU
    if lu_.ndim < 2 or lu_.shape[-1] != lu_.shape[-2]:
        raise RuntimeError(message("linalg.lu_solve", "LU must be batches of square matrices", {"LU": list(lu_.shape)}))
    _check_pivots(lu_, pivots)
    p, low, up = _unpack(lu_, pivots)
    solve = _gen.op_linalg_solve_triangular
    if adjoint != (not left):
        r: Any = B if left else B.mH  # type: ignore[attr-defined]
        r = solve(low.mH, solve(up.mH, r, upper=False), upper=True, unitriangular=True)
        r = p @ r
    else:
        r = B if left else B.mH  # type: ignore[attr-defined]
        r = solve(up, solve(low, p.mT @ r, upper=False, unitriangular=True), upper=True)
    return put("linalg.lu_solve", r if left else r.mH, out)


def _check_pivots(lu: Any, pivots: Any) -> None:
    """Refuse row exchanges that no LU decomposition of matrices of this shape gives."""
    if pivots.dtype.name != "int32":
        rule = "pivots should be a Tensor of scalar type torch.int32"
        raise RuntimeError(message("linalg.lu_solve", rule, {"pivots": pivots.dtype.name}))
    if not pivots.ndim:
        raise IndexError(message("linalg.lu_solve", "Dimension specified as -1 but tensor has no dimensions"))
    if tuple(pivots.shape) != tuple(lu.shape[:-1]):
        rule = "expected LU.shape[:-1] and pivots.shape to be the same"
        raise RuntimeError(message("linalg.lu_solve", rule, {"LU": list(lu.shape), "pivots": list(pivots.shape)}))
    pivots = concrete(pivots)
    _check_range("linalg.lu_solve", lu, pivots)


def _check_range(op: str, lu: Any, pivots: Any) -> None:
    if pivots.is_meta or not pivots._readable or not pivots._a.size:
        return
    if not 1 <= pivots._a.min() <= pivots._a.max() <= lu.shape[-2]:
        rule = f"pivots must be greater or equal to 1 and smaller or equal to LU.size(-2) = {lu.shape[-2]}"
        raise RuntimeError(message(op, rule, hint="pass the result of lu_factor"))


def _lu_solve_top(b: Tensor, LU_data: Tensor, LU_pivots: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803
    """As ``linalg.lu_solve``, the right-hand side first."""
    return lu_solve(LU_data, LU_pivots, b, out=out)


def ldl_factor(A: Tensor, *, hermitian: bool = False, out: Any = None) -> Any:  # noqa: N803
    """The packed LDL factors of symmetric (or hermitian) matrices: ``(LD, pivots)``."""
    ld, pivots, info = _gen.op_linalg_ldl_factor_ex(A, hermitian=hermitian)
    refuse("linalg.ldl_factor", info, "the diagonal element {k} is zero")
    return named("linalg_ldl_factor", ("LD", "pivots"), (ld, pivots), out)


def ldl_factor_ex(A: Tensor, *, hermitian: bool = False, check_errors: bool = False, out: Any = None) -> Any:  # noqa: N803
    """As `ldl_factor`, with LAPACK's report instead of an error: ``(LD, pivots, info)``."""
    r = _gen.op_linalg_ldl_factor_ex(A, hermitian=hermitian)
    if check_errors:
        refuse("linalg.ldl_factor_ex", r[2], "the diagonal element {k} is zero")
    return named("linalg_ldl_factor_ex", ("LD", "pivots", "info"), r, out)


def ldl_solve(LD: Tensor, pivots: Tensor, B: Tensor, *, hermitian: bool = False, out: Any = None) -> Tensor:  # noqa: N803
    """The X with ``A X = B``, from what `ldl_factor` gives."""
    return put("linalg.ldl_solve", _gen.op_linalg_ldl_solve(LD, pivots, B, hermitian=hermitian), out)


def _reflector(a: Any, i: int) -> Any:
    """The vector of the i-th Householder reflection: zeros, a one, then what is stored below the diagonal."""
    m = a.shape[-2]
    column = a.narrow(-1, i, 1)
    below = column.narrow(-2, i + 1, m - i - 1)
    one = column.new_ones((*column.shape[:-2], 1, 1))
    parts = [one, below] if i == 0 else [column.new_zeros((*column.shape[:-2], i, 1)), one, below]
    return cat(parts, -2)


def _reflect(a: Any, tau: Any, i: int, c: Any) -> Any:
    """``(1 - tau v v^H) c``."""
    v = _reflector(a, i)
    return c - tau.narrow(-1, i, 1).unsqueeze(-1) * (v @ (v.mH @ c))


def _check_reflectors(op: str, a: Any, tau: Any) -> None:
    if a.ndim < 2:
        raise RuntimeError(message(op, "input must have at least 2 dimensions", {"ndim": a.ndim}))
    if tau.dtype is not a.dtype:
        raise RuntimeError(message(op, "tau dtype does not match input dtype", [tau.dtype.name, a.dtype.name]))
    if tau.shape[-1] > a.shape[-1]:
        raise RuntimeError(
            message(
                op,
                "input.shape[-1] must be greater than or equal to tau.shape[-1]",
                {"input": list(a.shape), "tau": list(tau.shape)},
            )
        )


def householder_product(A: Tensor, tau: Tensor, *, out: Any = None) -> Tensor:  # noqa: N803
    """The first columns of the product of Householder reflections, as LAPACK's QR stores them.

    Args:
        A: ``(*, m, n)`` with m >= n: the reflections' vectors below its diagonal.
        tau: ``(*, k)`` with k <= n: their factors.
        out: where the result goes.
    """
    op, a, t = "linalg.householder_product", A, tau
    _check_reflectors(op, a, t)
    m, n = a.shape[-2:]
    if m < n:
        raise RuntimeError(
            message(op, "input.shape[-2] must be greater than or equal to input.shape[-1]", list(a.shape))
        )
    q = unit_like(a)
    for i in reversed(range(t.shape[-1])):
        q = _reflect(a, t, i, q)
    return put(op, q, out)


def ormqr(
    input: Tensor,  # noqa: A002
    tau: Tensor,
    other: Tensor,
    left: bool = True,
    transpose: bool = False,
    *,
    out: Any = None,
) -> Tensor:
    """The product of the Q of `geqrf` (or its adjoint) with ``other``; ``left``: Q stands to the left."""
    c: Any = other
    if input.ndim < 2 or other.ndim < 2:
        raise RuntimeError(
            message("ormqr", "input must have at least 2 dimensions and other must have at least 2 dimensions")
        )
    side = -2 if left else -1
    if tau.ndim < 1 or tau.shape[-1] > input.shape[-1] or tau.shape[-1] != min(c.shape[side], input.shape[-1]):
        raise RuntimeError(
            message(
                "ormqr",
                f"tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])",
                {"tau": list(tau.shape), "other": list(c.shape), "input": list(input.shape)},
            )
        )
    _check_reflectors("ormqr", input, tau)
    if c.shape[side] != input.shape[-2]:
        raise RuntimeError(
            message(
                "ormqr",
                f"other.shape[{side}] must be equal to input.shape[-2]",
                {"other": list(c.shape), "input": list(input.shape)},
            )
        )
    r = c if left else c.mH
    flip = transpose if left else not transpose
    t: Any = tau.conj() if flip else tau  # type: ignore[attr-defined]
    steps = range(tau.shape[-1])
    for i in steps if flip else reversed(steps):
        r = _reflect(input, t, i, r)
    return put("ormqr", r if left else r.mH, out)


def svd_lowrank(A: Tensor, q: int = 6, niter: int = 2, M: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:  # noqa: N803
    """An approximate singular value decomposition of rank ``q``, from products with random vectors: ``(U, S, V)``."""
    from .creation import randn

    a: Any = A if M is None else A - M  # type: ignore[operator]
    wide = a.shape[-2] < a.shape[-1]
    if wide:
        a = a.mH
    if not 0 <= q <= a.shape[-1]:
        raise ValueError(
            message(
                "svd_lowrank", "q must be non-negative and not greater than min(m, n)", {"q": q, "A": list(A.shape)}
            )
        )
    base: Any = _gen.op_linalg_qr(a @ randn(a.shape[-1], q, dtype=a.dtype, device=a.device))[0]
    for _ in range(niter):
        base = _gen.op_linalg_qr(a @ _gen.op_linalg_qr(a.mH @ base)[0])[0]
    u, s, vh = _gen.op__linalg_svd(base.mH @ a, False)
    u = base @ u
    return (vh.mH, s, u) if wide else (u, s, vh.mH)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:  # noqa: N803
    """Principal components by `svd_lowrank` of the centred matrix: ``(U, S, V)``."""
    m, n = A.shape[-2:]
    q = min(6, m, n) if q is None else q
    if not 0 <= q <= min(m, n):
        raise ValueError(
            message("pca_lowrank", f"q(={q}) must be non-negative and not greater than min(m, n)={min(m, n)}")
        )
    if niter < 0:
        raise ValueError(message("pca_lowrank", f"niter(={niter}) must be non-negative"))
    mean = A.mean(-2, keepdim=True) if center else None  # type: ignore[attr-defined]
    return svd_lowrank(A, q, niter, mean)


_LINALG = (lu_factor, lu_factor_ex, lu, lu_solve, ldl_factor, ldl_factor_ex, ldl_solve, householder_product)
FUNCTIONS: dict[str, Any] = {f"linalg_{f.__name__}": f for f in _LINALG}
FUNCTIONS |= {f.__name__: f for f in (lu_unpack, ormqr, svd_lowrank, pca_lowrank)}
FUNCTIONS |= {"lu": _lu_top, "lu_solve": _lu_solve_top, "orgqr": householder_product}
METHODS = {n: FUNCTIONS[n] for n in ("lu", "lu_solve", "ormqr", "orgqr")}
