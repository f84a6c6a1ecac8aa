"""torch.linalg: norms and what is measured with them, powers, chains, tensors as matrices."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import linalg as _gen, reduction as _reduction
from ..checks import wrap_dim
from ..tensor import Tensor
from .linalg import inv_ex, put, solve, svdvals

_INF = (math.inf, -math.inf)


def _real_or_complex(op: str, A: Any, dtype: Any) -> Any:  # noqa: N803
    if dtype is not None:
        if dtype.category < 2:
            raise RuntimeError(message(op, f"dtype should be floating point or complex, but got {dtype.name}"))
        A = A.to(dtype)  # noqa: N806
    if A.dtype.category < 2:
        raise RuntimeError(message(op, f"expected a floating point or complex tensor as input, got {A.dtype.name}"))
    return A


def _pair(op: str, dim: Any, ndim: int) -> tuple[int, int]:
    dims = tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    if len(dims) != 2:
        raise RuntimeError(message(op, f"dim must be a 2-tuple, got {dim}"))
    a, b = wrap_dim(op, dims[0], ndim), wrap_dim(op, dims[1], ndim)
    if a == b:
        raise RuntimeError(message(op, f"dims must be different, got {dims}"))
    return a, b


def _largest(x: Any, dim: int, keepdim: bool = False) -> Any:
    """The largest of non-negative numbers; 0 of none."""
    return x.amax(dim, keepdim) if x.shape[dim] else x.sum(dim, keepdim)


def matrix_norm(
    A: Tensor,  # noqa: N803
    ord: Any = "fro",  # noqa: A002
    dim: Any = (-2, -1),
    keepdim: bool = False,
    *,
    dtype: Any = None,
    out: Any = None,
) -> Tensor:
    """A norm of matrices.

    Args:
        A: ``(*, m, n)``, floating or complex.
        ord: ``"fro"``, ``"nuc"`` (the sum of singular values), 2 and -2 (the largest and smallest one), 1 and -1 (the
            largest and smallest sum of a column), inf and -inf (of a row).
        dim: the two dimensions of the matrices.
        keepdim: keep them with size 1.
        dtype: type to convert to first.
        out: where the result goes.

    Raises:
        RuntimeError: for another ``ord``, or fewer than two dimensions.

    Example:
        >>> from lamella import core
        >>> core.linalg_matrix_norm(core.tensor([[3.0, 0.0], [0.0, 4.0]]))
        tensor(5.)
    """
    op = "linalg.matrix_norm"
    x: Any = _real_or_complex(op, A, dtype)
    if x.ndim < 2:
        raise RuntimeError(message(op, "the input tensor A must have at least 2 dimensions", {"ndim": x.ndim}))
    rows, columns = _pair(op, dim, x.ndim)
    if ord == "fro":
        r = _reduction.op_linalg_vector_norm(x, 2, (rows, columns), keepdim)
    elif ord in ("nuc", 2, -2):
        r = svdvals(x.movedim((rows, columns), (-2, -1)))
        r = r.sum(-1) if ord == "nuc" else _largest(r, -1) if ord == 2 else r.amin(-1)
        if keepdim:
            for i in sorted((rows, columns)):
                r = r.unsqueeze(i)
    elif not isinstance(ord, str) and abs(ord) in (1, math.inf):
        first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = _reduction.op_linalg_vector_norm(x, 1, (first,), keepdim)
        if not keepdim and second > first:
            second -= 1
        r = _largest(sums, second, keepdim) if ord > 0 else sums.amin(second, keepdim)
    else:
        raise RuntimeError(
            message(op, f"Order {ord} not supported", hint="valid: 'fro', 'nuc', 1, -1, 2, -2, inf, -inf")
        )
    return put(op, r, out)


def norm(
    A: Tensor,  # noqa: N803
    ord: Any = None,  # noqa: A002
    dim: Any = None,
    keepdim: bool = False,
    *,
    out: Any = None,
    dtype: Any = None,
) -> Tensor:
    """A norm of vectors or of matrices: matrices where two dimensions are given, or ``ord`` comes with a 2-D tensor.

    Args:
        A: a tensor, floating or complex.
        ord: as for ``vector_norm`` and `matrix_norm`; None is the root of the sum of squares of all elements.
        dim: one dimension (vectors) or two (matrices).
        keepdim: keep them with size 1.
        dtype: type to convert to first.
        out: where the result goes.
    """
    op = "linalg.norm"
    x: Any = _real_or_complex(op, A, dtype)
    dims = None if dim is None else tuple(dim) if isinstance(dim, (tuple, list)) else (dim,)
    if (
        ord is None
        or (dims is None and x.ndim < 2 and not isinstance(ord, str))
        or (dims is not None and len(dims) == 1)
    ):
        if isinstance(ord, str):
            raise RuntimeError(message(op, f"Order {ord!r} is for matrices", {"dim": dim}))
        return put(op, _reduction.op_linalg_vector_norm(x, 2 if ord is None else ord, dims, keepdim), out)
    if dims is None:
        if x.ndim != 2:
            raise RuntimeError(
                message(op, "if dim is not specified but ord is, the input must be 1D or 2D", {"ndim": x.ndim})
            )
        dims = (0, 1)
    return matrix_norm(x, ord, dims, keepdim, out=out)


def cond(A: Tensor, p: Any = None, *, out: Any = None) -> Tensor:  # noqa: N803
    """The condition number: the norm of A times the norm of its inverse, by default of the 2-norm."""
    op = "linalg.cond"
    x: Any = _real_or_complex(op, A, None)
    if x.ndim < 2:
        raise RuntimeError(message(op, "the input tensor A must have at least 2 dimensions", {"ndim": x.ndim}))
    if p is None or p in (2, -2):
        s = svdvals(x)
        if s.shape[-1] == 0:
            return put(op, s.new_zeros(s.shape[:-1]), out)
        high, low = s.select(-1, 0), s.select(-1, -1)  # type: ignore[attr-defined]
        return put(op, low / high if p == -2 else high / low, out)
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(message(op, f"with p={p} the matrices must be square", list(x.shape)))
    inverse, info = inv_ex(x)
    size = matrix_norm(x, p) * matrix_norm(inverse, p)  # type: ignore[operator]
    return put(op, size.masked_fill(info != 0, math.inf), out)


def _tolerances(x: Any, atol: Any, rtol: Any) -> tuple[Any, Any]:
    """Both tolerances as tensors; the relative one is max(m, n) * eps unless an absolute one is given."""
    from .creation import full

    def as_tensor(t: Any) -> Any:
        if isinstance(t, Tensor):
            return t.to(x.dtype.to_real())  # type: ignore[attr-defined]
        return full((), 0.0 if t is None else t, dtype=x.dtype.to_real(), device=x.device)

    default = max(x.shape[-2:]) * dt.finfo(x.dtype).eps
    if rtol is None and isinstance(atol, Tensor):
        return as_tensor(atol), (atol > 0).logical_not().to(x.dtype.to_real()) * default  # type: ignore[attr-defined,operator]
    if rtol is None:
        rtol = 0.0 if atol else default
    return as_tensor(atol), as_tensor(rtol)


def pinv(
    A: Tensor,  # noqa: N803
    rcond: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Any = None,
) -> Tensor:
    """The pseudo-inverse (Moore and Penrose's).

    Args:
        A: ``(*, m, n)``.
        atol, rtol: singular values below the larger of ``atol`` and ``rtol`` times the largest one count as zero.
        hermitian: the matrices are hermitian.
        rcond: an older name of ``rtol``.
        out: where the result goes.

    Example:
        >>> from lamella import core
        >>> core.linalg_pinv(core.tensor([[2.0, 0.0], [0.0, 0.0]]))
        tensor([[0.5000, 0.0000],
                [0.0000, 0.0000]])
    """
    if A.ndim < 2:
        raise RuntimeError(
            message("linalg.pinv", "the input tensor A must have at least 2 dimensions", {"ndim": A.ndim})
        )
    low, share = _tolerances(A, atol, rcond if rtol is None else rtol)
    return put("linalg.pinv", _gen.op__linalg_pinv(A, low.detach(), share.detach(), hermitian), out)


def _pinverse(input: Tensor, rcond: float = 1e-15) -> Tensor:  # noqa: A002
    """As ``linalg.pinv``."""
    return pinv(input, rcond)


def matrix_rank(
    A: Tensor,  # noqa: N803
    tol: Any = None,
    hermitian: bool = False,
    *,
    atol: Any = None,
    rtol: Any = None,
    out: Any = None,
) -> Tensor:
    """How many singular values are not zero, up to the tolerances of `pinv`."""
    x: Any = A.detach()  # type: ignore[attr-defined]
    if x.ndim < 2:
        raise RuntimeError(
            message("linalg.matrix_rank", "the input tensor A must have at least 2 dimensions", {"ndim": x.ndim})
        )
    if tol is not None:
        atol, rtol = tol, 0.0
    low, share = _tolerances(x, atol, rtol)
    if hermitian:
        s = _gen.op__linalg_eigh(x, "L", False)[0].abs()
    else:
        s = svdvals(x)
    if s.shape[-1] == 0:
        return put("linalg.matrix_rank", s.new_zeros(s.shape[:-1], dtype=dt.int64), out)
    limit = low.maximum(share * s.amax(-1))
    return put("linalg.matrix_rank", (s > limit.unsqueeze(-1)).sum(-1), out)


def matrix_power(A: Tensor, n: int, *, out: Any = None) -> Tensor:  # noqa: N803
    """Square matrices to an integer power; a negative one is the inverse's.

    Example:
        >>> from lamella import core
        >>> core.linalg_matrix_power(core.tensor([[1.0, 1.0], [0.0, 1.0]]), 3)
        tensor([[1., 3.],
                [0., 1.]])
    """
    from ..kernels.linalg import square
    from .linalg import inv, unit_like

    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        square("linalg.matrix_power", A._a)
    x: Any = inv(A) if n < 0 else A
    n = abs(n)
    if n == 0:
        return put("linalg.matrix_power", unit_like(A), out)
    r = None
    while n:
        if n & 1:
            r = x if r is None else r @ x
        n >>= 1
        if n:
            x = x @ x
    return put("linalg.matrix_power", r.clone() if r is A else r, out)


def _chain_order(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Where to split each part of a chain of products for the fewest multiplications."""
    n = len(sizes) - 1
    cost = [[0] * n for _ in range(n)]
    split: dict[tuple[int, int], int] = {}
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            options = [(cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j)]
            cost[i][j], split[i, j] = min(options)
    return split


def multi_dot(tensors: Any, *, out: Any = None) -> Tensor:
    """The product of several matrices in the cheapest order; the first and the last may be vectors.

    Raises:
        RuntimeError: for fewer than two tensors, or sizes that do not fit.
    """
    op = "linalg.multi_dot"
    xs: list[Any] = list(tensors)
    if len(xs) < 2:
        raise RuntimeError(message(op, f"expected at least 2 tensors but got {len(xs)}"))
    row, column = xs[0].ndim == 1, xs[-1].ndim == 1
    if row:
        xs[0] = xs[0].unsqueeze(0)
    if column:
        xs[-1] = xs[-1].unsqueeze(-1)
    for i, x in enumerate(xs):
        if x.ndim != 2:
            raise RuntimeError(
                message(op, f"tensor {i} must be 2D" + (" or 1D" if i in (0, len(xs) - 1) else ""), {"ndim": x.ndim})
            )
        if i and xs[i - 1].shape[1] != x.shape[0]:
            raise RuntimeError(
                message(
                    op,
                    f"tensors {i - 1} and {i} with shapes {list(xs[i - 1].shape)} and "
                    f"{list(x.shape)} cannot be multiplied",
                )
            )
    split = _chain_order([xs[0].shape[0], *(x.shape[1] for x in xs)])

    def product(i: int, j: int) -> Any:
        return xs[i] if i == j else product(i, split[i, j]) @ product(split[i, j] + 1, j)

    r = product(0, len(xs) - 1)
    if column:
        r = r.squeeze(-1)
    return put(op, r.squeeze(0) if row else r, out)


def vander(x: Tensor, *, N: int | None = None) -> Tensor:  # noqa: N803
    """Matrices whose rows are the powers 0 to N - 1 of the elements of ``x``.

    Example:
        >>> from lamella import core
        >>> core.linalg_vander(core.tensor([1, 2]), N=3)
        tensor([[1, 1, 1],
                [1, 2, 4]])
    """
    from . import FUNCTIONS as everything

    t: Any = x
    if t.dtype is dt.bool_:
        raise RuntimeError(message("linalg.vander", "it is not supported for bool tensors"))
    if t.ndim == 0:
        t = t.reshape(1)
    n = t.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError(message("linalg.vander", f"N must be greater than 1, got {n}"))
    powers = t.unsqueeze(-1).expand(*t.shape, n - 1).cumprod(-1)
    return everything["cat"]([powers.new_ones((*t.shape, 1)), powers], -1)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Any = None) -> Tensor:
    """The dot product of vectors along a dimension; the first is conjugated."""
    a: Any = x.conj() if x.is_complex() else x  # type: ignore[attr-defined]
    if not (x.dtype.category > 1 and y.dtype.category > 1) and x.dtype is not y.dtype:
        raise RuntimeError(
            message("linalg.vecdot", "expected x and y to have the same dtype", [x.dtype.name, y.dtype.name])
        )
    return put("linalg.vecdot", (a * y).sum(dim), out)


def tensorinv(A: Tensor, ind: int = 2, *, out: Any = None) -> Tensor:  # noqa: N803
    """The inverse of a tensor read as a matrix from its last dimensions to its first ``ind``."""
    from .linalg import inv

    op, a = "linalg.tensorinv", A
    if ind <= 0:
        raise RuntimeError(message(op, "expected a strictly positive integer for 'ind'", {"ind": ind}))
    first, last = tuple(a.shape[:ind]), tuple(a.shape[ind:])
    if math.prod(first) != math.prod(last):
        raise RuntimeError(
            message(op, "the product of the first ind sizes must equal that of the others", list(a.shape))
        )
    r: Any = inv(a.reshape(math.prod(first), math.prod(last)))  # type: ignore[attr-defined]
    return put(op, r.reshape(*last, *first), out)


def tensorsolve(A: Tensor, B: Tensor, dims: Any = None, *, out: Any = None) -> Tensor:  # noqa: N803
    """The X with ``tensordot(A, X, X.ndim) = B``; ``dims`` of A move to its end first."""
    a: Any = A
    if dims is not None:
        a = a.movedim(tuple(dims), tuple(range(a.ndim - len(dims), a.ndim)))
    shape = tuple(a.shape[B.ndim :])
    if math.prod(a.shape[: B.ndim]) != math.prod(shape):
        raise RuntimeError(
            message(
                "linalg.tensorsolve",
                "A's first dimensions must have as many elements as its others",
                {"A": list(a.shape), "B": list(B.shape)},
            )
        )
    r: Any = solve(a.reshape(-1, math.prod(shape)), B.reshape(-1))  # type: ignore[attr-defined]
    return put("linalg.tensorsolve", r.reshape(shape), out)


_LINALG = (matrix_norm, norm, cond, pinv, matrix_rank, matrix_power, multi_dot, vander, vecdot, tensorinv, tensorsolve)
FUNCTIONS: dict[str, Any] = {f"linalg_{f.__name__}": f for f in _LINALG}
FUNCTIONS |= {"matrix_power": matrix_power, "pinverse": _pinverse}
METHODS = {"matrix_power": matrix_power, "pinverse": _pinverse}
