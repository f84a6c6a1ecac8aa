"""torch.masked: reductions and normalizations over the elements where a mask is true.

Each replaces the other elements by the operation's neutral one. Whole results without a single element are that neutral
element (nan for means).
"""

from __future__ import annotations

import math
from typing import Any

from lamella.dispatch.errors import message

from .. import dtypes as dt
from .._gen import pointwise as _pointwise, reduction as _gen
from ..checks import reduce_dims
from ..tensor import Tensor
from . import reduction as _plain
from .creation import ones_like
from .indexing import where


def _mask(op: str, x: Any, mask: Any) -> Any:
    """The mask in the input's shape."""
    if mask.ndim > x.ndim:
        raise IndexError(
            message(op, f"expected mask dimensionality to be at most the input's ({x.ndim}), got {mask.ndim}")
        )
    return mask.to(dt.bool_).expand(x.shape)


def _filled(op: str, x: Any, mask: Any, value: Any) -> Any:
    return x if mask is None else where(_mask(op, x, mask), x, x.new_full((), value))


def _converted(x: Any, dtype: Any) -> Any:
    return x if dtype is None or x.dtype is dtype else x.to(dtype)


def _wide(x: Any, dtype: Any) -> Any:
    """Integers and bools are summed in int64."""
    return _converted(x, dt.int64 if dtype is None and x.dtype.category < 2 else dtype)


def _dims(dim: Any) -> Any:
    return None if dim is None or (not isinstance(dim, int) and len(dim) == 0) else dim


def _limits(x: Any) -> tuple[Any, Any]:
    """The smallest and largest value of a type."""
    if x.dtype.category >= 2:
        return -math.inf, math.inf
    if x.dtype is dt.bool_:
        return False, True
    info = dt.iinfo(x.dtype)
    return info.min, info.max


def sum(  # noqa: A001
    input: Any,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,  # noqa: A002
) -> Tensor:
    """The sum of the elements where ``mask`` is true.

    Args:
        input: a tensor.
        dim: dimensions to reduce; all by default.
        keepdim: keep them with size 1.
        dtype: type to compute in.
        mask: bools that broadcast to ``input``; all elements count by default.
    """
    x = _wide(input, dtype)
    return _plain.sum(_filled("masked.sum", x, mask, 0), _dims(dim), keepdim)


def prod(  # noqa: A001
    input: Any,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,  # noqa: A002
) -> Tensor:
    """The product of the elements where ``mask`` is true; arguments as for `sum`."""
    r: Any = _filled("masked.prod", _wide(input, dtype), mask, 1)
    dims = reduce_dims("masked.prod", dim, r.ndim)
    for d in sorted(range(r.ndim) if dims is None else dims, reverse=True):
        r = _plain.prod(r, d, keepdim)
    return r


def _extreme(name: str, best: int) -> Any:
    def extreme(
        input: Any,
        dim: Any = None,
        *,
        keepdim: bool = False,
        dtype: Any = None,
        mask: Any = None,  # noqa: A002
    ) -> Tensor:
        x = _converted(input, dtype)
        f = _gen.amax if name == "amax" else _gen.amin
        return f(_filled(f"masked.{name}", x, mask, _limits(x)[best]), () if _dims(dim) is None else dim, keepdim)

    extreme.__name__ = extreme.__qualname__ = name
    extreme.__doc__ = f"As `{name}` of the elements where ``mask`` is true; arguments as for `sum`."
    return extreme


amax, amin = _extreme("amax", 0), _extreme("amin", 1)


def _place(name: str, best: int) -> Any:
    def place(
        input: Any,
        dim: int | None = None,
        *,
        keepdim: bool = False,
        dtype: Any = None,
        mask: Any = None,  # noqa: A002
    ) -> Tensor:
        x = _converted(input, dtype)
        f: Any = _gen.argmax if name == "argmax" else _gen.argmin
        return f(_filled(f"masked.{name}", x, mask, _limits(x)[best]), dim, keepdim).to(x.dtype)

    place.__name__ = place.__qualname__ = name
    place.__doc__ = f"As `{name}` of the elements where ``mask`` is true; the index has the input's type."
    return place


argmax, argmin = _place("argmax", 0), _place("argmin", 1)


def _counted(op: str, x: Any, dim: Any, keepdim: bool, mask: Any) -> Any:
    there = ones_like(x, dtype=dt.int64) if mask is None else _mask(op, x, mask).to(dt.int64)
    return _plain.sum(there, _dims(dim), keepdim)


def _floating(op: str, x: Any, dtype: Any) -> Any:
    x = _converted(x, dtype)
    if x.dtype.category < 2:
        raise ValueError(message(op, f"the input dtype must be floating point or complex, got {x.dtype!r}"))
    return x


def mean(
    input: Any,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,  # noqa: A002
) -> Tensor:
    """The mean of the elements where ``mask`` is true; arguments as for `sum`."""
    x = _floating("masked.mean", input, dtype)
    total: Any = sum(x, dim, keepdim=keepdim, mask=mask)
    return total / _counted("masked.mean", x, dim, keepdim, mask)


def median(
    input: Any,
    dim: int = -1,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,  # noqa: A002
) -> Tensor:
    """The lower median along a dimension of the elements where ``mask`` is true."""
    x = _converted(input, dtype)
    if not x.is_floating_point():
        raise ValueError(message("masked.median", f"the input dtype must be floating point, got {x.dtype!r}"))
    if mask is None:
        return _plain.median(x, dim, keepdim)[0]
    return _plain.nanmedian(_filled("masked.median", x, mask, math.nan), dim, keepdim)[0]


def norm(
    input: Any,  # noqa: A002
    ord: float | None = 2.0,  # noqa: A002
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,
) -> Tensor:
    """A vector norm of the elements where ``mask`` is true; arguments as for `sum`."""
    ord = 2.0 if ord is None else float(ord)  # noqa: A001
    x = _floating("masked.norm", input, dtype)
    return _gen.linalg_vector_norm(
        _filled("masked.norm", x, mask, math.inf if ord < 0 else 0), ord, _dims(dim), keepdim
    )


def _spread(op: str, x: Any, dim: Any, unbiased: Any, correction: Any, keepdim: bool, dtype: Any, mask: Any) -> Any:
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    x = _converted(x, dtype)
    if x.dtype.category < 2:
        x = x.to(dt.get_default_dtype())
    count = _counted(op, x, dim, True, mask)
    centre = x - sum(x, dim, keepdim=True, mask=mask) / count
    square = centre * (centre.conj() if x.is_complex() else centre)
    total: Any = sum(square, dim, keepdim=keepdim, mask=mask)
    if not keepdim:
        count = count.reshape(total.shape)
    r: Any = total / (count - correction).clamp(min=0)
    return r


def var(
    input: Any,  # noqa: A002
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,
) -> Tensor:
    """The variance of the elements where ``mask`` is true."""
    return _spread("masked.var", input, dim, unbiased, correction, keepdim, dtype, mask)


def std(
    input: Any,  # noqa: A002
    dim: Any = None,
    unbiased: bool | None = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,
) -> Tensor:
    """The standard deviation of the elements where ``mask`` is true."""
    return _spread("masked.std", input, dim, unbiased, correction, keepdim, dtype, mask).sqrt()


def logsumexp(
    input: Any,
    dim: Any = None,
    *,
    keepdim: bool = False,
    dtype: Any = None,
    mask: Any = None,  # noqa: A002
) -> Tensor:
    """The logarithm of the sum of exponentials of the elements where ``mask`` is true."""
    x = _converted(input, dtype)
    dims = () if _dims(dim) is None else dim
    r: Any = _gen.logsumexp(_filled("masked.logsumexp", x, mask, _limits(x)[0]), dims, keepdim)
    return r.to(x.dtype)


def logaddexp(
    input: Any,
    other: Any,
    *,
    dtype: Any = None,
    input_mask: Any = None,
    other_mask: Any = None,  # noqa: A002
) -> Tensor:
    """log(exp(input) + exp(other)) where both are there, and the one that is there elsewhere."""
    a, b = _converted(input, dtype), _converted(other, dtype)
    return _pointwise.logaddexp(
        _filled("masked.logaddexp", a, input_mask, -math.inf), _filled("masked.logaddexp", b, other_mask, -math.inf)
    )


def cumsum(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:  # noqa: A002
    """Running sums of the elements where ``mask`` is true."""
    return _gen.cumsum(_filled("masked.cumsum", _converted(input, dtype), mask, 0), dim, dtype=dtype or input.dtype)


def cumprod(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:  # noqa: A002
    """Running products of the elements where ``mask`` is true."""
    return _gen.cumprod(_filled("masked.cumprod", _converted(input, dtype), mask, 1), dim, dtype=dtype or input.dtype)


def softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:  # noqa: A002
    """As `softmax` over the elements where ``mask`` is true."""
    return _plain.softmax(_filled("masked.softmax", _converted(input, dtype), mask, -math.inf), dim)


def log_softmax(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:  # noqa: A002
    """As `log_softmax` over the elements where ``mask`` is true."""
    return _plain.log_softmax(_filled("masked.log_softmax", _converted(input, dtype), mask, -math.inf), dim)


def softmin(input: Any, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:  # noqa: A002
    """As `softmax` of the negated elements where ``mask`` is true."""
    return _plain.softmax(-_filled("masked.softmin", _converted(input, dtype), mask, math.inf), dim)


def normalize(
    input: Any,  # noqa: A002
    ord: float,  # noqa: A002
    dim: Any,
    *,
    eps: float = 1e-12,
    dtype: Any = None,
    mask: Any = None,
) -> Tensor:
    """The elements divided by the norm, at least ``eps``, of those where ``mask`` is true."""
    x = _floating("masked.normalize", input, dtype)
    size: Any = norm(x, ord, dim, keepdim=True, mask=mask)
    return _filled("masked.normalize", x, mask, 0) / size.clamp(min=eps)


_ALL = (
    sum,
    prod,
    amax,
    amin,
    argmax,
    argmin,
    mean,
    median,
    norm,
    var,
    std,
    logsumexp,
    logaddexp,
    cumsum,
    cumprod,
    softmax,
    log_softmax,
    softmin,
    normalize,
)
FUNCTIONS: dict[str, Any] = {f"masked_{f.__name__}": f for f in _ALL}
METHODS: dict[str, Any] = {}
