"""Distances between all pairs of vectors, as users call them."""

from __future__ import annotations

from typing import Any

from lamella.dispatch.errors import message

from .._gen import distance as _gen
from ..tensor import Tensor

_MODES = {
    "use_mm_for_euclid_dist_if_necessary": None,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}


def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """The p-norm distances between all rows of one matrix and all rows of another.

    The gradient at distance zero is zero.

    Args:
        x1: floating ``(*, n, d)``.
        x2: ``(*, m, d)`` of the same type; the batches broadcast.
        p: the order of the norm, at least 0; 0 counts the places that differ, infinity is the largest difference.
        compute_mode: whether Euclidean distances come from a matrix product, which is fast but loses digits where
            vectors are near each other: ``"use_mm_for_euclid_dist"``, ``"donot_use_mm_for_euclid_dist"`` or
            ``"use_mm_for_euclid_dist_if_necessary"`` (with more than 25 rows).

    Returns:
        ``(*, n, m)``.

    Raises:
        RuntimeError: if shapes or types do not fit, or p is negative. ValueError: for an unknown mode.

    Example:
        >>> cdist(tensor([[0.0, 0.0], [3.0, 0.0]]), tensor([[0.0, 4.0]])).tolist()
        [[4.0], [5.0]]
    """
    if compute_mode not in _MODES:
        raise ValueError(message("cdist", f"{compute_mode} is not a valid value for compute_mode", hint=f"{[*_MODES]}"))
    return _gen.op__cdist_forward(x1, x2, float(p), _MODES[compute_mode])


FUNCTIONS: dict[str, Any] = {"cdist": cdist}
METHODS: dict[str, Any] = {}
