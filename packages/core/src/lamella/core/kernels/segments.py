"""Reductions of segments of the first dimension."""

from __future__ import annotations

from typing import Any


def _segment_sum(xp: Any, self: Any, lengths: Any) -> Any:
    """Sums of runs of rows; runs that end beyond the last row are cut off."""
    out = xp.zeros((lengths.shape[0], *self.shape[1:]), self.dtype)
    some = xp.flatnonzero(lengths)
    starts = (xp.cumsum(lengths) - lengths)[some]
    fits = starts < self.shape[0]
    some, starts = some[fits], starts[fits]
    if some.size:
        stop = int(lengths.sum())  # rows that belong to no segment come after the last
        out[some] = xp.add.reduceat(self[:stop] if stop < self.shape[0] else self, starts, 0, self.dtype)
    return out
