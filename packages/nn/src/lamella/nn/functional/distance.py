"""Distances and similarities of vectors."""

from __future__ import annotations

from typing import Any

from lamella.core import functions as _core
from lamella.core.tensor import Tensor
from lamella.dispatch.errors import message

from .._gen import distance as _gen
from ..formulas_distance import pairwise


def _floating(op: str, *tensors: Any) -> Any:
    """The tensors in their common floating type."""
    from lamella.core.promotion import result_dtype

    for t in tensors:
        if not isinstance(t, Tensor):
            raise TypeError(message(op, f"the arguments must be Tensors, not {type(t).__name__}"))
    d = result_dtype(*tensors)
    if not d.is_floating_point:
        raise RuntimeError(message(op, f"expected common dtype to be floating point, yet common dtype is {d}"))
    return tuple([t if t.dtype is d else t.to(d) for t in tensors])


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors.

    Args:
        x1, x2: floating tensors that broadcast together.
        dim: the dimension along which vectors lie.
        eps: the least length that is divided by.

    Raises:
        RuntimeError: for integers or shapes that do not broadcast.

    Example:
        >>> from lamella import core
        >>> cosine_similarity(core.tensor([[1.0, 0.0]]), core.tensor([[1.0, 1.0]]))
        tensor([0.7071])
    """
    a, b = _floating("cosine_similarity", x1, x2)
    a, b = _core.broadcast_tensors(a, b)  # type: ignore[attr-defined]
    a = a / a.norm(2, dim, keepdim=True).clamp_min(eps)
    b = b / b.norm(2, dim, keepdim=True).clamp_min(eps)
    return (a * b).sum(dim)


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """The p-norm of ``x1 - x2 + eps`` along the last dimension.

    Args:
        x1, x2: floating tensors that broadcast together.
        p: the order of the norm.
        eps: keeps the slope at equal vectors finite.
        keepdim: keep the last dimension with size 1.

    Example:
        >>> from lamella import core
        >>> pairwise_distance(core.tensor([[3.0, 4.0]]), core.zeros(1, 2))
        tensor([5.0000])
    """
    x: Any = x1
    last = max(x.ndim, x2._a.ndim) - 1
    return (x - x2 + eps).norm(p, last, keepdim)


def pdist(input: Tensor, p: float = 2) -> Tensor:
    """The p-norm distances of all pairs of rows: (0, 1), (0, 2), ..., (1, 2), ...

    Args:
        input: a matrix of n rows.
        p: the order of the norm, at least 0.

    Returns:
        A vector of ``n * (n - 1) / 2`` elements.

    Raises:
        RuntimeError: for a tensor that is no matrix, or a negative order.

    Example:
        >>> from lamella import core
        >>> pdist(core.tensor([[0.0], [1.0], [3.0]]))
        tensor([1., 3., 2.])
    """
    x: Any = input
    if x.ndim != 2:
        raise RuntimeError(message("pdist", f"pdist only supports 2D tensors, got: {x.ndim}D"))
    if p < 0:
        raise RuntimeError(message("pdist", "pdist only supports non-negative p values", {"p": p}))
    if not x.is_floating_point():
        return pairwise(x, p)
    return _gen.op__pdist_forward(x, float(p))


__all__ = ["cosine_similarity", "pairwise_distance", "pdist"]
