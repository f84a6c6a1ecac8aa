"""Bringing a gradient to the shape and type of the tensor it is for."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as F
from lamella.core.dtypes import from_numpy_dtype
from lamella.core.tensor import Tensor


def fit(g: Tensor, shape: tuple[int, ...], np_dtype: Any) -> Tensor:
    """Undo broadcasting (sum over the added elements) and promotion (cast; the real part where the input was real)."""
    if g._a.shape != shape:
        g = sum_to(g, shape)
    d = from_numpy_dtype(np_dtype)
    have = g.dtype
    if have is not d:
        if have.is_complex and not d.is_complex:
            g = F.real(g)
        if g.dtype is not d:
            g = g.to(d)  # type: ignore[attr-defined]
    return g


def sum_to(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum ``g`` over the dimensions that broadcasting added to ``shape``, or expand it where it is the smaller one."""
    have = g._a.shape
    lead = len(have) - len(shape)
    if lead < 0 or any(n == 1 != s for n, s in zip(have[lead:], shape, strict=True)):
        g = g.expand(shape) if lead <= 0 else g  # type: ignore[attr-defined]
        have = g._a.shape
        lead = len(have) - len(shape)
    dims = [*range(lead), *(i + lead for i, n in enumerate(shape) if n == 1 != have[i + lead])]
    if dims:
        g = F.sum(g, dims, keepdim=True)
    return g.reshape(shape) if lead else g  # type: ignore[attr-defined]


def is_integral(t: Tensor) -> bool:
    """Whether a result is of a type that has no gradient."""
    return t._a.dtype.kind in "biu"


def edge_of(x: Any) -> Any:
    """The edge of an operand that may be a number."""
    return x._ag if isinstance(x, Tensor) else None
