"""Middle elements on a GPU."""

from __future__ import annotations

from typing import Any

from ..xp import CUPY


def _middle(xp: Any, a: Any, skip_nan: bool) -> tuple[Any, Any]:
    """Lower median along the last dimension with its index."""
    if a.dtype.kind == "V":
        values, index = _middle(xp, a.astype(CUPY.float32), skip_nan)
        return values.astype(a.dtype), index
    n = a.shape[-1]
    order = a.argsort(-1)  # nan sorts last
    if a.dtype.kind in "biu":
        k = CUPY.full(a.shape[:-1], (n - 1) // 2, CUPY.int64)
    else:
        bad = CUPY.isnan(a).sum(-1)
        k = CUPY.maximum((n - bad - 1) // 2, 0) if skip_nan else CUPY.where(bad > 0, n - bad, (n - 1) // 2)
    index = CUPY.take_along_axis(order, k[..., None], -1)
    return CUPY.take_along_axis(a, index, -1)[..., 0], index[..., 0]
