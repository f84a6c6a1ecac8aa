"""Statistics of tensors: quantiles, covariance, norms of slices."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen.conversion import op_complex
from ..checks import concrete
from ..runtime import write_out
from ..tensor import Tensor
from .pointwise import before_write
from .reduction import mean, norm


def _put(op: str, r: Any, out: Any, exact: bool = False) -> Any:
    return r if out is None else write_out(op, out, r, exact)


def quantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,
    interpolation: str = "linear",  # noqa: A002
    out: Any = None,
) -> Tensor:
    """The values below which given shares of the elements lie; see `nanquantile` for skipping nan."""
    return _put("quantile", _quantile("quantile", input, q, dim, keepdim, interpolation, False), out, True)


def nanquantile(
    input: Tensor,
    q: Any,
    dim: int | None = None,
    keepdim: bool = False,
    *,  # noqa: A002
    interpolation: str = "linear",
    out: Any = None,
) -> Tensor:
    """As `quantile`, of the elements that are not nan."""
    return _put("nanquantile", _quantile("nanquantile", input, q, dim, keepdim, interpolation, True), out, True)


def _quantile(op: str, x: Tensor, q: Any, dim: int | None, keepdim: bool, how: str, skip: bool) -> Tensor:
    """Sort, then blend the neighbours of each place; made of operators, so gradients follow."""
    from .. import creation
    from ..checks import wrap_dim

    if how not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            message(op, f"interpolation must be one of linear, lower, higher, midpoint or nearest, but got {how}")
        )
    if x.dtype not in (dt.float32, dt.float64):
        raise RuntimeError(message(op, f"input tensor must be either float or double dtype, got {x.dtype}"))
    t: Any = q if isinstance(q, Tensor) else creation.tensor(q, dtype=x.dtype, device=x.device)
    if t.dtype is not x.dtype:
        raise RuntimeError(message(op, "q tensor must be same dtype as the input tensor"))
    if t.ndim > 1:
        raise RuntimeError(message(op, f"q must be a scalar or 1D tensor (got {t.ndim} dimensions)"))
    if x.numel() == 0:
        raise RuntimeError(message(op, "input tensor must be non-empty"))
    known = concrete(t)
    if not t.is_meta and not bool(((known >= 0) & (known <= 1)).all()):
        raise RuntimeError(message(op, "q values must be in the range [0, 1]"))
    axis = 0 if dim is None else wrap_dim(op, dim, x.ndim)
    y: Any = x.reshape(-1) if dim is None else x.movedim(axis, -1) if x.ndim else x.reshape(1)  # type: ignore[attr-defined]
    s = y.sort(-1)[0]
    there = s.isnan().logical_not().sum(-1, keepdim=True)
    if skip:
        ranks = t * (there - 1).clamp(min=0).to(x.dtype)
    else:
        ranks = (t * (s.shape[-1] - 1)).expand(*there.shape[:-1], t.numel() if t.ndim else 1)
        ranks = ranks.where(there == s.shape[-1], float(s.shape[-1] - 1))
    low, high = ranks.floor(), ranks.ceil()
    if how == "lower":
        high = low
    elif how == "higher":
        low = high
    elif how == "nearest":
        low = high = ranks.round()
    a, b = s.gather(-1, low.long()), s.gather(-1, high.long())
    weight = 0.5 if how == "midpoint" else ranks - low
    r = a if how in ("lower", "higher", "nearest") else a.lerp(b, a.new_full((), 0.5) if how == "midpoint" else weight)
    r = r.movedim(-1, 0)
    if keepdim and x.ndim:
        r = r.reshape(-1, *([1] * x.ndim)) if dim is None else r.unsqueeze(axis + 1)
    return r if t.ndim else r.squeeze(0)


def renorm(input: Tensor, p: Any, dim: int, maxnorm: Any, *, out: Any = None) -> Tensor:  # noqa: A002
    """Each slice along ``dim`` scaled down to a p-norm of at most ``maxnorm``."""
    from ..checks import wrap_dim

    if isinstance(p, complex) or p <= 0:
        raise RuntimeError(message("renorm", "non-positive-norm not supported", {"p": p}))
    if maxnorm < 0:
        raise RuntimeError(message("renorm", "expected maxnorm to be >= 0", {"maxnorm": maxnorm}))
    if input._a.ndim < 2:
        raise RuntimeError(message("renorm", f"input needs at least 2 dimensions, got {input._a.ndim}"))
    axis = wrap_dim("renorm", dim, input._a.ndim)
    rest = [i for i in range(input._a.ndim) if i != axis]
    n: Any = norm(input, p, rest, True)
    scale = (maxnorm / (n + 1e-7)).where(n > maxnorm, 1)
    return _put("renorm", input * scale, out, True)


def _weights(what: str, w: Any, n: int, integral: bool) -> Any:
    """Refuse weights that do not fit."""
    if w.ndim > 1:
        raise RuntimeError(message("cov", f"expected {what} to have one or fewer dimensions but got {w.ndim}"))
    if integral == (w.dtype.category > 1):
        kind = "integral" if integral else "floating point"
        raise RuntimeError(message("cov", f"expected {what} to have {kind} dtype but got {w.dtype.name}"))
    if w.numel() != n:
        raise RuntimeError(
            message(
                "cov",
                f"expected {what} to have the same numel as there are observations in the input "
                f"but got {w.numel()} != {n}",
            )
        )
    if n and not w.is_meta and bool(concrete(w).min() < 0):
        raise RuntimeError(message("cov", f"{what} cannot be negative"))
    return w


def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:  # noqa: A002
    """The covariance matrix of variables (rows) over observations (columns).

    Args:
        input: a tensor of at most two dimensions; one dimension is one variable.
        correction: what is taken from the number of observations in the divisor.
        fweights: how often each observation counts, integers.
        aweights: how much each observation counts.

    Returns:
        A square matrix; a 0-d tensor for one variable.

    Raises:
        RuntimeError: for more than two dimensions, or weights that do not fit the observations.

    Example:
        >>> from lamella import core
        >>> cov(core.tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    if input._a.ndim > 2:
        raise RuntimeError(message("cov", f"expected input to have two or fewer dimensions but got {input._a.ndim}"))
    x: Any = input if input._a.ndim == 2 else input.reshape(1, -1)  # type: ignore[attr-defined]
    n = x.shape[1]
    f = None if fweights is None else _weights("fweights", fweights, n, True)
    a = None if aweights is None else _weights("aweights", aweights, n, False)
    if x.dtype.category < 2:
        x = x.to(dt.get_default_dtype())
    w = f if a is None else a if f is None else f * a
    total: Any = n if w is None else w.sum()
    centre = x - (mean(x, 1, True) if w is None else (x * w).sum(1, keepdim=True) / total)
    spent: Any = correction if a is None or not correction else correction * (w * a).sum() / total
    divisor = total - spent
    r = centre @ (centre if w is None else centre * w).conj().t()
    return (r / (divisor.clamp(min=0) if isinstance(divisor, Tensor) else max(divisor, 0))).squeeze()


def corrcoef(input: Tensor) -> Tensor:  # noqa: A002
    """The correlation coefficients of variables (rows) over observations (columns).

    Args:
        input: a tensor of at most two dimensions.

    Example:
        >>> from lamella import core
        >>> corrcoef(core.tensor([[0.0, 1.0, 2.0], [4.0, 2.0, 0.0]]))
        tensor([[ 1., -1.],
                [-1.,  1.]])
    """
    if input._a.ndim > 2:
        raise RuntimeError(
            message("corrcoef", f"expected input to have two or fewer dimensions but got {input._a.ndim}")
        )
    c: Any = cov(input)
    if c.ndim == 0:
        return c / c
    d = (c.diagonal().real if c.is_complex() else c.diagonal()).sqrt()
    r = c / d.unsqueeze(1) / d.unsqueeze(0)
    if not r.is_complex():
        return r.clamp(-1, 1)
    return op_complex(r.real.clamp(-1, 1), r.imag.clamp(-1, 1))


FUNCTIONS = {f.__name__: f for f in (quantile, nanquantile, renorm, cov, corrcoef)}
METHODS: dict[str, Any] = dict(FUNCTIONS)
METHODS["renorm_"] = lambda self, p, dim, maxnorm: self.copy_(renorm(before_write(self), p, dim, maxnorm))
