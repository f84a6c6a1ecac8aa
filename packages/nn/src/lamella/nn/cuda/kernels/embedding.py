"""Row numbers are checked only when that was asked for: the host would wait for the GPU."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda.checks import checking

from ...kernels.embedding import _as_int64, _indices as _checked
from ...kernels.types import I64

__all__ = ["_ONE_HOT_LIMIT", "_indices"]

_ONE_HOT_LIMIT = -1


def _indices(xp: Any, op: str, indices: Any, rows: int) -> Any:
    """Row numbers as int64; with ``LAMELLA_CUDA_CHECKS=1`` those that are out of range are an error."""
    if checking():
        return _checked(xp, op, indices, rows)
    return indices if indices.dtype is I64 else _as_int64(op, indices)
