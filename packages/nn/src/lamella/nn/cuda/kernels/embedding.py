"""Row numbers are checked only when that was asked for: the host would wait for the GPU."""

from __future__ import annotations

from typing import Any

from lamella.core.cuda.checks import checking
from lamella.dispatch.errors import message

from ...kernels.types import I64, type_name

__all__ = ["_ONE_HOT_LIMIT", "_indices"]

_ONE_HOT_LIMIT = -1


def _indices(xp: Any, op: str, indices: Any, rows: int) -> Any:
    """Row numbers as int64; with ``LAMELLA_CUDA_CHECKS=1`` those that are out of range are an error."""
    d = indices.dtype
    if d is not I64:
        if d.kind != "i" or d.itemsize < 4:
            rule = (
                "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "
                f"but got {type_name(d)} instead"
            )
            raise RuntimeError(message(op, rule))
        indices = indices.astype(I64)
    if checking() and indices.size:
        low, high = int(indices.min()), int(indices.max())
        if low < 0 or high >= rows:
            wrong = {"index": low if low < 0 else high, "rows": rows}
            raise IndexError(message(op, "index out of range in self", wrong))
    return indices
