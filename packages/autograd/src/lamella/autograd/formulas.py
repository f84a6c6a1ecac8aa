"""Helpers that derivative formulas name. They are made of operators, so they can be differentiated in turn."""

from __future__ import annotations

from math import prod
from typing import Any

from numpy import empty

from lamella.core import functions as F
from lamella.core.checks import reduce_dims, wrap_dims
from lamella.core.tensor import CPU, Tensor, wrap
from lamella.dispatch.state import state

_FEW = 1024


def conj_of(x: Any) -> Any:
    """The complex conjugate; real tensors and real numbers as they are."""
    if isinstance(x, Tensor):
        return F.conj(x) if x._a.dtype.kind == "c" else x
    return x.conjugate() if isinstance(x, complex) else x


def expand_to(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The gradient of a full sum: a view, or numbers where there are so few that NumPy is quicker with them."""
    if grad._ks == CPU and grad.__class__ is Tensor and not state.affected & CPU and prod(shape) <= _FEW:
        a = empty(shape, grad._a.dtype)
        a.fill(grad._a)
        return wrap(a)
    return grad.expand(shape)  # type: ignore[attr-defined]


def unreduce(grad: Tensor, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Tensor:
    """Put the dimensions that a reduction took away back in, with size 1."""
    if keepdim or not shape:
        return grad
    dims = reduce_dims("backward", dim, len(shape))
    if dims is None:
        return grad
    return grad.reshape([1 if i in dims else n for i, n in enumerate(shape)])  # type: ignore[attr-defined]


def expand_reduced(grad: Tensor, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Tensor:
    """The gradient of a sum over dimensions."""
    return unreduce(grad, shape, dim, keepdim).expand(shape)  # type: ignore[attr-defined]


def in_type(grad: Any, dtype: Any) -> Any:
    """A gradient in the type of what was converted on the way in; of complex numbers the real part."""
    if grad.dtype is dtype:
        return grad
    return (F.real(grad) if grad.is_complex() and not dtype.is_complex else grad).to(dtype)


def reduced_numel(shape: tuple[int, ...], dim: Any) -> int:
    """How many elements a reduction combines into one."""
    n = 1
    dims = reduce_dims("backward", dim, len(shape))
    for i in range(len(shape)) if dims is None else wrap_dims("backward", dims, len(shape)):
        n *= shape[i]
    return n
