"""Exponentials over their sums on a GPU: the shift by the maximum costs less than to ask whether it is needed."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY


def _exp_rows(xp: Any, a: Any) -> tuple[Any, Any, Any]:
    """exp along the last dimension, its sums (kept), and the maximum it was shifted by."""
    top = a.max(-1, keepdims=True)
    top = CUPY.where(CUPY.isinf(top) & (top < 0), 0, top)  # rows of -inf alone: nan comes from their sums
    e = CUPY.exp(a - top)
    return e, e.sum(-1, keepdims=True), top
