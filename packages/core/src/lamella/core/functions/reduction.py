"""Reductions as users call them: one name, several forms."""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import reduction as _gen
from ..runtime import return_type, write_out
from ..tensor import Tensor


def _put(op: str, r: Any, out: Any) -> Any:
    return r if out is None else write_out(op, out, r)


def _axis(op: str, dim: Any, keepdim: bool, more: dict[str, Any]) -> tuple[Any, bool]:
    """Accept NumPy's spellings ``axis`` and ``keepdims``, as torch does."""
    for name, value in more.items():
        if name == "axis":
            dim = value
        elif name == "keepdims":
            keepdim = value
        else:
            raise TypeError(message(op, f"got an unexpected keyword argument '{name}'"))
    return dim, keepdim


def sum(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, **more: Any
) -> Tensor:  # noqa: A001, A002
    """The sum of elements.

    Args:
        input: a tensor.
        dim: dimensions to sum over; all when not given.
        keepdim: keep them with size 1.
        dtype: type to sum in; integers sum in int64 by default.
        out: where the result goes.

    Returns:
        A tensor without the summed dimensions.

    Raises:
        IndexError: for a dimension out of range.

    Example:
        >>> from lamella import core
        >>> core.sum(core.ones(2, 3), 1)
        tensor([3., 3.])
    """
    if more:
        dim, keepdim = _axis("sum", dim, keepdim, more)
    if dim is None and not keepdim:
        r = _gen.op_sum(input, dtype=dtype)
    else:
        r = _gen.op_sum_dim_IntList(input, dim, keepdim, dtype=dtype)
    return r if out is None else write_out("sum", out, r)


def mean(
    input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, **more: Any
) -> Tensor:  # noqa: A002
    """The mean of elements of a floating or complex tensor; arguments as for `sum`.

    Example:
        >>> from lamella import core
        >>> core.mean(core.tensor([1.0, 3.0]))
        tensor(2.)
    """
    if more:
        dim, keepdim = _axis("mean", dim, keepdim, more)
    if dim is None and not keepdim:
        r = _gen.op_mean(input, dtype=dtype)
    else:
        r = _gen.op_mean_dim(input, dim, keepdim, dtype=dtype)
    return r if out is None else write_out("mean", out, r)


def prod(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:  # noqa: A002
    """The product of elements, of all or along one dimension."""
    r = _gen.op_prod(input, dtype=dtype) if dim is None else _gen.op_prod_dim_int(input, dim, keepdim, dtype=dtype)
    return _put("prod", r, out)


def _extreme(name: str, full: Any, along: Any, pairwise: str) -> Any:
    def extreme(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None, out: Any = None, **more: Any
    ) -> Any:  # noqa: A002
        if more:
            dim, keepdim = _axis(name, dim, keepdim, more)
        if isinstance(dim, Tensor) or other is not None:
            from . import FUNCTIONS as everything

            return everything[pairwise](input, dim if other is None else other, out=out)
        r = full(input) if dim is None else along(input, dim, keepdim)
        return _put(name, r, out)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"""The {name}imum: of all elements, along a dimension (with indices), or of two tensors.

    Args:
        input: a real tensor.
        dim: None for all elements; a dimension for ``(values, indices)``; a tensor for the elementwise {name}imum.
        keepdim: keep the dimension with size 1.
        out: where the result goes (a pair with ``dim``).

    Raises:
        IndexError, RuntimeError: where there is nothing to choose from. nan counts as the {name}imum.
    """
    return extreme


max = _extreme("max", _gen.op_max, _gen.op_max_dim, "maximum")  # noqa: A001
min = _extreme("min", _gen.op_min, _gen.op_min_dim, "minimum")  # noqa: A001


def _std_args(op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool, Any]:
    """(dim, correction, keepdim, out) from any of torch's forms: unbiased first, dim and unbiased, correction."""
    dim, correction, keepdim = kwargs.pop("dim", kwargs.pop("axis", None)), kwargs.pop("correction", None), False
    out = kwargs.pop("out", None)
    if "unbiased" in kwargs:
        correction = int(kwargs.pop("unbiased"))
    keepdim = kwargs.pop("keepdim", kwargs.pop("keepdims", False))
    rest = list(args)
    if rest and isinstance(rest[0], bool):
        correction = int(rest.pop(0))
    elif rest:
        dim = rest.pop(0)
        if rest:
            correction = int(rest.pop(0))
        if rest:
            keepdim = rest.pop(0)
    if kwargs or rest:
        extra = next(iter(kwargs), None)
        raise TypeError(message(op, f"got an unexpected keyword argument '{extra}'" if extra else "too many arguments"))
    return dim, correction, keepdim, out


def _deviation(name: str, gen: Any, what: str) -> Any:
    def deviation(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:  # noqa: A002
        dim, correction, keepdim, out = _std_args(name, args, kwargs)
        return _put(name, gen(input, dim, correction=correction, keepdim=keepdim), out)

    deviation.__name__ = deviation.__qualname__ = name
    deviation.__doc__ = f"""The {what} of elements.

    Call forms: ``{name}(input, dim=None, *, correction=1, keepdim=False)``, ``{name}(input, unbiased)``,
    ``{name}(input, dim, unbiased, keepdim)``.

    Args:
        input: a floating or complex tensor.
        dim: dimensions; all when not given.
        correction: what is taken from the number of elements in the divisor (1: unbiased; 0: the plain mean).
    """
    return deviation


var = _deviation("var", _gen.op_var_correction, "variance")
std = _deviation("std", _gen.op_std_correction, "standard deviation")


def _with_mean(name: str, one: Any) -> Any:
    def both(input: Tensor, *args: Any, **kwargs: Any) -> Any:  # noqa: A002
        dim, correction, keepdim, _ = _std_args(name, args, kwargs)
        return one(input, dim, correction=correction, keepdim=keepdim), mean(input, dim, keepdim)

    both.__name__ = both.__qualname__ = name
    both.__doc__ = f"The pair of {name.replace('_', ' and ')}; arguments as for `{name[:3]}`."
    return both


var_mean, std_mean = _with_mean("var_mean", var), _with_mean("std_mean", std)


def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:  # noqa: A002
    """The mean of the elements that are not nan."""
    if not (input.is_floating_point() or input.is_complex()):
        raise RuntimeError(
            message("nanmean", f"expected input to have floating point or complex dtype but got {input.dtype}")
        )
    there = input.isnan().logical_not()  # type: ignore[attr-defined]
    total = _gen.op_nansum(input, dim, keepdim, dtype=dtype)
    return _put("nanmean", total / sum(there, dim, keepdim), out)


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Tensor:  # noqa: A002
    """A norm of all elements or along dimensions.

    Args:
        input: a floating or complex tensor.
        p: a number, ``"fro"`` (2), or ``"nuc"``.
        dim: dimensions; all when not given.
    """
    if p == "nuc":
        raise RuntimeError(message("norm", "the nuclear norm needs singular values", hint="use linalg.matrix_norm"))
    if p is None or p == "fro":
        p = 2
    if isinstance(p, str):
        raise RuntimeError(message("norm", f"unsupported norm {p!r}", hint="valid: a number, 'fro', 'nuc'"))
    return _put("norm", _gen.linalg_vector_norm(input, p, dim, keepdim, dtype=dtype), out)


def softmax(input: Tensor, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Tensor:  # noqa: A002
    """exp(x) divided by its sum along a dimension.

    Args:
        input: a floating tensor.
        dim: the dimension whose elements sum to 1 afterwards.
        dtype: type to convert to first.

    Example:
        >>> from lamella import core
        >>> core.softmax(core.zeros(4), 0)
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    if dtype is not None:
        input = input.to(dtype)  # type: ignore[attr-defined]  # noqa: A001
    if dim is None:
        raise TypeError(message("softmax", "missing argument 'dim'"))
    r = _gen.op__softmax(input, dim, False)
    return r if out is None else write_out("softmax", out, r)


def log_softmax(input: Tensor, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Tensor:  # noqa: A002
    """The logarithm of `softmax`, computed without loss of small values."""
    if dtype is not None:
        input = input.to(dtype)  # type: ignore[attr-defined]  # noqa: A001
    if dim is None:
        raise TypeError(message("log_softmax", "missing argument 'dim'"))
    return _put("log_softmax", _gen.op__log_softmax(input, dim, False), out)


def _medians(name: str, full: Any, along: Any) -> Any:
    def middle(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:  # noqa: A002
        return _put(name, full(input) if dim is None else along(input, dim, keepdim), out)

    middle.__name__ = middle.__qualname__ = name
    middle.__doc__ = "The lower of the middle elements: of all, or along a dimension with indices" + (
        "; nan is skipped." if name == "nanmedian" else "."
    )
    return middle


median, nanmedian = (
    _medians("median", _gen.op_median, _gen.op_median_dim),
    _medians("nanmedian", _gen.op_nanmedian, _gen.op_nanmedian_dim),
)


def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:  # noqa: A002
    """The p-norm of the difference of two tensors."""
    return norm(input - other, p)


def trace(input: Tensor) -> Tensor:  # noqa: A002
    """The sum of a matrix's diagonal."""
    if input._a.ndim != 2:
        raise RuntimeError(message("trace", f"expected a matrix, but got a tensor of {input._a.ndim} dimensions"))
    return sum(input.diagonal())  # type: ignore[attr-defined]


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
    return _put("quantile", _quantile("quantile", input, q, dim, keepdim, interpolation, False), out)


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
    return _put("nanquantile", _quantile("nanquantile", input, q, dim, keepdim, interpolation, True), out)


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
    if not t.is_meta and not bool(((t >= 0) & (t <= 1)).all()):
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
    if keepdim:
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
    return _put("renorm", input * scale, out)


def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:  # noqa: A002
    """The covariance matrix of variables (rows) over observations (columns)."""
    x: Any = input if input._a.ndim else input.reshape(1, 1)  # type: ignore[attr-defined]
    if x.ndim > 2:
        raise RuntimeError(message("cov", f"expected input to have two or fewer dimensions but got {x.ndim}"))
    if x.ndim < 2:
        x = x.reshape(1, -1)
    w = None
    for v in (fweights, aweights):
        if v is not None:
            w = v if w is None else w * v
    total = x.shape[1] if w is None else w.sum()
    avg = mean(x, 1, True) if w is None else (x * w).sum(1, keepdim=True) / total
    if w is None:
        divisor: Any = total - correction
    else:
        spent = correction if aweights is None else correction * (w * aweights).sum() / total
        divisor = total - spent
    x = x - avg
    right: Any = (x if w is None else x * w).conj().t()
    r = x @ right
    if isinstance(divisor, Tensor):
        divisor = divisor.clamp(min=0)
    else:
        divisor = divisor if divisor > 0 else 0
    return (r / divisor if not isinstance(divisor, int) or divisor else r * math.inf).squeeze()


def corrcoef(input: Tensor) -> Tensor:  # noqa: A002
    """The correlation coefficients of variables (rows) over observations (columns)."""
    c: Any = cov(input)
    if c.ndim == 0:
        return c / c
    d = c.diagonal().real.sqrt() if c.is_complex() else c.diagonal().sqrt()
    return c / d.unsqueeze(1) / d.unsqueeze(0)


def nonzero_count(input: Tensor, dim: Any = None) -> Tensor:  # noqa: A002
    """How many elements are not zero."""
    return _gen.op_count_nonzero_dim_IntList(input, dim)


FUNCTIONS = {
    f.__name__: f
    for f in (
        sum,
        mean,
        prod,
        max,
        min,
        var,
        std,
        var_mean,
        std_mean,
        nanmean,
        norm,
        softmax,
        log_softmax,
        median,
        nanmedian,
        dist,
        trace,
        quantile,
        nanquantile,
        renorm,
        cov,
        corrcoef,
    )
}
METHODS = dict(FUNCTIONS)
for _name in ("var_mean", "std_mean"):
    METHODS.pop(_name)
METHODS["renorm_"] = lambda self, p, dim, maxnorm: self.copy_(renorm(self, p, dim, maxnorm))
#: Torch's named results, for programs that look at ``torch.return_types``.
return_types = {"max": return_type("max", ("values", "indices")), "min": return_type("min", ("values", "indices"))}
