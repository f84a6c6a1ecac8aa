"""Losses over classes without questions about values, which would make the host wait for the GPU."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda.checks import checking

from ...kernels.loss import _as_int64, _classes as _checked
from ...kernels.types import I64
from .blockwise import BLOCK

__all__ = ["BLOCK", "_blank", "_classes", "_log_sums", "_weighed"]


def _classes(xp: Any, target: Any, count: int, ignore_index: int) -> tuple[Any, Any]:
    """Targets as one row, and which of them count. Ignored ones become class 0."""
    if checking():
        return _checked(xp, target, count, ignore_index)
    t = target.reshape(-1)
    if t.dtype is not I64:
        t = _as_int64(xp, t)
    keep = t != ignore_index
    return xp.where(keep, t, 0), keep


def _weighed(xp: Any, losses: Any, w: Any) -> Any:
    """Losses of rows times their weights; an ignored row counts nothing, whatever stands in it."""
    return xp.where(w == 0, 0, losses * w)


def _log_sums(xp: Any, x: Any) -> tuple[Any, Any]:
    """The softmax of rows and the logarithm of their sums of exponentials."""
    top = x.max(1, keepdims=True) if x.size else xp.zeros((x.shape[0], 1), x.dtype)
    e = xp.exp(x - top)
    s = e.sum(1, keepdims=True)
    return e / s, (xp.log(s) + top)[:, 0]


def _blank(xp: Any, g: Any, keep: Any) -> Any:
    """Gradients of rows, 0 in those that do not count."""
    return g if keep is None else xp.where(keep[:, None], g, 0)
