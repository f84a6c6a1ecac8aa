"""Distances of all pairs of rows without SciPy."""

from __future__ import annotations

from typing import Any

from ...kernels.distance import _norms
from ...kernels.types import F32, is_low

__all__ = ["_pdist_forward"]

#: Numbers that are held at once.
_ROOM = 1 << 26


def _pdist_forward(xp: Any, self: Any, p: float) -> Any:
    """The distances of rows i < j, in order; many pairs a part at a time."""
    x = self.astype(F32) if is_low(self.dtype) else self
    first, second = (xp.asarray(i) for i in xp.triu_indices(x.shape[0], 1))
    r = xp.empty(len(first), x.dtype)
    step = max(_ROOM // max(x.shape[1], 1), 1)
    for at in range(0, len(first), step):
        part = slice(at, at + step)
        r[part] = _norms(xp, x[first[part]] - x[second[part]], p)
    return r.astype(self.dtype, copy=False)
